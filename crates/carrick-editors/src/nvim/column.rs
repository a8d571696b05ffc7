//! Bytes to UTF-16 units: Neovim counts columns in bytes of the line, the desk in what the wire counts.

use carrick_core::{Position, Range};

use super::words::{Spot, Stretch};

/// The position of a byte column. The line's text may be cut after the column; a column inside a character is taken
/// back to its start, and one past the text counts as its end.
pub(super) fn position(at: Spot, line: &str) -> Position {
    let mut byte = usize::try_from(at.byte).unwrap_or(usize::MAX).min(line.len());
    while !line.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = line.get(..byte).unwrap_or_default();
    let units = if before.is_ascii() { before.len() } else { before.encode_utf16().count() };
    Position::new(at.line, u32::try_from(units).unwrap_or(u32::MAX))
}

/// The range of a stretch with the texts of its two lines.
pub(super) fn range(stretch: &Stretch) -> Range {
    Range::new(
        position(stretch.start, &stretch.start_text_of_line),
        position(stretch.end, &stretch.end_text_of_line),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_utf16_units() {
        let at = |byte, line: &str| position(Spot { line: 3, byte }, line).character;
        assert_eq!(at(3, "abcdef"), 3);
        assert_eq!(at(2, "ä=1"), 1);
        assert_eq!(at(4, "😀x"), 2);
        assert_eq!(at(2, "😀x"), 0, "inside a character");
        assert_eq!(at(99, "\tä"), 2, "past the end");
    }
}
