//! Reading one directory: which of its entries are files to list, and which are directories to go into.

use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

use super::super::inside::{Workspace, is_vault};
use super::super::write::UNFINISHED;
use super::rules::Rules;

/// Directories that hold the history of a repository, not its files.
const HISTORY: &[&str] = &[".git", ".hg", ".svn", ".jj"];
/// What Obsidian keeps beside the notes.
const OF_A_VAULT: &[&str] = &[".obsidian", ".trash"];

/// What an agent may be shown of one folder.
pub(super) struct Shown {
    workspace: Workspace,
    vault: bool,
}

/// What is in one directory.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) files: Vec<String>,
    pub(super) folders: Vec<String>,
}

impl Shown {
    pub(super) fn new(workspace: &Workspace) -> Self {
        Self { workspace: workspace.clone(), vault: false }
    }

    /// Looks whether the folder is a vault.
    pub(super) fn begin(&mut self, folder: &Path) {
        self.vault = is_vault(folder);
    }

    /// Reads one directory. A name that is not Unicode cannot be told over the wire and is left out.
    pub(super) fn list(&self, directory: &Path, rules: &Rules) -> io::Result<Listing> {
        let mut listing = Listing::default();
        for entry in fs::read_dir(directory)? {
            let Ok(entry) = entry else { continue };
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
            if kind.is_dir() {
                if !self.passes_by(&name) && !rules.ignore(&entry.path(), true) {
                    listing.folders.push(name);
                }
            } else if self.is_listed(&entry, &name, rules) {
                listing.files.push(name);
            }
        }
        listing.folders.sort_unstable();
        Ok(listing)
    }

    fn is_listed(&self, entry: &DirEntry, name: &str, rules: &Rules) -> bool {
        let path = entry.path();
        // In a worktree `.git` is a file.
        let ours = HISTORY.contains(&name) || name.starts_with(UNFINISHED);
        !ours
            && !rules.ignore(&path, false)
            && !self.workspace.private.covers(&path)
            && self.may_be_read(entry, &path)
    }

    /// A link is listed when it leads to a file that could be listed itself. Links to directories are not followed:
    /// what they lead to is listed where it is, or lies outside.
    fn may_be_read(&self, entry: &DirEntry, path: &Path) -> bool {
        match entry.file_type() {
            Ok(kind) if kind.is_symlink() => path.canonicalize().is_ok_and(|real| self.is_public_file(&real)),
            Ok(kind) => kind.is_file(),
            Err(_) => false,
        }
    }

    fn is_public_file(&self, real: &Path) -> bool {
        real.is_file() && self.workspace.holds(real) && !self.workspace.private.covers(real)
    }

    fn passes_by(&self, name: &str) -> bool {
        HISTORY.contains(&name) || (self.vault && OF_A_VAULT.contains(&name))
    }
}
