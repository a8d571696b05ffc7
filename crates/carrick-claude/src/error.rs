//! What can go wrong, each with what a person can do about it.

use std::path::PathBuf;

use crate::frame::{AssistantError, TurnResult};

/// What this crate's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No `claude` anywhere.
    #[error("the Claude Code CLI was not found; looked at {}; install it, or name it with Options::program", list(.looked))]
    NotFound {
        /// Where it was looked for, in order.
        looked: Vec<PathBuf>,
    },
    /// The folder to work in does not exist.
    #[error("the working directory {} does not exist", .0.display())]
    NoDirectory(PathBuf),
    /// The program is there but could not be started.
    #[error("{} could not be started: {source}", program.display())]
    Start {
        /// What was to be started.
        program: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The CLI does not know an option that this crate gave it.
    #[error("the CLI{} is too old for what was asked of it ({complaint}); update it with `claude update`", in_brackets(.version.as_deref()))]
    TooOld {
        /// What `claude --version` says, when it says anything.
        version: Option<String>,
        /// The CLI's own words.
        complaint: String,
    },
    /// The process ended in the middle of something.
    #[error("the CLI ended with {}{}", status(*.code, *.signal), tail(.stderr))]
    Exited {
        /// Its exit code, when it had one.
        code: Option<i32>,
        /// The signal that ended it, when one did.
        signal: Option<i32>,
        /// Its last lines on stderr.
        stderr: Vec<String>,
    },
    /// The client was closed, or the session is over.
    #[error("the session is over")]
    Closed,
    /// The CLI said something that makes no sense here.
    #[error("the CLI broke the protocol: {0}")]
    Protocol(String),
    /// The CLI refused a control request.
    #[error("the CLI refused `{subtype}`: {message}")]
    Refused {
        /// What was asked.
        subtype: String,
        /// The CLI's own words.
        message: String,
        /// For example `unsupported_request`: the CLI is older than the request.
        code: Option<String>,
    },
    /// A control request was not answered in time.
    #[error("the CLI did not answer `{subtype}` within {seconds} s")]
    NoAnswer {
        /// What was asked.
        subtype: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// Nobody reads the frames, so an answer behind them cannot be reached.
    #[error("the answer to `{subtype}` waits behind frames nobody reads; call Client::receive meanwhile")]
    NotReceiving {
        /// What was asked.
        subtype: String,
    },
    /// The API did not answer the prompt.
    #[error("the API failed{}: {message}", http(*.status))]
    Api {
        /// The HTTP status, when there was one.
        status: Option<u64>,
        /// What it said.
        message: String,
    },
    /// Nobody is logged in, or the key is wrong.
    #[error("authentication is needed: {message}; run `claude` and `/login`, or set ANTHROPIC_API_KEY")]
    AuthNeeded {
        /// What the CLI said.
        message: String,
    },
    /// A turn ended without doing what it was asked to.
    #[error("the turn failed ({kind}): {message}")]
    Turn {
        /// The result's subtype.
        kind: String,
        /// What it said.
        message: String,
    },
    /// There is no such session on disk.
    #[error("there is no session {id} below {}", below.display())]
    NoSession {
        /// The id that was looked for.
        id: String,
        /// Where.
        below: PathBuf,
    },
    /// An option cannot mean anything.
    #[error("{0}")]
    Option(String),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A pipe to the CLI broke.
    #[error("talking to the CLI: {0}")]
    Io(#[from] std::io::Error),
    /// A value could not be written as, or read from, JSON.
    #[error("JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl Error {
    /// What a failed turn means; none when it did not fail. `error` is what an assistant frame of the turn said.
    pub fn of_turn(result: &TurnResult, error: Option<&AssistantError>) -> Option<Self> {
        if result.is_success() {
            return None;
        }
        let message = result.text();
        let unauthorised = matches!(result.api_error_status, Some(401 | 403))
            || matches!(
                error,
                Some(AssistantError::AuthenticationFailed | AssistantError::OauthOrgNotAllowed)
            )
            || message.contains("Please run /login");
        Some(match (unauthorised, result.api_error_status, error) {
            (true, ..) => Self::AuthNeeded { message },
            (_, status @ Some(_), _) => Self::Api { status, message },
            (_, None, Some(_)) => Self::Api { status: None, message },
            _ => Self::Turn { kind: result.subtype.to_string(), message },
        })
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn in_brackets(version: Option<&str>) -> String {
    version.map_or_else(String::new, |version| format!(" ({version})"))
}

fn status(code: Option<i32>, signal: Option<i32>) -> String {
    match (code, signal) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit code".into(),
    }
}

fn tail(stderr: &[String]) -> String {
    if stderr.is_empty() { String::new() } else { format!("; its last words:\n{}", stderr.join("\n")) }
}

fn http(status: Option<u64>) -> String {
    status.map_or_else(String::new, |status| format!(" with HTTP {status}"))
}
