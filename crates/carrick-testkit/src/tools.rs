//! The programs that `cargo xtask test` installs under `target/tools/`, found by name.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// Where in its folder a tool has its programs: Python's way, then npm's.
const PLACES: [&str; 2] = ["bin", "node_modules/.bin"];

/// The folder that holds the programs of a tool; it fails when the tool was never installed, so that a test which
/// needs it fails too.
pub fn folder(tool: &str) -> Result<PathBuf> {
    let home = target().join("tools").join(tool);
    let found = PLACES.iter().map(|place| home.join(place)).find(|place| place.is_dir());
    match found.and_then(|place| place.canonicalize().ok()) {
        Some(place) => Ok(place),
        None => bail!("{tool} is not in {}; run `cargo xtask test`, which installs it", home.display()),
    }
}

/// A program of the system; it fails when there is none of that name.
pub fn program(name: &str) -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    match found {
        Some(file) => Ok(file),
        None => bail!("{name} is not installed; run `cargo xtask test`, which says how"),
    }
}

fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
    }
}
