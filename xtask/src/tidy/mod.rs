//! `cargo xtask tidy`: the invariants no compiler knows, one file per check, all findings at once.

mod bans;
mod code;
mod core;
mod documents;
mod edges;
mod headers;
mod markdown;
mod places;
mod repo;
mod report;
mod sleeps;
mod usage;
mod verbs;

use std::process::ExitCode;

use anyhow::Result;

use crate::{Usage, progress};
use repo::Repo;
use report::Report;

/// A check looks at the repository in memory and says what is wrong; none of them changes anything.
type Check = fn(&Repo, &mut Report);

const CHECKS: [Check; 8] = [
    edges::check,
    headers::check,
    core::check,
    verbs::check,
    documents::check,
    bans::check,
    sleeps::check,
    places::check,
];

/// The chore.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    if let Some(arg) = args.first() {
        return Err(Usage(format!("tidy takes no argument, and `{arg}` is one")).into());
    }
    Ok(if passes()? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The step of `cargo xtask test`.
pub(crate) fn passes() -> Result<bool> {
    let repo = Repo::read()?;
    let mut report = Report::default();
    for check in CHECKS {
        check(&repo, &mut report);
    }
    report.notes.iter().for_each(|text| progress::note(text));
    report.findings.iter().for_each(|finding| println!("{finding}"));
    progress::note(&format!("{} files, {} findings", repo.files.len(), report.findings.len()));
    Ok(report.findings.is_empty())
}
