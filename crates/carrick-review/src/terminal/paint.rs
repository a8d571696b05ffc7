//! One line of a file as coloured cells: nothing a terminal could obey, tabs as blanks, cut to its column.

use std::ops::Range;

use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::palette::{Palette, Role};
use super::syntax;
use crate::visible::{is_harmful, push_visible};

/// Blanks to the next multiple of this.
const TAB: usize = 4;

/// What is known about a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Line<'a> {
    /// The text with its line end.
    pub(super) text: &'a str,
    /// The look of everything that has none of its own.
    pub(super) base: Option<Role>,
    /// The look of the changed words, and where they are.
    pub(super) words: (Option<Role>, &'a [Range<usize>]),
    /// Source text.
    pub(super) syntax: &'a [(Range<usize>, syntax::Token)],
}

/// Cells in the making.
struct Cells {
    spans: Vec<(String, Role)>,
    /// Columns passed over at the left.
    left: usize,
    /// Where the next cell goes, counted from the beginning of the line.
    column: usize,
    width: usize,
}

impl Cells {
    /// Adds a piece of known width; false when the line is full.
    fn push(&mut self, piece: &str, width: usize, role: Role) -> bool {
        let from = self.column;
        self.column += width;
        if from < self.left {
            // A wide character that is cut in two leaves a blank.
            let blanks = self.column.saturating_sub(self.left);
            self.append(&" ".repeat(blanks.min(self.width)), role);
            return blanks <= self.width;
        }
        if self.column - self.left > self.width {
            return false;
        }
        self.append(piece, role);
        true
    }

    fn append(&mut self, piece: &str, role: Role) {
        match self.spans.last_mut() {
            Some((text, last)) if *last == role => text.push_str(piece),
            _ => self.spans.push((piece.into(), role)),
        }
    }
}

/// The cells of a line from column `left` on, `width` of them at most. What does not fit is said with `›`.
pub(super) fn cells(line: &Line<'_>, left: usize, width: usize, palette: Palette) -> Vec<Span<'static>> {
    let open_end = !line.text.ends_with('\n') && line.base != Some(Role::Plain);
    let text = line.text.strip_suffix('\n').unwrap_or(line.text);
    let mut cells = Cells { spans: Vec::new(), left, column: 0, width: width.saturating_sub(1) };
    let fits =
        text.grapheme_indices(true).all(|(at, grapheme)| grapheme_fits(&mut cells, line, at, grapheme));
    if open_end && fits && !text.is_empty() {
        let _ = "  no newline at the end".graphemes(true).all(|letter| cells.push(letter, 1, Role::Dim));
    }
    if !fits {
        cells.append("›", Role::Note);
    }
    cells.spans.into_iter().map(|(text, role)| Span::styled(text, palette.style(role))).collect()
}

fn grapheme_fits(cells: &mut Cells, line: &Line<'_>, at: usize, grapheme: &str) -> bool {
    let role = line.role(at);
    if grapheme == "\t" {
        let blanks = TAB - cells.column % TAB;
        return cells.push(&" ".repeat(blanks), blanks, role);
    }
    let width = grapheme.width();
    if width > 0 && !grapheme.chars().any(is_harmful) {
        return cells.push(grapheme, width, role);
    }
    // Piece by piece: a whole number such as <U+202E> may begin inside the column and end outside.
    let shown = grapheme.chars().fold(String::new(), |mut shown, character| {
        match grapheme.chars().count() == 1 && !is_harmful(character) {
            // A mark without a letter before it has no room of its own.
            true => shown.push_str(&format!("<U+{:04X}>", u32::from(character))),
            false => push_visible(&mut shown, character),
        }
        shown
    });
    shown.graphemes(true).all(|piece| cells.push(piece, piece.width(), Role::Shown))
}

impl Line<'_> {
    fn role(&self, at: usize) -> Role {
        let base = self.base.unwrap_or(Role::Plain);
        if let (Some(role), true) = (self.words.0, self.words.1.iter().any(|range| range.contains(&at))) {
            return role;
        }
        let token = self.syntax.iter().find(|(range, _)| range.contains(&at)).map(|(_, token)| *token);
        token.map_or(base, Role::Syntax)
    }
}

/// A text in one line, cut at the end to fit; for names, not for source text.
pub(super) fn fitted(text: &str, width: usize) -> String {
    let shown = crate::visible::visible(text).replace('\t', "␉");
    if shown.width() <= width {
        return shown;
    }
    let mut kept = String::new();
    for grapheme in shown.graphemes(true) {
        if kept.width() + grapheme.width() + 1 > width {
            break;
        }
        kept.push_str(grapheme);
    }
    if width > 0 {
        kept.push('…');
    }
    kept
}

/// The same, cut at the beginning: of a long path the end says most.
pub(super) fn fitted_end(text: &str, width: usize) -> String {
    let shown = crate::visible::visible(text).replace('\t', "␉");
    if shown.width() <= width {
        return shown;
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut used = 1;
    for grapheme in shown.graphemes(true).rev() {
        used += grapheme.width();
        if used > width {
            break;
        }
        kept.push(grapheme);
    }
    kept.push(if width > 0 { "…" } else { "" });
    kept.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, left: usize, width: usize) -> String {
        let line = Line { text, ..Line::default() };
        cells(&line, left, width, Palette { colours: true })
            .iter()
            .map(|span| span.content.as_ref())
            .collect()
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(shown("a\x1b[2J\u{202e}b\r\n", 0, 40), "a␛[2J<U+202E>b␍");
        assert_eq!(shown("\tx\ty\n", 0, 40), "    x   y");
        assert_eq!(shown("open", 0, 40), "open  no newline at the end");
    }

    #[test]
    fn a_long_line_says_that_it_goes_on() {
        assert_eq!(shown("abcdefgh\n", 0, 5), "abcd›");
        assert_eq!(shown("abcdefgh\n", 4, 5), "efgh");
        assert_eq!(shown("漢字漢字\n", 1, 5), " 字›");
    }

    #[test]
    fn names_are_cut_where_they_say_least() {
        assert_eq!(fitted("claude-code 2.1", 8), "claude-…");
        assert_eq!(fitted_end("a/long/path/file.rs", 8), "…file.rs");
        assert_eq!(fitted("a\nb", 8), "a␊b");
    }

    proptest! {
        #[test]
        fn a_line_never_takes_more_than_its_column(text in any::<String>(), left in 0..20usize, width in 1..30usize) {
            let shown = shown(&text, left, width);
            prop_assert!(shown.width() <= width, "{shown:?}");
            prop_assert!(!shown.chars().any(is_harmful));
        }
    }
}
