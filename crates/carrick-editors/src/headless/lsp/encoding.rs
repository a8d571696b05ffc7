//! Places as a language server counts them, and as everybody else here does: UTF-16.

use carrick_core::{Position, Range};

/// What a server counts within a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// The one a server names; without a word it is UTF-16.
    pub(super) fn named(name: Option<&str>) -> Self {
        match name {
            Some("utf-8") => Self::Utf8,
            Some("utf-32") => Self::Utf32,
            _ => Self::Utf16,
        }
    }

    fn units(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// A text whose lines are found at once.
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(after).collect() }
    }

    /// The line without its end.
    pub(super) fn line(&self, number: u32) -> &'a str {
        let number = number as usize;
        let Some(start) = self.starts.get(number).copied() else { return "" };
        let end = self.starts.get(number + 1).map_or(self.text.len(), |next| next - 1);
        let line = self.text.get(start..end).unwrap_or_default();
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// The byte of a place; past the end of a line is its end, past the last line the end of the text.
    pub(super) fn byte(&self, at: Position, encoding: Encoding) -> usize {
        let Some(start) = self.starts.get(at.line as usize).copied() else { return self.text.len() };
        let line = self.line(at.line);
        let mut units = 0;
        for (byte, character) in line.char_indices() {
            units += encoding.units(character);
            if units > at.character as usize {
                return start + byte;
            }
        }
        start + line.len()
    }

    /// A place counted the other way.
    fn converted(&self, at: Position, from: Encoding, to: Encoding) -> Position {
        if from == to {
            return at;
        }
        let start = self.starts.get(at.line as usize).copied().unwrap_or(self.text.len());
        let before = self.text.get(start..self.byte(at, from)).unwrap_or_default();
        let units = before.chars().map(|character| to.units(character)).sum::<usize>();
        Position::new(at.line, u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// A range of a server, in UTF-16.
    pub(super) fn range(&self, range: Range, from: Encoding) -> Range {
        let utf16 = |at| self.converted(at, from, Encoding::Utf16);
        Range::new(utf16(range.start), utf16(range.end))
    }

    /// A place in UTF-16, as the server counts.
    pub(super) fn for_server(&self, at: Position, to: Encoding) -> Position {
        self.converted(at, Encoding::Utf16, to)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_same_place_in_three_ways() {
        let lines = Lines::of("ä😀x\r\nzwei");
        for (encoding, character) in [(Encoding::Utf8, 6), (Encoding::Utf16, 3), (Encoding::Utf32, 2)] {
            let at = Position::new(0, character);
            assert_eq!(lines.converted(at, encoding, Encoding::Utf16), Position::new(0, 3));
            assert_eq!(lines.for_server(Position::new(0, 3), encoding), at);
        }
        assert_eq!(lines.line(1), "zwei");
        assert_eq!(lines.byte(Position::new(9, 9), Encoding::Utf8), "ä😀x\r\nzwei".len());
    }

    proptest! {
        #[test]
        fn no_place_of_a_server_leads_outside(text in "[a-zß😀\r\n]{0,40}", line in 0u32..9, character in 0u32..99) {
            let lines = Lines::of(&text);
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                prop_assert!(text.is_char_boundary(lines.byte(Position::new(line, character), encoding)));
            }
        }
    }
}
