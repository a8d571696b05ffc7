//! The files of the workspace: read once, kept true by watching, asked by pattern.
//!
//! Nothing happens before the first question. After it, a change on disk only leaves a note ([`watch`]); the note is
//! worked off by the next question, so a tree that nobody asks costs nothing.

mod folder;
mod index;
mod listing;
mod pattern;
mod rules;
mod watch;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carrick_core::EditorError;

use super::inside::{Folder, Workspace};
use folder::FolderTree;
use pattern::Pattern;

/// The tree, as threads share it.
#[derive(Clone, Default)]
pub(super) struct SharedTree(Arc<Mutex<Tree>>);

impl SharedTree {
    // A walk that panicked half-way leaves an index that is poor, not wrong; the next change of folders renews it.
    pub(super) fn lock(&self) -> MutexGuard<'_, Tree> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One tree for each folder of the workspace.
#[derive(Default)]
pub(super) struct Tree {
    of: Vec<Folder>,
    folders: Vec<FolderTree>,
}

impl Tree {
    /// The files that match, or all of them, sorted.
    pub(super) fn list(
        &mut self,
        workspace: &Workspace,
        pattern: Option<&str>,
    ) -> Result<Vec<String>, EditorError> {
        self.search(workspace, pattern).map(|(paths, _)| paths)
    }

    /// How many files there are.
    pub(super) fn count(&mut self, workspace: &Workspace) -> usize {
        self.bring_up_to_date(workspace);
        self.folders.iter().map(|tree| tree.index().count()).sum()
    }

    /// A file was written by carrick itself.
    pub(super) fn touch(&mut self, file: &Path) {
        self.folders.iter_mut().for_each(|tree| tree.touch(file));
    }

    #[cfg(test)]
    pub(super) fn is_untouched(&self) -> bool {
        self.folders.is_empty()
    }

    /// What matches, and how many names were looked at to find it.
    fn search(
        &mut self,
        workspace: &Workspace,
        pattern: Option<&str>,
    ) -> Result<(Vec<String>, usize), EditorError> {
        let pattern = Pattern::new(pattern.unwrap_or_default())?;
        self.bring_up_to_date(workspace);
        let (mut paths, mut visited) = (Vec::new(), 0);
        for (folder, tree) in self.of.iter().zip(&self.folders) {
            visited += tree.index().search(&pattern, &folder.label, &mut paths);
        }
        paths.sort_unstable();
        Ok((paths, visited))
    }

    fn bring_up_to_date(&mut self, workspace: &Workspace) {
        if self.of != workspace.folders {
            let tree = |folder: &Folder| FolderTree::new(&folder.real, workspace);
            self.folders = workspace.folders.iter().map(tree).collect();
            self.of.clone_from(&workspace.folders);
        }
        self.folders.iter_mut().for_each(FolderTree::refresh);
    }
}

#[cfg(test)]
mod tests;
