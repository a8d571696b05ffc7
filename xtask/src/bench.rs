//! `cargo xtask bench`: measure the release binary with the load program, when the workspace has one.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::{run, serve};

const LOAD_PROGRAM: &str = "carrick-bench";

/// Builds the server first: the load program measures the binary people run, not itself.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    if !run::root().join("crates").join(LOAD_PROGRAM).join("Cargo.toml").is_file() {
        bail!("there is nothing to measure with: crates/{LOAD_PROGRAM} does not exist in this tree");
    }
    serve::build_release()?;
    let args = args.strip_prefix(&["--".to_owned()]).unwrap_or(args);
    let mut bench = run::cargo(["run", "--release", "--package", LOAD_PROGRAM, "--"]);
    run::become_it(bench.args(args))
}
