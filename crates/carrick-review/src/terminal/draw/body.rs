//! The review itself: a bar with its name, then its rows.

use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Pen, list};
use crate::terminal::change::{Row, Text};
use crate::terminal::inline;
use crate::terminal::paint::{self, cells, fitted, fitted_end};
use crate::terminal::palette::Role;
use crate::terminal::room::{Room, Shelf, View};
use crate::terminal::syntax;

pub(super) fn draw(room: &mut Room, pen: &mut Pen<'_>, area: Rect) {
    if room.entry_shown().is_none() {
        return nothing(room, pen, area);
    }
    bar(room, pen, area);
    let rows = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let waits = room.entry_shown().is_some_and(|entry| entry.end.is_none());
    let Some(view) = room.view_mut() else { return };
    view.fit(usize::from(rows.height));
    let view = &*view;
    let sketch = Sketch { view, current: view.hunk().filter(|_| waits), digits: digits(view) };
    for (row, offset) in (view.top..view.rows.len()).zip(0..rows.height) {
        let spans = sketch.row(pen, row, usize::from(rows.width));
        pen.row(rows, offset, spans);
    }
}

/// The screen when there is nothing to look at.
fn nothing(room: &Room, pen: &mut Pen<'_>, area: Rect) {
    let mut lines: Vec<Vec<Span<'static>>> = Vec::new();
    if room.shelf == Shelf::History {
        lines.push(vec![pen.span(Role::Plain, "Nothing has ended in this run.")]);
    } else {
        let words = "No change waits for you. One that an agent proposes is shown here.";
        lines.push(vec![pen.span(Role::Plain, words)]);
    }
    if let Some(last) = room.last() {
        lines.push(vec![pen.span(Role::Dim, format!("Last: {}", fitted(last, usize::from(area.width))))]);
    }
    lines.push(Vec::new());
    for (command, meaning) in &room.hints {
        let width = usize::from(area.width);
        let command = pen.span(Role::Strong, format!("  {:<24}  ", fitted(command, width)));
        lines.push(vec![command, pen.span(Role::Dim, fitted(meaning, width))]);
    }
    for (line, row) in lines.into_iter().zip(1..) {
        pen.row(area, row, line);
    }
}

/// The name of the review and how far the person is with it.
fn bar(room: &Room, pen: &mut Pen<'_>, area: Rect) {
    let Some(entry) = room.entry_shown() else { return };
    let facts = room.view().map_or_else(String::new, |view| facts(view, entry.end.is_none()));
    let facts = match entry.end {
        Some(end) => format!("{} · {facts}", end.words()),
        None => facts,
    };
    let width = usize::from(area.width);
    let name =
        fitted_end(&room.short(&entry.path), width.saturating_sub(Span::raw(facts.as_str()).width() + 14));
    let size = room.view().map_or(entry.size, |view| match entry.size {
        crate::terminal::source::Size::Lines(..) => {
            let (added, removed) = view.change.counts();
            crate::terminal::source::Size::Lines(added, removed)
        }
        other => other,
    });
    let size: String =
        list::size(pen, size).iter().map(|span| span.content.trim().to_owned() + " ").collect();
    let text = format!(" {name}  {size} {facts}");
    let gap = width.saturating_sub(Span::raw(text.as_str()).width());
    let span = pen.span(Role::Bar, format!("{text}{}", " ".repeat(gap)));
    pen.row(area, 0, vec![span]);
    pen.fill(area, 0, Role::Bar);
}

fn facts(view: &View, waits: bool) -> String {
    let (all, chosen) = (view.change.pieces.len(), view.change.chosen());
    let mut facts = Vec::new();
    if view.change.whole_only {
        facts.push("what is there now is not text".into());
    } else if all == 0 {
        facts.push("no difference".into());
    } else {
        let here = view.hunk().map_or(0, |hunk| hunk + 1);
        facts.push(format!("hunk {here} of {all}"));
        if waits && chosen < all {
            facts.push(format!("{chosen} chosen"));
        }
    }
    if view.is_edited() {
        facts.push("your version".into());
    }
    if view.left > 0 {
        facts.push(format!("from column {}", view.left + 1));
    }
    facts.join(" · ")
}

fn digits(view: &View) -> usize {
    let lines = view.change.old.len().max(view.change.new.len());
    lines.max(100).to_string().len()
}

/// What the rows of a view need to be drawn.
struct Sketch<'a> {
    view: &'a View,
    /// The hunk that space would take in or out.
    current: Option<usize>,
    digits: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

impl Sketch<'_> {
    fn row(&self, pen: &Pen<'_>, at: usize, width: usize) -> Vec<Span<'static>> {
        let Some(row) = self.view.rows.get(at).copied() else { return Vec::new() };
        let mut spans = vec![self.edge(pen, at, row)];
        let width = width.saturating_sub(2);
        match row {
            Row::Head(piece) => spans.extend(self.head(pen, piece, width)),
            Row::Fold(count) => spans.push(pen.span(
                Role::Dim,
                format!("{:>w$} unchanged lines", format!("⋯ {count}"), w = self.digits + 2),
            )),
            Row::Same(old, new) if self.view.is_side_by_side() => {
                spans.extend(self.pair(pen, Some(old), Some(new), None, width));
            }
            Row::Changed { piece, old, new } if self.view.is_side_by_side() => {
                spans.extend(self.pair(pen, old, new, Some(piece), width));
            }
            Row::Same(old, new) => spans.extend(self.unified(pen, Some(old), Some(new), None, width)),
            Row::Changed { piece, old, new } => spans.extend(self.unified(pen, old, new, Some(piece), width)),
        }
        spans
    }

    /// The mark at the left edge: where the cursor is, and which hunk the keys mean.
    fn edge(&self, pen: &Pen<'_>, at: usize, row: Row) -> Span<'static> {
        let piece = match row {
            Row::Head(piece) | Row::Changed { piece, .. } => Some(piece),
            Row::Same(..) | Row::Fold(_) => None,
        };
        match (at == self.view.cursor, piece.is_some() && piece == self.current) {
            (true, _) => pen.span(Role::Strong, "▶ "),
            (false, true) => pen.span(Role::Note, "▌ "),
            (false, false) => pen.span(Role::Plain, "  "),
        }
    }

    fn head(&self, pen: &Pen<'_>, index: usize, width: usize) -> Vec<Span<'static>> {
        let all = self.view.change.pieces.len();
        let Some(piece) = self.view.change.pieces.get(index) else { return Vec::new() };
        let check = if piece.chosen { "[x]" } else { "[ ]" };
        let words = format!(" hunk {} of {all} ", index + 1);
        let role = if self.current == Some(index) { Role::Strong } else { Role::Dim };
        let line = "─".repeat(width.saturating_sub(check.len() + words.len()).min(60));
        let check = if piece.chosen { pen.span(Role::Added, check) } else { pen.span(Role::Note, check) };
        vec![check, pen.span(role, words), pen.span(Role::Dim, line)]
    }

    fn unified(
        &self,
        pen: &Pen<'_>,
        old: Option<usize>,
        new: Option<usize>,
        piece: Option<usize>,
        width: usize,
    ) -> Vec<Span<'static>> {
        let number = |index: Option<usize>| index.map_or_else(String::new, |index| (index + 1).to_string());
        let digits = self.digits;
        let numbers = format!("{:>digits$} {:>digits$} ", number(old), number(new));
        let width = width.saturating_sub(2 * digits + 4);
        let side = if new.is_some() { Side::New } else { Side::Old };
        let mut spans = vec![pen.span(Role::Dim, numbers), self.sign(pen, piece.map(|_| side))];
        spans.extend(self.text(pen, side, new.or(old), piece, width));
        spans
    }

    fn pair(
        &self,
        pen: &Pen<'_>,
        old: Option<usize>,
        new: Option<usize>,
        piece: Option<usize>,
        width: usize,
    ) -> Vec<Span<'static>> {
        let half = width.saturating_sub(3) / 2;
        let mut spans = self.half(pen, Side::Old, old, piece, half);
        let used: usize = spans.iter().map(Span::width).sum();
        spans.push(pen.span(Role::Plain, " ".repeat(half.saturating_sub(used))));
        spans.push(pen.span(Role::Dim, " │ "));
        spans.extend(self.half(pen, Side::New, new, piece, half));
        spans
    }

    fn half(
        &self,
        pen: &Pen<'_>,
        side: Side,
        index: Option<usize>,
        piece: Option<usize>,
        width: usize,
    ) -> Vec<Span<'static>> {
        let Some(line) = index else { return Vec::new() };
        let digits = self.digits;
        let mut spans =
            vec![pen.span(Role::Dim, format!("{:>digits$} ", line + 1)), self.sign(pen, piece.map(|_| side))];
        spans.extend(self.text(pen, side, index, piece, width.saturating_sub(digits + 3)));
        spans
    }

    fn sign(&self, pen: &Pen<'_>, side: Option<Side>) -> Span<'static> {
        match side {
            None => pen.span(Role::Plain, "  "),
            Some(Side::Old) => pen.span(Role::Removed, "- "),
            Some(Side::New) => pen.span(Role::Added, "+ "),
        }
    }

    /// The line itself with its colours and marks.
    fn text(
        &self,
        pen: &Pen<'_>,
        side: Side,
        index: Option<usize>,
        piece: Option<usize>,
        width: usize,
    ) -> Vec<Span<'static>> {
        let change = &self.view.change;
        let Some(index) = index else { return Vec::new() };
        let (text, states): (&Text, _) = match side {
            Side::Old => (&change.old, &self.view.states.0),
            Side::New => (&change.new, &self.view.states.1),
        };
        let chosen = piece.and_then(|piece| change.pieces.get(piece)).is_none_or(|piece| piece.chosen);
        let text = text.line(index);
        let (words, base) = match (piece, side) {
            (None, _) => ((None, Vec::new()), Role::Plain),
            (Some(_), _) if !chosen => ((None, Vec::new()), Role::Dim),
            (Some(piece), Side::Old) => {
                ((Some(Role::RemovedWord), self.words(piece, side, index)), Role::Removed)
            }
            (Some(piece), Side::New) => {
                ((Some(Role::AddedWord), self.words(piece, side, index)), Role::Added)
            }
        };
        let syntax: syntax::Parts = match (self.view.language, states.get(index)) {
            (Some(language), Some(state)) if chosen => language.parts(text, *state).0,
            _ => Vec::new(),
        };
        let line = paint::Line { text, base: Some(base), words: (words.0, &words.1), syntax: &syntax };
        cells(&line, self.view.left, width, pen.palette)
    }

    /// The changed words of a line, compared with the line that stands at the same place on the other side.
    fn words(&self, piece: usize, side: Side, index: usize) -> inline::Parts {
        let change = &self.view.change;
        let Some(piece) = change.pieces.get(piece) else { return Vec::new() };
        let offset = if side == Side::Old { index - piece.old.start } else { index - piece.new.start };
        let (old, new) = (piece.old.start + offset, piece.new.start + offset);
        if !piece.old.contains(&old) || !piece.new.contains(&new) {
            return Vec::new();
        }
        let (gone, come) = inline::marks(change.old.line(old), change.new.line(new));
        if side == Side::Old { gone } else { come }
    }
}
