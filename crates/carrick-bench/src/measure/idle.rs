//! What a server does while nobody does anything: the real program, with nobody connected and with one client.

use anyhow::Result;
use tokio::time::{Instant, timeout_at};

use super::Bench;
use crate::client::{Client, Said};
use crate::metrics::{Metric, Who};
use crate::subject::{Kind, Subject};

/// A ping wakes the server to send it, and again to read the answer.
const WAKES_PER_PING: u64 = 2;

/// All of them are watched over the same seconds.
pub(crate) async fn idle(bench: &mut Bench) -> Result<()> {
    let bare = bench.subject(Kind::BaselineEcho)?;
    let alone = Subject::start_carrick(&bench.carrick, bench.cores)?;
    let joined = Subject::start_carrick(&bench.carrick, bench.cores)?;
    let mut client = Client::open(&joined).await?;
    answer_pings(&mut client, Instant::now() + bench.plan.settle).await?;

    bench.add(Metric::IdleMemory, Who::Bare, bare.process().resident()? / 1024.0);
    bench.add(Metric::IdleMemory, Who::Carrick, alone.process().resident()? / 1024.0);
    let before = [bare.process().sleeps()?, alone.process().sleeps()?, joined.process().sleeps()?];
    let pings = answer_pings(&mut client, Instant::now() + bench.plan.watch).await?;
    let after = [bare.process().sleeps()?, alone.process().sleeps()?, joined.process().sleeps()?];

    let [bare, alone, joined] = std::array::from_fn(|index| wakes(&before, &after, index));
    bench.add(Metric::IdleWakes, Who::Bare, bare as f64);
    bench.add(Metric::IdleWakes, Who::Carrick, alone as f64);
    let beyond = joined.saturating_sub(pings * WAKES_PER_PING);
    bench.add(Metric::ClientWakes, Who::Carrick, beyond as f64);
    bench.add(Metric::WakesPerPing, Who::Carrick, joined as f64 / pings.max(1) as f64);
    Ok(())
}

fn wakes(before: &[u64; 3], after: &[u64; 3], index: usize) -> u64 {
    let at = |counts: &[u64; 3]| counts.get(index).copied().unwrap_or_default();
    at(after).saturating_sub(at(before))
}

/// Answers until then; how many there were.
async fn answer_pings(client: &mut Client, until: Instant) -> Result<u64> {
    let mut pings = 0;
    while let Ok(said) = timeout_at(until, client.hear()).await {
        pings += u64::from(matches!(said?, Said::Ping));
    }
    Ok(pings)
}
