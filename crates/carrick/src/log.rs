//! The log: to standard error or a file, by level or filter. Contents of files and tokens are never in it.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::args::LogArguments;
use crate::exit::Failure;

/// Checks a filter; the error says what is wrong.
pub(crate) fn check(filter: &str) -> Result<(), String> {
    filter.parse::<Targets>().map(|_| ()).map_err(|error| format!("is no log filter: {error}"))
}

/// Starts the log. `quiet`: standard error belongs to somebody else unless it was asked for.
pub(crate) fn start(arguments: &LogArguments, filter: Option<&str>, quiet: bool) -> Result<(), Failure> {
    let asked = arguments.verbose > 0 || arguments.log_file.is_some() || filter.is_some();
    if quiet && !asked {
        return Ok(());
    }
    let given = filter.and_then(|filter| filter.parse::<Targets>().ok());
    let filter = given.unwrap_or_else(|| Targets::new().with_default(level(arguments)));
    let started = match &arguments.log_file {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
            let file = file.map_err(Failure::io("write the log file", path))?;
            let layer = fmt::layer().with_ansi(false).with_writer(Mutex::new(file));
            tracing_subscriber::registry().with(layer.with_filter(filter)).try_init()
        }
        None => {
            let layer = fmt::layer().with_ansi(false).without_time().with_writer(std::io::stderr);
            tracing_subscriber::registry().with(layer.with_filter(filter)).try_init()
        }
    };
    // Only a second start in one process fails, and then the first log goes on.
    drop(started);
    Ok(())
}

fn level(arguments: &LogArguments) -> LevelFilter {
    match (arguments.verbose, &arguments.log_file) {
        (0, None) => LevelFilter::WARN,
        (0 | 1, _) => LevelFilter::INFO,
        (2, _) => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    }
}
