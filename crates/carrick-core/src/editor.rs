//! What an editor can do for an agent: a small core that every editor has, and abilities that some have.
//!
//! An ability is an `Option` object: a tool whose ability is missing is not listed, so nobody is offered a door
//! that leads nowhere.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use crate::{Change, ClientId, FileDiagnostics, Navigate, Range, Room, Service, Tab};

/// What an editor answers with, in its own time.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, EditorError>> + Send + 'a>>;

/// Which editor of the desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EditorId(pub u64);

/// Why an editor could not do it. The words are shown to people and to models.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditorError {
    /// There is no such file.
    #[error("there is no file {}", .0.display())]
    NotFound(PathBuf),
    /// A file was meant, and it is a folder.
    #[error("{} is a folder, not a file", .0.display())]
    IsFolder(PathBuf),
    /// The path leads out of the workspace, perhaps through a link.
    #[error("{} is outside the workspace", .0.display())]
    Outside(PathBuf),
    /// The file is on the private list. Its name is not repeated.
    #[error("that file is private: carrick does not pass it on")]
    Private,
    /// The contents are not UTF-8 text.
    #[error("{} is not UTF-8 text", .0.display())]
    NotText(PathBuf),
    /// The request itself makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// The editor tried and failed.
    #[error("{0}")]
    Failed(String),
}

/// Who asks. A person may open what they like; an agent stays inside the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The person at the editor or the shell.
    Person,
    /// An agent, through a tool.
    Agent,
}

/// A text to look for when a file is opened at a passage.
pub type Pattern = Option<String>;

/// Open this file, and perhaps select something in it.
#[derive(Clone, Debug)]
pub struct OpenRequest {
    /// The file, absolute.
    pub path: PathBuf,
    /// Who asks.
    pub who: Who,
    /// Open it as a preview that the next one replaces.
    pub preview: bool,
    /// Give it the focus.
    pub focus: bool,
    /// Select this range, if given.
    pub range: Option<Range>,
    /// Select from the first place where this text stands …
    pub start_text: Pattern,
    /// … to the end of the first place after it where this one stands.
    pub end_text: Pattern,
    /// Stretch the selection to the end of its last line.
    pub to_end_of_line: bool,
}

impl OpenRequest {
    /// Open `path` with the focus and select nothing.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, who: Who) -> Self {
        let path = path.into();
        Self {
            path,
            who,
            preview: false,
            focus: true,
            range: None,
            start_text: None,
            end_text: None,
            to_end_of_line: false,
        }
    }
}

/// What came of opening a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The file as the editor names it.
    pub path: PathBuf,
    /// The language the editor gave it.
    pub language: String,
    /// How many lines it has.
    pub line_count: u32,
    /// What is selected now, if the request asked for something and it was found.
    pub selected: Option<Range>,
    /// The start text was asked for and is not in the file.
    pub start_missing: bool,
    /// The end text was asked for and is not after the start.
    pub end_missing: bool,
}

/// The state of one open document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dirty {
    /// It has changes that are not on disk.
    pub is_dirty: bool,
    /// It has never been saved.
    pub is_untitled: bool,
}

/// The contents of a file as the editor has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// No such file.
    Missing,
    /// Text, line ends as they are.
    Text(Arc<str>),
    /// Something that is not UTF-8.
    NotText,
}

/// An editor, as the desk and the tools see it.
pub trait Editor: Send + Sync {
    /// What it is called, for the person.
    fn name(&self) -> &str;

    /// Opens a file and selects what is asked for.
    fn open(&self, request: OpenRequest) -> Answer<'_, Opened>;

    /// The open files, in the order of the tab line. Private ones are not among them.
    fn tabs(&self) -> Answer<'_, Vec<Tab>>;

    /// Closes a tab by its label or path; false when there is none.
    fn close_tab(&self, name: String) -> Answer<'_, bool>;

    /// The state of an open document; `None` when it is not open.
    fn dirty(&self, path: PathBuf) -> Answer<'_, Option<Dirty>>;

    /// Saves an open document; false when it is not open.
    fn save(&self, path: PathBuf) -> Answer<'_, bool>;

    /// The contents as the editor has them, to show a change against. Any path: what is read stays with the person.
    fn content(&self, path: PathBuf) -> Answer<'_, Content>;

    /// Diagnostics, if it has any to give.
    fn diagnose(&self) -> Option<&dyn Diagnose> {
        None
    }

    /// Formatting, if it can.
    fn format(&self) -> Option<&dyn Format> {
        None
    }

    /// Running notebook code, if it can.
    fn execute(&self) -> Option<&dyn Execute> {
        None
    }

    /// Finding one's way in code, if it can.
    fn navigate(&self) -> Option<&dyn Navigate> {
        None
    }

    /// The programs it runs for its abilities, and those it misses.
    fn services(&self) -> Answer<'_, Vec<Service>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Showing reviews and news to the person, if it can.
    fn room(&self) -> Option<&dyn Room> {
        None
    }

    /// Reading, writing and listing the workspace, if it does that for agents.
    fn files(&self) -> Option<&dyn Files> {
        None
    }
}

/// The ability to say what is wrong with files.
pub trait Diagnose: Send + Sync {
    /// What is wrong with one file, or with all that are known.
    fn diagnostics(&self, path: Option<PathBuf>) -> Answer<'_, Vec<FileDiagnostics>>;
}

/// The ability to format a file.
pub trait Format: Send + Sync {
    /// What the file would be when formatted; `None` when that is what it is. Nothing is written.
    fn reformat(&self, path: PathBuf) -> Answer<'_, Option<Change>>;
}

/// A piece of what a kernel printed or drew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Text.
    Text(String),
    /// A picture: its bytes and its media type.
    Image(Vec<u8>, String),
    /// An error with its traceback.
    Error(String),
}

/// The ability to run code in a notebook kernel.
pub trait Execute: Send + Sync {
    /// Runs it for this client, whom a person may be asked about. Dropping the answer interrupts it.
    fn execute(&self, client: ClientId, code: String) -> Answer<'_, Vec<Output>>;
}

/// What the workspace is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceInfo {
    /// Its name: that of its first folder.
    pub name: String,
    /// Its first folder.
    pub path: PathBuf,
    /// How many files it has, ignored and private ones not counted.
    pub file_count: usize,
    /// It is an Obsidian vault.
    pub is_vault: bool,
}

/// The ability to read, write and list the workspace. Nothing outside it, nothing private.
pub trait Files: Send + Sync {
    /// The text of a file; the path is absolute or relative to the first folder.
    fn read(&self, path: &Path) -> Answer<'_, String>;
    /// Replaces or creates a file, all or nothing.
    fn write(&self, path: &Path, contents: String) -> Answer<'_, ()>;
    /// The files that match a glob, or all of them; paths relative to their folder, sorted.
    fn list(&self, pattern: Option<String>) -> Answer<'_, Vec<String>>;
    /// What the workspace is.
    fn info(&self) -> Answer<'_, WorkspaceInfo>;
}
