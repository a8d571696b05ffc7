//! What the tests need besides Rust, in pinned versions: checked on every run, fetched only when missing.
//!
//! Programs of the system come from Debian packages; everything else lives under `target/tools/`, so that
//! `cargo clean` takes it away again and nothing on the machine changes.

mod python;
mod suite;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::progress::note;
use crate::run;

/// A program of the system the tests call, and the Debian package that brings it.
struct Program {
    name: &'static str,
    package: &'static str,
    /// What it must be able to run; a program without some of its parts is as good as missing.
    trial: &'static [&'static str],
    reason: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program { name: "git", package: "git", trial: &[], reason: "tidy asks it which files are ours" },
    Program { name: "tmux", package: "tmux", trial: &[], reason: "tests drive terminal programs in it" },
    Program {
        name: "chromium",
        package: "chromium",
        trial: &[],
        reason: "tests drive the review page in it",
    },
    Program {
        name: "patchelf",
        package: "patchelf",
        trial: &[],
        reason: "lets a program of a newer suite use its own libraries",
    },
    Program { name: "ip", package: "iproute2", trial: &[], reason: "brings loopback up where the tests run" },
    Program { name: "unshare", package: "util-linux", trial: &[], reason: "keeps the tests off the network" },
    Program {
        name: "python3",
        package: "python3-venv",
        trial: &["-c", "import venv, ensurepip"],
        reason: "runs the Jupyter that the notebook tests talk to",
    },
    Program { name: "clangd", package: "clangd", trial: &[], reason: "a language server the tests ask" },
];

impl Program {
    fn is_there(&self) -> bool {
        let found = run::find(self.name).is_some();
        found && (self.trial.is_empty() || run::quietly(run::program(self.name).args(self.trial)))
    }
}

/// Something npm brings into a folder of its own under `target/tools/`.
struct Npm {
    folder: &'static str,
    package: &'static str,
    version: &'static str,
    program: &'static str,
    /// What it needs beside it.
    with: &'static [&'static str],
    /// Its own install script, run by us: npm runs scripts or not depending on its version and settings.
    script: Option<&'static str>,
    reason: &'static str,
}

const NPM: &[Npm] = &[
    Npm {
        folder: "claude",
        package: "@anthropic-ai/claude-code",
        version: "2.1.325",
        program: "claude",
        with: &[],
        script: Some("install.cjs"),
        reason: "the real CLI, which the end-to-end tests talk to",
    },
    Npm {
        folder: "pyright",
        package: "pyright",
        version: "1.1.414",
        program: "pyright",
        with: &[],
        script: None,
        reason: "a language server the tests ask (about 40 MB)",
    },
    Npm {
        folder: "typescript-language-server",
        package: "typescript-language-server",
        // The last major version that runs on Node.js 20, with the last TypeScript that it can talk to.
        version: "5.1.3",
        program: "typescript-language-server",
        with: &["typescript@5.9.3"],
        script: None,
        reason: "a language server the tests ask (about 30 MB)",
    },
];

/// Parts of the toolchain that a minimal installation of Rust leaves out: how they are asked for, and their names.
const COMPONENTS: [(&[&str], &str); 2] =
    [(&["cargo", "fmt", "--version"], "rustfmt"), (&["cargo", "clippy", "--version"], "clippy")];

/// Makes everything present, or says what the person has to do.
pub(crate) fn install() -> Result<()> {
    components()?;
    programs()?;
    let folder = run::root().join("target").join("tools");
    NPM.iter().try_for_each(|tool| npm(tool, &folder.join(tool.folder)))?;
    python::ENVIRONMENTS.iter().try_for_each(|environment| environment.install(&folder))?;
    suite::SUITED.iter().try_for_each(|program| program.install(&folder))
}

fn components() -> Result<()> {
    // Asked, not looked for: rustup leaves a stand-in on PATH for a component it has not installed.
    let absent = COMPONENTS.iter().filter(|(ask, _)| match ask.split_first() {
        Some((&"cargo", rest)) => !run::quietly(&mut run::cargo(rest.iter().copied())),
        Some((program, rest)) => !run::quietly(run::program(program).args(rest)),
        None => false,
    });
    let missing: Vec<&str> = absent.map(|(_, component)| *component).collect();
    if missing.is_empty() {
        return Ok(());
    }
    ensure!(run::find("rustup").is_some(), "Rust lacks {}; install them beside cargo", missing.join(" and "));
    run::must(run::program("rustup").args(["component", "add"]).args(missing))
}

fn programs() -> Result<()> {
    let missing: Vec<&Program> = PROGRAMS.iter().filter(|program| !program.is_there()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let command = apt_line(&missing);
    if run::find("apt-get").is_none() || !is_root() {
        bail!(
            "the tests need programs that are not installed:\n{}run this, then try again:\n  {command}",
            list(&missing)
        );
    }
    note(&format!("installing {}", packages(&missing).join(" ")));
    run::must(apt().args(["update", "--quiet"]))?;
    run::must(apt().args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(packages(&missing)))
}

fn list(missing: &[&Program]) -> String {
    missing.iter().map(|program| format!("  {}: {}\n", program.name, program.reason)).collect()
}

fn apt_line(missing: &[&Program]) -> String {
    format!("sudo apt-get install --no-install-recommends {}", packages(missing).join(" "))
}

fn packages(missing: &[&Program]) -> Vec<&'static str> {
    missing.iter().map(|program| program.package).collect()
}

fn apt() -> Command {
    let mut apt = run::program("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

fn is_root() -> bool {
    run::text(run::program("id").arg("-u")).is_ok_and(|uid| uid.trim() == "0")
}

fn npm(tool: &Npm, folder: &Path) -> Result<()> {
    if tool.is_in(folder) {
        return Ok(());
    }
    let (wanted, exact) = (tool.wanted(), tool.exact());
    need_node(&wanted)?;
    note(&format!("installing {wanted}: {}", tool.reason));
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    run::must(
        run::program("npm").current_dir(folder).args(NPM_INSTALL).arg(folder).arg(&exact).args(tool.with),
    )?;
    if let Some(script) = tool.script {
        run::must(run::program("node").arg(folder.join("node_modules").join(tool.package).join(script)))?;
    }
    let asked = run::text(run::program(tool.program_in(folder)).arg("--version").env("HOME", folder))?;
    ensure!(asked.contains(tool.version), "npm installed {wanted}, but its program says it is {asked}");
    // Last, so that an install that was cut short is done again.
    std::fs::write(folder.join(STAMP), wanted)
        .with_context(|| format!("cannot write to {}", folder.display()))
}

const NPM_INSTALL: [&str; 8] = [
    "install",
    "--no-save",
    "--no-fund",
    "--no-audit",
    "--ignore-scripts",
    "--include=optional",
    "--loglevel=error",
    "--prefix",
];

/// Says which version a folder holds.
const STAMP: &str = "installed";

impl Npm {
    fn exact(&self) -> String {
        format!("{}@{}", self.package, self.version)
    }

    fn wanted(&self) -> String {
        [self.exact().as_str()].iter().chain(self.with).copied().collect::<Vec<_>>().join(" ")
    }

    fn program_in(&self, folder: &Path) -> PathBuf {
        folder.join("node_modules/.bin").join(self.program)
    }

    fn is_in(&self, folder: &Path) -> bool {
        let have = std::fs::read_to_string(folder.join(STAMP));
        self.program_in(folder).exists() && have.is_ok_and(|have| have == self.wanted())
    }
}

fn need_node(wanted: &str) -> Result<()> {
    for program in ["node", "npm"] {
        ensure!(
            run::find(program).is_some(),
            "`{program}` is not on PATH, and {wanted} comes through it; install Node.js 20 or newer with npm"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_user_is_told_program_reason_and_command() {
        let missing: Vec<&Program> = PROGRAMS.iter().take(2).collect();
        assert_eq!(apt_line(&missing), "sudo apt-get install --no-install-recommends git tmux");
        assert!(list(&missing).contains("  tmux: tests drive terminal programs in it\n"));
    }

    #[test]
    fn only_a_program_with_the_stamp_of_its_version_counts() {
        let folder = std::env::temp_dir().join(format!("xtask-tools-{}", std::process::id()));
        let tool = |version| Npm {
            folder: "it",
            package: "it",
            version,
            program: "it",
            with: &[],
            script: None,
            reason: "",
        };
        std::fs::create_dir_all(folder.join("node_modules/.bin")).expect("temp folder");
        std::fs::write(folder.join(STAMP), "it@1").expect("stamp");
        assert!(!tool("1").is_in(&folder), "the program is missing");
        std::fs::write(folder.join("node_modules/.bin/it"), "").expect("program");
        assert!(tool("1").is_in(&folder) && !tool("2").is_in(&folder));
        std::fs::remove_dir_all(folder).expect("clean up");
    }
}
