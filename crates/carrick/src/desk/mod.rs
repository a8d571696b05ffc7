//! The part this process plays at a desk: its host, or a viewer that takes over when the host ends.

mod hosting;
mod journal;
mod state;

use std::path::{Path, PathBuf};
use std::time::Duration;

use carrick_editors::link::guest::{Guest, GuestError};
use carrick_editors::link::place::RuntimeFolder;
use carrick_editors::link::protocol::{Empty, HelloReply, Note, Page, Role, Subscribe};
use carrick_review::terminal::Lender;
use serde::Serialize;
use tokio::net::UnixStream;
use tokio::time::{Instant, sleep};

use crate::config::Flags;
use crate::exit::Failure;
use crate::join::runtime_folder;
pub(crate) use hosting::Hosting;

/// How long a desk may be neither free nor open: a host that starts or ends needs milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Between two tries.
const PAUSE: Duration = Duration::from_millis(10);

/// Where a desk is, in the form of the line that `serve --json` prints first.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Ready {
    /// The port of the door.
    pub(crate) port: u16,
    /// The lock file.
    pub(crate) lock: PathBuf,
    /// The socket of the link.
    pub(crate) socket: PathBuf,
    /// The host's process.
    pub(crate) pid: u32,
    /// An address of the review page, good for one browser; null for one who joined: `review --open` makes another.
    pub(crate) page: Option<String>,
}

/// Which desk, and how it is opened if nobody has.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The folder it is for.
    pub(crate) root: PathBuf,
    /// All of its folders.
    pub(crate) folders: Vec<PathBuf>,
    /// What the command line says.
    pub(crate) flags: Flags,
    /// What this process is called at a desk that it joins.
    pub(crate) name: &'static str,
    /// Only a desk of exactly this folder will do, not one around it: its clients come back to its port.
    pub(crate) exact: bool,
}

/// Host or viewer.
pub(crate) enum Part {
    /// This process holds the desk.
    Host(Box<Hosting>),
    /// Another one does.
    Viewer(Box<Guest<UnixStream>>),
}

/// What came of settling: a desk in our hands, or whatever joining gives.
pub(crate) enum Settled<J> {
    /// This process holds the desk.
    Host(Box<Hosting>),
    /// Another one does.
    Joined(J),
}

impl Plan {
    /// Joins the desk that is open as a viewer, or opens it.
    pub(crate) async fn settle(&self) -> Result<Part, Failure> {
        Ok(match self.settle_by(async |socket: &Path| self.join(socket).await).await? {
            Settled::Host(hosting) => Part::Host(hosting),
            Settled::Joined(guest) => Part::Viewer(Box::new(guest)),
        })
    }

    /// Joins the desk that is open, or opens it. Of several that try at once one wins and the others join it. Joining
    /// gives `None` when the host is just going.
    pub(crate) async fn settle_by<J>(
        &self,
        join: impl AsyncFn(&Path) -> Result<Option<J>, Failure>,
    ) -> Result<Settled<J>, Failure> {
        let folder = RuntimeFolder::open(runtime_folder())?;
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Some(desk) = folder.find(&self.root)
                && (desk.root == self.root || !self.exact)
                && let Some(joined) = join(&desk.socket).await?
            {
                return Ok(Settled::Joined(joined));
            }
            if let Some(lock) = folder.take(&self.root)? {
                let hosting = Hosting::open(lock, self).await?;
                return Ok(Settled::Host(Box::new(hosting)));
            }
            sleep(PAUSE).await;
        }
        Err(Failure::Stuck(self.root.clone()))
    }

    /// What to settle when this host is gone: the same desk under the same name, with the folders it had.
    pub(crate) fn after(&self, host: HelloReply, folders: Option<Vec<PathBuf>>) -> Self {
        let flags = Flags { name: Some(host.name), dialect: Some(host.dialect), ..self.flags.clone() };
        let folders = folders.unwrap_or(host.folders);
        Self { root: host.root, folders, flags, name: self.name, exact: true }
    }

    /// Joins; `None` when the host is just going.
    async fn join(&self, socket: &Path) -> Result<Option<Guest<UnixStream>>, Failure> {
        let joined = async {
            let mut guest = Guest::join(socket, Role::Viewer, self.name).await?;
            guest.ask::<Subscribe>(&Empty {}).await?;
            Ok(guest)
        };
        match joined.await {
            Ok(guest) => Ok(Some(guest)),
            Err(GuestError::Join { .. } | GuestError::Gone) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl Part {
    /// Where the desk is.
    pub(crate) fn ready(&self) -> Ready {
        match self {
            Self::Host(hosting) => hosting.ready().clone(),
            Self::Viewer(guest) => {
                let host = guest.host();
                Ready {
                    port: host.port,
                    lock: host.lock_files.first().cloned().unwrap_or_default(),
                    socket: RuntimeFolder::socket_in(&runtime_folder(), &host.root),
                    pid: host.pid,
                    page: None,
                }
            }
        }
    }

    /// A fresh address of the review page.
    pub(crate) async fn page(&mut self) -> Option<String> {
        match self {
            Self::Host(hosting) => hosting.page(),
            Self::Viewer(guest) => guest.ask::<Page>(&Empty {}).await.ok()?.address,
        }
    }

    /// Starts the person's diff program for changes, if this process holds the desk and they have chosen one.
    pub(crate) fn show_programs(&mut self, lender: Option<Lender>) {
        if let Self::Host(hosting) = self {
            hosting.show_programs(lender);
        }
    }

    /// The folder the desk is for.
    pub(crate) fn root(&self) -> &Path {
        match self {
            Self::Host(hosting) => hosting.root(),
            Self::Viewer(guest) => &guest.host().root,
        }
    }

    /// The next thing that happens; `None` when the host is gone and somebody has to take over.
    pub(crate) async fn next(&mut self) -> Option<Note> {
        match self {
            Self::Host(hosting) => Some(hosting.next().await),
            Self::Viewer(guest) => guest.next_note().await,
        }
    }

    /// What to settle when the host is gone: the same desk under the same name, with the folders it had.
    pub(crate) fn succession(&self, plan: &Plan, folders: Option<Vec<PathBuf>>) -> Plan {
        let Self::Viewer(guest) = self else { return plan.clone() };
        plan.after(guest.host().clone(), folders)
    }

    /// Leaves in order.
    pub(crate) async fn close(self) {
        if let Self::Host(hosting) = self {
            hosting.close().await;
        }
    }
}
