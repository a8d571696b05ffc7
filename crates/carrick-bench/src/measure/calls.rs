//! Small calls: one after another, and many in the pipeline.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::{Bench, cpu_of, micros};
use crate::client::Client;
use crate::messages;
use crate::metrics::{Metric, Who};
use crate::samples::median;
use crate::subject::Kind;

/// Calls that are sent in one write.
const BATCH: usize = 64;
/// Calls before it counts: buffers grow, caches fill.
const WARM_UP: usize = 200;

/// Both kinds, on one connection.
pub(crate) async fn calls(bench: &mut Bench, kind: Kind, who: Who) -> Result<()> {
    let subject = bench.subject(kind)?;
    let mut client = Client::open(&subject).await?;
    one_by_one(&mut client, WARM_UP).await?;

    let calls = bench.plan.calls;
    let mut times = Vec::new();
    let cpu = cpu_of(subject.process(), async {
        times = one_by_one(&mut client, calls).await?;
        Ok(())
    });
    let cpu = cpu.await?;
    bench.add(Metric::CallCpu, who, micros(cpu) / calls as f64);
    bench.add(Metric::RoundTrip, who, median(&times).unwrap_or_default());

    let count = bench.plan.pipelined;
    let mut took = Duration::ZERO;
    let cpu = cpu_of(subject.process(), async {
        let began = Instant::now();
        pipelined(&mut client, count / BATCH).await?;
        took = began.elapsed();
        Ok(())
    });
    let cpu = cpu.await?;
    bench.add(Metric::PipelinedCpu, who, micros(cpu) / count as f64);
    bench.add(Metric::Pipelined, who, count as f64 / took.as_secs_f64());
    Ok(())
}

async fn one_by_one(client: &mut Client, count: usize) -> Result<Vec<f64>> {
    let call = messages::small_call(7);
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let began = Instant::now();
        client.ask(&call).await?;
        times.push(micros(began.elapsed()));
    }
    Ok(times)
}

/// Two batches are under way at any time, so neither side waits for the other. Their ids differ: rmcp loses an answer
/// when an id comes back while it is in use.
async fn pipelined(client: &mut Client, batches: usize) -> Result<()> {
    let calls: Vec<Utf8Bytes> = (0..2 * BATCH).map(messages::small_call).collect();
    let (even, odd) = calls.split_at(BATCH);
    send_batch(client, even).await?;
    for number in 1..batches {
        send_batch(client, if number % 2 == 0 { even } else { odd }).await?;
        take_batch(client).await?;
    }
    take_batch(client).await
}

async fn send_batch(client: &mut Client, calls: &[Utf8Bytes]) -> Result<()> {
    for call in calls {
        client.feed(call).await?;
    }
    client.flush().await
}

async fn take_batch(client: &mut Client) -> Result<()> {
    for _ in 0..BATCH {
        client.answer().await?;
    }
    Ok(())
}
