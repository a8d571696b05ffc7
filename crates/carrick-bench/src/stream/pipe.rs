//! The whole way from the CLI's pipe to the caller, of both SDKs, in CPU seconds of their own process.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use carrick_claude::Options;

use super::parse::{cpu, rate};
use super::table::{Row, Target};
use super::{Pairs, tool, write_stub};

/// Plays the CLI: answers the greeting, then says everything at once.
const STUB: &str = r#"#!/bin/sh
read -r line
id=$(printf '%s' "$line" | sed 's/.*"request_id": *"\([^"]*\)".*/\1/')
echo '{"type":"control_response","response":{"subtype":"success","request_id":"'"$id"'","response":{}}}'
read -r line
exec cat "${0%/*}/stream"
"#;

const PYTHON: &str = "
import asyncio, sys, time
from claude_agent_sdk import ClaudeAgentOptions, query
async def main():
    async for message in query(prompt='go', options=ClaudeAgentOptions(cli_path=sys.argv[1])):
        pass
began = time.process_time()
asyncio.run(main())
print(time.process_time() - began)
";

pub(super) async fn rows(stream: &[u8], rounds: usize) -> Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let stub = folder.path().join("claude");
    std::fs::write(folder.path().join("stream"), stream)?;
    write_stub(&stub, STUB)?;
    let python = tool("claude-agent-sdk/bin/python3");
    if python.is_none() {
        eprintln!("SDK: the Python SDK is not installed; `cargo xtask test --only tools` installs it");
    }
    let mut pairs = Pairs::default();
    for _ in 0..rounds {
        pairs.ours.push(rate(stream, ours(&stub).await?));
        if let Some(python) = &python {
            pairs.theirs.push(rate(stream, theirs(python, &stub)?));
        }
    }
    let target = Target::AtLeastTimes(7.0);
    Ok(vec![pairs.rate("pipe", "`query`, from the CLI's pipe to the caller", "Python SDK", target)])
}

async fn ours(stub: &Path) -> Result<Duration> {
    let began = cpu()?;
    let mut answer = carrick_claude::query("go", Options::new().program(stub));
    while let Some(frame) = answer.next().await {
        black_box(frame?);
    }
    Ok(cpu()? - began)
}

fn theirs(python: &Path, stub: &Path) -> Result<Duration> {
    let mut command = Command::new(python);
    command.args(["-c", PYTHON]).arg(stub).env("CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK", "1");
    let out = command.output().context("starting Python")?;
    ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let seconds: f64 = String::from_utf8_lossy(&out.stdout).trim().parse().context("what Python said")?;
    Ok(Duration::from_secs_f64(seconds))
}
