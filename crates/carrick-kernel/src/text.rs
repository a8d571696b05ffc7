//! Text from a kernel as a reader without a terminal wants it: no colours, no overwritten lines, no floods.

/// Removes the sequences by which terminals are told colours, positions and titles.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain.push_str(before);
        rest = behind_sequence(after);
    }
    plain.push_str(rest);
    plain
}

/// What follows an escape sequence whose first character has been taken.
fn behind_sequence(after: &str) -> &str {
    match after.chars().next() {
        Some('[') => {
            // Parameters, then one final letter.
            let end = after.char_indices().skip(1).find(|(_, char)| ('@'..='~').contains(char));
            end.map_or("", |(at, _)| after.get(at + 1..).unwrap_or_default())
        }
        Some(']') => {
            let end = after.find(['\x07', '\x1b']).unwrap_or(after.len());
            let rest = after.get(end..).unwrap_or_default();
            rest.strip_prefix('\x07').or_else(|| rest.strip_prefix("\x1b\\")).unwrap_or(rest)
        }
        Some(char) => after.get(char.len_utf8()..).unwrap_or_default(),
        None => "",
    }
}

/// The beginning and the end of a long text with a note between them.
pub(crate) fn cut_in_the_middle(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.into();
    }
    let (head, tail) = (boundary_before(text, most / 2), boundary_after(text, text.len() - most / 2));
    let (head, tail) = (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    format!("{head}\n{}\n{tail}", left_out(text.len() - head.len() - tail.len()))
}

/// The last place at or before `at` where a character begins.
pub(crate) fn boundary_before(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The first place at or after `at` where a character begins.
pub(crate) fn boundary_after(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// The note that stands where something is missing.
pub(crate) fn left_out(bytes: usize) -> String {
    format!("[… {bytes} bytes of output are left out here …]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_titles_and_moves_are_removed() {
        assert_eq!(plain("\x1b[0;31mZeroDivisionError\x1b[0m: x"), "ZeroDivisionError: x");
        assert_eq!(plain("a\x1b]0;title\x07b\x1b]8;;x\x1b\\c\x1b(d"), "abcd");
        assert_eq!(plain("broken \x1b[31"), "broken ");
        assert_eq!(plain("ends \x1b"), "ends ");
        assert_eq!(plain("größer \x1b[1m→\x1b[m"), "größer →");
    }

    #[test]
    fn a_long_text_keeps_its_ends() {
        let cut = cut_in_the_middle(&format!("begin{}end", "ä".repeat(1000)), 100);
        assert!(cut.starts_with("beginä") && cut.ends_with("äend"), "{cut}");
        assert!(cut.contains("bytes of output are left out here") && cut.len() < 200);
        assert_eq!(cut_in_the_middle("short", 100), "short");
    }
}
