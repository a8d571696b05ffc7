//! From bytes in memory to frames, beside bare serde_json.

use std::hint::black_box;
use std::time::Duration;

use anyhow::Result;
use carrick_claude::{Frame, Lines};
use rustix::time::{ClockId, clock_gettime};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Pairs;
use super::derived::Derived;
use super::table::{Row, Target};

/// The figure itself, whatever the machine: where serde_json alone gives 225.
const ENOUGH: f64 = 200.0;

pub(super) async fn rows(stream: &[u8], rounds: usize) -> Result<Vec<Row>> {
    let split: Vec<&[u8]> = stream.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let (mut ours, mut lines, mut same, mut derived, mut value) =
        <(Vec<_>, Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
    for _ in 0..rounds {
        // By turns, so that a busy moment of the machine hits all of them.
        lines.push(rate(stream, read_lines(stream).await?));
        ours.push(rate(stream, read_frames(stream).await?));
        same.push(rate(stream, bare::<Frame>(&split)?));
        derived.push(rate(stream, bare::<Derived>(&split)?));
        value.push(rate(stream, bare::<Value>(&split)?));
    }
    let beside = |theirs: &[f64], key, other, target| {
        Pairs::of(&ours, theirs).rate(key, "frames, from memory", other, target)
    };
    Ok(vec![
        beside(&lines, "parse", "its lines alone", Target::AtLeast(ENOUGH)),
        beside(&same, "parse_same", "`serde_json`, the same types", Target::AtLeastTimes(0.8)),
        beside(&derived, "parse_derived", "`serde_json`, types by `derive`", Target::Known),
        beside(&value, "parse_value", "`serde_json`, `Value`", Target::Known),
    ])
}

/// MB per CPU-second.
pub(super) fn rate(stream: &[u8], took: Duration) -> f64 {
    stream.len() as f64 / 1e6 / took.as_secs_f64()
}

/// What this process has used so far, exact even while it runs.
pub(super) fn cpu() -> Result<Duration> {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    Ok(Duration::new(spent.tv_sec.try_into()?, spent.tv_nsec.try_into()?))
}

async fn read_lines(stream: &[u8]) -> Result<Duration> {
    let (began, mut lines) = (cpu()?, Lines::new(stream));
    while let Some(line) = lines.next().await? {
        black_box(line);
    }
    Ok(cpu()? - began)
}

async fn read_frames(stream: &[u8]) -> Result<Duration> {
    let (began, mut lines) = (cpu()?, Lines::new(stream));
    while let Some(line) = lines.next().await? {
        black_box(Frame::parse(line)?);
    }
    Ok(cpu()? - began)
}

/// The lines are found already: nothing but serde_json is measured.
fn bare<T: DeserializeOwned>(lines: &[&[u8]]) -> Result<Duration> {
    let began = cpu()?;
    for line in lines {
        black_box(serde_json::from_slice::<T>(line)?);
    }
    Ok(cpu()? - began)
}
