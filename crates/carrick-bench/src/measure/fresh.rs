//! From a write to what a language server says about it: ruff asked directly, and through the built-in editor.
//!
//! Only where ruff is installed: on the path, or by `cargo xtask test` beside this program.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use carrick_core::{Desk, Diagnose, PrivateList};
use carrick_editors::headless::{Equipment, Headless, Table};
use carrick_editors::link::framing::{FrameReader, write_frame};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::{Bench, millis};
use crate::metrics::{Metric, Who};
use crate::samples::median;

/// How often each is asked in one repetition.
const ROUNDS: usize = 40;

pub(crate) async fn fresh(bench: &mut Bench) -> Result<()> {
    let Some(folder) = ruff() else { return Ok(()) };
    let (bare, carrick) = (directly(&folder).await?, through_carrick(&folder).await?);
    bench.add(Metric::Fresh, Who::Bare, bare);
    bench.add(Metric::Fresh, Who::Carrick, carrick);
    Ok(())
}

/// The folder that has ruff.
fn ruff() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok()?.parent()?.parent()?.join("tools/ruff/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([beside]);
    folders.into_iter().find(|folder| folder.join("ruff").is_file())
}

/// Every version has one thing wrong with it, on another line.
fn text(round: usize) -> String {
    format!("{}import os\n", "x = 1\n".repeat(round % 7))
}

async fn through_carrick(folder: &Path) -> Result<f64> {
    let home = TempDir::new()?;
    let root = home.path().canonicalize()?;
    let file = root.join("a.py");
    let mut table = Table::built_in(vec![folder.into()]);
    table.servers.retain(|server| server.name == "ruff");
    let desk = Desk::new(vec![root], PrivateList::default());
    let editor = Headless::seat_with(&desk, Equipment::default().with_languages(table));
    std::fs::write(&file, text(0))?;
    wake(&editor, &file).await?;
    let mut took = Vec::new();
    for round in 1..=ROUNDS {
        let began = Instant::now();
        std::fs::write(&file, text(round))?;
        let files = editor.diagnostics(None).await?;
        took.push(millis(began.elapsed()));
        let line =
            files.first().and_then(|file| file.diagnostics.first()).map(|it| it.range.start.line as usize);
        ensure!(line == Some(round % 7), "an answer about something else: {files:?}");
    }
    editor.close_programs().await;
    median(&took).context("nothing was measured")
}

async fn wake(editor: &Arc<Headless>, file: &Path) -> Result<()> {
    let began = Instant::now();
    while editor.diagnostics(Some(file.into())).await?.iter().all(|file| file.diagnostics.is_empty()) {
        ensure!(began.elapsed() < Duration::from_secs(20), "ruff says nothing");
    }
    Ok(())
}

/// The least that could ask: a pipe to the server, and nothing in between.
struct Pipe {
    _child: Child,
    input: ChildStdin,
    output: FrameReader<ChildStdout>,
    last: u64,
}

impl Pipe {
    async fn notify(&mut self, method: &str, params: Value) -> Result<()> {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        Ok(write_frame(&mut self.input, message.to_string().as_bytes()).await?)
    }

    async fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        self.last += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        write_frame(&mut self.input, message.to_string().as_bytes()).await?;
        loop {
            let body = self.output.next().await?.context("the server ended")?;
            let answer: Value = serde_json::from_slice(&body)?;
            if answer.get("id").and_then(Value::as_u64) == Some(self.last) && answer.get("method").is_none() {
                return Ok(answer);
            }
        }
    }
}

async fn directly(folder: &Path) -> Result<f64> {
    let home = TempDir::new()?;
    let file = home.path().canonicalize()?.join("a.py");
    let uri = format!("file://{}", file.display());
    let mut command = Command::new(folder.join("ruff"));
    command.arg("server").current_dir(home.path()).kill_on_drop(true);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let output = FrameReader::new(output.context("no output")?);
    let mut pipe = Pipe { input: input.context("no input")?, output, _child: child, last: 0 };
    let able = json!({ "textDocument": { "diagnostic": {} } });
    pipe.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": able })).await?;
    pipe.notify("initialized", json!({})).await?;
    let document = json!({ "uri": uri, "languageId": "python", "version": 0, "text": text(0) });
    pipe.notify("textDocument/didOpen", json!({ "textDocument": document })).await?;
    let mut took = Vec::new();
    for round in 1..=ROUNDS {
        let began = Instant::now();
        std::fs::write(&file, text(round))?;
        let named = json!({ "uri": uri, "version": round });
        let change = json!({ "textDocument": named, "contentChanges": [{ "text": text(round) }] });
        pipe.notify("textDocument/didChange", change).await?;
        let answer = pipe.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } })).await?;
        took.push(millis(began.elapsed()));
        ensure!(answer.pointer("/result/items/0").is_some(), "ruff says nothing: {answer}");
    }
    median(&took).context("nothing was measured")
}
