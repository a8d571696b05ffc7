//! `cargo xtask test`: everything that must hold before a change is good, in one command that sets itself up.

mod offline;
mod tally;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use crate::progress::{self, Step};
use crate::{Usage, page, run, tidy, tools};
use tally::Tally;

/// What the person asked for.
#[derive(Default)]
struct Ask {
    only: Option<String>,
    filter: Option<String>,
}

type Run = fn(&Ask) -> Result<Tally>;

/// Cheap and telling steps first. Unit, conversation and end-to-end tests are one cargo run: they share every
/// build, and cargo tells the end-to-end ones where the `carrick` binary is.
const STEPS: [(&str, Run); 6] = [
    (TOOLS, set_up),
    (PAGE, build_page),
    ("fmt", fmt),
    ("tidy", tidy_up),
    ("clippy", clippy),
    (TESTS, offline::tests),
];
const TOOLS: &str = "tools";
const PAGE: &str = "page";
const TESTS: &str = "tests";

/// Runs the steps asked for, all of them even when one fails, and ends with the count alone on its line.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let ask = parse(args)?;
    let mut total = Tally::default();
    let mut lines = Vec::new();
    for (name, step) in STEPS.iter().filter(|(name, _)| ask.includes(name)) {
        let (tally, took) = one(name, *step, &ask);
        lines.push(progress::outcome(name, tally.failed == 0, took));
        total.add(tally);
        if [TOOLS, PAGE].contains(name) && tally.failed > 0 {
            break;
        }
    }
    Ok(sum_up(&lines, total))
}

/// For `--help`.
pub(crate) fn step_names() -> String {
    STEPS.map(|(name, _)| name).join(", ")
}

impl Ask {
    /// A filter means tests, and tests need their tools and the page.
    fn includes(&self, step: &str) -> bool {
        let needed = step == TOOLS || step == PAGE;
        match (&self.only, &self.filter) {
            (Some(only), _) => only == step || (only == TESTS && needed),
            (None, Some(_)) => step == TESTS || needed,
            (None, None) => true,
        }
    }
}

fn parse(args: &[String]) -> Result<Ask> {
    let mut ask = Ask::default();
    let mut rest = args.iter().map(String::as_str);
    while let Some(arg) = rest.next() {
        match arg.split_once('=').unwrap_or((arg, "")) {
            ("--only", "") => ask.only = Some(step(rest.next().unwrap_or_default())?),
            ("--only", name) => ask.only = Some(step(name)?),
            _ if arg.starts_with('-') => return Err(Usage(format!("test has no option `{arg}`")).into()),
            _ if ask.filter.is_some() => return Err(Usage("test takes one filter".into()).into()),
            _ => ask.filter = Some(arg.to_owned()),
        }
    }
    Ok(ask)
}

fn step(name: &str) -> Result<String> {
    if STEPS.iter().any(|(step, _)| *step == name) {
        return Ok(name.to_owned());
    }
    Err(Usage(format!("there is no step `{name}`; the steps are {}", step_names())).into())
}

fn one(name: &str, step: Run, ask: &Ask) -> (Tally, Duration) {
    let under_way = Step::begin(name);
    let tally = step(ask).unwrap_or_else(|error| {
        eprintln!("{}", progress::loud(&format!("{name}: {error:#}")));
        Tally::of(false)
    });
    (tally, under_way.end(tally.failed == 0))
}

fn sum_up(lines: &[String], total: Tally) -> ExitCode {
    eprintln!("\nsummary\n{}", lines.join("\n"));
    if total.skipped > 0 {
        let text = format!("{} tests were SKIPPED: a skipped test proves nothing", total.skipped);
        eprintln!("{}", progress::loud(&text));
    }
    println!("{total}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn set_up(_: &Ask) -> Result<Tally> {
    tools::install().map(|()| Tally::of(true))
}

fn build_page(_: &Ask) -> Result<Tally> {
    page::build().map(|()| Tally::of(true))
}

fn fmt(_: &Ask) -> Result<Tally> {
    run::passes(&mut run::cargo(["fmt", "--all", "--check"])).map(Tally::of)
}

fn tidy_up(_: &Ask) -> Result<Tally> {
    tidy::passes().map(Tally::of)
}

fn clippy(_: &Ask) -> Result<Tally> {
    let args = ["clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"];
    run::passes(&mut run::cargo(args)).map(Tally::of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(words: &[&str]) -> Result<Ask> {
        parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    fn steps(words: &[&str]) -> Vec<&'static str> {
        let ask = ask(words).expect("good line");
        STEPS.map(|(name, _)| name).into_iter().filter(|name| ask.includes(name)).collect()
    }

    #[test]
    fn only_and_filter_choose_the_steps() {
        assert_eq!(steps(&[]).len(), STEPS.len());
        assert_eq!(steps(&["--only", "clippy"]), ["clippy"]);
        assert_eq!(steps(&["--only=tests"]), ["tools", "page", "tests"]);
        assert_eq!(steps(&["lock_file"]), ["tools", "page", "tests"]);
    }

    #[test]
    fn a_wrong_line_is_a_usage_error() {
        for bad in [&["--only", "lint"][..], &["--only"], &["--fast"], &["a", "b"]] {
            assert!(ask(bad).is_err_and(|error| error.is::<Usage>()));
        }
    }
}
