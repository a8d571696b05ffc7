//! The load program: carrick measured against the least that could do the same, in one run on one machine.
//!
//! The way of a figure: [`run`] starts the subjects (other processes, see [`subject`]) again and again in turn, a file
//! in [`measure`] puts load on one and reads what it cost from [`process`], [`samples`] keeps what came out, and
//! [`table`] makes rows of the medians. The subjects themselves stand in [`serve`].
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
mod subject;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser};

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
    /// Put the table into this page, between its two markers
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// The `carrick` to measure; the one beside this program when left out
    #[arg(long, value_name = "FILE")]
    carrick: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.subject {
        Some(kind) => serve::serve(kind).map(|()| ExitCode::SUCCESS),
        None => run::run(&arguments.run),
    };
    done.unwrap_or_else(|error| {
        eprintln!("carrick-bench: {error:#}");
        ExitCode::FAILURE
    })
}
