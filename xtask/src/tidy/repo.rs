//! The repository as the checks see it: its text files and its packages, read once.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::run;

/// Files by path (with `/`, from the root) and the workspace's packages.
#[derive(Default)]
pub(super) struct Repo {
    pub(super) files: BTreeMap<String, String>,
    pub(super) packages: Vec<Package>,
}

/// A member of the workspace with what it depends on.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) manifest: String,
    pub(super) needs: Vec<Need>,
}

/// One dependency; `dev` ones are only there for tests, examples and benches.
pub(super) struct Need {
    pub(super) name: String,
    pub(super) dev: bool,
}

impl Repo {
    /// Tracked files and new ones that are not ignored. One that is not UTF-8, such as a picture, is there without words.
    pub(super) fn read() -> Result<Self> {
        let root = run::root();
        let mut git = run::program("git");
        git.current_dir(&root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let list = run::text(&mut git).context("tidy checks the files git knows, so it needs a git clone")?;
        let names = list.split('\0').filter(|name| !name.is_empty());
        let words = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap_or_default();
        let files =
            names.filter_map(|name| Some((name.to_owned(), words(std::fs::read(root.join(name)).ok()?))));
        let metadata = run::text(&mut run::cargo(["metadata", "--no-deps", "--format-version", "1"]))?;
        Ok(Self { files: files.collect(), packages: packages(&metadata)? })
    }

    /// Files whose path begins and ends so.
    pub(super) fn under<'a>(
        &'a self,
        beginning: &'a str,
        end: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> + 'a {
        let all = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        all.filter(move |(path, _)| path.starts_with(beginning) && path.ends_with(end))
    }

    /// Whether a file or a folder of this path exists.
    pub(super) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        path.is_empty()
            || self.files.contains_key(path)
            || self.under(&format!("{path}/"), "").next().is_some()
    }

    /// Line by line, counted from one.
    pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
        text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        Self { files: files.collect(), packages: Vec::new() }
    }
}

/// Reads the answer of `cargo metadata`.
pub(super) fn packages(metadata: &str) -> Result<Vec<Package>> {
    let metadata: Value = serde_json::from_str(metadata).context("reading `cargo metadata`")?;
    let root = metadata.get("workspace_root").and_then(Value::as_str).unwrap_or_default();
    Ok(list(&metadata, "packages").map(|package| read_package(package, root)).collect())
}

fn read_package(package: &Value, root: &str) -> Package {
    let manifest = word(package, "manifest_path");
    let needs = list(package, "dependencies");
    Package {
        name: word(package, "name"),
        manifest: manifest.strip_prefix(root).unwrap_or(&manifest).trim_start_matches('/').to_owned(),
        needs: needs
            .map(|need| Need { name: word(need, "name"), dev: word(need, "kind") == "dev" })
            .collect(),
    }
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn word(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_metadata() {
        let found = packages(
            r#"{"workspace_root": "/w", "packages": [{"name": "a", "manifest_path": "/w/crates/a/Cargo.toml",
                "dependencies": [{"name": "b", "kind": null}, {"name": "c", "kind": "dev"}]}]}"#,
        );
        let found = found.expect("good JSON");
        assert_eq!((found[0].name.as_str(), found[0].manifest.as_str()), ("a", "crates/a/Cargo.toml"));
        assert_eq!(found[0].needs.iter().map(|need| need.dev).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn folders_exist_through_their_files() {
        let repo = Repo::of(&[("docs/link.md", "")]);
        assert!(repo.has("docs/") && repo.has("docs/link.md") && repo.has(""));
        assert!(!repo.has("doc") && !repo.has("docs/link"));
    }
}
