//! The ability to show the person, in the editor itself, what waits and who is there.
//!
//! A review is shown in one editor: the one that serves its client. [`Desk::claim_review`](crate::Desk::claim_review)
//! decides which; an editor that goes gives its claims back.

use std::sync::Arc;

use crate::{Answer, Client, Outcome, Review, ReviewId};

/// How things stand, as one editor sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The agents that are connected, and whether this editor serves them.
    pub clients: Vec<(Client, bool)>,
    /// The reviews that wait, those of other editors included; true for those of clients that this one serves.
    pub waiting: Vec<(ReviewId, bool)>,
}

/// The ability to show things to the person.
pub trait Room: Send + Sync {
    /// Shows a change and lets the person decide. Returns when it is on the screen, not when it is decided.
    fn show(&self, review: Arc<Review>) -> Answer<'_, ()>;
    /// A review that was shown has ended, wherever that was decided.
    fn settled(&self, id: ReviewId, outcome: Outcome) -> Answer<'_, ()>;
    /// Something in this picture is new.
    fn standing(&self, standing: Standing) -> Answer<'_, ()>;
    /// Something that the person should know and would not see.
    fn remark(&self, words: Arc<str>) -> Answer<'_, ()>;
}
