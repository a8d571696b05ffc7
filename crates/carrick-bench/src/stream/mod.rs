//! The SDK's figures: how fast it reads, what a start costs, whether it grows. Beside bare serde_json, bare pipes and
//! the official Python SDK, in one run.
//!
//! CPU time is compared, not wall time, wherever it can be: the machine may be shared.

mod derived;
mod memory;
mod parse;
mod pipe;
mod start;
mod table;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::RunArguments;
use crate::samples::median;
use table::{Row, Target, Unit};

/// How much work a run is.
struct Plan {
    bytes: usize,
    rounds: usize,
    frames: usize,
    stub_starts: usize,
    cli_starts: usize,
}

const FULL: Plan = Plan { bytes: 100_000_000, rounds: 5, frames: 1_000_000, stub_starts: 60, cli_starts: 30 };
const QUICK: Plan = Plan { bytes: 10_000_000, rounds: 3, frames: 100_000, stub_starts: 20, cli_starts: 6 };
const SMOKE: Plan = Plan { bytes: 300_000, rounds: 1, frames: 1_000, stub_starts: 4, cli_starts: 4 };

pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode> {
    let plan = match arguments {
        RunArguments { smoke: true, .. } => SMOKE,
        RunArguments { quick: true, .. } => QUICK,
        _ => FULL,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let rows = runtime.block_on(measure(&plan))?;
    let text = if arguments.json { table::json(&rows)? } else { table::markdown(&rows) };
    println!("{text}");
    if let Some(page) = &arguments.write_sdk {
        crate::run::write_into(page, &table::markdown(&rows))?;
    }
    let missed = rows.iter().any(|row| row.reached() == Some(false));
    Ok(if arguments.strict && missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn measure(plan: &Plan) -> Result<Vec<Row>> {
    // First, while this process is still small.
    eprintln!("SDK: memory over {} frames", plan.frames);
    let mut rows = vec![memory::row(plan.frames).await.context("memory")?];
    eprintln!("SDK: reading {} MB", plan.bytes / 1_000_000);
    let stream = text::stream(plan.bytes);
    let mut reading = parse::rows(&stream, plan.rounds).await.context("parsing")?;
    reading.extend(pipe::rows(&stream, plan.rounds).await.context("the whole way")?);
    drop(stream);
    rows.splice(0..0, reading);
    eprintln!("SDK: {} starts", plan.stub_starts + plan.cli_starts);
    rows.extend(start::rows(plan.stub_starts, plan.cli_starts).await.context("starts")?);
    Ok(rows)
}

/// One figure of ours beside one of another's, over the same rounds.
#[derive(Default)]
struct Pairs {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Pairs {
    fn of(ours: &[f64], theirs: &[f64]) -> Self {
        Self { ours: ours.to_vec(), theirs: theirs.to_vec() }
    }

    /// MB per CPU-second; the ratio is the median of the rounds' ratios.
    fn rate(&self, key: &'static str, what: &'static str, other: &'static str, target: Target) -> Row {
        let ratios: Vec<f64> =
            self.ours.iter().zip(&self.theirs).map(|(ours, theirs)| ours / theirs).collect();
        Row {
            key,
            what: what.into(),
            other,
            unit: Unit::Rate,
            ours: median(&self.ours),
            theirs: median(&self.theirs),
            ratio: median(&ratios),
            target,
        }
    }
}

/// A file that `cargo xtask test` installs, in the target folder this program was built in.
fn tool(path: &str) -> Option<PathBuf> {
    let target = std::env::current_exe().ok()?.parent()?.parent()?.join("tools");
    Some(target.join(path)).filter(|file| file.is_file())
}

/// Writes a program in the CLI's place.
fn write_stub(path: &Path, script: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, script)?;
    Ok(std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?)
}
