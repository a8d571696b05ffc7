//! Applying a server's edits to a text.

use carrick_core::{Position, Range};

use super::encoding::{Encoding, Lines};
use super::wire::TextEdit;

/// The text after all edits; `None` when they overlap, which no order could make sense of.
pub(super) fn apply(text: &str, edits: &[TextEdit], encoding: Encoding) -> Option<String> {
    let lines = Lines::of(text);
    let byte = |at: Position| lines.byte(at, encoding);
    let mut cuts: Vec<(usize, usize, &str)> = Vec::with_capacity(edits.len());
    for edit in edits {
        let range = Range::from(edit.range);
        cuts.push((byte(range.start), byte(range.end), edit.new_text.as_str()));
    }
    // Stable: several insertions at one place stay in their order.
    cuts.sort_by_key(|(start, ..)| *start);
    let (mut after, mut done) = (String::with_capacity(text.len()), 0);
    for (start, end, new) in cuts {
        after.push_str(text.get(done..start)?);
        after.push_str(new);
        done = end;
    }
    after.push_str(text.get(done..)?);
    Some(after)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn edit(from: (u32, u32), to: (u32, u32), new: &str) -> TextEdit {
        let place = |(line, character)| json!({"line": line, "character": character});
        serde_json::from_value(json!({"range": {"start": place(from), "end": place(to)}, "newText": new}))
            .unwrap()
    }

    #[test]
    fn edits_are_about_the_text_as_it_was() {
        let edits = [edit((1, 0), (1, 4), "2"), edit((0, 2), (0, 3), "b"), edit((0, 0), (0, 0), ">")];
        assert_eq!(apply("😀x\nzwei\n", &edits, Encoding::Utf16).unwrap(), ">😀b\n2\n");
        assert_eq!(apply("ab", &[edit((0, 0), (9, 0), "whole")], Encoding::Utf8).unwrap(), "whole");
        assert_eq!(apply("abc", &[edit((0, 0), (0, 2), ""), edit((0, 1), (0, 3), "")], Encoding::Utf8), None);
    }
}
