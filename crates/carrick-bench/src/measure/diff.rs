//! Large changes, accepted at once: what it costs to read, keep and give back megabytes.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::{Bench, cpu_of, millis};
use crate::client::Client;
use crate::messages;
use crate::metrics::{Metric, Who};
use crate::samples::median;
use crate::subject::{Kind, Subject};

/// Every size to a new file; the large one also over a file of its size.
pub(crate) async fn diff(bench: &mut Bench, kind: Kind, who: Who) -> Result<()> {
    for ((size, count), metric) in bench.plan.diffs.into_iter().zip([Metric::Diff1, Metric::Diff10]) {
        let (cpu, p50) = changes(bench, kind, size, count, false).await?;
        bench.add(metric, who, cpu);
        if metric == Metric::Diff10 {
            bench.add(Metric::Diff10Time, who, p50);
        }
    }
    let [_, (size, count)] = bench.plan.diffs;
    let (cpu, _) = changes(bench, kind, size, count, true).await?;
    bench.add(Metric::Diff10Over, who, cpu);
    for (metric, over) in [(Metric::Peak, false), (Metric::PeakOver, true)] {
        let peak = peak(bench, kind, size, over).await?;
        bench.add(metric, who, peak);
    }
    Ok(())
}

/// Milliseconds of CPU per change, and the middle time of one. The first is not counted.
async fn changes(bench: &Bench, kind: Kind, size: usize, count: usize, over: bool) -> Result<(f64, f64)> {
    let subject = bench.subject(kind)?;
    let change = change(&subject, size, over)?;
    let mut client = Client::open(&subject).await?;
    client.ask(&change).await?;
    let mut times = Vec::with_capacity(count);
    let cpu = cpu_of(subject.process(), async {
        for _ in 0..count {
            let began = Instant::now();
            client.ask(&change).await?;
            times.push(millis(began.elapsed()));
        }
        Ok(())
    });
    Ok((millis(cpu.await?) / count as f64, median(&times).unwrap_or_default()))
}

/// The most memory that a fresh server ever held, in MiB, when one large change is all it did.
async fn peak(bench: &Bench, kind: Kind, size: usize, over: bool) -> Result<f64> {
    let subject = bench.subject(kind)?;
    let change = change(&subject, size, over)?;
    let mut client = Client::open(&subject).await?;
    client.ask(&change).await?;
    Ok(subject.process().peak()? / 1024.0)
}

fn change(subject: &Subject, size: usize, over: bool) -> Result<Utf8Bytes> {
    let file = subject.folder().join("changed.rs");
    if over {
        fs::write(&file, messages::source_text(size)).context("writing the file that is changed")?;
    }
    Ok(messages::open_diff(&file, size))
}
