//! The desk's reviews: those that wait, and the last ones that ended.
//!
//! A review is answered exactly once: the answering end is taken out of the record when it is used.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use tokio::sync::oneshot;

use super::{Desk, DeskError};
use crate::{
    ClientId, Decision, EditorId, Event, NewReview, Outcome, Review, ReviewId, ReviewRecord, WaitingReview,
    hunks,
};

/// Ended reviews that are kept to be read again: so many …
const HISTORY: usize = 50;
/// … and so much contents. A decided change is in the file; one that was left behind exists only here.
const DECIDED_BYTES: usize = 4 << 20;
const LEFT_BEHIND_BYTES: usize = 64 << 20;

#[derive(Default)]
pub(super) struct Reviews {
    entries: BTreeMap<ReviewId, Entry>,
    last: u64,
}

struct Entry {
    review: Arc<Review>,
    state: EntryState,
    /// The editor that shows it.
    shown_in: Option<EditorId>,
}

enum EntryState {
    Waiting(oneshot::Sender<Outcome>),
    Ended(Outcome),
}

impl Entry {
    fn record(&self) -> ReviewRecord {
        let outcome = match &self.state {
            EntryState::Waiting(_) => None,
            EntryState::Ended(outcome) => Some(outcome.clone()),
        };
        ReviewRecord { review: Arc::clone(&self.review), outcome }
    }

    fn waits(&self) -> bool {
        matches!(self.state, EntryState::Waiting(_))
    }
}

impl Reviews {
    fn number(&mut self) -> ReviewId {
        self.last += 1;
        ReviewId(self.last)
    }

    /// Ends a waiting review: the one place where an outcome is given.
    pub(super) fn settle(&mut self, id: ReviewId, outcome: Outcome) -> Result<(), DeskError> {
        let entry = self.entries.get_mut(&id).ok_or(DeskError::NoReview(id.0))?;
        match std::mem::replace(&mut entry.state, EntryState::Ended(outcome.clone())) {
            EntryState::Waiting(answer) => {
                // The receiving end is gone only when the client is: then nobody is left to tell.
                let _ = answer.send(outcome);
                self.forget_old();
                Ok(())
            }
            EntryState::Ended(before) => {
                let word = before.word();
                entry.state = EntryState::Ended(before);
                Err(DeskError::Settled(id.0, word))
            }
        }
    }

    pub(super) fn settle_all_of(&mut self, client: ClientId, outcome: &Outcome) -> Vec<ReviewId> {
        let theirs = |entry: &&Entry| entry.waits() && entry.review.client == client;
        let ids: Vec<ReviewId> = self.entries.values().filter(theirs).map(|entry| entry.review.id).collect();
        ids.into_iter().filter(|id| self.settle(*id, outcome.clone()).is_ok()).collect()
    }

    fn forget_old(&mut self) {
        let (mut count, mut decided, mut left_behind) = (0, 0, 0);
        let mut too_old = Vec::new();
        for (id, entry) in self.entries.iter().rev() {
            let (bytes, limit) = match &entry.state {
                EntryState::Waiting(_) => continue,
                EntryState::Ended(Outcome::Gone) => (&mut left_behind, LEFT_BEHIND_BYTES),
                EntryState::Ended(_) => (&mut decided, DECIDED_BYTES),
            };
            count += 1;
            *bytes += entry.review.weight();
            if count > HISTORY || *bytes > limit {
                too_old.push(*id);
            }
        }
        for id in too_old {
            self.entries.remove(&id);
        }
    }
}

impl Desk {
    /// Says whether a change can be shown to a person here. It can, unless somebody says otherwise.
    pub fn set_rooms(&self, there: bool) {
        self.state().without_rooms = !there;
    }

    /// True when a proposed change can be shown here. Where it cannot, an agent must not be kept waiting: it is told
    /// so at once and asks in its own way.
    #[must_use]
    pub fn has_rooms(&self) -> bool {
        !self.state().without_rooms
    }

    /// A change is proposed and waits. An older one of the same client under the same name is closed first.
    #[must_use]
    pub fn open_review(self: &Arc<Self>, new: NewReview) -> WaitingReview {
        self.close_review(new.client, &new.tab_name);
        let (answer, outcome) = oneshot::channel();
        let mut state = self.state();
        let client_name =
            state.clients.get(&new.client).map_or_else(String::new, |client| client.name.clone());
        let id = state.reviews.number();
        let NewReview { client, path, tab_name, original, proposed } = new;
        let opened = SystemTime::now();
        let review = Arc::new(Review { id, client, client_name, path, tab_name, original, proposed, opened });
        state
            .reviews
            .entries
            .insert(id, Entry { review, state: EntryState::Waiting(answer), shown_in: None });
        drop(state);
        self.tell(Event::ReviewOpened(id));
        WaitingReview { id, outcome, desk: Arc::clone(self) }
    }

    /// The person decides.
    ///
    /// # Errors
    /// There is no such review, it is settled, or the hunks do not fit.
    pub fn decide(&self, id: ReviewId, decision: Decision) -> Result<(), DeskError> {
        let record = self.review(id).ok_or(DeskError::NoReview(id.0))?;
        let outcome = match decision {
            Decision::Accept => Outcome::Accepted(Arc::clone(&record.review.proposed)),
            Decision::AcceptHunks(chosen) => Outcome::Accepted(some_hunks(&record.review, &chosen)?),
            Decision::AcceptWith(contents) => {
                Outcome::Accepted(in_line_ends_of(&record.review.proposed, contents))
            }
            Decision::Reject => Outcome::Rejected,
        };
        self.state().reviews.settle(id, outcome)?;
        self.tell(Event::ReviewSettled(id));
        Ok(())
    }

    /// An editor wants to show this review. It may when it serves the client and no editor that is here shows it.
    #[must_use]
    pub fn claim_review(&self, id: ReviewId, editor: EditorId) -> Option<Arc<Review>> {
        let mut guard = self.state();
        let state = &mut *guard;
        let entry = state.reviews.entries.get(&id).filter(|entry| entry.waits())?;
        let taken = entry.shown_in.is_some_and(|other| state.editors.contains_key(&other));
        if taken || state.editor_id_of(entry.review.client) != Some(editor) {
            return None;
        }
        let entry = state.reviews.entries.get_mut(&id)?;
        entry.shown_in = Some(editor);
        Some(Arc::clone(&entry.review))
    }

    /// The agent closes its view of this name; false when none of its reviews waits under it.
    pub fn close_review(&self, client: ClientId, tab_name: &str) -> bool {
        let mut state = self.state();
        let named = |entry: &&Entry| {
            entry.waits() && entry.review.client == client && entry.review.tab_name == tab_name
        };
        let Some(id) = state.reviews.entries.values().find(named).map(|entry| entry.review.id) else {
            return false;
        };
        let closed = state.reviews.settle(id, Outcome::Closed).is_ok();
        drop(state);
        self.tell(Event::ReviewSettled(id));
        closed
    }

    /// The agent closes all of its own views; how many there were.
    pub fn close_reviews_of(&self, client: ClientId) -> usize {
        let closed = self.state().reviews.settle_all_of(client, &Outcome::Closed);
        for id in &closed {
            self.tell(Event::ReviewSettled(*id));
        }
        closed.len()
    }

    /// One review.
    #[must_use]
    pub fn review(&self, id: ReviewId) -> Option<ReviewRecord> {
        self.state().reviews.entries.get(&id).map(Entry::record)
    }

    /// All reviews, waiting and ended, the oldest first.
    #[must_use]
    pub fn reviews(&self) -> Vec<ReviewRecord> {
        self.state().reviews.entries.values().map(Entry::record).collect()
    }

    /// A review that an earlier run left behind: it can be read and copied, not answered.
    pub fn remember_review(&self, new: NewReview, client_name: String, opened: SystemTime) -> ReviewId {
        let mut state = self.state();
        let id = state.reviews.number();
        let NewReview { client, path, tab_name, original, proposed } = new;
        let review = Arc::new(Review { id, client, client_name, path, tab_name, original, proposed, opened });
        let entry = Entry { review, state: EntryState::Ended(Outcome::Gone), shown_in: None };
        state.reviews.entries.insert(id, entry);
        state.reviews.forget_old();
        id
    }

    /// The person has seen an ended review and wants it out of the list; false when it waits or is not there.
    pub fn forget_review(&self, id: ReviewId) -> bool {
        let mut state = self.state();
        let ended = state.reviews.entries.get(&id).is_some_and(|entry| !entry.waits());
        ended && state.reviews.entries.remove(&id).is_some()
    }
}

fn some_hunks(review: &Review, chosen: &[usize]) -> Result<Arc<str>, DeskError> {
    let before = review.before().ok_or(DeskError::NotText(review.id.0))?;
    let count = hunks::hunks(&before, &review.proposed, 0).len();
    if chosen.is_empty() {
        return Err(DeskError::NothingChosen(review.id.0));
    }
    match chosen.iter().find(|number| !(1..=count).contains(*number)) {
        Some(number) => Err(DeskError::NoHunk(review.id.0, *number, count)),
        None => Ok(hunks::apply(&before, &review.proposed, chosen).into()),
    }
}

/// The CLI compares what comes back with what it proposed: an editor that saves CRLF must not count as a change.
fn in_line_ends_of(proposed: &str, contents: Arc<str>) -> Arc<str> {
    if contents.contains("\r\n") && !proposed.contains("\r\n") {
        contents.replace("\r\n", "\n").into()
    } else {
        contents
    }
}
