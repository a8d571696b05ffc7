//! The desk: one state for all agents and all editors of a workspace.
//!
//! What is open, selected, mentioned and waiting lives here and nowhere else. Every change is one short critical
//! section followed by one [`Event`]; nothing here waits, reads or writes.

mod clients;
mod editors;
mod reviews;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::broadcast;

use crate::{
    Client, ClientId, Editor, EditorId, Event, Exchange, FileDiagnostics, Mention, PrivateList, ReviewId,
    Selection,
};
pub use editors::Lineage;
use reviews::Reviews;

/// How long a mention waits for a client to come.
pub const MENTION_WAIT: Duration = Duration::from_secs(30);

/// Mentions that may wait at once. The oldest is dropped: a person who made so many did not mean the first.
const MENTIONS_WAITING: usize = 256;

/// Events a listener may be behind. One that is further behind is told so and looks at the desk anew.
const EVENTS_BEHIND: usize = 1024;

/// Messages that somebody who listens to the wire may be behind; they hold contents, so there are fewer of them.
const EXCHANGES_BEHIND: usize = 64;

/// Why the desk refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeskError {
    /// No such review.
    #[error("there is no review {0}; `carrick review list` shows those that wait")]
    NoReview(u64),
    /// It was answered before.
    #[error("review {0} is settled already: {1}")]
    Settled(u64, &'static str),
    /// Hunks were asked for that it does not have.
    #[error("review {0} has no hunk {1}; it has {2}")]
    NoHunk(u64, usize, usize),
    /// Hunks of a file that is not text.
    #[error("the file of review {0} is not text: accept or reject it whole")]
    NotText(u64),
    /// Nothing was chosen.
    #[error("no hunk was chosen of review {0}: name some, or reject it")]
    NothingChosen(u64),
    /// The file is on the private list.
    #[error("that file is private: nothing was sent (the key `private` in the configuration decides)")]
    Private,
    /// A workspace without a folder is none.
    #[error("{} is the only folder of this workspace and stays", .0.display())]
    LastFolder(PathBuf),
}

/// One workspace's state, shared by everyone.
pub struct Desk {
    state: Mutex<State>,
    events: broadcast::Sender<Event>,
    exchanges: broadcast::Sender<Exchange>,
    private: PrivateList,
    lineage: OnceLock<Box<Lineage>>,
}

#[derive(Default)]
struct State {
    folders: Vec<PathBuf>,
    editors: BTreeMap<EditorId, Arc<dyn Editor>>,
    focused: Option<EditorId>,
    editor_pids: BTreeMap<EditorId, u32>,
    editor_folders: BTreeMap<EditorId, Vec<PathBuf>>,
    selections: BTreeMap<EditorId, Arc<Selection>>,
    latest: Option<Selection>,
    mentions: VecDeque<(Instant, Mention)>,
    clients: BTreeMap<ClientId, Client>,
    reviews: Reviews,
    without_rooms: bool,
    last_number: u64,
}

impl State {
    fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }
}

impl Desk {
    /// A desk for these folders, with these files kept private.
    #[must_use]
    pub fn new(folders: Vec<PathBuf>, private: PrivateList) -> Arc<Self> {
        let state = Mutex::new(State { folders, ..State::default() });
        let (events, exchanges) =
            (broadcast::Sender::new(EVENTS_BEHIND), broadcast::Sender::new(EXCHANGES_BEHIND));
        Arc::new(Self { state, events, exchanges, private, lineage: OnceLock::new() })
    }

    /// Everything that happens from now on.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    /// Every message on an agent's wire from now on.
    #[must_use]
    pub fn exchanges(&self) -> broadcast::Receiver<Exchange> {
        self.exchanges.subscribe()
    }

    /// A message went over a wire; it is described only if somebody listens.
    pub fn overheard(&self, describe: impl FnOnce() -> Exchange) {
        if self.exchanges.receiver_count() > 0 {
            let _ = self.exchanges.send(describe());
        }
    }

    /// The files that never leave.
    #[must_use]
    pub fn private(&self) -> &PrivateList {
        &self.private
    }

    // No code inside a critical section can panic half-way through a change, so a poisoned lock holds whole state.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: Event) {
        // Nobody listening is no error: the state is what counts.
        let _ = self.events.send(event);
    }

    /// The folders of the workspace, the main one first; those that editors are in come last.
    #[must_use]
    pub fn folders(&self) -> Vec<PathBuf> {
        self.state().all_folders()
    }

    /// Adds a folder; false when it is there already.
    pub fn add_folder(&self, folder: PathBuf) -> bool {
        let mut state = self.state();
        if state.folders.contains(&folder) {
            return false;
        }
        state.folders.push(folder);
        drop(state);
        self.tell(Event::FoldersChanged);
        true
    }

    /// Takes a folder away; false when it was not there.
    ///
    /// # Errors
    /// It is the last one.
    pub fn remove_folder(&self, folder: &Path) -> Result<bool, DeskError> {
        let mut state = self.state();
        if !state.folders.iter().any(|known| known == folder) {
            return Ok(false);
        }
        if state.folders.len() == 1 {
            return Err(DeskError::LastFolder(folder.into()));
        }
        state.folders.retain(|known| known != folder);
        drop(state);
        self.tell(Event::FoldersChanged);
        Ok(true)
    }

    /// The person is in this editor now.
    pub fn focus(&self, id: EditorId) {
        let mut state = self.state();
        let known = state.editors.contains_key(&id) && state.focused != Some(id);
        if known {
            state.focused = Some(id);
            drop(state);
            self.tell(Event::SelectionChanged(id));
        }
    }

    /// The editor that the person was in last.
    #[must_use]
    pub fn focused_editor(&self) -> Option<Arc<dyn Editor>> {
        let state = self.state();
        state.focused.and_then(|id| state.editors.get(&id).cloned())
    }

    /// The editor that serves this client: the one it was started from, else the one with the focus.
    #[must_use]
    pub fn editor_of(&self, client: ClientId) -> Option<Arc<dyn Editor>> {
        let state = self.state();
        state.editor_id_of(client).and_then(|id| state.editors.get(&id).cloned())
    }

    /// An editor's selection is this now; `None` when it has no file. A private file counts as none.
    pub fn select(&self, editor: EditorId, selection: Option<Selection>) {
        let selection = selection.filter(|selection| !self.private.covers(&selection.path));
        let mut state = self.state();
        if state.selections.get(&editor).map(Arc::as_ref) == selection.as_ref() {
            return;
        }
        match selection {
            Some(selection) => {
                if !selection.text.is_empty() || state.latest.is_none() {
                    state.latest = Some(selection.clone());
                }
                state.selections.insert(editor, Arc::new(selection));
            }
            None => drop(state.selections.remove(&editor)),
        }
        drop(state);
        self.tell(Event::SelectionChanged(editor));
    }

    /// What is selected in the editor of this client.
    #[must_use]
    pub fn selection_for(&self, client: ClientId) -> Option<Arc<Selection>> {
        let state = self.state();
        state.editor_id_of(client).and_then(|id| state.selections.get(&id).cloned())
    }

    /// What is selected in the editor with the focus.
    #[must_use]
    pub fn selection(&self) -> Option<Selection> {
        let state = self.state();
        state.focused.and_then(|id| state.selections.get(&id)).map(|selection| Selection::clone(selection))
    }

    /// The last text that was selected anywhere.
    #[must_use]
    pub fn latest_selection(&self) -> Option<Selection> {
        self.state().latest.clone()
    }

    /// The person mentions something. Returns how many clients hear it at once; with none it waits for the next.
    ///
    /// # Errors
    /// The file is private.
    pub fn mention(&self, mention: Mention, to: Option<ClientId>) -> Result<usize, DeskError> {
        if self.private.covers(&mention.path) {
            return Err(DeskError::Private);
        }
        let mut state = self.state();
        let hears = |client: &&Client| client.ready && to.is_none_or(|id| id == client.id);
        let listeners = state.clients.values().filter(hears).count();
        if listeners == 0 {
            if state.mentions.len() == MENTIONS_WAITING {
                state.mentions.pop_front();
            }
            state.mentions.push_back((Instant::now(), mention));
        } else {
            drop(state);
            self.tell(Event::Mentioned(mention, to));
        }
        Ok(listeners)
    }

    /// An editor has something new to say about a file.
    pub fn diagnostics_changed(&self, file: FileDiagnostics) {
        if !self.private.covers(&file.path) {
            self.tell(Event::DiagnosticsChanged(Arc::new(file)));
        }
    }

    /// Files were opened or closed in an editor.
    pub fn tabs_changed(&self, editor: EditorId) {
        self.tell(Event::TabsChanged(editor));
    }

    /// Tells a person, wherever they look.
    pub fn remark(&self, words: impl Into<Arc<str>>) {
        self.tell(Event::Remarked(words.into()));
    }

    /// The abilities of an editor changed.
    pub fn abilities_changed(&self) {
        self.tell(Event::AbilitiesChanged);
    }

    pub(crate) fn leave_review(&self, id: ReviewId) {
        if self.state().reviews.settle(id, crate::Outcome::Gone).is_ok() {
            self.tell(Event::ReviewSettled(id));
        }
    }
}

#[cfg(test)]
mod tests;
