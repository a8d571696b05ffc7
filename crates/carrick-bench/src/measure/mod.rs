//! What is measured, one file per kind of load. Each puts its load on one subject and adds its samples.

mod calls;
mod connect;
mod crowd;
mod diff;
mod fan_out;
mod fresh;
mod idle;
mod start;

use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use tokio::time::sleep;

use crate::cores::Cores;
use crate::metrics::{Metric, Who};
use crate::plan::Plan;
use crate::process::Process;
use crate::samples::Samples;
use crate::subject::{Kind, Subject};

pub(crate) use calls::calls;
pub(crate) use connect::connect;
pub(crate) use diff::diff;
pub(crate) use fan_out::fan_out;
pub(crate) use fresh::fresh;
pub(crate) use idle::idle;
pub(crate) use start::start;

/// A run in progress.
pub(crate) struct Bench {
    pub(crate) plan: Plan,
    pub(crate) cores: Cores,
    /// The program that people run.
    pub(crate) carrick: PathBuf,
    pub(crate) samples: Samples,
}

impl Bench {
    fn subject(&self, kind: Kind) -> Result<Subject> {
        Subject::start(kind, self.cores)
    }

    fn add(&mut self, metric: Metric, who: Who, value: f64) {
        self.samples.add(metric, who, value);
    }
}

/// What the process spends on `work`.
async fn cpu_of(process: Process, work: impl Future<Output = Result<()>>) -> Result<Duration> {
    quiet().await;
    let before = process.cpu()?;
    work.await?;
    quiet().await;
    Ok(process.cpu()?.saturating_sub(before))
}

/// A moment for the server to go back to sleep: only then is the kernel's count exact.
async fn quiet() {
    sleep(Duration::from_millis(5)).await;
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
