//! The project's chores behind one command, `cargo xtask`, so that a clone needs nothing but Rust to find them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who typed it")]

mod bench;
mod page;
mod progress;
mod run;
mod serve;
mod test;
mod tidy;
mod tools;

use std::process::ExitCode;

/// What a person can type after `cargo xtask`. The tidy check of the documents reads this table too.
struct Chore {
    name: &'static str,
    usage: &'static str,
    purpose: &'static str,
    run: fn(&[String]) -> anyhow::Result<ExitCode>,
}

const CHORES: [Chore; 4] = [
    Chore {
        name: "serve",
        usage: "serve [DIR] [-- ARGS…]",
        purpose: "build the release binary and serve DIR (default: here); ARGS go to `carrick serve`",
        run: serve::run,
    },
    Chore {
        name: "test",
        usage: "test [--only STEP] [FILTER]",
        purpose: "set up and run every check and test; a FILTER runs only the tests it matches",
        run: test::run,
    },
    Chore {
        name: "tidy",
        usage: "tidy",
        purpose: "check the invariants no compiler knows: crate edges, headers, tools, documents",
        run: tidy::run,
    },
    Chore {
        name: "bench",
        usage: "bench [ARGS…]",
        purpose: "build the release binary and measure it; ARGS go to the load program",
        run: bench::run,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}

fn dispatch(args: &[String]) -> anyhow::Result<ExitCode> {
    let Some((name, rest)) = args.split_first() else {
        return Err(Usage(format!("which chore?\n\n{}", help())).into());
    };
    if wants_help(name) || (before_dashes(rest).iter().any(|arg| wants_help(arg)) && name != "bench") {
        println!("{}", help());
        return Ok(ExitCode::SUCCESS);
    }
    match CHORES.iter().find(|chore| chore.name == name) {
        Some(chore) => (chore.run)(rest),
        None => Err(Usage(format!("there is no chore `{name}`\n\n{}", help())).into()),
    }
}

fn wants_help(arg: &str) -> bool {
    matches!(arg, "-h" | "--help" | "help")
}

/// The part of a line that is ours: what follows `--` belongs to the program we start.
fn before_dashes(args: &[String]) -> &[String] {
    args.split(|arg| arg == "--").next().unwrap_or_default()
}

fn help() -> String {
    let mut text = String::from("Usage: cargo xtask CHORE\n\nChores:\n");
    for chore in &CHORES {
        text.push_str(&format!("  {:<28} {}\n", chore.usage, chore.purpose));
    }
    text.push_str(&format!("\nSteps of test, in order: {}", test::step_names()));
    text
}

/// A line we could not understand: exit code 2, as everywhere in carrick.
#[derive(Debug)]
struct Usage(String);

impl std::fmt::Display for Usage {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn help_lists_every_chore_and_every_step() {
        let text = help();
        assert!(CHORES.iter().all(|chore| text.contains(chore.usage)));
        assert!(text.contains("clippy"));
    }

    #[test]
    fn an_unknown_chore_is_a_usage_error() {
        let error = dispatch(&line(&["srve"])).expect_err("no such chore");
        assert!(error.is::<Usage>() && error.to_string().contains("`srve`"));
    }

    #[test]
    fn help_after_the_dashes_is_not_for_us() {
        assert_eq!(before_dashes(&line(&["dir", "--", "--help"])), line(&["dir"]));
    }
}
