//! `cargo xtask bench`: build the release binary and the load program, and measure one with the other.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::{page, run, serve};

const LOAD_PROGRAM: &str = "carrick-bench";

/// The pages that `--write` brings up to date, and how the load program is told each.
const PAGES: [(&str, &str); 2] = [("--write", "docs/performance.md"), ("--write-sdk", "docs/sdk.md")];

/// Two builds, one after the other: built together, the server would get the load program's cargo features too, and
/// would no longer be the binary people run. The SDK's table is made without it.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let mut bench = run::cargo(["run", "--release", "--package", LOAD_PROGRAM, "--"]);
    if !is_of_the_sdk(args) {
        page::build()?;
        bench.arg("--carrick").arg(serve::build_release()?);
    }
    run::become_it(bench.args(for_the_load_program(args)))
}

fn is_of_the_sdk(args: &[String]) -> bool {
    args.windows(2).any(|pair| pair == ["--only", "stream"]) || args.iter().any(|arg| arg == "--only=stream")
}

/// As typed, but `--write` alone means our pages.
fn for_the_load_program(args: &[String]) -> Vec<OsString> {
    let args = args.strip_prefix(&["--".to_owned()]).unwrap_or(args);
    args.iter().flat_map(|arg| with_pages(arg)).collect()
}

fn with_pages(arg: &str) -> Vec<OsString> {
    if arg != "--write" {
        return vec![arg.into()];
    }
    PAGES.iter().flat_map(|(word, page)| [word.into(), run::root().join(page).into_os_string()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn write_names_the_pages_and_the_rest_stays() {
        let words = for_the_load_program(&line(&["--quick", "--write"]));
        let [quick, write, page, write_sdk, sdk] = words.as_slice() else { panic!("{words:?}") };
        assert_eq!([quick, write, write_sdk], ["--quick", "--write", "--write-sdk"]);
        assert!(std::path::Path::new(page).ends_with("docs/performance.md"));
        assert!(std::path::Path::new(sdk).ends_with("docs/sdk.md"));
    }

    #[test]
    fn the_table_of_the_sdk_needs_no_server() {
        assert!(is_of_the_sdk(&line(&["--only", "stream"])) && is_of_the_sdk(&line(&["--only=stream"])));
        assert!(!is_of_the_sdk(&line(&["--only", "desk"])) && !is_of_the_sdk(&line(&["--quick"])));
    }
}
