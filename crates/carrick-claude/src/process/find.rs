//! Where `claude` is.

use std::env;
use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::options::Options;

/// Below the home folder, where installers put it.
const USUAL: [&str; 6] =
    [".local/bin", ".claude/local", ".npm-global/bin", ".yarn/bin", "node_modules/.bin", ".bun/bin"];

#[cfg(windows)]
const NAME: &str = "claude.exe";
#[cfg(not(windows))]
const NAME: &str = "claude";

/// The program named in the options, else the first one on `PATH` or in the usual places.
pub(super) fn program(options: &Options) -> Result<PathBuf> {
    let looked = match &options.program {
        Some(path) if path.components().count() > 1 => vec![path.clone()],
        Some(name) => on_path(options, name.as_os_str()),
        None => everywhere(options),
    };
    match looked.iter().find(|path| path.is_file()) {
        Some(path) => Ok(path.clone()),
        None => Err(Error::NotFound { looked }),
    }
}

fn everywhere(options: &Options) -> Vec<PathBuf> {
    let mut places = on_path(options, NAME.as_ref());
    if let Some(home) = variable(options, "HOME") {
        places.extend(USUAL.iter().map(|folder| PathBuf::from(&home).join(folder).join(NAME)));
    }
    places.extend(["/usr/local/bin", "/opt/homebrew/bin"].map(|folder| PathBuf::from(folder).join(NAME)));
    places.dedup();
    places
}

fn on_path(options: &Options, name: &std::ffi::OsStr) -> Vec<PathBuf> {
    let path = variable(options, "PATH").unwrap_or_default();
    env::split_paths(&path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).collect()
}

/// As the CLI will see it.
fn variable(options: &Options, name: &str) -> Option<std::ffi::OsString> {
    let given = options.env.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    given.or_else(|| if options.clear_env { None } else { env::var_os(name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_cli_is_told_with_every_place_looked_at() {
        let options = Options::new()
            .clear_env()
            .env("PATH", "/nowhere/a:relative:/nowhere/b")
            .env("HOME", "/nowhere/me");
        let error = program(&options).unwrap_err().to_string();
        for place in ["/nowhere/a/claude", "/nowhere/b/claude", "/nowhere/me/.local/bin/claude"] {
            assert!(error.contains(place), "{error}");
        }
        assert!(!error.contains("relative") && error.contains("Options::program"), "{error}");
    }
}
