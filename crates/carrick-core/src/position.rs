//! Positions as the wire counts them: 0-based lines, `character` in UTF-16 units, ends exclusive.
//!
//! Every editor counts differently (bytes, display columns, scalar values); the conversion happens here once.

/// A place between two characters of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// 0-based line. Lines end with LF or CRLF.
    pub line: u32,
    /// 0-based offset in the line, in UTF-16 code units.
    pub character: u32,
}

/// Two positions; the end is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    /// Where it begins.
    pub start: Position,
    /// The first place that no longer belongs to it.
    pub end: Position,
}

impl Position {
    /// A position from its two numbers.
    #[must_use]
    pub const fn new(line: u32, character: u32) -> Self {
        Self { line, character }
    }

    /// The byte offset of this position in `text`. A place past the end of its line is the end of that line, and
    /// a place past the last line is the end of the text: an editor that is one change ahead must not fail here.
    #[must_use]
    pub fn byte_in(self, text: &str) -> usize {
        let Some(start) = line_start(text, self.line) else { return text.len() };
        let line = line_without_ending(text.get(start..).unwrap_or_default());
        let mut units = 0;
        for (byte, character) in line.char_indices() {
            // A position inside a surrogate pair is taken back to the character it would split.
            if units + character.len_utf16() as u32 > self.character {
                return start + byte;
            }
            units += character.len_utf16() as u32;
        }
        start + line.len()
    }

    /// The position of a byte offset in `text`; an offset inside a character is taken back to its start.
    #[must_use]
    pub fn of_byte(text: &str, byte: usize) -> Self {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = text.get(..byte).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let in_line = before.get(line_start..).unwrap_or_default();
        let line = before.bytes().filter(|b| *b == b'\n').count() as u32;
        Self { line, character: in_line.encode_utf16().count() as u32 }
    }
}

impl Range {
    /// A range from its two ends, put in order: an editor's anchor may come after its cursor.
    #[must_use]
    pub fn new(one: Position, other: Position) -> Self {
        Self { start: one.min(other), end: one.max(other) }
    }

    /// True when nothing lies between the ends.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The part of `text` that this range covers.
    #[must_use]
    pub fn slice(self, text: &str) -> &str {
        let (start, end) = (self.start.byte_in(text), self.end.byte_in(text));
        text.get(start..end.max(start)).unwrap_or_default()
    }

    /// The range of the bytes `start..end` of `text`.
    #[must_use]
    pub fn of_bytes(text: &str, start: usize, end: usize) -> Self {
        Self::new(Position::of_byte(text, start), Position::of_byte(text, end))
    }
}

fn line_start(text: &str, line: u32) -> Option<usize> {
    match line {
        0 => Some(0),
        _ => text.match_indices('\n').nth(line as usize - 1).map(|(at, _)| at + 1),
    }
}

fn line_without_ending(rest: &str) -> &str {
    let line = rest.split('\n').next().unwrap_or_default();
    let ended = line.len() < rest.len();
    if ended { line.strip_suffix('\r').unwrap_or(line) } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_utf16_units() {
        let text = "a😀b\r\nzwei\n";
        assert_eq!(Position::new(0, 3).byte_in(text), 5);
        assert_eq!(Position::of_byte(text, 5), Position::new(0, 3));
        assert_eq!(Range::new(Position::new(0, 1), Position::new(0, 3)).slice(text), "😀");
    }

    #[test]
    fn a_place_inside_a_surrogate_pair_falls_back() {
        assert_eq!(Position::new(0, 2).byte_in("a😀b"), 1);
    }

    #[test]
    fn past_the_end_is_the_end() {
        let text = "one\r\ntwo";
        assert_eq!(Position::new(0, 99).byte_in(text), 3, "the line ending does not belong to the line");
        assert_eq!(Position::new(9, 0).byte_in(text), text.len());
    }

    #[test]
    fn ends_are_put_in_order() {
        let range = Range::new(Position::new(2, 1), Position::new(1, 4));
        assert_eq!(range.start, Position::new(1, 4));
        assert!(!range.is_empty());
    }

    proptest! {
        #[test]
        fn every_character_boundary_survives_the_round_trip(text in "[a-zß😀\n\t]{0,60}", at in 0usize..80) {
            let mut byte = at.min(text.len());
            while !text.is_char_boundary(byte) { byte -= 1; }
            prop_assert_eq!(Position::of_byte(&text, byte).byte_in(&text), byte);
        }

        #[test]
        fn no_position_is_ever_outside(text in "\\PC{0,40}(\r\n\\PC{0,20}){0,3}", line in 0u32..9, character in 0u32..99) {
            let byte = Position::new(line, character).byte_in(&text);
            prop_assert!(text.is_char_boundary(byte));
        }

        #[test]
        fn a_slice_is_part_of_the_text(text in "[a-z😀\n]{0,40}", a in 0u32..9, b in 0u32..9, c in 0u32..9, d in 0u32..9) {
            let range = Range::new(Position::new(a, b), Position::new(c, d));
            prop_assert!(text.contains(range.slice(&text)));
        }
    }
}
