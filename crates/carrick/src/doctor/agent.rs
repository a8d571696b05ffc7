//! The CLI that agents are run with, and its version, read from its files.

use std::path::Path;

use carrick_editors::headless::Table;

use super::{Finding, State};
use crate::env;

const NAME: &str = "claude";

pub(super) fn look() -> Finding {
    let Some(path) = Table::built_in(env::path()).program(NAME) else {
        let finding = Finding::new("agent", NAME, State::Missing, "is not installed, or not in PATH");
        return finding.with("npm install --global @anthropic-ai/claude-code");
    };
    let version = path.canonicalize().ok().and_then(|real| version(&real));
    let version = version.map_or_else(|| "version unknown".into(), |version| format!("version {version}"));
    Finding::new("agent", NAME, State::Good, format!("{}, {version}", path.display()))
}

/// From the description of the package it is part of, or from the name of the folder or file it was unpacked to.
fn version(real: &Path) -> Option<String> {
    let described = real.ancestors().skip(1).find_map(|folder| {
        let about = std::fs::read(folder.join("package.json")).ok()?;
        let about: serde_json::Value = serde_json::from_slice(&about).ok()?;
        let ours = about.get("name")?.as_str()?.starts_with("@anthropic-ai/claude-code");
        ours.then(|| about.get("version")?.as_str().map(String::from)).flatten()
    });
    let named = || {
        let names = real.iter().filter_map(|part| part.to_str()).rev();
        names.map(String::from).find(|name| is_version(name))
    };
    described.or_else(named)
}

fn is_version(name: &str) -> bool {
    let mut parts = name.split('.');
    let number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok());
    number(parts.next()) && number(parts.next()) && number(parts.next()) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_what_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let package = dir.path().join("claude-code/bin");
        std::fs::create_dir_all(&package).unwrap();
        let about = r#"{"name": "@anthropic-ai/claude-code", "version": "2.3.4"}"#;
        std::fs::write(dir.path().join("claude-code/package.json"), about).unwrap();
        assert_eq!(version(&package.join("claude")).as_deref(), Some("2.3.4"));
        assert_eq!(version(Path::new("/opt/claude/versions/2.1.0")).as_deref(), Some("2.1.0"));
        assert_eq!(version(Path::new("/usr/bin/claude")), None);
    }
}
