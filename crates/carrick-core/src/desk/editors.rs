//! The desk's dealings with editors: who is there, in which folders, and which of them a client was started from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Desk, State};
use crate::{Client, ClientId, Editor, EditorId, Event};

/// Tells the processes that a process comes from: itself first, then its parent, and so on.
pub type Lineage = dyn Fn(u32) -> Vec<u32> + Send + Sync;

impl State {
    /// The desk's own folders, and those of editors that do not lie in one that is there already.
    pub(super) fn all_folders(&self) -> Vec<PathBuf> {
        let mut all = self.folders.clone();
        for folder in self.editor_folders.values().flatten() {
            if !all.iter().any(|known| folder.starts_with(known)) {
                all.push(folder.clone());
            }
        }
        all
    }

    /// The nearest of these processes that is an editor's.
    fn editor_among(&self, lineage: &[u32]) -> Option<EditorId> {
        let of = |pid: &u32| self.editor_pids.iter().find(|(_, own)| *own == pid).map(|(id, _)| *id);
        lineage.iter().find_map(of)
    }
}

impl Desk {
    /// Teaches the desk where processes come from: it looks at none itself. The first teacher counts.
    pub fn know_lineage(&self, lineage: Box<Lineage>) {
        let _ = self.lineage.set(lineage);
    }

    /// Brings an editor to the desk and gives it the focus.
    pub fn seat_editor(&self, editor: Arc<dyn Editor>) -> EditorId {
        self.seat_editor_of(editor, None)
    }

    /// The same for an editor that runs in this process: clients that were started from it belong to it.
    pub fn seat_editor_of(&self, editor: Arc<dyn Editor>, pid: Option<u32>) -> EditorId {
        let mut state = self.state();
        let id = EditorId(state.number());
        state.editors.insert(id, editor);
        state.editor_pids.extend(pid.map(|pid| (id, pid)));
        state.focused = Some(id);
        drop(state);
        for client in self.clients().into_iter().filter(|_| pid.is_some()) {
            self.place(&client);
        }
        self.tell(Event::AbilitiesChanged);
        id
    }

    /// An editor goes; its clients follow the focus from now on.
    pub fn remove_editor(&self, id: EditorId) {
        let mut state = self.state();
        let before = state.all_folders();
        state.editors.remove(&id);
        state.selections.remove(&id);
        state.editor_pids.remove(&id);
        state.editor_folders.remove(&id);
        if state.focused == Some(id) {
            state.focused = state.editors.keys().next_back().copied();
        }
        let (moved, next) = (before != state.all_folders(), state.focused);
        drop(state);
        self.tell(Event::AbilitiesChanged);
        if let Some(next) = next {
            self.tell(Event::SelectionChanged(next));
        }
        if moved {
            self.tell(Event::FoldersChanged);
        }
    }

    /// The editor that was here first: the built-in one, which stays as long as the desk.
    #[must_use]
    pub fn first_editor(&self) -> Option<Arc<dyn Editor>> {
        self.state().editors.values().next().cloned()
    }

    /// True when this editor serves that client.
    #[must_use]
    pub fn serves(&self, editor: EditorId, client: ClientId) -> bool {
        self.state().editor_id_of(client) == Some(editor)
    }

    /// An editor is in these folders now. A folder inside one that the desk has adds nothing.
    pub fn set_editor_folders(&self, editor: EditorId, folders: Vec<PathBuf>) {
        let mut state = self.state();
        if !state.editors.contains_key(&editor) {
            return;
        }
        let before = state.all_folders();
        state.editor_folders.insert(editor, folders.into_iter().filter(|folder| is_sound(folder)).collect());
        let moved = before != state.all_folders();
        drop(state);
        if moved {
            self.tell(Event::FoldersChanged);
        }
    }

    /// Gives a client to the editor that it was started from, if one was.
    pub(super) fn place(&self, client: &Client) {
        let (Some(lineage), Some(pid)) = (self.lineage.get(), client.pid) else { return };
        let lineage = lineage(pid);
        let editor = self.state().editor_among(&lineage);
        if let Some(editor) = editor.filter(|editor| client.editor != Some(*editor)) {
            self.assign(client.id, editor);
        }
    }
}

/// The folder of everything is no workspace: a lock file that names it would claim every agent on the machine.
fn is_sound(folder: &Path) -> bool {
    folder.is_absolute() && folder.parent().is_some()
}
