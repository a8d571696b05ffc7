//! The CLI in print mode: one prompt in, JSON lines out, no terminal.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};

use crate::family::Family;

/// A print run about to start.
#[derive(Debug)]
pub struct Print {
    command: Command,
    timeout: Duration,
}

impl Print {
    pub(super) fn new(claude: &Path, dir: &Path, env: Vec<(OsString, OsString)>, prompt: &str) -> Self {
        let mut command = Command::new(claude);
        command.env_clear().envs(env).current_dir(dir);
        command.args(["-p", prompt, "--output-format", "stream-json", "--verbose"]);
        Self { command, timeout: Duration::from_secs(90) }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(args);
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Gives up after `timeout` instead of 90 s.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Connects the run to an IDE server as an ordinary MCP server called `name`, all of its tools allowed.
    /// Print mode never looks for lock files, so this is its only way there. Tool search is switched off:
    /// with it the model sees names only. Under the name `ide` the CLI hides all but two tools.
    #[must_use]
    pub fn mcp_websocket(self, name: &str, port: u16, token: &str) -> Self {
        let headers = json!({"X-Claude-Code-Ide-Authorization": token});
        let server = json!({"type": "ws", "url": format!("ws://127.0.0.1:{port}"), "headers": headers});
        let config = json!({"mcpServers": {name: server}}).to_string();
        let allowed = format!("mcp__{name}");
        self.args(["--mcp-config", &config, "--allowedTools", &allowed]).env("ENABLE_TOOL_SEARCH", "false")
    }

    /// Runs to the end. Whatever the outcome, no process of the run is left.
    pub async fn run(mut self) -> Result<Printed> {
        let family = Family::new();
        let (name, mark) = family.env();
        // It stays in the test's own process group: a test run that is interrupted takes it along.
        self.command.env(name, mark).kill_on_drop(true);
        self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = self.command.spawn().context("starting the CLI in print mode")?;
        let _ended = EndOnDrop(family);
        match tokio::time::timeout(self.timeout, collect(child)).await {
            Ok(printed) => printed,
            Err(_) => bail!("the CLI in print mode did not end within {:?}", self.timeout),
        }
    }
}

struct EndOnDrop(Family);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end(None);
    }
}

async fn collect(mut child: Child) -> Result<Printed> {
    let (mut out, mut err) = (child.stdout.take().context("stdout")?, child.stderr.take().context("stderr")?);
    let (mut stdout, mut stderr) = (String::new(), String::new());
    let read = tokio::join!(out.read_to_string(&mut stdout), err.read_to_string(&mut stderr), child.wait());
    read.0.context("reading what the CLI prints")?;
    read.1.context("reading the CLI's complaints")?;
    let status = read.2.context("waiting for the CLI")?;
    let parse = |line: &str| {
        serde_json::from_str(line).with_context(|| format!("the CLI printed a line that is not JSON: {line}"))
    };
    let lines = stdout.lines().filter(|line| !line.trim().is_empty()).map(parse).collect::<Result<_>>()?;
    Ok(Printed { lines, status, stderr })
}

/// What a print run left behind.
#[derive(Debug, Clone)]
pub struct Printed {
    /// The JSON lines of stdout.
    pub lines: Vec<Value>,
    /// How the process ended.
    pub status: ExitStatus,
    /// What it wrote to stderr.
    pub stderr: String,
}

impl Printed {
    /// The lines of one type: `system`, `assistant`, `user`, `result`.
    pub fn of_type<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        self.lines.iter().filter(move |line| line["type"] == kind)
    }

    /// The final `result` line.
    pub fn result(&self) -> Result<&Value> {
        let missing = || format!("no result line; {}, stderr: {}", self.status, self.stderr);
        self.of_type("result").last().with_context(missing)
    }

    /// The final answer as text.
    pub fn text(&self) -> Result<&str> {
        let result = self.result()?;
        result["result"].as_str().with_context(|| format!("a result without text: {result}"))
    }

    /// The blocks that carried tool results back to the model, in order.
    pub fn tool_results(&self) -> Vec<&Value> {
        let contents = self.of_type("user").filter_map(|line| line["message"]["content"].as_array());
        contents.flatten().filter(|block| block["type"] == "tool_result").collect()
    }
}
