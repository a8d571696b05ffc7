//! Which files are not worth listing: what the person's ignore files say, as git reads them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The files that hold rules, the later ones stronger. `.ignore` is for tools that search.
const FILES: &[&str] = &[".gitignore", ".ignore"];

/// The rules of one directory and, behind them, of those above it.
#[derive(Debug)]
pub(super) struct Rules {
    own: Gitignore,
    above: Option<Arc<Rules>>,
}

impl Rules {
    /// The rules that hold for `folder` from outside: the person's own, and those of a repository around it. Without
    /// a repository nothing above the folder counts, so a stray `.gitignore` in the home folder hides nothing.
    pub(super) fn around(folder: &Path) -> Arc<Self> {
        let (own, _) = GitignoreBuilder::new(folder).build_global();
        let personal = Arc::new(Self { own, above: None });
        let has_git = |path: &&Path| path.join(".git").exists();
        let Some(repository) = folder.ancestors().find(has_git) else { return personal };
        let between = folder.ancestors().skip(1).take_while(|path| path.starts_with(repository));
        let from_the_top: Vec<&Path> = between.collect();
        from_the_top.into_iter().rev().fold(personal, |rules, path| Self::inside(&rules, path))
    }

    /// The rules that hold inside `directory`, given those that hold around it.
    pub(super) fn inside(around: &Arc<Self>, directory: &Path) -> Arc<Self> {
        let repository = directory.join(".git").exists();
        // What an outer repository ignores says nothing about the files of one inside it.
        let above = if repository { around.outermost() } else { around };
        let exclude = repository.then_some(".git/info/exclude");
        let files = exclude.iter().chain(FILES).map(|name| directory.join(name));
        let files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
        if files.is_empty() {
            return Arc::clone(above);
        }
        Arc::new(Self { own: read(directory, &files), above: Some(Arc::clone(above)) })
    }

    /// True when this entry is not to be listed. Its directory is known to be listed.
    pub(super) fn ignore(&self, path: &Path, is_dir: bool) -> bool {
        match self.own.matched(path, is_dir) {
            Match::Ignore(_) => true,
            Match::Whitelist(_) => false,
            Match::None => self.above.as_ref().is_some_and(|above| above.ignore(path, is_dir)),
        }
    }

    /// True when a change of this name changes the rules of its directory.
    pub(super) fn depend_on(name: &str) -> bool {
        matches!(name, ".git" | ".obsidian") || FILES.contains(&name)
    }

    fn outermost(self: &Arc<Self>) -> &Arc<Self> {
        self.above.as_ref().map_or(self, Self::outermost)
    }
}

fn read(directory: &Path, files: &[PathBuf]) -> Gitignore {
    let mut builder = GitignoreBuilder::new(directory);
    for file in files {
        // A line that cannot be read is left out; git does the same.
        let _ = builder.add(file);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn rules_are_read_as_git_reads_them() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join(".git/info")).unwrap();
        fs::create_dir_all(root.join("sub/inner/.git")).unwrap();
        fs::write(root.join(".git/info/exclude"), "mine.txt\n").unwrap();
        fs::write(root.join(".gitignore"), "*.log\n/build/\n").unwrap();
        fs::write(root.join("sub/.gitignore"), "!keep.log\n").unwrap();
        let sub = root.join("sub");
        // The folder of the workspace is not the root of the repository.
        let rules = Rules::inside(&Rules::around(&sub), &sub);
        for (name, is_dir, ignored) in [
            ("a.log", false, true),
            ("keep.log", false, false),
            ("mine.txt", false, true),
            ("build", true, false),
            ("a.txt", false, false),
        ] {
            assert_eq!(rules.ignore(&sub.join(name), is_dir), ignored, "{name}");
        }
        let whole = Rules::inside(&Rules::around(&root), &root);
        assert!(whole.ignore(&root.join("build"), true));
        let inner = Rules::inside(&rules, &sub.join("inner"));
        assert!(!inner.ignore(&sub.join("inner/a.log"), false), "a repository of its own");
    }
}
