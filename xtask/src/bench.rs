//! `cargo xtask bench`: build the release binary and the load program, and measure one with the other.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::{page, run, serve};

const LOAD_PROGRAM: &str = "carrick-bench";

/// The page that `--write` brings up to date.
const PAGE: &str = "docs/performance.md";

/// Two builds, one after the other: built together, the server would get the load program's cargo features too, and
/// would no longer be the binary people run.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    page::build()?;
    let carrick = serve::build_release()?;
    let mut bench = run::cargo(["run", "--release", "--package", LOAD_PROGRAM, "--", "--carrick"]);
    bench.arg(carrick).args(for_the_load_program(args));
    run::become_it(&mut bench)
}

/// As typed, but `--write` alone means our page.
fn for_the_load_program(args: &[String]) -> Vec<OsString> {
    let args = args.strip_prefix(&["--".to_owned()]).unwrap_or(args);
    args.iter().flat_map(|arg| with_page(arg)).collect()
}

fn with_page(arg: &str) -> Vec<OsString> {
    let mut words = vec![OsString::from(arg)];
    if arg == "--write" {
        words.push(run::root().join(PAGE).into_os_string());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_names_the_page_and_the_rest_stays() {
        let args = ["--quick", "--write"].map(str::to_owned);
        let words = for_the_load_program(&args);
        assert_eq!(words.len(), 3);
        assert_eq!(words.first(), Some(&OsString::from("--quick")));
        assert!(words.last().is_some_and(|page| std::path::Path::new(page).ends_with(PAGE)));
    }
}
