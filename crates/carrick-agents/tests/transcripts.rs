//! Runs every golden conversation in `tests/transcripts/`. A folder named after a dialect is spoken in it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    unreachable_pub,
    reason = "a test fails by panicking"
)]

mod support;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use carrick_agents::claude::Dialect;
use carrick_testkit::transcript::{Transcript, run};
use support::Stage;

fn dialect_of(file: &Path) -> Dialect {
    let folder = file.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
    let mut dialect = Dialect::named(folder).unwrap_or_default();
    // `shapes/KEY=VALUE.txt` shows one cell of the dialect table.
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if let ("shapes", Some((key, value))) = (folder, stem.split_once('=')) {
        dialect.set(key, value).unwrap();
    }
    dialect
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        if entry.path().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found.sort();
    found
}

async fn converse(file: &Path) -> Result<()> {
    let stage = Stage::speaking(dialect_of(file)).await;
    let workspace = stage.workspace.to_string_lossy().into_owned();
    let transcript = Transcript::read(file)?.with("workspace", &workspace);
    let mut client = stage.client().await;
    let outcome = run(&transcript, &mut client, &mut &stage).await;
    stage.door.close().await;
    outcome.with_context(|| format!("{}", file.display()))
}

#[tokio::test]
async fn every_transcript_holds() {
    let all = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts"));
    assert!(all.len() > 40, "only {} transcripts were found", all.len());
    let mut failures = Vec::new();
    for file in &all {
        if let Err(error) = converse(file).await {
            failures.push(format!("{error:#}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} transcripts failed:\n\n{}",
        failures.len(),
        all.len(),
        failures.join("\n\n")
    );
}
