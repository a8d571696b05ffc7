//! From nothing to a client that may call: connection, upgrade, `initialize` answered, `initialized` said.

use std::time::Instant;

use anyhow::Result;

use super::{Bench, cpu_of, micros};
use crate::client::Client;
use crate::metrics::{Metric, Who};
use crate::samples::median;
use crate::subject::{Kind, Subject};

/// Connections one after another; each is dropped, and what that costs the server is counted too.
pub(crate) async fn connect(bench: &mut Bench, kind: Kind, who: Who) -> Result<()> {
    let subject = bench.subject(kind)?;
    let count = bench.plan.connects;
    let mut times = Vec::with_capacity(count);
    once(&subject).await?;
    let cpu = cpu_of(subject.process(), async {
        for _ in 0..count {
            times.push(once(&subject).await?);
        }
        Ok(())
    });
    let cpu = cpu.await?;
    bench.add(Metric::ConnectCpu, who, micros(cpu) / count as f64);
    bench.add(Metric::Connect, who, median(&times).unwrap_or_default());
    Ok(())
}

async fn once(subject: &Subject) -> Result<f64> {
    let began = Instant::now();
    Client::connect(subject).await?.initialize().await?;
    Ok(micros(began.elapsed()))
}
