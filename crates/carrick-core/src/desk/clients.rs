//! The desk's dealings with agents: who is there, who hears what.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use super::{Desk, MENTION_WAIT, State};
use crate::{Client, ClientId, EditorId, Event, Outcome, Seat};

impl State {
    pub(super) fn editor_id_of(&self, client: ClientId) -> Option<EditorId> {
        let own = self.clients.get(&client).and_then(|client| client.editor);
        own.filter(|id| self.editors.contains_key(id)).or(self.focused)
    }
}

impl Desk {
    /// A new agent takes its seat.
    #[must_use]
    pub fn join(self: &Arc<Self>) -> Seat {
        let mut state = self.state();
        let id = ClientId(state.number());
        let name = String::from("unknown");
        let since = SystemTime::now();
        state
            .clients
            .insert(id, Client { id, name, pid: None, editor: None, since, ready: false, responsive: true });
        drop(state);
        self.tell(Event::ClientJoined(id));
        Seat { id, desk: Arc::clone(self) }
    }

    /// Everyone who is connected, in the order of coming.
    #[must_use]
    pub fn clients(&self) -> Vec<Client> {
        self.state().clients.values().cloned().collect()
    }

    /// One of them.
    #[must_use]
    pub fn client(&self, id: ClientId) -> Option<Client> {
        self.state().clients.get(&id).cloned()
    }

    /// Records what the client said about itself.
    pub fn introduce(&self, id: ClientId, name: Option<String>, pid: Option<u32>) {
        self.change_client(id, |client| {
            client.name = name.unwrap_or_else(|| std::mem::take(&mut client.name));
            client.pid = pid.or(client.pid);
        });
        if let Some(client) = self.client(id).filter(|_| pid.is_some()) {
            self.place(&client);
        }
    }

    /// The client was started from this editor.
    pub fn assign(&self, client: ClientId, editor: EditorId) {
        self.change_client(client, |client| client.editor = Some(editor));
        self.tell(Event::SelectionChanged(editor));
    }

    fn change_client(&self, id: ClientId, change: impl FnOnce(&mut Client)) {
        if let Some(client) = self.state().clients.get_mut(&id) {
            change(client);
        }
    }

    pub(crate) fn client_ready(&self, id: ClientId) {
        let mut state = self.state();
        let Some(client) = state.clients.get_mut(&id) else { return };
        client.ready = true;
        let now = Instant::now();
        let waited = std::mem::take(&mut state.mentions);
        drop(state);
        self.tell(Event::ClientReady(id));
        for (since, mention) in waited {
            if now.duration_since(since) < MENTION_WAIT {
                self.tell(Event::Mentioned(mention, Some(id)));
            }
        }
    }

    pub(crate) fn client_responsive(&self, id: ClientId, responsive: bool) {
        let mut changed = false;
        self.change_client(id, |client| {
            changed = client.responsive != responsive;
            client.responsive = responsive;
        });
        if changed {
            self.tell(Event::ClientResponsive(id, responsive));
        }
    }

    pub(crate) fn leave(&self, id: ClientId) {
        let mut state = self.state();
        state.clients.remove(&id);
        let left = state.reviews.settle_all_of(id, &Outcome::Gone);
        drop(state);
        for review in left {
            self.tell(Event::ReviewSettled(review));
        }
        self.tell(Event::ClientLeft(id));
    }
}
