//! A server under measurement: another process, on a core of its own, that ends with us.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::cores::Cores;
use crate::process::Process;

/// The servers that this program can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Kind {
    /// Sends back what comes
    BaselineEcho,
    /// Sends the same bytes to everyone when told to
    BaselineBroadcast,
    /// The official MCP library on the same kind of socket
    BaselineRmcp,
    /// Listens and says so in a file
    BaselineStart,
    /// carrick's own door, with somebody behind it who accepts every change at once
    Door,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::BaselineEcho => "baseline-echo",
            Self::BaselineBroadcast => "baseline-broadcast",
            Self::BaselineRmcp => "baseline-rmcp",
            Self::BaselineStart => "baseline-start",
            Self::Door => "door",
        }
    }

    /// Whether it answers as an MCP server does. The others send back, or send nothing.
    pub(crate) fn talks(self) -> bool {
        matches!(self, Self::BaselineRmcp | Self::Door)
    }
}

/// Its first line: where it is.
#[derive(Serialize, Deserialize)]
pub(crate) struct Ready {
    pub(crate) port: u16,
    /// What a client has to bring; empty when anyone may come.
    #[serde(default)]
    pub(crate) token: String,
    /// The lock file that has the token, when the line does not.
    #[serde(default)]
    pub(crate) lock: Option<PathBuf>,
}

/// A running subject. Dropping it ends it.
pub(crate) struct Subject {
    child: Child,
    orders: Option<ChildStdin>,
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) talks: bool,
    folder: TempDir,
}

impl Subject {
    /// One of our own.
    pub(crate) fn start(kind: Kind, cores: Cores) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        Self::begin(command.arg(kind.word()), kind.talks(), cores)
    }

    /// The program that people run.
    pub(crate) fn start_carrick(carrick: &Path, cores: Cores) -> Result<Self> {
        Self::begin(Command::new(carrick).args(["serve", "--json"]), true, cores)
    }

    fn begin(command: &mut Command, talks: bool, cores: Cores) -> Result<Self> {
        let folder = TempDir::new()?;
        at_home_in(command, folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = cores.on_the_subjects(|| command.spawn()).with_context(|| format!("{command:?}"))?;
        let orders = child.stdin.take();
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("no stdout")?).read_line(&mut line)?;
        let ready: Ready =
            serde_json::from_str(&line).with_context(|| format!("{command:?} said {line:?}"))?;
        let token = match &ready.lock {
            Some(lock) => token_in(lock)?,
            None => ready.token,
        };
        Ok(Self { child, orders, port: ready.port, token, talks, folder })
    }

    pub(crate) fn process(&self) -> Process {
        Process(self.child.id())
    }

    /// Where its files are.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Tells it to push once.
    pub(crate) fn push(&mut self) -> Result<()> {
        let orders = self.orders.as_mut().context("this subject takes no orders")?;
        orders.write_all(b"push\n").context("the subject has ended")
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Nothing of the person who measures is read or written.
pub(crate) fn at_home_in<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    for name in ["HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR"] {
        command.env(name, folder);
    }
    command.env_remove("CLAUDE_CONFIG_DIR").current_dir(folder)
}

fn token_in(lock: &Path) -> Result<String> {
    let text = fs::read_to_string(lock).with_context(|| format!("reading {}", lock.display()))?;
    let entry: serde_json::Value = serde_json::from_str(&text)?;
    let token = entry.get("authToken").and_then(serde_json::Value::as_str).unwrap_or_default();
    ensure!(!token.is_empty(), "{} has no token", lock.display());
    Ok(token.into())
}
