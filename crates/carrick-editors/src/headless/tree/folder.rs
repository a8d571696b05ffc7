//! One folder of the workspace: its index, the rules it was read by, and the watcher that keeps both true.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::inside::Workspace;
use super::index::{Index, joined};
use super::listing::{Listing, Shown};
use super::rules::Rules;
use super::watch::{self, Notes, Watch};

/// The tree of one folder. Directories are named by their path from it; the folder itself is the empty path.
pub(super) struct FolderTree {
    root: PathBuf,
    shown: Shown,
    index: Index,
    /// The rules inside each known directory; most share those of the one above.
    rules: BTreeMap<String, Arc<Rules>>,
    /// None before the first question.
    watch: Option<Watch>,
    most_watches: usize,
}

impl FolderTree {
    /// A tree of which nothing has been read yet.
    pub(super) fn new(root: &Path, workspace: &Workspace) -> Self {
        Self {
            root: root.into(),
            shown: Shown::new(workspace),
            index: Index::default(),
            rules: BTreeMap::new(),
            watch: None,
            most_watches: watch::MOST,
        }
    }

    /// What was read at the last refresh.
    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    /// Reads again what changed, or everything the first time and whenever nothing can be watched.
    pub(super) fn refresh(&mut self) {
        let Some(watch) = &self.watch else {
            self.watch = Some(Watch::start(self.most_watches));
            return self.read_everything();
        };
        let notes = watch.take();
        // A folder that could not be read may be there by now.
        let lost = notes.everything || notes.replaced.contains(&self.root) || !self.index.has("");
        match watch.is_on() {
            true if lost => {
                self.watch = Some(Watch::start(self.most_watches));
                self.read_everything();
            }
            true => self.read_changes(&notes),
            false => self.read_everything(),
        }
    }

    /// carrick wrote this file: the first directory above it that is known has something new in it.
    pub(super) fn touch(&mut self, file: &Path) {
        let mut above = file.ancestors().skip(1);
        let known = above.find(|path| self.key(path).is_some_and(|key| self.index.has(&key)));
        if let (Some(watch), Some(directory)) = (&self.watch, known) {
            let rules = file.file_name().and_then(|name| name.to_str()).is_some_and(Rules::depend_on);
            watch.touch(directory.into(), rules);
        }
    }

    fn read_everything(&mut self) {
        self.index = Index::default();
        self.rules.clear();
        self.shown.begin(&self.root);
        self.walk(String::new());
    }

    /// First everything that is gone, then everything that is new: a renamed directory keeps its watch in the kernel,
    /// and giving up the old name after taking the new one would end both.
    fn read_changes(&mut self, notes: &Notes) {
        let mut changed: Vec<String> = notes.changed.iter().filter_map(|path| self.key(path)).collect();
        let replaced: Vec<String> = notes.replaced.iter().filter_map(|path| self.key(path)).collect();
        for key in replaced {
            if self.index.has(&key) {
                changed.push(parent(&key).into());
                self.forget(&key);
            }
        }
        // Sorted, a directory comes before those in it.
        changed.sort_unstable();
        changed.dedup();
        for key in changed {
            if self.index.has(&key) {
                self.read_again(&key);
            }
        }
    }

    fn read_again(&mut self, key: &str) {
        let Some(listing) = self.rules.get(key).and_then(|rules| self.listing(key, rules)) else {
            return self.forget(key);
        };
        let before = self.index.folders(key).to_vec();
        for gone in before.iter().filter(|name| listing.folders.binary_search(name).is_err()) {
            self.forget(&joined(key, gone));
        }
        let folders = listing.folders.clone();
        self.index.set(key, listing.folders, listing.files);
        for folder in folders.iter().map(|name| joined(key, name)) {
            if !self.index.has(&folder) {
                self.walk(folder);
            }
        }
    }

    /// Reads a directory and all below it.
    fn walk(&mut self, key: String) {
        let mut waiting = vec![key];
        while let Some(key) = waiting.pop() {
            let path = self.path(&key);
            if let Some(watch) = &mut self.watch {
                watch.watch(&path);
            }
            let rules = Rules::inside(&self.rules_around(&key), &path);
            let Some(listing) = self.listing(&key, &rules) else { continue };
            waiting.extend(listing.folders.iter().map(|name| joined(&key, name)));
            self.index.set(&key, listing.folders, listing.files);
            self.rules.insert(key, rules);
        }
    }

    fn forget(&mut self, key: &str) {
        for known in self.index.below(key) {
            let path = self.path(&known);
            if let Some(watch) = &mut self.watch {
                watch.unwatch(&path);
            }
            self.index.remove(&known);
            self.rules.remove(&*known);
        }
    }

    fn listing(&self, key: &str, rules: &Rules) -> Option<Listing> {
        self.shown.list(&self.path(key), rules).ok()
    }

    fn rules_around(&self, key: &str) -> Arc<Rules> {
        let above = if key.is_empty() { None } else { self.rules.get(parent(key)).cloned() };
        above.unwrap_or_else(|| Rules::around(&self.root))
    }

    fn path(&self, key: &str) -> PathBuf {
        if key.is_empty() { self.root.clone() } else { self.root.join(key) }
    }

    fn key(&self, path: &Path) -> Option<String> {
        path.strip_prefix(&self.root).ok()?.to_str().map(str::to_owned)
    }

    #[cfg(test)]
    pub(super) fn watching(&self) -> Option<&Watch> {
        self.watch.as_ref()
    }

    /// Leaves the folder itself unwatched, so that a test hears only what it says itself.
    #[cfg(test)]
    pub(super) fn deafen(&mut self) {
        let root = self.root.clone();
        self.watch.iter_mut().for_each(|watch| watch.unwatch(&root));
    }

    #[cfg(test)]
    pub(super) fn limit_watches(&mut self, most: usize) {
        self.most_watches = most;
    }
}

fn parent(key: &str) -> &str {
    key.rsplit_once('/').map_or("", |(parent, _)| parent)
}
