//! Reviews on disk, so that not even `kill -9` loses one.
//!
//! A review is written once it has waited for [`DELAY`]: nobody decides within a second, and what programs settle
//! sooner costs nothing. Its file goes when it is decided. One that was left behind (the client or the host died)
//! stays until the person forgets it, and is shown again by the next run.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use carrick_core::{ClientId, Desk, NewReview, Original, Outcome, Review, ReviewId};
use carrick_editors::link::place::replace_file;
use carrick_editors::link::protocol::{Before, since_1970};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep_until};

use super::state::make_private_folder;

/// How long a review waits before it is written.
const DELAY: Duration = Duration::from_secs(1);

/// How long one that was left behind is kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

#[derive(Serialize, Deserialize)]
struct Written {
    path: PathBuf,
    tab_name: String,
    client_name: String,
    opened: u64,
    before: Before,
    original: Option<Arc<str>>,
    proposed: Arc<str>,
}

/// The reviews of one workspace that are on disk, and those that soon will be.
pub(super) struct Journal {
    folder: Option<PathBuf>,
    files: BTreeMap<ReviewId, PathBuf>,
    due: VecDeque<(Instant, ReviewId)>,
}

impl Journal {
    /// A journal in this folder; without one, nothing is kept.
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, files: BTreeMap::new(), due: VecDeque::new() }
    }

    /// Brings what an earlier run left behind back to the desk.
    pub(super) fn load(&mut self, desk: &Desk) {
        let Some(folder) = &self.folder else { return };
        let mut found: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        // Names begin with the time: the oldest keeps the smallest number.
        found.sort();
        for file in found {
            match read(&file) {
                Some(written) => drop(self.files.insert(written.bring_back(desk), file)),
                None => drop(std::fs::remove_file(file)),
            }
        }
        self.tidy(desk);
    }

    /// A review waits since now.
    pub(super) fn opened(&mut self, id: ReviewId) {
        if self.folder.is_some() {
            self.due.push_back((Instant::now() + DELAY, id));
        }
    }

    /// A review ended. Decided: its file is no longer needed. Left behind: it is.
    pub(super) fn settled(&mut self, desk: &Desk, id: ReviewId) {
        self.due.retain(|(_, waiting)| *waiting != id);
        let left_behind = desk.review(id).is_some_and(|record| record.outcome == Some(Outcome::Gone));
        if !left_behind && let Some(file) = self.files.remove(&id) {
            let _ = std::fs::remove_file(file);
        }
    }

    /// Waits until a review has waited long enough, and gives its number; for ever when none waits.
    pub(super) async fn next_due(&self) -> ReviewId {
        match self.due.front() {
            Some((moment, id)) => {
                sleep_until(*moment).await;
                *id
            }
            None => std::future::pending().await,
        }
    }

    /// Writes a review that still waits.
    pub(super) fn write(&mut self, desk: &Desk, id: ReviewId) {
        self.due.retain(|(_, waiting)| *waiting != id);
        let waiting = desk.review(id).filter(|record| record.outcome.is_none());
        if let (Some(record), Some(folder), false) = (waiting, &self.folder, self.files.contains_key(&id)) {
            let review = &record.review;
            let file =
                folder.join(format!("{}-{}-{}.json", since_1970(review.opened), std::process::id(), id.0));
            match make_private_folder(folder).and_then(|()| write(&file, review)) {
                Ok(()) => drop(self.files.insert(id, file)),
                Err(error) => tracing::warn!(%error, "a waiting review cannot be kept"),
            }
        }
    }

    /// Writes all that wait, before the end.
    pub(super) fn write_all(&mut self, desk: &Desk) {
        for record in desk.reviews() {
            self.write(desk, record.review.id);
        }
    }

    /// Removes the files of reviews that the desk no longer has, and the folder when it is empty.
    pub(super) fn tidy(&mut self, desk: &Desk) {
        self.files.retain(|id, file| {
            let known = desk.review(*id).is_some();
            if !known {
                let _ = std::fs::remove_file(file);
            }
            known
        });
        if let (Some(folder), true) = (&self.folder, self.files.is_empty()) {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

fn write(file: &std::path::Path, review: &Review) -> std::io::Result<()> {
    let (before, original) = match &review.original {
        Original::Missing => (Before::Missing, None),
        Original::NotText => (Before::Binary, None),
        Original::Text(text) => (Before::Text, Some(Arc::clone(text))),
    };
    let written = Written {
        path: review.path.clone(),
        tab_name: review.tab_name.clone(),
        client_name: review.client_name.clone(),
        opened: since_1970(review.opened),
        before,
        original,
        proposed: Arc::clone(&review.proposed),
    };
    replace_file(file, &serde_json::to_vec(&written)?)
}

/// Reads a file of an earlier run; `None` when it is too old or broken.
fn read(file: &std::path::Path) -> Option<Written> {
    let written: Written = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    let age = SystemTime::now().duration_since(written.opened()).unwrap_or_default();
    (age < KEPT).then_some(written)
}

impl Written {
    fn opened(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.opened)
    }

    fn bring_back(self, desk: &Desk) -> ReviewId {
        let opened = self.opened();
        let original = match (self.before, self.original) {
            (Before::Missing, _) => Original::Missing,
            (Before::Text, Some(text)) => Original::Text(text),
            (Before::Text | Before::Binary, _) => Original::NotText,
        };
        // No client of this run: numbers of clients begin at 1.
        let client = ClientId(0);
        let (path, tab_name, proposed) = (self.path, self.tab_name, self.proposed);
        desk.remember_review(
            NewReview { client, path, tab_name, original, proposed },
            self.client_name,
            opened,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carrick_core::{Decision, PrivateList, WaitingReview};

    fn desk() -> Arc<Desk> {
        Desk::new(vec!["/w".into()], PrivateList::default())
    }

    fn propose(desk: &Arc<Desk>) -> (carrick_core::Seat, WaitingReview) {
        let seat = desk.join();
        let review = desk.open_review(NewReview {
            client: seat.id(),
            path: "/w/a".into(),
            tab_name: "t".into(),
            original: Original::Text("old\n".into()),
            proposed: "new\u{0}\n".into(),
        });
        (seat, review)
    }

    #[tokio::test(start_paused = true)]
    async fn a_review_that_waits_survives_the_host() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("reviews");
        let first = desk();
        let (_seat, review) = propose(&first);
        let mut journal = Journal::new(Some(folder.clone()));
        journal.opened(review.id());
        let due = journal.next_due().await;
        journal.write(&first, due);

        let second = desk();
        let mut journal = Journal::new(Some(folder.clone()));
        journal.load(&second);
        let records = second.reviews();
        assert_eq!(records[0].outcome, Some(Outcome::Gone));
        assert_eq!(&*records[0].review.proposed, "new\u{0}\n");
        assert_eq!(records[0].review.original, Original::Text("old\n".into()));
        assert!(second.forget_review(records[0].review.id));
        journal.tidy(&second);
        assert!(!folder.exists());
    }

    #[tokio::test]
    async fn a_decided_review_leaves_no_file_and_a_lost_one_does() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("reviews");
        let desk = desk();
        let mut journal = Journal::new(Some(folder.clone()));
        let files = || std::fs::read_dir(&folder).unwrap().count();
        let (_seat, decided) = propose(&desk);
        let (seat, lost) = propose(&desk);
        journal.write_all(&desk);
        assert_eq!(files(), 2);
        desk.decide(decided.id(), Decision::Accept).unwrap();
        journal.settled(&desk, decided.id());
        drop(seat);
        journal.settled(&desk, lost.id());
        assert_eq!(files(), 1);
    }

    #[test]
    fn a_broken_file_is_removed() {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::write(scratch.path().join("1-2-3.json"), "{").unwrap();
        let desk = desk();
        Journal::new(Some(scratch.path().into())).load(&desk);
        assert!(desk.reviews().is_empty());
        assert!(!scratch.path().exists());
        std::fs::create_dir(scratch.path()).unwrap();
    }
}
