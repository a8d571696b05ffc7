//! The log: to standard error or a file, by level or filter. Contents of files and tokens are never in it.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use carrick_review::page::Trouble;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::{Filtered, LevelFilter, Targets};
use tracing_subscriber::layer::{Context, Layered, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

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
        drop(remembering().try_init());
        return Ok(());
    }
    let given = filter.and_then(|filter| filter.parse::<Targets>().ok());
    let filter = given.unwrap_or_else(|| Targets::new().with_default(level(arguments)));
    let started = match &arguments.log_file {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
            let file = file.map_err(Failure::io("write the log file", path))?;
            let layer = fmt::layer().with_ansi(false).with_writer(Mutex::new(file));
            remembering().with(layer.with_filter(filter)).try_init()
        }
        None => {
            let layer = fmt::layer().with_ansi(false).without_time().with_writer(std::io::stderr);
            remembering().with(layer.with_filter(filter)).try_init()
        }
    };
    // Only a second start in one process fails, and then the first log goes on.
    drop(started);
    Ok(())
}

/// The last thing that went wrong, for the status corner of the review page.
static TROUBLE: Mutex<Option<Trouble>> = Mutex::new(None);

/// The last thing that went wrong, if anything did.
pub(crate) fn trouble() -> Option<Trouble> {
    TROUBLE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Remembers the last warning or error, whatever the filter of the log lets through.
struct Remember;

impl<S: Subscriber> Layer<S> for Remember {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut said = Said::default();
        event.record(&mut said);
        let trouble = Trouble { words: said.0, at: SystemTime::now() };
        *TROUBLE.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble);
    }
}

type Remembering = Layered<Filtered<Remember, LevelFilter, Registry>, Registry>;

fn remembering() -> Remembering {
    tracing_subscriber::registry().with(Remember.with_filter(LevelFilter::WARN))
}

/// An event in one line: its message first, then its fields.
#[derive(Default)]
struct Said(String);

impl Visit for Said {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let words = match field.name() {
            "message" => format!("{value:?}"),
            name => format!("{name}: {value:?}"),
        };
        if field.name() == "message" && !self.0.is_empty() {
            self.0.insert_str(0, &format!("{words}; "));
        } else {
            self.0.push_str(if self.0.is_empty() { "" } else { "; " });
            self.0.push_str(&words);
        }
    }
}

fn level(arguments: &LogArguments) -> LevelFilter {
    match (arguments.verbose, &arguments.log_file) {
        (0, None) => LevelFilter::WARN,
        (0 | 1, _) => LevelFilter::INFO,
        (2, _) => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    }
}
