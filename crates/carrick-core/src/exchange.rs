//! What goes over an agent's wire, for a person who wants to see what their editor tells.
//!
//! Nothing is kept: a message is described only while somebody listens, so that nobody else pays for it.

use std::sync::Arc;
use std::time::SystemTime;

use crate::ClientId;

/// Which way a message went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the agent to us.
    In,
    /// From us to the agent.
    Out,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Whose wire.
    pub client: ClientId,
    /// Which way.
    pub direction: Direction,
    /// The method, with the tool's name where there is one; for an answer, what it answers.
    pub what: String,
    /// When.
    pub at: SystemTime,
    /// The message itself.
    pub contents: Arc<str>,
}
