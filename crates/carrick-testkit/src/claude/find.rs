//! Where the real CLI is. Never a silent skip: a test that cannot find it fails and says what to run.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// The release this equipment is written against; `cargo xtask test` installs exactly this one.
pub const CLAUDE_VERSION: &str = "2.1.325";

/// The variable that names another executable.
pub const CLAUDE_VARIABLE: &str = "CARRICK_TEST_CLAUDE";

/// The folder below `target` where `npm install` puts the CLI.
pub const CLAUDE_TOOLS: &str = "tools/claude";

/// The real `claude` executable.
#[derive(Debug, Clone)]
pub struct Claude {
    path: PathBuf,
}

impl Claude {
    /// The executable named by `CARRICK_TEST_CLAUDE`, else the one below the workspace's `target`.
    pub fn find() -> Result<Self> {
        if let Some(path) = std::env::var_os(CLAUDE_VARIABLE) {
            return Self::at(PathBuf::from(path));
        }
        let modules = target().join(CLAUDE_TOOLS).join("node_modules");
        // The native binary first: `.bin/claude` is a Node script until the package's install script has run.
        let mut places = native(&modules);
        places.push(modules.join(".bin/claude"));
        match places.into_iter().find(|path| path.is_file()) {
            Some(path) => Self::at(path),
            None => bail!(
                "no Claude Code CLI below {}; run `cargo xtask test`, which installs {CLAUDE_VERSION}, \
                 or set {CLAUDE_VARIABLE} to an executable",
                modules.display()
            ),
        }
    }

    /// The executable at `path`.
    pub fn at(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        match path.canonicalize() {
            Ok(path) if path.is_file() => Ok(Self { path }),
            _ => bail!("{} is not an executable; set {CLAUDE_VARIABLE} to one", path.display()),
        }
    }

    /// Its absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
    }
}

/// Platform packages are called `claude-code-<system>-<processor>`.
fn native(modules: &Path) -> Vec<PathBuf> {
    let Ok(packages) = modules.join("@anthropic-ai").read_dir() else { return Vec::new() };
    let names = packages.flatten().map(|entry| entry.path());
    let native = names.filter(|path| path.file_name().is_some_and(|name| is_native(&name.to_string_lossy())));
    native.map(|package| package.join("claude")).collect()
}

fn is_native(package: &str) -> bool {
    // npm installs only the packages of this system, so the name alone is enough.
    package.starts_with("claude-code-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_executable_is_told_with_what_to_do() {
        let error = Claude::at("/nowhere/claude").unwrap_err().to_string();
        assert!(error.contains("/nowhere/claude") && error.contains(CLAUDE_VARIABLE), "{error}");
    }

    #[test]
    fn the_installed_cli_is_the_pinned_one() {
        let claude = Claude::find().unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let mut command = std::process::Command::new(claude.path());
        command.arg("--version").env_clear().env("HOME", scratch.path()).current_dir(scratch.path());
        let printed = command.output().unwrap().stdout;
        let printed = String::from_utf8_lossy(&printed);
        let another = std::env::var_os(CLAUDE_VARIABLE).is_some();
        assert!(another || printed.starts_with(CLAUDE_VERSION), "{printed}");
    }
}
