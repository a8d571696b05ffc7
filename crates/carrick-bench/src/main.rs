//! The load program: carrick measured against the least that could do the same, in one run on one machine.
//!
//! The way of a figure: [`run`] starts the subjects (other processes, see [`subject`]) again and again in turn, a file
//! in [`measure`] puts load on one and reads what it cost from [`process`], [`samples`] keeps what came out, and
//! [`table`] makes rows of the medians. The subjects themselves stand in [`serve`]. The SDK has its own table, in
//! [`stream`].
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a load program talks to the person who typed it"
)]

mod client;
mod cores;
mod measure;
mod messages;
mod metrics;
mod plan;
mod process;
mod run;
mod samples;
mod serve;
mod stream;
mod subject;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, ValueEnum};

use subject::Kind;

#[derive(Parser)]
#[command(about = "Measures carrick against the least that could do the same")]
struct Arguments {
    /// Be a server that is measured; the load program starts these itself
    #[command(subcommand)]
    subject: Option<Kind>,
    #[command(flatten)]
    run: RunArguments,
}

/// How to measure and what to do with the figures.
#[derive(Args)]
struct RunArguments {
    /// A tenth of the work: shows that everything runs, not how fast
    #[arg(long)]
    quick: bool,
    /// Next to nothing, for the test of this program
    #[arg(long, hide = true)]
    smoke: bool,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    /// End with 1 when a target is missed
    #[arg(long)]
    strict: bool,
    /// Measure only one of the two
    #[arg(long, value_name = "TABLE")]
    only: Option<Table>,
    /// Put the desk's table into this page, between its two markers
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Put the SDK's table into this page
    #[arg(long, value_name = "FILE")]
    write_sdk: Option<PathBuf>,
    /// The `carrick` to measure; the one beside this program when left out
    #[arg(long, value_name = "FILE")]
    carrick: Option<PathBuf>,
}

/// The two tables of figures.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    /// What the desk costs
    Desk,
    /// What the SDK costs
    Stream,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.subject {
        Some(kind) => serve::serve(kind).map(|()| ExitCode::SUCCESS),
        None => both(&arguments.run),
    };
    done.unwrap_or_else(|error| {
        eprintln!("carrick-bench: {error:#}");
        ExitCode::FAILURE
    })
}

/// The SDK first: the other ties this process to one core.
fn both(arguments: &RunArguments) -> anyhow::Result<ExitCode> {
    let wanted = |table| arguments.only.is_none_or(|only| only == table);
    let mut done = ExitCode::SUCCESS;
    for (table, run) in [(Table::Stream, stream::run as fn(&_) -> _), (Table::Desk, run::run)] {
        if wanted(table) {
            let code = run(arguments)?;
            done = if code == ExitCode::SUCCESS { done } else { code };
        }
    }
    Ok(done)
}
