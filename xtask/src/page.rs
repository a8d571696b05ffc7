//! The review page: built with npm before the binary that embeds it, for `serve` and for the tests.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::progress::Step;
use crate::run;

/// A copy of the lock file that the installed packages came from.
const STAMP: &str = "node_modules/.installed-from";

/// Installs the pinned packages if they changed, then builds the page. A tree without a page is complete too.
pub(crate) fn build() -> Result<()> {
    let page = run::root().join("page");
    if !page.join("package.json").is_file() {
        return Ok(());
    }
    ensure!(run::find("npm").is_some(), "the review page is built with npm; install Node.js 20 or newer");
    install(&page)?;
    timed(npm(&page).args(["run", "build"]))
}

fn install(page: &Path) -> Result<()> {
    let lock = std::fs::read(page.join("package-lock.json")).context("reading page/package-lock.json")?;
    if std::fs::read(page.join(STAMP)).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    // Not `npm ci`: it wants the parts for every other platform in the lock file, and a registry need not have them.
    timed(npm(page).args(["install", "--no-save", "--ignore-scripts", "--no-fund", "--no-audit"]))?;
    // Last, so that an install that was cut short is done again.
    std::fs::write(page.join(STAMP), lock).context("writing to page/node_modules")
}

fn npm(folder: &Path) -> Command {
    let mut npm = run::program("npm");
    npm.current_dir(folder);
    npm
}

fn timed(command: &mut Command) -> Result<()> {
    let step = Step::begin(&format!("page: {}", run::line(command)));
    // stdout belongs to the server that starts next, or to the count of the tests.
    let result = run::must(command.stdout(std::io::stderr()));
    step.end(result.is_ok());
    result
}
