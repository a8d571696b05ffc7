//! What a waiting person sees: one line when a step begins, one with its seconds when it ends.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// A step under way.
pub(crate) struct Step {
    name: String,
    began: Instant,
}

impl Step {
    /// Says what begins now. Goes to stderr: stdout may belong to the program a chore becomes.
    pub(crate) fn begin(name: &str) -> Self {
        eprintln!("{}", paint(BOLD, &format!("==> {name}")));
        Self { name: name.to_owned(), began: Instant::now() }
    }

    /// Says how it ended, and gives back how long it took.
    pub(crate) fn end(self, ok: bool) -> Duration {
        let took = self.began.elapsed();
        eprintln!("{}", outcome(&self.name, ok, took));
        took
    }
}

/// One line for a finished step, also used in the summary.
pub(crate) fn outcome(name: &str, ok: bool, took: Duration) -> String {
    let word = if ok { paint(GREEN, "ok    ") } else { paint(RED, "FAILED") };
    format!("    {word} {name:<8} {:>7.1} s", took.as_secs_f64())
}

/// Something a person should know although nothing failed.
pub(crate) fn note(text: &str) {
    eprintln!("    {text}");
}

/// Makes a line stand out where colours can be seen.
pub(crate) fn loud(text: &str) -> String {
    paint(RED, text)
}

/// Colour only for a terminal, and only if the person did not ask for none.
pub(crate) fn colour() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

const BOLD: &str = "1";
const GREEN: &str = "32";
const RED: &str = "1;31";

fn paint(code: &str, text: &str) -> String {
    if colour() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}
