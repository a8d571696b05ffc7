//! A proposed change that waits for a person, and what became of it.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use tokio::sync::oneshot;

use crate::{ClientId, Desk, hunks};

/// Which review. Numbers are small, so that a person can type them, and never used twice in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReviewId(pub u64);

/// What stands in the file now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Original {
    /// There is no file yet.
    Missing,
    /// Its text, line ends as they are.
    Text(Arc<str>),
    /// It is not UTF-8: the change can be accepted or rejected, but not shown by hunk.
    NotText,
}

/// What an agent proposes.
#[derive(Clone, Debug)]
pub struct NewReview {
    /// Who proposes it.
    pub client: ClientId,
    /// The file it would change.
    pub path: PathBuf,
    /// The agent's own name for the view, by which it closes it again.
    pub tab_name: String,
    /// What is there now.
    pub original: Original,
    /// The whole new contents.
    pub proposed: Arc<str>,
}

/// A change as it was proposed. It never changes itself; its record says what became of it.
#[derive(Clone, Debug)]
pub struct Review {
    /// Its number.
    pub id: ReviewId,
    /// The connection that waits for the answer.
    pub client: ClientId,
    /// What that client called itself.
    pub client_name: String,
    /// The file it would change.
    pub path: PathBuf,
    /// The agent's own name for the view.
    pub tab_name: String,
    /// What was there when it was proposed.
    pub original: Original,
    /// The whole new contents.
    pub proposed: Arc<str>,
    /// When it was proposed.
    pub opened: SystemTime,
}

impl Review {
    /// The original in the line ends of the proposal. The CLI shows CRLF files with LF: compared as they are,
    /// every line would differ. `None` when it is not text.
    #[must_use]
    pub fn before(&self) -> Option<Cow<'_, str>> {
        match &self.original {
            Original::Missing => Some(Cow::Borrowed("")),
            Original::NotText => None,
            Original::Text(text) if text.contains('\r') && !self.proposed.contains("\r\n") => {
                Some(Cow::Owned(text.replace("\r\n", "\n")))
            }
            Original::Text(text) => Some(Cow::Borrowed(text)),
        }
    }

    /// The change in pieces; none when the original is not text.
    #[must_use]
    pub fn hunks(&self, context: usize) -> Vec<hunks::Hunk> {
        self.before().map_or_else(Vec::new, |before| hunks::hunks(&before, &self.proposed, context))
    }

    /// How many lines come and go.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        self.before().map_or((0, 0), |before| hunks::counts(&before, &self.proposed))
    }

    /// How much memory its contents take.
    pub(crate) fn weight(&self) -> usize {
        let original = if let Original::Text(text) = &self.original { text.len() } else { 0 };
        original + self.proposed.len()
    }
}

/// What a person decides.
#[derive(Clone, Debug)]
pub enum Decision {
    /// As proposed.
    Accept,
    /// Only these hunks, numbered from 1.
    AcceptHunks(Vec<usize>),
    /// These contents instead.
    AcceptWith(Arc<str>),
    /// Not at all.
    Reject,
}

/// How a review ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Accepted, with these final contents.
    Accepted(Arc<str>),
    /// Rejected by the person.
    Rejected,
    /// The agent closed it: it was answered elsewhere, or is no longer wanted.
    Closed,
    /// The connection went away before there was an answer. Nobody hears a decision any more, but nothing is lost:
    /// the proposal can still be read and copied.
    Gone,
}

impl Outcome {
    /// One word for lists.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "accepted",
            Self::Rejected => "rejected",
            Self::Closed => "closed by the agent",
            Self::Gone => "the connection went away",
        }
    }
}

/// A review and, once it is settled, its end.
#[derive(Clone, Debug)]
pub struct ReviewRecord {
    /// The review.
    pub review: Arc<Review>,
    /// How it ended; `None` while it waits.
    pub outcome: Option<Outcome>,
}

/// The agent's end of a review: exactly one outcome comes out of it. Dropping it before that (a cancelled call,
/// a lost connection) settles the review as [`Outcome::Gone`].
pub struct WaitingReview {
    pub(crate) id: ReviewId,
    pub(crate) outcome: oneshot::Receiver<Outcome>,
    pub(crate) desk: Arc<Desk>,
}

impl WaitingReview {
    /// Its number.
    #[must_use]
    pub fn id(&self) -> ReviewId {
        self.id
    }

    /// Waits, without a limit, for the end.
    pub async fn outcome(mut self) -> Outcome {
        (&mut self.outcome).await.unwrap_or(Outcome::Gone)
    }
}

impl Drop for WaitingReview {
    fn drop(&mut self) {
        self.desk.leave_review(self.id);
    }
}
