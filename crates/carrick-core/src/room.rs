//! The ability to show the person, in the editor itself, what waits and who is there.
//!
//! A review is shown in one editor: the one that serves its client. [`Desk::claim_review`](crate::Desk::claim_review)
//! decides which; an editor that goes gives its claims back.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use crate::{Answer, Client, ClientId, Desk, EditorId, Outcome, Review, ReviewId};

/// How things stand, as one editor sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The agents that are connected, and whether this editor serves them.
    pub clients: Vec<(Client, bool)>,
    /// The reviews that wait, those of other editors' clients included.
    pub waiting: Vec<Pending>,
}

/// A review that waits, without its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Its number.
    pub id: ReviewId,
    /// The file it would change.
    pub path: PathBuf,
    /// The agent's own name for the view.
    pub tab_name: String,
    /// Who proposes it.
    pub client: ClientId,
    /// What that client calls itself.
    pub client_name: String,
    /// When it was proposed.
    pub opened: SystemTime,
    /// The editor that is told this serves the client.
    pub mine: bool,
}

impl Standing {
    /// How things stand for this editor.
    #[must_use]
    pub fn at(desk: &Desk, editor: EditorId) -> Self {
        let clients = desk.clients().into_iter().map(|client| {
            let mine = desk.serves(editor, client.id);
            (client, mine)
        });
        let waiting = desk.reviews().into_iter().filter(|record| record.outcome.is_none());
        Self {
            clients: clients.collect(),
            waiting: waiting
                .map(|record| Pending::of(&record.review, desk.serves(editor, record.review.client)))
                .collect(),
        }
    }
}

impl Pending {
    fn of(review: &Review, mine: bool) -> Self {
        Self {
            id: review.id,
            path: review.path.clone(),
            tab_name: review.tab_name.clone(),
            client: review.client,
            client_name: review.client_name.clone(),
            opened: review.opened,
            mine,
        }
    }
}

/// How a review ended, without the contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Accepted.
    Accepted,
    /// Rejected by the person.
    Rejected,
    /// The agent closed it.
    Closed,
    /// The connection went away.
    Gone,
}

impl From<&Outcome> for End {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Accepted(_) => Self::Accepted,
            Outcome::Rejected => Self::Rejected,
            Outcome::Closed => Self::Closed,
            Outcome::Gone => Self::Gone,
        }
    }
}

impl End {
    /// One word for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Closed => "closed",
            Self::Gone => "gone",
        }
    }
}

/// The ability to show things to the person.
pub trait Room: Send + Sync {
    /// Shows a change and lets the person decide. Returns when it is on the screen, not when it is decided.
    fn show(&self, review: Arc<Review>) -> Answer<'_, ()>;
    /// A review has ended, wherever it was shown and decided.
    fn settled(&self, id: ReviewId, path: PathBuf, end: End) -> Answer<'_, ()>;
    /// Something in this picture is new.
    fn standing(&self, standing: Standing) -> Answer<'_, ()>;
    /// Something that the person should know and would not see.
    fn remark(&self, words: Arc<str>) -> Answer<'_, ()>;
}
