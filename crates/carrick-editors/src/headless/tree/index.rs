//! The names of a folder's files, kept so that a question visits little more than it finds.
//!
//! Names are grouped by directory and in it by extension, and each extension knows its directories. Directories are
//! keyed by their path from the folder, so everything below one of them is a range of the map.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use super::pattern::{Pattern, extension};

/// The index of one folder of the workspace.
#[derive(Debug, Default)]
pub(super) struct Index {
    directories: BTreeMap<Arc<str>, Directory>,
    by_extension: BTreeMap<Box<str>, BTreeSet<Arc<str>>>,
    count: usize,
}

#[derive(Debug, Default)]
struct Directory {
    folders: Vec<String>,
    /// The names of each extension, sorted.
    names: BTreeMap<Box<str>, Vec<Box<str>>>,
}

impl Index {
    /// How many files there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// True when this directory is known.
    pub(super) fn has(&self, directory: &str) -> bool {
        self.directories.contains_key(directory)
    }

    /// The directories right below this one.
    pub(super) fn folders(&self, directory: &str) -> &[String] {
        self.directories.get(directory).map_or(&[], |directory| &directory.folders)
    }

    /// This directory and all that are known below it.
    pub(super) fn below(&self, directory: &str) -> Vec<Arc<str>> {
        under(directory, |range| {
            self.directories.range::<str, _>(range).map(|(path, _)| Arc::clone(path)).collect()
        })
    }

    /// What is in a directory now.
    pub(super) fn set(&mut self, directory: &str, folders: Vec<String>, files: Vec<String>) {
        self.remove(directory);
        let key: Arc<str> = directory.into();
        let mut names: BTreeMap<Box<str>, Vec<Box<str>>> = BTreeMap::new();
        self.count += files.len();
        for name in files {
            names.entry(extension(&name).into()).or_default().push(name.into());
        }
        for (extension, names) in &mut names {
            names.sort_unstable();
            self.by_extension.entry(extension.clone()).or_default().insert(Arc::clone(&key));
        }
        self.directories.insert(key, Directory { folders, names });
    }

    /// A directory is gone; those below it are removed one by one.
    pub(super) fn remove(&mut self, directory: &str) {
        let Some(gone) = self.directories.remove(directory) else { return };
        for (extension, names) in gone.names {
            self.count -= names.len();
            if let Some(directories) = self.by_extension.get_mut(&extension) {
                directories.remove(directory);
                if directories.is_empty() {
                    self.by_extension.remove(&extension);
                }
            }
        }
    }

    /// Adds the paths that match, written below `label`; returns how many names were looked at.
    pub(super) fn search(&self, pattern: &Pattern, label: &str, paths: &mut Vec<String>) -> usize {
        let Some(base) = pattern.base_under(label) else { return 0 };
        let mut visited = 0;
        for path in self.candidates(pattern, base) {
            let Some(directory) = self.directories.get(&**path) else { continue };
            let shown = joined(label, path);
            for name in directory.names(pattern) {
                visited += 1;
                let file = joined(&shown, name);
                if pattern.matches(&file, name) {
                    paths.push(file);
                }
            }
        }
        visited
    }

    fn candidates(&self, pattern: &Pattern, base: &str) -> Vec<&Arc<str>> {
        let with_extension = pattern.extension().map(|extension| self.by_extension.get(extension));
        match with_extension {
            Some(None) => Vec::new(),
            _ if !pattern.is_deep() => {
                self.directories.get_key_value(base).map(|(path, _)| path).into_iter().collect()
            }
            Some(Some(paths)) => under(base, |range| paths.range::<str, _>(range).collect()),
            None => {
                under(base, |range| self.directories.range::<str, _>(range).map(|(path, _)| path).collect())
            }
        }
    }
}

impl Directory {
    /// The names that a pattern cannot rule out by their beginning or their extension.
    fn names<'a>(&'a self, pattern: &'a Pattern) -> impl Iterator<Item = &'a str> {
        let all = pattern.extension().is_none().then(|| self.names.values());
        let some = pattern.extension().and_then(|extension| self.names.get(extension));
        all.into_iter().flatten().chain(some).flat_map(|names| beginning_with(names, pattern.name_start()))
    }
}

fn beginning_with<'a>(names: &'a [Box<str>], start: &'a str) -> impl Iterator<Item = &'a str> {
    let from = names.partition_point(|name| &**name < start);
    let rest = names.get(from..).unwrap_or_default();
    rest.iter().map(|name| &**name).take_while(move |name| name.starts_with(start))
}

/// Collects what lies at a directory and below it. Between `a` and `a/b` other names may sort (`a-b`), so it is two
/// ranges; the character after the slash ends the second.
fn under<T>(directory: &str, range: impl Fn((Bound<&str>, Bound<&str>)) -> Vec<T>) -> Vec<T> {
    if directory.is_empty() {
        return range((Bound::Unbounded, Bound::Unbounded));
    }
    let (from, to) = (format!("{directory}/"), format!("{directory}0"));
    let mut found = range((Bound::Included(directory), Bound::Included(directory)));
    found.extend(range((Bound::Included(&from), Bound::Excluded(&to))));
    found
}

/// A name in a directory; the empty directory is the folder itself.
pub(super) fn joined(directory: &str, name: &str) -> String {
    match (directory, name) {
        ("", name) => name.into(),
        (directory, "") => directory.into(),
        (directory, name) => format!("{directory}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn index(paths: &[String]) -> Index {
        let mut directories: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for path in paths {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            directories.entry(directory).or_default().push(name.into());
        }
        let mut index = Index::default();
        for (directory, files) in directories {
            index.set(directory, Vec::new(), files);
        }
        index
    }

    fn search(index: &Index, pattern: &str, label: &str) -> (Vec<String>, usize) {
        let mut paths = Vec::new();
        let visited = index.search(&Pattern::new(pattern).unwrap(), label, &mut paths);
        paths.sort();
        (paths, visited)
    }

    #[test]
    fn visits_what_it_returns() {
        let plain = (0..1000).flat_map(|d| (0..100).map(move |f| format!("d{d}/sub/f{f}.txt")));
        let few = ["d7/sub/a.rs", "d7/b.rs", "d70/c.rs", "top.rs"].map(String::from);
        let index = index(&plain.chain(few).collect::<Vec<_>>());
        assert_eq!(index.count(), 100_004);
        for (pattern, found, visited) in [
            ("*.rs", 4, 4),
            ("**/*.rs", 4, 4),
            ("d7/**/*.rs", 2, 2),
            ("d7/*.rs", 1, 1),
            ("d7/**", 102, 102),
            ("d7/sub/f1*.txt", 11, 11),
            ("d9/sub/f42.txt", 1, 1),
            ("/top.rs", 1, 1),
            ("c.rs", 1, 1),
            ("f42.txt", 1000, 1000),
            ("*.go", 0, 0),
            ("nowhere/**", 0, 0),
        ] {
            let (paths, looked_at) = search(&index, pattern, "");
            assert_eq!((paths.len(), looked_at), (found, visited), "{pattern}");
        }
    }

    #[test]
    fn a_label_stands_before_every_path() {
        let index = index(&["a.rs", "src/b.rs"].map(String::from));
        assert_eq!(search(&index, "*.rs", "lib").0, ["lib/a.rs", "lib/src/b.rs"]);
        assert_eq!(search(&index, "lib/*.rs", "lib").0, ["lib/a.rs"]);
        assert_eq!(search(&index, "src/*.rs", "lib").0, [""; 0]);
        assert_eq!(search(&index, "*/*.rs", "lib").0, ["lib/a.rs"]);
    }

    #[test]
    fn what_is_removed_is_in_no_list() {
        let mut index = index(&["a/x.rs", "a/b/y.rs", "a-b/z.rs"].map(String::from));
        assert_eq!(index.below("a").iter().map(|path| &**path).collect::<Vec<_>>(), ["a", "a/b"]);
        index.below("a").iter().for_each(|path| index.remove(path));
        assert_eq!(search(&index, "*.rs", "").0, ["a-b/z.rs"]);
        index.set("a-b", vec![], vec![]);
        assert_eq!((index.count(), index.by_extension.len()), (0, 0));
    }

    proptest! {
        #[test]
        fn finds_what_looking_at_everything_finds(
            paths in prop::collection::btree_set("([ab]/){0,3}[ab.]{1,4}", 0..40),
            pattern in "(/|\\./)?(([ab]|\\*|\\*\\*|\\?|\\{a,b\\}|[ab]\\*)/){0,3}([ab.*?]{0,4}|\\{a,b/a\\}\\.b|\\[ab\\]b)",
        ) {
            let paths: Vec<String> = paths.into_iter().collect();
            let Ok(parsed) = Pattern::new(&pattern) else { return Ok(()) };
            let naive: Vec<_> = paths.iter().filter(|path| {
                parsed.matches(path, path.rsplit('/').next().unwrap())
            }).cloned().collect();
            // A name that begins at the root has no folder before it, whatever the glob says.
            prop_assert_eq!(search(&index(&paths), &pattern, "").0, naive, "{}", pattern);
        }
    }
}
