//! The seat of a Neovim: at a desk that this process holds, or at one that another does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carrick_core::Editor;
use carrick_editors::link::brought::Brought;
use carrick_editors::link::guest::{Guest, GuestError};
use carrick_editors::link::protocol::{HelloReply, Note, Role};
use carrick_editors::nvim::Neovim;
use carrick_editors::seat::{AtDesk, EditorSeat};

use crate::desk::{Hosting, Plan, Settled};
use crate::exit::Failure;

/// See the module. The seat stands first: it is left before the desk is closed.
pub(super) struct Sitting {
    pub(super) seat: EditorSeat,
    hosting: Option<Box<Hosting>>,
    /// The desk's folders as they were told last.
    folders: Option<Vec<PathBuf>>,
}

impl Sitting {
    /// Opens the desk, or joins the one that is open.
    pub(super) async fn take(plan: &Plan, neovim: &Arc<Neovim>, pid: u32) -> Result<Self, Failure> {
        let editor = Arc::clone(neovim) as Arc<dyn Editor>;
        let settled =
            plan.settle_by(async |socket: &Path| join(socket, Arc::clone(&editor), pid).await).await?;
        let (seat, hosting) = match settled {
            Settled::Host(hosting) => {
                let seat = AtDesk::take(&hosting.desk(), editor, Some(pid));
                (EditorSeat::Here(seat), Some(hosting))
            }
            Settled::Joined(brought) => (EditorSeat::There(brought), None),
        };
        Ok(Self { seat, hosting, folders: None })
    }

    fn host(&self) -> Option<&HelloReply> {
        if let EditorSeat::There(brought) = &self.seat { Some(brought.host()) } else { None }
    }

    /// Port and folder of the desk, and whether it is ours.
    pub(super) fn facts(&self) -> (u16, PathBuf, bool) {
        match (&self.hosting, self.host()) {
            (Some(hosting), _) => (hosting.ready().port, hosting.root().into(), true),
            (None, Some(host)) => (host.port, host.root.clone(), false),
            (None, None) => (0, PathBuf::new(), false),
        }
    }

    /// The next thing that happens at the desk; `None` when its host is gone.
    pub(super) async fn next(&mut self) -> Option<Note> {
        let note = match (&mut self.hosting, &mut self.seat) {
            (Some(hosting), _) => Some(hosting.next().await),
            (None, EditorSeat::There(brought)) => brought.next().await,
            (None, EditorSeat::Here(_)) => None,
        };
        if let Some(Note::FoldersChanged { folders }) = &note {
            self.folders = Some(folders.clone());
        }
        note
    }

    /// What to settle when the host is gone.
    pub(super) fn succession(&self, plan: &Plan) -> Plan {
        self.host().map_or_else(|| plan.clone(), |host| plan.after(host.clone(), self.folders.clone()))
    }

    /// Leaves in order.
    pub(super) async fn close(self) {
        drop(self.seat);
        if let Some(hosting) = self.hosting {
            hosting.close().await;
        }
    }
}

/// Joins with the editor; `None` when the host is just going.
async fn join(socket: &Path, editor: Arc<dyn Editor>, pid: u32) -> Result<Option<Brought>, Failure> {
    let name = editor.name().to_owned();
    let joined = async {
        let guest = Guest::join(socket, Role::Editor, &name).await?;
        Brought::seat(guest, editor, Some(pid)).await
    };
    match joined.await {
        Ok(brought) => Ok(Some(brought)),
        Err(GuestError::Join { .. } | GuestError::Gone) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
