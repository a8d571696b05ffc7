//! Noting what changes on disk, so that the next question about the tree reads only that again.
//!
//! Each listed directory is watched by itself: a watch on everything below a folder would also cover `target` and
//! `node_modules`, where most changes happen and nobody asks. On Linux such watches are few (`max_user_watches`); when
//! they run out, watching ends and the tree is read anew for every question.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::{CreateKind, ModifyKind, RemoveKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::rules::Rules;

/// Directories watched for one folder. Each costs the kernel about a kilobyte that carrick is not charged for.
pub(super) const MOST: usize = 65_536;

/// Notes kept. Whoever made more changes than this has changed the tree: it is read anew, and the notes go.
const NOTES: usize = 4096;

/// What changed since the last question.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// In these directories something came or went.
    pub(super) changed: BTreeSet<PathBuf>,
    /// These may be other directories than they were, or lie under other rules.
    pub(super) replaced: BTreeSet<PathBuf>,
    /// Something was missed.
    pub(super) everything: bool,
}

/// The watcher of one folder. Dropping it ends its thread.
pub(super) struct Watch {
    watcher: Option<RecommendedWatcher>,
    notes: Arc<Mutex<Notes>>,
    room: usize,
}

impl Watch {
    /// Starts watching nothing yet; up to `most` directories may follow.
    pub(super) fn start(most: usize) -> Self {
        let notes = Arc::new(Mutex::new(Notes::default()));
        let taken = Arc::clone(&notes);
        let started = notify::recommended_watcher(move |event| locked(&taken).note(event));
        let mut watch = Self { watcher: None, notes, room: most };
        match started {
            Ok(watcher) => watch.watcher = Some(watcher),
            Err(error) => watch.give_up(&error.to_string()),
        }
        watch
    }

    /// True while changes are noted.
    pub(super) fn is_on(&self) -> bool {
        self.watcher.is_some()
    }

    /// Watches a directory. Ask before reading it, or what happens in between is lost.
    pub(super) fn watch(&mut self, directory: &Path) {
        let Some(watcher) = &mut self.watcher else { return };
        let Some(room) = self.room.checked_sub(1) else { return self.give_up("too many directories") };
        self.room = room;
        match watcher.watch(directory, RecursiveMode::NonRecursive).map_err(|error| error.kind) {
            // It went away, or may not be read: then it has nothing to list either.
            Ok(()) | Err(notify::ErrorKind::PathNotFound) => {}
            Err(notify::ErrorKind::Io(error)) if is_unreadable(&error) => {}
            Err(kind) => self.give_up(&notify::Error::new(kind).to_string()),
        }
    }

    /// Forgets a directory. It is gone, most often, and then its watch is too.
    pub(super) fn unwatch(&mut self, directory: &Path) {
        if let Some(watcher) = &mut self.watcher {
            let _ = watcher.unwatch(directory);
            self.room += 1;
        }
    }

    /// Takes what was noted.
    pub(super) fn take(&self) -> Notes {
        std::mem::take(&mut locked(&self.notes))
    }

    /// Notes a change that carrick made itself: something new in `directory`, perhaps its rules.
    pub(super) fn touch(&self, directory: PathBuf, rules: bool) {
        let replaced = rules.then(|| directory.clone());
        locked(&self.notes).add(directory, replaced);
    }

    #[cfg(test)]
    pub(super) fn notes(&self) -> std::sync::Weak<Mutex<Notes>> {
        Arc::downgrade(&self.notes)
    }

    fn give_up(&mut self, reason: &str) {
        tracing::warn!(
            reason,
            "the workspace cannot be watched: it is read anew whenever its files are listed"
        );
        self.watcher = None;
    }
}

impl Notes {
    fn note(&mut self, event: notify::Result<Event>) {
        let Ok(event) = event else { return self.miss() };
        if event.need_rescan() {
            return self.miss();
        }
        for path in event.paths {
            let rules = path.file_name().and_then(|name| name.to_str()).is_some_and(Rules::depend_on);
            if let Some(directory) = path.parent().filter(|_| rules || comes_or_goes(event.kind)) {
                let directory = directory.to_path_buf();
                let replaced =
                    if rules { Some(directory.clone()) } else { may_replace(event.kind).then_some(path) };
                self.add(directory, replaced);
            }
        }
    }

    fn add(&mut self, directory: PathBuf, replaced: Option<PathBuf>) {
        if self.everything {
            return;
        }
        self.changed.insert(directory);
        self.replaced.extend(replaced);
        if self.changed.len() + self.replaced.len() > NOTES {
            self.miss();
        }
    }

    fn miss(&mut self) {
        *self = Self { everything: true, ..Self::default() };
    }
}

fn locked(notes: &Mutex<Notes>) -> MutexGuard<'_, Notes> {
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_unreadable(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotADirectory | NotFound | PermissionDenied)
}

/// Contents and times of files do not matter to a list of names.
fn comes_or_goes(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(_) => false,
        EventKind::Modify(change) => matches!(change, ModifyKind::Name(_) | ModifyKind::Any),
        _ => true,
    }
}

/// A known directory can only have become another one if the old one was removed or renamed.
fn may_replace(kind: EventKind) -> bool {
    let created = matches!(kind, EventKind::Create(CreateKind::File | CreateKind::Folder));
    !created && !matches!(kind, EventKind::Remove(RemoveKind::File))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn created(path: &str) -> notify::Result<Event> {
        Ok(Event::new(EventKind::Create(CreateKind::File)).add_path(path.into()))
    }

    #[test]
    fn too_many_notes_become_one() {
        let mut notes = Notes::default();
        (0..=NOTES).for_each(|number| notes.note(created(&format!("/{number}/x"))));
        assert!(notes.everything && notes.changed.is_empty());
        notes.note(created("/a/x"));
        assert!(notes.changed.is_empty(), "nothing is added to everything");
    }

    #[test]
    fn reading_and_writing_files_is_no_change() {
        use notify::event::{AccessKind, DataChange};
        let mut notes = Notes::default();
        let written = ModifyKind::Data(DataChange::Any);
        for kind in [EventKind::Access(AccessKind::Any), EventKind::Modify(written)] {
            notes.note(Ok(Event::new(kind).add_path("/a/x".into())));
        }
        assert!(notes.changed.is_empty() && notes.replaced.is_empty());
        notes.note(Ok(Event::new(EventKind::Modify(written)).add_path("/a/.gitignore".into())));
        assert!(notes.replaced.contains(Path::new("/a")));
    }
}
