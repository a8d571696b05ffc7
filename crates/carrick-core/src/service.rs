//! The programs that an editor runs for its abilities, such as language servers, as a person sees them in a list.

use std::path::PathBuf;
use std::time::Duration;

/// How such a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceState {
    /// It was needed and is not installed.
    Missing,
    /// It has been started and does not answer yet.
    Starting,
    /// It answers.
    Running,
    /// It ended by itself and will be started again.
    Resting,
    /// It ended too often.
    Failed,
}

impl ServiceState {
    /// One word for lists.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Resting => "resting",
            Self::Failed => "failed",
        }
    }
}

/// A program that an editor runs, or would run if it were there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// What it is called.
    pub name: String,
    /// The folder it works in; `None` when it does not run.
    pub root: Option<PathBuf>,
    /// How it is.
    pub state: ServiceState,
    /// Its process.
    pub pid: Option<u32>,
    /// The memory of all its processes, in bytes.
    pub memory: Option<u64>,
    /// The time that all its processes have computed.
    pub cpu: Option<Duration>,
    /// What to know or to do: the command that would install it, or its last words.
    pub note: Option<String>,
}
