//! Python programs in a virtual environment of their own under `target/tools/`, in pinned versions.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use super::STAMP;
use crate::progress::note;
use crate::run;

/// A virtual environment and what is in it.
pub(super) struct Environment {
    folder: &'static str,
    /// Name and version of each package; what they need themselves comes with them.
    packages: &'static [(&'static str, &'static str)],
    /// The program by which it is recognised.
    program: &'static str,
    reason: &'static str,
}

pub(super) const ENVIRONMENTS: &[Environment] = &[
    Environment {
        folder: "jupyter",
        packages: &[("ipykernel", "7.4.0"), ("jupyterlab", "4.6.6"), ("matplotlib", "3.11.2")],
        program: "jupyter-lab",
        reason: "a real kernel and a real JupyterLab, which the notebook tests talk to (about 410 MB)",
    },
    Environment {
        folder: "ruff",
        packages: &[("ruff", "0.17.4")],
        program: "ruff",
        reason: "a language server the tests ask (about 50 MB)",
    },
    Environment {
        folder: "claude-agent-sdk",
        packages: &[("claude-agent-sdk", "0.2.182")],
        program: "python3",
        reason: "the official Python SDK, which ours is held against (about 420 MB)",
    },
];

impl Environment {
    fn wanted(&self) -> Vec<String> {
        self.packages.iter().map(|(name, version)| format!("{name}=={version}")).collect()
    }

    fn is_in(&self, folder: &Path) -> bool {
        let have = std::fs::read_to_string(folder.join(STAMP));
        folder.join("bin").join(self.program).exists()
            && have.is_ok_and(|have| have == self.wanted().join(" "))
    }

    /// Makes it present below `tools`.
    pub(super) fn install(&self, tools: &Path) -> Result<()> {
        let folder = tools.join(self.folder);
        if self.is_in(&folder) {
            return Ok(());
        }
        let wanted = self.wanted();
        note(&format!("installing {}: {}", wanted.join(" "), self.reason));
        run::must(run::program("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
        let python = folder.join("bin/python3");
        // Its own words are the progress: the download takes a minute.
        run::must(run::program(&python).args(PIP_INSTALL).args(&wanted))?;
        for (name, version) in self.packages {
            let ask = format!("import importlib.metadata as m; print(m.version({name:?}))");
            let have = run::text(run::program(&python).args(["-c", &ask]))?;
            ensure!(have.trim() == *version, "pip installed {name} {have}instead of {version}");
        }
        // Last, so that an install that was cut short is done again.
        std::fs::write(folder.join(STAMP), wanted.join(" "))
            .with_context(|| format!("cannot write to {}", folder.display()))
    }
}

const PIP_INSTALL: [&str; 5] = ["-m", "pip", "install", "--no-input", "--disable-pip-version-check"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_with_the_stamp_of_all_versions_counts() {
        let folder = std::env::temp_dir().join(format!("xtask-python-{}", std::process::id()));
        let environment =
            Environment { folder: "it", packages: &[("a", "1"), ("b", "2")], program: "it", reason: "" };
        std::fs::create_dir_all(folder.join("bin")).expect("temp folder");
        std::fs::write(folder.join("bin/it"), "").expect("program");
        std::fs::write(folder.join(STAMP), "a==1").expect("stamp");
        assert!(!environment.is_in(&folder));
        std::fs::write(folder.join(STAMP), "a==1 b==2").expect("stamp");
        assert!(environment.is_in(&folder));
        std::fs::remove_dir_all(folder).expect("clean up");
    }
}
