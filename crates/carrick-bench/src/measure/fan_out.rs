//! One selection to many clients, and what each of those clients costs while it only sits there.

use std::time::Duration;

use anyhow::Result;
use tokio::time::sleep;

use super::crowd::Crowd;
use super::{Bench, cpu_of, millis};
use crate::metrics::{Metric, Who};
use crate::subject::{Kind, Subject};

const METRICS: [Metric; 3] = [Metric::Push1, Metric::Push100, Metric::Push1000];

/// For each audience a fresh server.
pub(crate) async fn fan_out(bench: &mut Bench, kind: Kind, who: Who) -> Result<()> {
    for (audience, metric) in bench.plan.audiences.into_iter().zip(METRICS) {
        let mut subject = bench.subject(kind)?;
        let before = subject.process().resident()?;
        let crowd = Crowd::gather(&subject, audience).await?;
        everyone_is_ready(&crowd, kind).await?;
        if metric == Metric::Push1000 {
            let more = subject.process().resident()? - before;
            bench.add(Metric::PerConnection, who, more / audience as f64);
        }
        push(&mut subject, &crowd, 1).await?;
        // All of this happens between the first ping and the second, which are five seconds apart.
        let pushes = bench.plan.pushes;
        let cpu = cpu_of(subject.process(), push(&mut subject, &crowd, pushes)).await?;
        bench.add(metric, who, millis(cpu) / pushes as f64);
    }
    Ok(())
}

/// carrick tells each new client what is selected. The others say nothing, and get a moment to write down who came.
async fn everyone_is_ready(crowd: &Crowd, kind: Kind) -> Result<()> {
    if kind == Kind::Door {
        return crowd.all_heard().await;
    }
    sleep(Duration::from_millis(100)).await;
    Ok(())
}

async fn push(subject: &mut Subject, crowd: &Crowd, count: usize) -> Result<()> {
    for _ in 0..count {
        subject.push()?;
        crowd.all_heard().await?;
    }
    Ok(())
}
