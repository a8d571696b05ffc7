//! One review as it is looked at: its rows, where the cursor is, and what the person made of the contents.

use std::sync::Arc;

use crate::terminal::change::{Change, Layout, Row};
use crate::terminal::source::Contents;
use crate::terminal::syntax::{Language, State};

/// Unchanged lines around a hunk.
const CONTEXT: usize = 3;

/// Texts above this size have no colours: finding out what each line begins inside of would take too long.
const COLOURED_BYTES: usize = 2 << 20;

pub(in super::super) struct View {
    contents: Contents,
    /// What the person made of the proposal in their editor.
    edited: Option<Arc<str>>,
    pub(in super::super) change: Change,
    pub(in super::super) rows: Vec<Row>,
    layout: Layout,
    pub(in super::super) cursor: usize,
    pub(in super::super) top: usize,
    pub(in super::super) left: usize,
    /// Rows that were on the screen when it was drawn last.
    pub(in super::super) height: usize,
    pub(in super::super) language: Option<&'static Language>,
    /// What each line begins inside of, old and new.
    pub(in super::super) states: (Vec<State>, Vec<State>),
}

impl View {
    pub(in super::super) fn new(contents: Contents, path: &std::path::Path, side_by_side: bool) -> Self {
        let change = Change::new(&contents);
        let layout = Layout { side_by_side, context: Some(CONTEXT) };
        let language = Language::of(path).filter(|_| contents.proposed.len() <= COLOURED_BYTES);
        let mut view = Self {
            contents,
            edited: None,
            change,
            rows: Vec::new(),
            layout,
            cursor: 0,
            top: 0,
            left: 0,
            height: 1,
            language,
            states: Default::default(),
        };
        view.compute();
        view.go_to_hunk(0);
        view.top = 0;
        view
    }

    fn compute(&mut self) {
        self.rows = self.change.rows(self.layout);
        self.states = match self.language {
            Some(language) => (states(language, &self.change.old), states(language, &self.change.new)),
            None => Default::default(),
        };
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
    }

    /// What would be written if all hunks were taken.
    pub(in super::super) fn proposed(&self) -> &Arc<str> {
        self.edited.as_ref().unwrap_or(&self.contents.proposed)
    }

    pub(in super::super) fn is_edited(&self) -> bool {
        self.edited.is_some()
    }

    pub(in super::super) fn edited(&self) -> Option<&Arc<str>> {
        self.edited.as_ref()
    }

    /// The person changed the contents; unchanged contents are no edit.
    pub(in super::super) fn edit(&mut self, contents: Arc<str>) {
        self.edited = Some(contents).filter(|contents| *contents != self.contents.proposed);
        let contents =
            Contents { original: self.contents.original.clone(), proposed: Arc::clone(self.proposed()) };
        self.change = Change::new(&contents);
        self.compute();
        self.go_to_hunk(0);
    }

    /// Takes back what the person did; false when they did nothing.
    pub(in super::super) fn undo(&mut self) -> bool {
        let touched = self.is_edited() || self.change.chosen() < self.change.pieces.len();
        if touched {
            self.edit(Arc::clone(&self.contents.proposed));
        }
        touched
    }

    pub(in super::super) fn is_side_by_side(&self) -> bool {
        self.layout.side_by_side
    }

    pub(in super::super) fn set_side_by_side(&mut self, side_by_side: bool) {
        self.lay_out(Layout { side_by_side, ..self.layout });
    }

    pub(in super::super) fn is_folded(&self) -> bool {
        self.layout.context.is_some()
    }

    pub(in super::super) fn toggle_folds(&mut self) {
        let context = if self.is_folded() { None } else { Some(CONTEXT) };
        self.lay_out(Layout { context, ..self.layout });
    }

    fn lay_out(&mut self, layout: Layout) {
        let hunk = self.hunk();
        self.layout = layout;
        self.compute();
        self.go_to_hunk(hunk.unwrap_or(0));
    }

    /// The hunk at the cursor, or the next one, or the last.
    pub(in super::super) fn hunk(&self) -> Option<usize> {
        let from = self.rows.iter().skip(self.cursor).find_map(piece_of);
        from.or_else(|| self.change.pieces.len().checked_sub(1))
    }

    pub(in super::super) fn go_to_hunk(&mut self, hunk: usize) {
        if let Some(at) = self.rows.iter().position(|row| *row == Row::Head(hunk)) {
            self.cursor = at;
            // The hunk with two lines before it, and as much of it as there is room for.
            let last = self.rows.iter().rposition(|row| piece_of(row) == Some(hunk)).unwrap_or(at);
            let visible = self.top + 2 <= at && last < self.top + self.height;
            if !visible {
                self.top = at.saturating_sub(2);
            }
        }
    }

    /// Moves the cursor by so many rows.
    pub(in super::super) fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
    }

    /// Brings the cursor into sight of a window of this height.
    pub(in super::super) fn fit(&mut self, height: usize) {
        self.height = height.max(1);
        let lowest = (self.cursor + 1).saturating_sub(self.height);
        self.top = self.top.clamp(lowest, self.cursor.max(lowest));
        self.top = self.top.min(self.rows.len().saturating_sub(self.height));
    }
}

fn piece_of(row: &Row) -> Option<usize> {
    match row {
        Row::Head(piece) | Row::Changed { piece, .. } => Some(*piece),
        Row::Same(..) | Row::Fold(_) => None,
    }
}

fn states(language: &Language, text: &crate::terminal::change::Text) -> Vec<State> {
    let mut state = State::default();
    let mut begin = |index: usize| {
        let next = language.parts(text.line(index), state).1;
        std::mem::replace(&mut state, next)
    };
    (0..text.len()).map(&mut begin).collect()
}

impl View {
    /// True when the cursor has not reached this hunk.
    pub(super) fn is_before(&self, hunk: usize) -> bool {
        self.rows.iter().position(|row| *row == Row::Head(hunk)).is_some_and(|head| self.cursor < head)
    }
}
