//! A whole run: every subject in turn, again and again, then the table.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::time::timeout;

use crate::RunArguments;
use crate::client::raise_descriptor_limit;
use crate::cores::Cores;
use crate::measure::{self, Bench};
use crate::metrics::Who;
use crate::plan::Plan;
use crate::samples::Samples;
use crate::subject::Kind;
use crate::table;

/// A repetition takes half a minute; one that takes this long never ends.
const PATIENCE: Duration = Duration::from_secs(300);
/// Who answers calls …
const ANSWERING: [(Kind, Who); 3] =
    [(Kind::BaselineEcho, Who::Bare), (Kind::Door, Who::Carrick), (Kind::BaselineRmcp, Who::Rmcp)];
/// … and who pushes.
const PUSHING: [(Kind, Who); 3] =
    [(Kind::BaselineBroadcast, Who::Bare), (Kind::Door, Who::Carrick), (Kind::BaselineRmcp, Who::Rmcp)];

pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode> {
    let bench = prepare(arguments)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let samples = runtime.block_on(measure(bench))?;
    let rows = table::rows(&samples);
    if arguments.json {
        println!("{}", table::json(&rows)?);
    } else {
        println!("{}", table::markdown(&rows));
    }
    if let Some(page) = &arguments.write {
        write_into(page, &table::markdown(&rows))?;
    }
    let missed = rows.iter().any(table::Measured::misses);
    Ok(if arguments.strict && missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn prepare(arguments: &RunArguments) -> Result<Bench> {
    let beside = std::env::current_exe()?.with_file_name("carrick");
    let carrick = arguments.carrick.clone().unwrap_or(beside);
    let plan = plan(arguments);
    ensure!(
        !plan.needs_carrick() || carrick.is_file(),
        "{} is not there; `cargo xtask bench` builds it, --carrick names another",
        carrick.display()
    );
    raise_descriptor_limit();
    let cores = Cores::claim();
    if !cores.are_apart() {
        eprintln!("there is only one core: load and server share it, and the figures suffer");
    }
    Ok(Bench { plan, cores, carrick, samples: Samples::default() })
}

fn plan(arguments: &RunArguments) -> Plan {
    match arguments {
        RunArguments { smoke: true, .. } => Plan::smoke(),
        RunArguments { quick: true, .. } => Plan::quick(),
        _ => Plan::full(),
    }
}

async fn measure(mut bench: Bench) -> Result<Samples> {
    let began = Instant::now();
    let say = |what: &str| eprintln!("{:>4} s  {what}", began.elapsed().as_secs());
    for number in 1..=bench.plan.repetitions {
        say(&format!("repetition {number} of {}", bench.plan.repetitions));
        let repetition = timeout(PATIENCE, repetition(&mut bench)).await;
        repetition
            .context("a server has stopped answering")?
            .with_context(|| format!("repetition {number}"))?;
    }
    if bench.plan.needs_carrick() {
        say("doing nothing");
        measure::idle(&mut bench).await.context("doing nothing")?;
    }
    say("done");
    Ok(bench.samples)
}

/// The subjects of one load come right after each other: what they are compared by is then the same machine.
async fn repetition(bench: &mut Bench) -> Result<()> {
    for (kind, who) in ANSWERING {
        measure::calls(bench, kind, who).await.with_context(|| format!("calls, {kind:?}"))?;
    }
    for (kind, who) in ANSWERING {
        measure::connect(bench, kind, who).await.with_context(|| format!("connections, {kind:?}"))?;
    }
    for (kind, who) in ANSWERING {
        measure::diff(bench, kind, who).await.with_context(|| format!("large changes, {kind:?}"))?;
    }
    for (kind, who) in PUSHING {
        measure::fan_out(bench, kind, who).await.with_context(|| format!("pushes, {kind:?}"))?;
    }
    measure::fresh(bench).await.context("diagnostics")?;
    if bench.plan.needs_carrick() { measure::start(bench).context("starts") } else { Ok(()) }
}

pub(crate) fn write_into(page: &Path, table: &str) -> Result<()> {
    let text = std::fs::read_to_string(page).with_context(|| format!("reading {}", page.display()))?;
    let text = table::replace(&text, table)
        .with_context(|| format!("{} has not both of {:?}", page.display(), table::MARKERS))?;
    std::fs::write(page, text).with_context(|| format!("writing {}", page.display()))
}
