//! Programs of a newer Debian suite in a folder of their own under `target/tools/`, run by that suite's own libraries.
//!
//! apt works on a state of its own whose list of installed packages is empty, so that it fetches everything the program
//! needs, the C library included; dpkg unpacks that into the folder, and patchelf makes the program use what is there.
//! The system's own packages are neither asked nor changed. A suite is not pinned: it gives its newest version.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::STAMP;
use crate::progress::note;
use crate::run;

/// A program of a suite.
pub(super) struct Suited {
    folder: &'static str,
    suite: &'static str,
    package: &'static str,
    /// Its path in the package.
    program: &'static str,
    /// What its first line about its version begins with.
    version: &'static str,
    reason: &'static str,
}

pub(super) const SUITED: &[Suited] = &[
    Suited {
        folder: "nvim",
        suite: "sid",
        package: "neovim",
        program: "usr/bin/nvim",
        version: "NVIM v0.",
        reason: "the newest Neovim, which the tests talk to (about 60 MB)",
    },
    Suited {
        folder: "nvim-0.10",
        suite: "trixie",
        package: "neovim",
        program: "usr/bin/nvim",
        version: "NVIM v0.10.",
        reason: "the oldest Neovim that the plug-in is for (about 60 MB)",
    },
];

/// Signs every suite of Debian.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

impl Suited {
    fn wanted(&self) -> String {
        format!("{} of {}", self.package, self.suite)
    }

    fn link(&self, folder: &Path) -> PathBuf {
        folder.join("bin").join(Path::new(self.program).file_name().unwrap_or_default())
    }

    fn is_in(&self, folder: &Path) -> bool {
        let have = std::fs::read_to_string(folder.join(STAMP));
        self.link(folder).exists() && have.is_ok_and(|have| have == self.wanted())
    }

    /// Makes it present below `tools`.
    pub(super) fn install(&self, tools: &Path) -> Result<()> {
        let folder = tools.join(self.folder);
        if self.is_in(&folder) {
            return Ok(());
        }
        let wanted = self.wanted();
        ensure!(
            run::find("apt-get").is_some() && Path::new(KEYS).exists(),
            "{wanted} comes through apt, which this system has not; set CARRICK_TEST_NVIM to a Neovim of 0.10 or newer"
        );
        note(&format!("installing {wanted}: {}", self.reason));
        let _ = std::fs::remove_dir_all(&folder);
        let apt = Apt::new(&folder.join("apt"), self.suite)?;
        apt.fetch(self.package)?;
        apt.unpack(&folder)?;
        patch(&folder, &folder.join(self.program))?;
        link(&folder.join(self.program), &self.link(&folder))?;
        std::fs::remove_dir_all(&apt.folder).context("cannot clean up after apt")?;
        let said = run::text(run::program(self.link(&folder)).arg("--version"))?;
        ensure!(said.starts_with(self.version), "{wanted} says it is {said}");
        // Last, so that an install that was cut short is done again.
        std::fs::write(folder.join(STAMP), wanted)
            .with_context(|| format!("cannot write to {}", folder.display()))
    }
}

/// apt with a state of its own.
struct Apt {
    folder: PathBuf,
}

impl Apt {
    fn new(folder: &Path, suite: &str) -> Result<Self> {
        for inner in ["state/lists/partial", "cache/archives/partial"] {
            std::fs::create_dir_all(folder.join(inner))
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let sources = sources();
        let mirror = mirror(&sources).context("apt names no mirror of Debian")?;
        std::fs::write(folder.join("status"), "")?;
        std::fs::write(folder.join("sources"), format!("deb [signed-by={KEYS}] {mirror} {suite} main\n"))?;
        Ok(Self { folder: folder.into() })
    }

    fn command(&self) -> Command {
        let mut apt = super::apt();
        let places = [
            ("Dir::State", "state"),
            ("Dir::State::status", "status"),
            ("Dir::Cache", "cache"),
            ("Dir::Etc::sourcelist", "sources"),
            // Nothing else has a say.
            ("Dir::Etc::sourceparts", "/dev/null"),
            ("Dir::Etc::preferences", "/dev/null"),
            ("Dir::Etc::preferencesparts", "/dev/null"),
        ];
        for (option, place) in places {
            apt.arg("-o").arg(format!("{option}={}", self.folder.join(place).display()));
        }
        for option in [
            "APT::Sandbox::User=root",
            "APT::Install-Recommends=false",
            "Acquire::Languages=none",
            "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false",
            "Acquire::Retries=3",
            "Debug::NoLocking=1",
        ] {
            apt.args(["-o", option]);
        }
        apt.arg("-qq");
        apt
    }

    fn fetch(&self, package: &str) -> Result<()> {
        run::must(self.command().arg("update"))?;
        run::must(self.command().args(["install", "--yes", "--download-only", package]))
    }

    /// Everything that was fetched is needed: the state was empty before.
    fn unpack(&self, into: &Path) -> Result<()> {
        for entry in std::fs::read_dir(self.folder.join("cache/archives"))? {
            let file = entry?.path();
            if file.extension().is_some_and(|ending| ending == "deb") {
                run::must(run::program("dpkg").arg("-x").arg(&file).arg(into))?;
            }
        }
        Ok(())
    }
}

fn sources() -> String {
    let listed = std::fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten();
    let files = std::iter::once(PathBuf::from("/etc/apt/sources.list")).chain(listed.map(|file| file.path()));
    files.filter_map(|file| std::fs::read_to_string(file).ok()).collect::<Vec<_>>().join("\n")
}

/// The mirror that this system uses already: the first address that ends in `/debian`.
fn mirror(sources: &str) -> Option<&str> {
    let lines = sources.lines().filter(|line| !line.trim_start().starts_with('#'));
    let mut words = lines.flat_map(str::split_whitespace);
    words.find(|word| word.starts_with("http") && word.trim_end_matches('/').ends_with("/debian"))
}

/// Makes the program start with the loader and the libraries of the folder. It is patched itself because Neovim starts
/// itself again, from its own file.
fn patch(folder: &Path, program: &Path) -> Result<()> {
    let loader = loader(folder).context("the suite's C library has no loader")?;
    let libraries = loader.parent().context("the loader is in no folder")?;
    let mut patchelf = run::program("patchelf");
    patchelf.arg("--set-interpreter").arg(&loader).arg("--force-rpath").arg("--set-rpath").arg(libraries);
    run::must(patchelf.arg(program))
}

/// The loader, by the name that its links lead to: that one lies beside the libraries.
fn loader(folder: &Path) -> Option<PathBuf> {
    let places = ["usr/lib64", "usr/lib"].map(|place| folder.join(place));
    let files = places.iter().filter_map(|place| place.read_dir().ok()).flatten().flatten();
    let mut loaders = files.filter(|file| file.file_name().to_string_lossy().starts_with("ld-linux"));
    loaders.find_map(|file| file.path().canonicalize().ok())
}

#[cfg(unix)]
fn link(program: &Path, name: &Path) -> Result<()> {
    let folder = name.parent().context("a link needs a folder")?;
    std::fs::create_dir_all(folder)?;
    std::os::unix::fs::symlink(program, name).with_context(|| format!("cannot make {}", name.display()))
}

#[cfg(not(unix))]
fn link(program: &Path, name: &Path) -> Result<()> {
    std::fs::copy(program, name).map(|_| ()).with_context(|| format!("cannot make {}", name.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_is_the_one_in_use_and_not_that_of_security() {
        let sources = "# deb http://old/debian x\nTypes: deb\nURIs: http://m/debian-security\n\
                       deb [signed-by=/k] https://mirror.example/debian/ bookworm main\n";
        assert_eq!(mirror(sources), Some("https://mirror.example/debian/"));
        assert_eq!(mirror("deb http://m/ubuntu noble main"), None);
    }

    #[test]
    fn only_a_program_with_its_stamp_counts() {
        let folder = std::env::temp_dir().join(format!("xtask-suite-{}", std::process::id()));
        let tool = SUITED.first().expect("a program");
        std::fs::create_dir_all(folder.join("bin")).expect("temp folder");
        std::fs::write(tool.link(&folder), "").expect("program");
        assert!(!tool.is_in(&folder));
        std::fs::write(folder.join(STAMP), tool.wanted()).expect("stamp");
        assert!(tool.is_in(&folder));
        std::fs::remove_dir_all(folder).expect("clean up");
    }
}
