//! The test programs themselves, run with no network but loopback, so that none can lean on a service outside.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};

use super::Ask;
use super::tally::{Tally, relay};
use crate::progress::{loud, note};
use crate::run;

/// What a shell does in the new, empty network before it turns into the test run.
const LOOPBACK_UP: &str = r#"PATH="$PATH:/usr/sbin:/sbin"; ip link set lo up && exec "$@""#;

/// An agent's variables in the caller's shell would steer the CLI under test.
const AGENT_VARIABLES: [&str; 2] = ["CLAUDE", "ANTHROPIC"];

/// Builds with the network, runs without it.
pub(super) fn tests(ask: &Ask) -> Result<Tally> {
    let build = ["test", "--workspace", "--locked", "--no-run"];
    if !run::passes(&mut run::cargo(build))? {
        return Ok(Tally::of(false));
    }
    let mut tests = run::cargo(["test", "--workspace", "--locked", "--offline", "--no-fail-fast"]);
    tests.args(&ask.filter);
    count(&mut without_network(tests), std::io::stdout())
}

fn count(tests: &mut Command, to: impl Write) -> Result<Tally> {
    run::forget(tests, &AGENT_VARIABLES);
    let mut child = tests.stdout(Stdio::piped()).spawn().context("cannot start the tests")?;
    let output = child.stdout.take().context("the tests have no output to read")?;
    let mut tally = relay(output, to).context("reading what the tests print")?;
    let status = child.wait().context("waiting for the tests")?;
    if !status.success() && tally.failed == 0 {
        eprintln!(
            "{}",
            loud(&format!(
                "cargo test: {status}, but no test failed: a test program crashed or did not build"
            ))
        );
        tally.failed = 1;
    }
    Ok(tally)
}

/// The same command inside a network of its own, where this user may make one.
fn without_network(tests: Command) -> Command {
    if !run::quietly(&mut in_own_network("true")) {
        note("cannot make an empty network (not root, or no unshare or ip): the tests run with this one");
        return tests;
    }
    note("the tests have no network but loopback");
    wrap(&tests)
}

fn wrap(tests: &Command) -> Command {
    let mut wrapped = in_own_network(tests.get_program());
    wrapped.args(tests.get_args()).current_dir(run::root());
    for (key, value) in tests.get_envs() {
        match value {
            Some(value) => wrapped.env(key, value),
            None => wrapped.env_remove(key),
        };
    }
    wrapped
}

fn in_own_network(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = run::program("unshare");
    command.args(["--net", "sh", "-c", LOOPBACK_UP, "sh"]).arg(program);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_program_arguments_and_environment() {
        let mut inner = run::program("printf");
        inner.arg("x y").env("KEPT", "1");
        let wrapped = wrap(&inner);
        assert!(run::line(&wrapped).ends_with("sh printf x y"));
        assert!(wrapped.get_envs().any(|(key, value)| key == "KEPT" && value == Some("1".as_ref())));
    }

    #[test]
    fn a_run_that_crashes_without_a_count_is_a_failure() {
        let mut tests = run::program("sh");
        tests.args(["-c", "echo 'test result: ok. 2 passed; 0 failed'; exit 101"]);
        // Not to our own stdout, where the run above us would count it.
        assert_eq!(count(&mut tests, std::io::sink()).expect("it ran").to_string(), "2 passed, 1 failed");
    }
}
