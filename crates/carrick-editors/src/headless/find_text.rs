//! Finding the passage that a request to open a file names by its words.

use carrick_core::Range;

/// The words of a request. Empty ones count as not given: some agents send every argument.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    pub(super) start: Option<String>,
    pub(super) end: Option<String>,
    pub(super) to_end_of_line: bool,
}

/// What was found, in bytes of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) bytes: Option<(usize, usize)>,
    pub(super) start_missing: bool,
    pub(super) end_missing: bool,
}

/// From the first place of the start words to the end of the first place of the end words after them. End words
/// alone name nothing: the request says where a passage ends, not where it begins.
pub(super) fn find(text: &str, words: &Words) -> Found {
    let Some(start) = given(words.start.as_ref()) else { return Found::default() };
    let Some((from, mut to)) = place(text, 0, start) else {
        return Found { start_missing: true, ..Found::default() };
    };
    let mut end_missing = false;
    if let Some(end) = given(words.end.as_ref()) {
        match place(text, to, end) {
            Some((_, after)) => to = after,
            None => end_missing = true,
        }
    }
    if words.to_end_of_line {
        to = end_of_line(text, to);
    }
    Found { bytes: Some((from, to)), start_missing: false, end_missing }
}

/// A range as the text allows it, in bytes.
pub(super) fn clamp(text: &str, range: Range, to_end_of_line: bool) -> (usize, usize) {
    let range = Range::new(range.start, range.end);
    let (from, to) = (range.start.byte_in(text), range.end.byte_in(text));
    (from, if to_end_of_line { end_of_line(text, to) } else { to })
}

fn given(words: Option<&String>) -> Option<&str> {
    words.map(String::as_str).filter(|words| !words.is_empty())
}

fn place(text: &str, from: usize, words: &str) -> Option<(usize, usize)> {
    let rest = text.get(from..)?;
    let exactly = |words: &str| rest.find(words).map(|at| (from + at, from + at + words.len()));
    // Agents are shown CRLF files with LF, and ask for what they were shown.
    let with_crlf = || words.contains('\n').then(|| exactly(&words.replace('\n', "\r\n"))).flatten();
    exactly(words).or_else(with_crlf)
}

fn end_of_line(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let Some(newline) = rest.find('\n') else { return text.len() };
    let end = at + newline;
    if newline > 0 && text.as_bytes().get(end - 1) == Some(&b'\r') { end - 1 } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carrick_core::Position;
    use proptest::prelude::*;

    fn words(start: &str, end: &str, to_end_of_line: bool) -> Words {
        Words { start: Some(start.into()), end: Some(end.into()), to_end_of_line }
    }

    fn selected(text: &str, words: &Words) -> Option<String> {
        find(text, words).bytes.map(|(from, to)| text[from..to].into())
    }

    #[test]
    fn from_start_words_to_the_end_of_end_words() {
        let text = "fn a() {\n}\nfn b() {\n}\n";
        assert_eq!(selected(text, &words("fn b", "}", false)).unwrap(), "fn b() {\n}");
        assert_eq!(selected(text, &words("fn b", "", false)).unwrap(), "fn b");
        assert_eq!(selected(text, &words("fn b", "", true)).unwrap(), "fn b() {");
        assert_eq!(
            selected("aa", &words("a", "a", false)).unwrap(),
            "aa",
            "the end is searched after the start"
        );
    }

    #[test]
    fn what_is_missing_is_said() {
        let found = find("one two", &words("three", "two", true));
        assert_eq!(found, Found { bytes: None, start_missing: true, end_missing: false });
        let found = find("two one", &words("one", "two", false));
        assert_eq!(found, Found { bytes: Some((4, 7)), start_missing: false, end_missing: true });
        assert_eq!(find("x", &words("", "x", true)), Found::default());
    }

    #[test]
    fn line_ends_of_either_kind() {
        let text = "a\r\nb c\r\nd";
        assert_eq!(selected(text, &words("a\nb", "", true)).unwrap(), "a\r\nb c");
        assert_eq!(selected(text, &words("a", "", true)).unwrap(), "a");
        assert_eq!(selected(text, &words("d", "", true)).unwrap(), "d");
    }

    proptest! {
        #[test]
        fn a_found_passage_begins_and_ends_with_its_words(
            text in "[ab😀\n]{0,40}", start in "[ab😀\n]{1,3}", end in "[ab😀\n]{0,3}"
        ) {
            let found = find(&text, &words(&start, &end, false));
            prop_assert_eq!(found.start_missing, !text.contains(&start));
            if let Some((from, to)) = found.bytes {
                let passage = &text[from..to];
                prop_assert!(passage.starts_with(&start));
                prop_assert_eq!(from, text.find(&start).unwrap());
                if !found.end_missing { prop_assert!(passage.ends_with(&end)); }
                prop_assert_eq!(Range::of_bytes(&text, from, to).slice(&text), passage);
            }
        }

        #[test]
        fn stretching_stays_on_the_line(text in "[ab😀\r\n]{0,40}", start in "[ab]{1,2}") {
            let plain = find(&text, &words(&start, "", false)).bytes;
            let stretched = find(&text, &words(&start, "", true)).bytes;
            if let (Some((from, to)), Some((same, further))) = (plain, stretched) {
                prop_assert_eq!(from, same);
                prop_assert!(!text[to..further].contains('\n'));
            }
        }

        #[test]
        fn a_clamped_range_is_inside(text in "[a😀\r\n]{0,30}", a in 0u32..6, b in 0u32..9, c in 0u32..6, d in 0u32..9, eol: bool) {
            let range = Range { start: Position::new(a, b), end: Position::new(c, d) };
            let (from, to) = clamp(&text, range, eol);
            prop_assert!(text.get(from..to).is_some());
        }
    }
}
