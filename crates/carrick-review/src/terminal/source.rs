//! Where a room gets its reviews from: a desk in this process, or one that is reached over a wire. The room does not
//! know which.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;

use carrick_core::{Decision, Original, Outcome};

/// How a review ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The person took it, perhaps changed.
    Accepted,
    /// The person did not want it.
    Rejected,
    /// The agent closed it.
    Closed,
    /// The connection went away before there was an answer.
    Gone,
}

impl End {
    /// In words for a person.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Closed => "closed by the agent",
            Self::Gone => "the connection went away",
        }
    }
}

impl From<&Outcome> for End {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Accepted(_) => Self::Accepted,
            Outcome::Rejected => Self::Rejected,
            Outcome::Closed => Self::Closed,
            Outcome::Gone => Self::Gone,
        }
    }
}

/// How much a review changes, as the list shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Lines that come and lines that go.
    Lines(usize, usize),
    /// A new file of so many lines.
    NewFile(usize),
    /// What is there now is not text.
    NotText,
    /// Nobody has compared it yet.
    Unknown,
}

/// A review in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub id: u64,
    /// The file it would change.
    pub path: PathBuf,
    /// What the client calls itself.
    pub client: String,
    /// When it was proposed.
    pub opened: SystemTime,
    /// How much it changes.
    pub size: Size,
    /// How it ended; `None` while it waits.
    pub end: Option<End>,
}

/// What a review is about.
#[derive(Clone, Debug)]
pub struct Contents {
    /// What is there now, in the line ends of the proposal.
    pub original: Original,
    /// The whole new contents.
    pub proposed: Arc<str>,
}

/// What the status line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The port of the door.
    pub port: u16,
    /// The clients, by name.
    pub clients: Vec<String>,
    /// What is selected: a file, and the first and last line from 1.
    pub selection: Option<(PathBuf, u32, u32)>,
}

/// Everything a room needs to begin, or to begin anew.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The folder of the workspace.
    pub root: PathBuf,
    /// All reviews, the oldest first.
    pub entries: Vec<Entry>,
    /// The rest.
    pub status: Status,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Told {
    /// A review waits, or is known better.
    Entry(Entry),
    /// A review ended; how, if that is still known.
    Ended(u64, Option<End>),
    /// The status line has to change.
    Status(Status),
    /// Something the person should know.
    Remark(String),
    /// Things were lost: look anew.
    Anew,
    /// There will be nothing more.
    Over,
}

/// An answer that comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Why something could not be had or done, in words for a person.
pub type Refused = String;

/// Reviews to look at and to decide about.
pub trait Source {
    /// How things stand.
    fn look(&mut self) -> Later<'_, Result<Look, Refused>>;
    /// What one review is about.
    fn contents(&mut self, id: u64) -> Later<'_, Result<Contents, Refused>>;
    /// The person decides.
    fn decide(&mut self, id: u64, decision: Decision) -> Later<'_, Result<(), Refused>>;
    /// Waits for the next thing. Dropping the future loses nothing.
    fn next(&mut self) -> Later<'_, Told>;
}

/// Makes a source, on the room's own thread.
pub type Opening = Box<dyn FnOnce() -> Later<'static, Result<Box<dyn Source>, Refused>> + Send>;
