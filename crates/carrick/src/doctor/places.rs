//! The folders that carrick and the CLI meet in, and the desk of this directory.

use std::path::Path;

use carrick_agents::claude::lock_dirs;
use carrick_editors::link::place::RuntimeFolder;
use rustix::fs::{Access, access};

use super::{Finding, State};
use crate::env;
use crate::exit::Failure;
use crate::join::runtime_folder;

pub(super) fn look(here: &Path) -> Vec<Finding> {
    let dirs = lock_dirs(
        env::get(env::CLAUDE_CONFIG_DIR).as_deref(),
        env::home().as_deref(),
        env::get(env::XDG_CONFIG_HOME).as_deref(),
    );
    let mut findings: Vec<Finding> = dirs.iter().map(|dir| lock_folder(dir)).collect();
    if dirs.is_empty() {
        let finding = Finding::new("folder", "lock files", State::Problem, "there is no home folder");
        findings.push(finding.with("set HOME or CLAUDE_CONFIG_DIR: agents look for lock files there"));
    }
    findings.extend(runtime(here));
    findings
}

fn lock_folder(dir: &Path) -> Finding {
    let shown = dir.display().to_string();
    let found = |state, seen| Finding::new("folder", "lock files", state, seen);
    // A folder that is not there is made when it is needed, if what is above it can be written to.
    let there = dir.ancestors().find(|part| part.exists()).unwrap_or(Path::new("/"));
    if access(there, Access::WRITE_OK | Access::EXEC_OK).is_err() {
        return found(State::Problem, format!("{shown} cannot be written"))
            .with("agents will not find carrick");
    }
    if there != dir {
        return found(State::Good, format!("{shown} will be made"));
    }
    let locks = dir.read_dir().into_iter().flatten().flatten();
    let locks = locks.filter(|file| file.path().extension().is_some_and(|ending| ending == "lock")).count();
    found(State::Good, format!("{shown}, {locks} in it"))
}

fn runtime(here: &Path) -> Vec<Finding> {
    let folder = runtime_folder();
    let shown = folder.display().to_string();
    let no_desk =
        || Finding::new("desk", "of this directory", State::Missing, "none is open").with("carrick serve");
    if !folder.exists() {
        let finding = Finding::new("folder", "runtime", State::Good, format!("{shown} will be made"));
        return vec![finding, no_desk()];
    }
    match RuntimeFolder::open(folder) {
        Ok(folder) => {
            let desk = folder.find(here).map(|desk| {
                let seen = format!("open for {}, process {}", desk.root.display(), desk.pid);
                Finding::new("desk", "of this directory", State::Good, seen).with("carrick status")
            });
            vec![Finding::new("folder", "runtime", State::Good, shown), desk.unwrap_or_else(no_desk)]
        }
        Err(error) => {
            let failure = Failure::from(error);
            let finding = Finding::new("folder", "runtime", State::Problem, failure.to_string());
            vec![Finding { advice: failure.advice().0, ..finding }]
        }
    }
}
