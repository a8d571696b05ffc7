//! How many lines come and go in each review, counted once, away from the thread that serves everyone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carrick_core::Review;

/// Lines that come, lines that go.
type Count = (usize, usize);

/// What was counted. It never holds more than the desk does: see [`Counts::keep_only`].
#[derive(Default)]
pub(super) struct Counts(Mutex<BTreeMap<u64, Count>>);

impl Counts {
    fn known(&self) -> MutexGuard<'_, BTreeMap<u64, Count>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The count of a review. A large file takes a moment, on a thread of its own.
    pub(super) async fn of(&self, review: &Arc<Review>) -> Count {
        let known = self.known().get(&review.id.0).copied();
        if let Some(count) = known {
            return count;
        }
        let counted = Arc::clone(review);
        let count = tokio::task::spawn_blocking(move || counted.counts()).await.unwrap_or_default();
        self.known().insert(review.id.0, count);
        count
    }

    /// Forgets what the desk forgot.
    pub(super) fn keep_only(&self, ids: &BTreeSet<u64>) {
        self.known().retain(|id, _| ids.contains(id));
    }
}
