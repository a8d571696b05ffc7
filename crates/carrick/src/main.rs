//! The command: puts the parts together, prints, and ends with the right code.

mod args;
mod ask;
mod config;
mod configuration;
mod desk;
mod doctor;
mod documents;
mod env;
mod exit;
mod face;
mod folders;
mod join;
mod log;
mod nvim;
mod page;
mod plugin;
mod print;
mod review;
mod run;
mod screen;
mod serve;
mod show;
mod signals;
mod status;
mod target;
mod visible;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use exit::{Exit, Failure};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let exit = on_one_thread(arguments).unwrap_or_else(|failure| {
        let (hint, exit) = failure.advice();
        print::complain(&failure.to_string(), hint.as_deref());
        exit
    });
    exit.into()
}

/// One thread is enough for a desk, and idles in a few megabytes.
fn on_one_thread(arguments: Arguments) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::io("start", "the runtime"))?;
    let done = runtime.block_on(obey(arguments));
    // A thread that still looks at a large file must not keep the person waiting.
    runtime.shutdown_background();
    done
}

/// The map of the command: what can be typed and who does it.
async fn obey(arguments: Arguments) -> Result<Exit, Failure> {
    let log = arguments.log;
    if !matches!(arguments.command, Command::Serve(_) | Command::Run { .. } | Command::Nvim(_)) {
        // Those read the configuration first: it may hold a filter.
        log::start(&log, log.log_filter.as_deref(), true)?;
    }
    match arguments.command {
        Command::Serve(arguments) => serve::serve(arguments, &log).await,
        Command::Run { command } => run::run(command, &log).await,
        Command::Ask(arguments) => ask::ask(arguments).await,
        Command::Status(json) => status::status(json.json).await,
        Command::Doctor(json) => doctor::doctor(json.json, &log),
        Command::Open { target, preview, json } => show::open(&target, preview, json.json).await,
        Command::Select { target, json } => show::select(&target, json.json).await,
        Command::Mention { targets, client, json } => show::mention(&targets, client, json.json).await,
        Command::Folder(command) => folders::folder(command).await,
        Command::Review { open: true, json, .. } => page::open(json).await,
        Command::Review { command, .. } => review::review(command).await,
        Command::Config { defaults, json } => configuration::config(defaults, json.json, &log),
        Command::Nvim(arguments) => nvim::nvim(arguments, &log).await,
        Command::Plugin(command) => plugin::plugin(command),
        Command::Completions { shell } => Ok(documents::completions(shell)),
        Command::Man { directory } => documents::man(directory.as_deref()),
    }
}
