//! The agents that are connected.

use std::sync::Arc;
use std::time::SystemTime;

use crate::{Desk, EditorId};

/// Which connection. A client that comes back is a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub u64);

/// What is known about a connected agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its number.
    pub id: ClientId,
    /// What it calls itself, with its version.
    pub name: String,
    /// Its process, once it has said so.
    pub pid: Option<u32>,
    /// The editor it was started from, when that is known; else it follows the focus.
    pub editor: Option<EditorId>,
    /// Since when.
    pub since: SystemTime,
    /// It has finished its greeting and hears what is pushed.
    pub ready: bool,
    /// It answers when asked.
    pub responsive: bool,
}

/// A client's place at the desk. Dropping it is leaving: its waiting reviews are settled as gone.
pub struct Seat {
    pub(crate) id: ClientId,
    pub(crate) desk: Arc<Desk>,
}

impl Seat {
    /// The client's number.
    #[must_use]
    pub fn id(&self) -> ClientId {
        self.id
    }

    /// The desk it sits at.
    #[must_use]
    pub fn desk(&self) -> &Arc<Desk> {
        &self.desk
    }

    /// Says that pushes reach the client from now on.
    pub fn ready(&self) {
        self.desk.client_ready(self.id);
    }

    /// Says whether the client answers.
    pub fn responsive(&self, responsive: bool) {
        self.desk.client_responsive(self.id, responsive);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.desk.leave(self.id);
    }
}
