//! The vocabulary: what an editor can say about itself, in words that no wire format decides.

use std::path::PathBuf;
use std::sync::Arc;

use crate::{Position, Range};

/// What is selected, or where the cursor stands when nothing is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The file, absolute.
    pub path: PathBuf,
    /// The selected text; empty when there is only a cursor.
    pub text: Arc<str>,
    /// Where.
    pub range: Range,
}

/// A file, or some lines of it, that the person wants in the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The file or folder, absolute.
    pub path: PathBuf,
    /// First and last line, 0-based and both included; none for the whole file.
    pub lines: Option<(u32, u32)>,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It does not build or run.
    Error,
    /// It probably should not stay.
    Warning,
    /// Worth knowing.
    Info,
    /// A suggestion.
    Hint,
}

/// One thing a language server or linter says about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it says.
    pub message: String,
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub range: Range,
    /// Who says so.
    pub source: Option<String>,
    /// The rule's name or number.
    pub code: Option<String>,
}

/// All diagnostics of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiagnostics {
    /// The file, absolute.
    pub path: PathBuf,
    /// What is wrong with it; empty when all is well.
    pub diagnostics: Vec<Diagnostic>,
}

/// An open file as the person sees it in the editor's tab line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    /// The file, absolute; for an unsaved new buffer the name it would have.
    pub path: PathBuf,
    /// What the tab says.
    pub label: String,
    /// The editor's name for the language, such as `rust`.
    pub language: String,
    /// How many lines it has.
    pub line_count: u32,
    /// It has the focus.
    pub is_active: bool,
    /// It has changes that are not on disk.
    pub is_dirty: bool,
    /// It is pinned.
    pub is_pinned: bool,
    /// It is a preview that the next file replaces.
    pub is_preview: bool,
    /// It has never been saved.
    pub is_untitled: bool,
    /// Which split it is in, from 0.
    pub group: u32,
    /// Its split has the focus.
    pub is_group_active: bool,
    /// Its own selection, when the editor keeps one for it.
    pub selection: Option<Range>,
}

impl Tab {
    /// Where the cursor of this tab stands.
    #[must_use]
    pub fn cursor(&self) -> Position {
        self.selection.map_or_else(Position::default, |range| range.end)
    }
}
