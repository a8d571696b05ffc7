//! Where an editor sits: at a desk in this process, or over the link at one in another. The editor's adapter says the
//! same things to both.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use carrick_core::{ClientId, Decision, Desk, Editor, EditorId, Mention, ReviewId, Selection};
use tokio::task::JoinHandle;

use crate::attend::attend;
use crate::fronted::{Fronted, is_private};
use crate::link::brought::Brought;

/// An editor at a desk in this process. Dropping it is leaving.
pub struct AtDesk {
    desk: Arc<Desk>,
    id: EditorId,
    attending: JoinHandle<()>,
    /// The last file that was selected in, and whether it is private: a cursor moves often, files change seldom, and
    /// following links asks the disk.
    checked: Mutex<Option<(PathBuf, bool)>>,
}

impl AtDesk {
    /// Brings an editor, which runs in this process, to the desk, in front of the built-in one.
    #[must_use]
    pub fn take(desk: &Arc<Desk>, editor: Arc<dyn Editor>, pid: Option<u32>) -> Self {
        let editor: Arc<dyn Editor> = Arc::new(Fronted::new(desk, editor));
        let id = desk.seat_editor_of(Arc::clone(&editor), pid);
        let attending = tokio::spawn(attend(Arc::clone(desk), id, editor));
        Self { desk: Arc::clone(desk), id, attending, checked: Mutex::default() }
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> EditorId {
        self.id
    }

    /// This is selected now. Of a private file nothing is told, nor of a link to one.
    pub fn select(&self, selection: Option<Selection>) {
        self.desk.select(self.id, selection.filter(|selection| !self.is_private(&selection.path)));
    }

    fn is_private(&self, path: &Path) -> bool {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        match &*checked {
            Some((known, private)) if known == path => *private,
            _ => {
                let private = is_private(self.desk.private(), path);
                *checked = Some((path.into(), private));
                private
            }
        }
    }

    /// The person is here.
    pub fn focus(&self) {
        self.desk.focus(self.id);
    }

    /// The editor works in these folders.
    pub fn folders(&self, folders: Vec<PathBuf>) {
        // The desk compares folders by name, so each goes by the one that all links lead to.
        let real = folders.into_iter().map(|folder| folder.canonicalize().unwrap_or(folder));
        self.desk.set_editor_folders(self.id, real.collect());
    }

    /// Files were opened or closed.
    pub fn tabs_changed(&self) {
        self.desk.tabs_changed(self.id);
    }

    /// It can do other things now.
    pub fn abilities_changed(&self) {
        self.desk.abilities_changed();
    }
}

impl Drop for AtDesk {
    fn drop(&mut self) {
        self.attending.abort();
        self.desk.remove_editor(self.id);
    }
}

/// Either of the two.
pub enum EditorSeat {
    /// At a desk in this process.
    Here(AtDesk),
    /// At one in another.
    There(Brought),
}

impl EditorSeat {
    /// This is selected now.
    pub async fn select(&self, selection: Option<Selection>) {
        match self {
            Self::Here(seat) => seat.select(selection),
            Self::There(link) => link.select(selection).await,
        }
    }

    /// The person is here.
    pub async fn focus(&self) {
        match self {
            Self::Here(seat) => seat.focus(),
            Self::There(link) => link.focus().await,
        }
    }

    /// The editor works in these folders.
    pub async fn folders(&self, folders: Vec<PathBuf>) {
        match self {
            Self::Here(seat) => seat.folders(folders),
            Self::There(link) => link.folders(folders).await,
        }
    }

    /// Files were opened or closed.
    pub async fn tabs_changed(&self) {
        match self {
            Self::Here(seat) => seat.tabs_changed(),
            Self::There(link) => link.tabs_changed().await,
        }
    }

    /// It can do other things now.
    pub async fn abilities_changed(&self) {
        match self {
            Self::Here(seat) => seat.abilities_changed(),
            Self::There(link) => link.abilities_changed().await,
        }
    }

    /// The person wants this in the prompt of an agent, or of all.
    ///
    /// # Errors
    /// What to say to the person.
    pub async fn mention(&self, mention: Mention, to: Option<ClientId>) -> Result<(), String> {
        match self {
            Self::Here(seat) if is_private(seat.desk.private(), &mention.path) => {
                Err(carrick_core::DeskError::Private.to_string())
            }
            Self::Here(seat) => seat.desk.mention(mention, to).map(|_| ()).map_err(|error| error.to_string()),
            Self::There(link) => link.mention(mention, to).await,
        }
    }

    /// The person decided.
    ///
    /// # Errors
    /// What to say to the person.
    pub async fn decide(&self, id: ReviewId, decision: Decision) -> Result<(), String> {
        match self {
            Self::Here(seat) => seat.desk.decide(id, decision).map_err(|error| error.to_string()),
            Self::There(link) => link.decide(id, decision).await,
        }
    }
}
