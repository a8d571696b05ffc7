//! From the start of the process to the file that says where it listens.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tempfile::TempDir;

use super::{Bench, millis};
use crate::metrics::{Metric, Who};
use crate::samples::median;
use crate::subject::at_home_in;

/// The real program and the bare one in turn, each in a home where nothing ran before.
pub(crate) fn start(bench: &mut Bench) -> Result<()> {
    let (mut bare, mut carrick) = (Vec::new(), Vec::new());
    for _ in 0..bench.plan.starts {
        bare.push(once(bench, Command::new(std::env::current_exe()?).arg("baseline-start"))?);
        carrick.push(once(bench, Command::new(&bench.carrick).args(["serve", "--json"]))?);
    }
    bench.add(Metric::Start, Who::Bare, median(&bare).unwrap_or_default());
    bench.add(Metric::Start, Who::Carrick, median(&carrick).unwrap_or_default());
    Ok(())
}

fn once(bench: &Bench, command: &mut Command) -> Result<f64> {
    let home = TempDir::new()?;
    let folder = home.path().join(".claude/ide");
    at_home_in(command, home.path()).stdin(Stdio::piped()).stdout(Stdio::null());
    let began = Instant::now();
    let mut child = bench.cores.on_the_subjects(|| command.spawn())?;
    let took = wait_for_lock(&folder, began);
    child.kill()?;
    child.wait()?;
    Ok(millis(took?))
}

/// Looks again and again: the load's core has nothing else to do, and a watcher would take its own time.
fn wait_for_lock(folder: &Path, began: Instant) -> Result<Duration> {
    while !has_lock(folder) {
        ensure!(began.elapsed() < Duration::from_secs(10), "no lock file in {}", folder.display());
    }
    Ok(began.elapsed())
}

fn has_lock(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.path().extension().is_some_and(|extension| extension == "lock"))
}
