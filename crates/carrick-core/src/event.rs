//! Everything that can happen on a desk, as one closed list.
//!
//! An event says *that* something changed and names it; what it is now is asked of the desk. So an event that is
//! lost by a slow listener costs nothing but a look at the desk.

use std::sync::Arc;

use crate::{ClientId, EditorId, FileDiagnostics, Mention, ReviewId};

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// An agent connected.
    ClientJoined(ClientId),
    /// An agent has finished its greeting and hears what is pushed.
    ClientReady(ClientId),
    /// An agent answers (true) or has stopped answering (false).
    ClientResponsive(ClientId, bool),
    /// An agent went away.
    ClientLeft(ClientId),
    /// An editor's selection changed.
    SelectionChanged(EditorId),
    /// The person mentioned something; to one client, or to all.
    Mentioned(Mention, Option<ClientId>),
    /// What is wrong with a file changed.
    DiagnosticsChanged(Arc<FileDiagnostics>),
    /// Files were opened or closed.
    TabsChanged(EditorId),
    /// The workspace has other folders now.
    FoldersChanged,
    /// An editor or its abilities came or went: another set of tools may be listed.
    AbilitiesChanged,
    /// A change waits for a person.
    ReviewOpened(ReviewId),
    /// A review was answered, closed or left behind.
    ReviewSettled(ReviewId),
    /// Something a person should know and would not see, such as a change that was accepted without them.
    Remarked(Arc<str>),
}
