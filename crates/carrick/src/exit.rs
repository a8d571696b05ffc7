//! How a command ends: what went wrong, what to do next, and with which code, decided in one function.

use std::path::PathBuf;

use carrick_agents::claude::DoorError;
use carrick_editors::link::guest::GuestError;
use carrick_editors::link::place::PlaceError;
use carrick_editors::link::rpc::{Code, RpcError};

use crate::config::ConfigError;
use crate::target::TargetError;

/// The exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It was done.
    Done,
    /// It could not be done.
    CouldNot,
    /// The command line makes no sense.
    Usage,
    /// No server runs for this directory.
    NoServer,
    /// What the child of `run` ended with.
    Child(u8),
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => 0.into(),
            Exit::CouldNot => 1.into(),
            Exit::Usage => 2.into(),
            Exit::NoServer => 3.into(),
            Exit::Child(code) => code.into(),
        }
    }
}

/// Why a command could not do it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Nobody hosts a desk here.
    #[error("no carrick runs for {}", .0.display())]
    NoDesk(PathBuf),
    /// The desk would not, or is gone.
    #[error(transparent)]
    Link(#[from] GuestError),
    /// The runtime folder cannot be used.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The configuration cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// What was typed is no place in a file.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// Neovim or its plug-in would not.
    #[error(transparent)]
    Neovim(#[from] carrick_editors::nvim::channel::NeovimError),
    /// The door cannot be opened.
    #[error("cannot open the door for agents: {0}")]
    Door(#[from] DoorError),
    /// The question to the agent failed.
    #[error(transparent)]
    Agent(#[from] carrick_claude::Error),
    /// Nothing was asked.
    #[error("there is no question")]
    NoPrompt,
    /// The server ended while the person was in its room.
    #[error("the server ended, and its room with it")]
    HostEnded,
    /// The room broke.
    #[error("the room could not go on")]
    NoRoom,
    /// The system refused.
    #[error("cannot {doing} {}: {error}", .path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// With what.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The host could not open its page.
    #[error("the desk has no review page: its host could not open one")]
    NoPage,
    /// A host is there, but can neither be joined nor replaced.
    #[error("another carrick holds the desk of {} and does not answer", .0.display())]
    Stuck(PathBuf),
    /// The program of `run` or `edit` cannot be started.
    #[error("cannot start {program}: {error}")]
    Start {
        /// Which.
        program: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// The editor of `review edit` decided nothing.
    #[error("{why}; nothing was decided")]
    NotEdited {
        /// What happened.
        why: String,
        /// Where the person's changes are.
        kept: Option<PathBuf>,
    },
    /// The edited contents could not be sent.
    #[error("{error}")]
    NotSent {
        /// Why.
        error: GuestError,
        /// Where the person's changes are.
        kept: PathBuf,
    },
}

impl Failure {
    /// For `map_err`: the system refused to do this with that.
    pub(crate) fn io(doing: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io { doing, path, error }
    }

    /// What to do next, and the code: the one place where both are decided.
    pub(crate) fn advice(&self) -> (Option<String>, Exit) {
        let hint = |text: &str| Some(text.to_owned());
        match self {
            Self::NoDesk(_) => {
                (hint("start one there with `carrick serve`, or an agent with `carrick run`"), Exit::NoServer)
            }
            Self::NoPrompt => (hint("`carrick ask 'what is this?'`, or pipe it in"), Exit::Usage),
            Self::Agent(carrick_claude::Error::Option(_)) => (None, Exit::Usage),
            Self::HostEnded => (hint("`carrick review` opens it again when a server runs"), Exit::NoServer),
            Self::NoRoom => {
                (hint("`carrick review list`, `show`, `accept` and `reject` do the same"), Exit::CouldNot)
            }
            Self::Link(GuestError::Refused(error)) => (refusal_hint(error), Exit::CouldNot),
            Self::Link(GuestError::Join { .. } | GuestError::Gone) => {
                (hint("it may have ended just now: try again"), Exit::NoServer)
            }
            Self::Link(GuestError::Silent) | Self::Stuck(_) => (
                hint("it may be stopped (Ctrl-Z) or overloaded; `carrick serve` prints its process"),
                Exit::CouldNot,
            ),
            Self::Link(GuestError::Unreadable(_)) => (
                hint("the two may be different versions of carrick: end the running one and start it anew"),
                Exit::CouldNot,
            ),
            Self::Place(PlaceError::NotPrivate { folder, .. }) => (
                Some(format!("make it yours alone (chmod 700 {}) or remove it", folder.display())),
                Exit::CouldNot,
            ),
            Self::Config(error) => (error.hint(), Exit::Usage),
            Self::Target(error) => {
                (error.hint(), if error.is_usage() { Exit::Usage } else { Exit::CouldNot })
            }
            Self::Start { program, .. } => {
                (Some(format!("is {program} installed, and is its directory in PATH?")), Exit::CouldNot)
            }
            Self::NotEdited { kept: Some(kept), .. } | Self::NotSent { kept, .. } => {
                (Some(format!("your changes are kept in {}", kept.display())), Exit::CouldNot)
            }
            Self::Neovim(_) => (
                hint("the plug-in starts this command; by hand it is `carrick nvim --server $NVIM`"),
                Exit::CouldNot,
            ),
            Self::Door(DoorError::Bind { port, .. }) if *port != 0 => (
                hint("the key `port` asks for that one; `carrick config` shows where it is set"),
                Exit::CouldNot,
            ),
            Self::Place(PlaceError::Io { .. }) => {
                (hint("XDG_RUNTIME_DIR, or else TMPDIR, should name a folder of yours"), Exit::CouldNot)
            }
            Self::NoPage => {
                (hint("its log says why; `carrick review list` works without a page"), Exit::CouldNot)
            }
            Self::Agent(_) | Self::Door(_) | Self::Io { .. } | Self::NotEdited { .. } => {
                (None, Exit::CouldNot)
            }
        }
    }
}

fn refusal_hint(error: &RpcError) -> Option<String> {
    let given = error.data.as_ref().map(|data| data.hint.clone());
    given.or_else(|| {
        let internal = error.code == Code::Internal as i64 || error.code == Code::MethodNotFound as i64;
        internal.then(|| "the running carrick may be another version: end it and start it anew".into())
    })
}
