//! Memory of a whole client, early and late in a long session.

use anyhow::{Context, Result, ensure};
use carrick_claude::{Client, Lines, Options};
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt as _, DuplexStream};

use super::table::{Row, Target, Unit};
use super::text;
use crate::process::Process;

pub(super) async fn row(frames: usize) -> Result<Row> {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let cli = tokio::spawn(say(theirs, frames));
    let (reads, writes) = tokio::io::split(ours);
    let client = Client::over(reads, writes, Options::new()).await?;
    let (mut seen, mut early) = (0, 0.0);
    while let Some(frame) = client.receive().await {
        frame?;
        seen += 1;
        if seen == frames / 10 {
            early = resident()?;
        }
    }
    cli.await??;
    ensure!(seen == frames, "{seen} of {frames} frames arrived");
    let late = resident()?;
    Ok(Row {
        key: "memory",
        what: format!("memory after {} frames", thousands(frames)),
        unit: Unit::MiB,
        ours: Some(late),
        other: "after a tenth of them",
        theirs: Some(early),
        ratio: Some(late / early),
        target: Target::AtMostTimes(1.02),
    })
}

/// Answers the greeting, then says so many frames.
async fn say(pipe: DuplexStream, frames: usize) -> Result<()> {
    let (reads, mut writes) = tokio::io::split(pipe);
    let mut lines = Lines::new(reads);
    let greeting: Value = serde_json::from_slice(lines.next().await?.context("nobody greets")?)?;
    let response = json!({"subtype": "success", "request_id": greeting.get("request_id"), "response": {}});
    let answer = json!({"type": "control_response", "response": response});
    writes.write_all(format!("{answer}\n").as_bytes()).await?;
    let line = format!("{}\n", text::delta("some more words"));
    for _ in 0..frames {
        writes.write_all(line.as_bytes()).await?;
    }
    Ok(())
}

fn resident() -> Result<f64> {
    Ok(Process(std::process::id()).resident()? / 1024.0)
}

fn thousands(count: usize) -> String {
    if count >= 1_000_000 { format!("{} M", count / 1_000_000) } else { count.to_string() }
}
