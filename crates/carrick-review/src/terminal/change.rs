//! A change as a person works on it: its lines, its hunks, and which of them are chosen.
//!
//! What is accepted is put together from the very hunks that are on the screen, not compared again elsewhere.

use std::ops::Range;
use std::sync::Arc;

use carrick_core::{Original, hunks};

use super::source::Contents;

/// A text and where its lines begin.
#[derive(Clone, Debug)]
pub(super) struct Text {
    whole: Arc<str>,
    starts: Vec<usize>,
}

impl Text {
    fn new(whole: Arc<str>) -> Self {
        let ends = whole.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).filter(|start| *start < whole.len()).collect();
        Self { whole, starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// A line with its line end.
    pub(super) fn line(&self, index: usize) -> &str {
        self.part(index..index + 1)
    }

    fn part(&self, lines: Range<usize>) -> &str {
        let start = |index: usize| self.starts.get(index).copied().unwrap_or(self.whole.len());
        self.whole.get(start(lines.start)..start(lines.end)).unwrap_or_default()
    }
}

/// A hunk: the lines that go and the lines that come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
    pub(super) chosen: bool,
}

/// The whole change.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) old: Text,
    pub(super) new: Text,
    pub(super) pieces: Vec<Piece>,
    /// What is there now is not text: it can only be taken or left whole.
    pub(super) whole_only: bool,
}

impl Change {
    pub(super) fn new(contents: &Contents) -> Self {
        let (before, whole_only): (Arc<str>, bool) = match &contents.original {
            Original::Text(text) => (Arc::clone(text), false),
            Original::Missing => ("".into(), false),
            Original::NotText => ("".into(), true),
        };
        let pieces = hunks::hunks(&before, &contents.proposed, 0).iter().map(piece).collect();
        let new = Text::new(Arc::clone(&contents.proposed));
        Self { old: Text::new(before), new, pieces, whole_only }
    }

    /// How many lines come and go.
    pub(super) fn counts(&self) -> (usize, usize) {
        self.pieces
            .iter()
            .fold((0, 0), |(added, removed), piece| (added + piece.new.len(), removed + piece.old.len()))
    }

    pub(super) fn chosen(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.chosen).count()
    }

    /// Takes a hunk in or out; false when that is not possible.
    pub(super) fn toggle(&mut self, index: usize) -> bool {
        let piece = self.pieces.get_mut(index).filter(|_| !self.whole_only);
        piece.is_some_and(|piece| {
            piece.chosen = !piece.chosen;
            true
        })
    }

    /// The contents with the chosen hunks only.
    pub(super) fn assembled(&self) -> String {
        let mut result = String::with_capacity(self.new.whole.len());
        let mut next = 0;
        for piece in &self.pieces {
            result.push_str(self.old.part(next..piece.old.start));
            result.push_str(if piece.chosen {
                self.new.part(piece.new.clone())
            } else {
                self.old.part(piece.old.clone())
            });
            next = piece.old.end;
        }
        result.push_str(self.old.part(next..self.old.len()));
        result
    }
}

fn piece(hunk: &hunks::Hunk) -> Piece {
    let (added, removed) = hunk.counts();
    let (old, new) = (hunk.old_line.saturating_sub(1), hunk.new_line.saturating_sub(1));
    Piece { old: old..old + removed, new: new..new + added, chosen: true }
}

/// A row on the screen, in either view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The head of a hunk.
    Head(usize),
    /// So many unchanged lines are left out.
    Fold(usize),
    /// An unchanged line: where it is in the old and in the new text.
    Same(usize, usize),
    /// A line that goes, one that comes, or, side by side, both.
    Changed { piece: usize, old: Option<usize>, new: Option<usize> },
}

/// How the rows are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) side_by_side: bool,
    /// Unchanged lines that stay around a hunk; `None` for all.
    pub(super) context: Option<usize>,
}

impl Change {
    /// All rows of a view.
    pub(super) fn rows(&self, layout: Layout) -> Vec<Row> {
        let (mut rows, mut old, mut new) = (Vec::new(), 0, 0);
        for (index, piece) in self.pieces.iter().enumerate() {
            let (first, gap) = (index == 0, piece.old.start - old);
            unchanged(&mut rows, (old, new), gap, layout.context, (first, false));
            rows.push(Row::Head(index));
            changed(&mut rows, index, piece, layout.side_by_side);
            (old, new) = (piece.old.end, piece.new.end);
        }
        let (first, gap) = (self.pieces.is_empty(), self.old.len().saturating_sub(old));
        unchanged(&mut rows, (old, new), gap, layout.context, (first, true));
        rows
    }
}

/// The unchanged lines between two hunks, or before the first or after the last, with their middle left out.
fn unchanged(
    rows: &mut Vec<Row>,
    (old, new): (usize, usize),
    count: usize,
    context: Option<usize>,
    (first, last): (bool, bool),
) {
    let context = context.unwrap_or(count);
    let (after, before) = (if first { 0 } else { context }, if last { 0 } else { context });
    let hidden = count.saturating_sub(after + before);
    // A fold that hides one line takes as much room as the line.
    let (after, hidden) = if hidden == 1 { (after + 1, 0) } else { (after, hidden) };
    let after = after.min(count);
    rows.extend((0..after).map(|offset| Row::Same(old + offset, new + offset)));
    if hidden > 0 {
        rows.push(Row::Fold(hidden));
    }
    rows.extend((after + hidden..count).map(|offset| Row::Same(old + offset, new + offset)));
}

fn changed(rows: &mut Vec<Row>, index: usize, piece: &Piece, side_by_side: bool) {
    let row = |old, new| Row::Changed { piece: index, old, new };
    let at = |range: &Range<usize>, offset: usize| {
        Some(range.start + offset).filter(|index| range.contains(index))
    };
    if side_by_side {
        let height = piece.old.len().max(piece.new.len());
        rows.extend((0..height).map(|offset| row(at(&piece.old, offset), at(&piece.new, offset))));
    } else {
        rows.extend(piece.old.clone().map(|old| row(Some(old), None)));
        rows.extend(piece.new.clone().map(|new| row(None, Some(new))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn change(old: &str, new: &str) -> Change {
        Change::new(&Contents { original: Original::Text(old.into()), proposed: new.into() })
    }

    const UNIFIED: Layout = Layout { side_by_side: false, context: Some(1) };

    #[test]
    fn far_lines_are_folded_and_one_line_is_not() {
        let old: String = (1..=9).map(|number| format!("{number}\n")).collect();
        let rows = change(&old, &old.replace("2\n", "two\n").replace("9\n", "nine\n")).rows(UNIFIED);
        assert_eq!(rows[0], Row::Same(0, 0));
        assert_eq!(rows[1], Row::Head(0));
        assert_eq!(rows[2], Row::Changed { piece: 0, old: Some(1), new: None });
        assert!(rows.contains(&Row::Fold(4)), "{rows:?}");
        let rows = change("1\n2\n3\n4\n", "1\n2\n3\nfour\n").rows(UNIFIED);
        assert_eq!(rows[..2], [Row::Fold(2), Row::Same(2, 2)]);
        let rows = change("1\n2\n3\n", "1\n2\nthree\n").rows(UNIFIED);
        assert_eq!(rows[..2], [Row::Same(0, 0), Row::Same(1, 1)]);
    }

    #[test]
    fn side_by_side_pairs_lines() {
        let rows = change("a\nb\n", "A\n").rows(Layout { side_by_side: true, context: None });
        assert_eq!(rows[1], Row::Changed { piece: 0, old: Some(0), new: Some(0) });
        assert_eq!(rows[2], Row::Changed { piece: 0, old: Some(1), new: None });
    }

    #[test]
    fn what_is_not_text_is_taken_whole() {
        let mut change = Change::new(&Contents { original: Original::NotText, proposed: "a\n".into() });
        assert!(!change.toggle(0));
        assert_eq!(change.assembled(), "a\n");
    }

    proptest! {
        #[test]
        fn the_rows_hold_every_line_once(old in "([a-c]{0,2}\n?){0,12}", new in "([a-c]{0,2}\n?){0,12}", side in any::<bool>()) {
            let change = change(&old, &new);
            let rows = change.rows(Layout { side_by_side: side, context: None });
            let (mut left, mut right) = (String::new(), String::new());
            for row in rows {
                let (a, b) = match row {
                    Row::Same(a, b) => (Some(a), Some(b)),
                    Row::Changed { old, new, .. } => (old, new),
                    Row::Head(_) | Row::Fold(_) => (None, None),
                };
                left.push_str(a.map_or("", |index| change.old.line(index)));
                right.push_str(b.map_or("", |index| change.new.line(index)));
            }
            prop_assert_eq!(left, old);
            prop_assert_eq!(right, new);
        }

        #[test]
        fn chosen_hunks_are_what_the_core_would_take(old in "([a-c]{0,2}\n?){0,12}", new in "([a-c]{0,2}\n?){0,12}", mask in any::<u16>()) {
            let mut change = change(&old, &new);
            let off = |index: usize| mask >> (index % 16) & 1 == 1;
            for index in (0..change.pieces.len()).filter(|index| off(*index)) {
                change.toggle(index);
            }
            let taken: Vec<usize> = (0..change.pieces.len()).filter(|index| !off(*index)).map(|index| index + 1).collect();
            prop_assert_eq!(change.assembled(), hunks::apply(&old, &new, &taken));
        }
    }
}
