//! The key `auto_accept`: changes that are accepted without asking. Off by default, never for private files or outside of
//! the workspace, and never without saying so.

use std::path::{Path, PathBuf};

use carrick_core::{Decision, Desk, ReviewId};
use carrick_editors::headless::CODE_TO_ALLOW;
use globset::{Glob, GlobBuilder};

/// The compiled patterns.
#[derive(Debug, Default)]
pub(crate) struct Unasked {
    patterns: Vec<Glob>,
}

impl Unasked {
    /// Reads the patterns; the error names the one that is no glob.
    pub(crate) fn new<S: AsRef<str>>(patterns: &[S]) -> Result<Self, String> {
        let patterns = patterns.iter().map(|pattern| glob(pattern.as_ref())).collect::<Result<_, _>>()?;
        Ok(Self { patterns })
    }

    /// A change is proposed: accepts it if a pattern says so, and tells everyone.
    pub(crate) fn consider(&self, desk: &Desk, id: ReviewId) {
        if self.patterns.is_empty() {
            return;
        }
        let Some(record) = desk.review(id).filter(|record| record.outcome.is_none()) else { return };
        let path = &record.review.path;
        // Not a file, but the question whether code may run, which no pattern answers.
        if path.ends_with(CODE_TO_ALLOW) {
            return;
        }
        if let Some(pattern) = self.covering(desk, path)
            && desk.decide(id, Decision::Accept).is_ok()
        {
            tracing::warn!(path = %path.display(), pattern, "accepted without asking, because of auto_accept");
            desk.remark(format!("ACCEPTED WITHOUT ASKING: {} (auto_accept has {pattern:?})", path.display()));
        }
    }

    /// The pattern that covers a file of this workspace.
    fn covering(&self, desk: &Desk, path: &Path) -> Option<&str> {
        // A link and what it points to are two names of one file: both have to be allowed.
        let behind = resolved(path)?;
        if desk.private().covers(path) || desk.private().covers(&behind) {
            return None;
        }
        let folders = desk.folders().into_iter().filter_map(|folder| folder.canonicalize().ok());
        let inside =
            folders.filter_map(|folder| behind.strip_prefix(folder).ok().map(PathBuf::from)).next()?;
        let fits = |pattern: &&Glob| pattern.compile_matcher().is_match(&inside);
        self.patterns.iter().find(fits).map(Glob::glob)
    }
}

/// The file behind all links; a new file is where its folder is.
fn resolved(path: &Path) -> Option<PathBuf> {
    if path.components().any(|part| part == std::path::Component::ParentDir) {
        return None;
    }
    match path.canonicalize() {
        Ok(path) => Some(path),
        // A link that points nowhere would be written through.
        Err(_) if path.is_symlink() => None,
        Err(_) => Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?)),
    }
}

/// A bare name counts in every folder of the workspace, anything else from its top.
fn glob(pattern: &str) -> Result<Glob, String> {
    let anchored = if pattern.contains('/') { pattern.into() } else { format!("**/{pattern}") };
    let glob = GlobBuilder::new(&anchored).literal_separator(true).build();
    glob.map_err(|error| format!("{pattern:?} is not a glob: {}", error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carrick_core::{Event, NewReview, Original, Outcome, PrivateList, Seat};
    use std::sync::Arc;

    struct World {
        folder: tempfile::TempDir,
        desk: Arc<Desk>,
        seat: Seat,
    }

    fn world() -> World {
        let folder = tempfile::tempdir().unwrap();
        for part in ["work/docs", "other"] {
            std::fs::create_dir_all(folder.path().join(part)).unwrap();
        }
        let desk = Desk::new(vec![folder.path().join("work")], PrivateList::default());
        let seat = desk.join();
        World { folder, desk, seat }
    }

    impl World {
        fn proposed(&self, patterns: &[&str], path: &str) -> Option<Outcome> {
            let review = self.desk.open_review(NewReview {
                client: self.seat.id(),
                path: self.folder.path().join(path),
                tab_name: path.into(),
                original: Original::Missing,
                proposed: "new\n".into(),
            });
            Unasked::new(patterns).unwrap().consider(&self.desk, review.id());
            self.desk.review(review.id()).unwrap().outcome
        }
    }

    #[test]
    fn a_pattern_accepts_and_everyone_hears_it() {
        let world = world();
        assert_eq!(world.proposed(&[], "work/docs/a.md"), None);
        let mut events = world.desk.events();
        assert!(world.proposed(&["docs/**"], "work/docs/a.md").is_some());
        let mut told = std::iter::from_fn(|| events.try_recv().ok());
        assert!(
            told.any(|event| matches!(event, Event::Remarked(words) if words.contains("WITHOUT ASKING")))
        );
        assert!(world.proposed(&["*.md"], "work/docs/b.md").is_some());
        assert_eq!(world.proposed(&["*.md"], "work/docs/b.rs"), None);
        assert_eq!(world.proposed(&["docs/*"], "work/c.md"), None);
    }

    #[test]
    fn private_files_and_files_outside_are_always_asked_about() {
        let world = world();
        let all = ["**", "*", "**/.env"];
        assert_eq!(world.proposed(&all, "work/.env"), None);
        assert_eq!(world.proposed(&all, "other/a.md"), None);
        assert_eq!(world.proposed(&all, "work/../other/a.md"), None);
        let link = |from: &str, to: &str| {
            std::os::unix::fs::symlink(world.folder.path().join(to), world.folder.path().join(from)).unwrap();
        };
        link("work/out", "other");
        assert_eq!(world.proposed(&all, "work/out/a.md"), None);
        link("work/nowhere.md", "other/none.md");
        assert_eq!(world.proposed(&all, "work/nowhere.md"), None);
        std::fs::write(world.folder.path().join("work/secret.pem"), "").unwrap();
        link("work/harmless.md", "work/secret.pem");
        assert_eq!(world.proposed(&all, "work/harmless.md"), None);
        assert!(world.proposed(&all, "work/a.md").is_some());
    }

    #[test]
    fn whether_code_may_run_is_always_asked() {
        let world = world();
        std::fs::create_dir(world.folder.path().join("work/.carrick")).unwrap();
        assert_eq!(world.proposed(&["**", "*.py"], "work/.carrick/run-code.py"), None);
    }
}
