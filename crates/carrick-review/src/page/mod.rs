//! The web page: the same reviews in a browser, served on loopback from the binary itself.
//!
//! Loopback is no boundary: every web page and every person on the machine can reach it. So each request passes
//! `guard`; the address a person opens carries a secret that works once (`secret`, `enter`); and what came in that
//! way may look (`view`, `contents`, `events`) and decide (`decide`). `routes` is the map of it all.

mod assets;
mod contents;
mod counts;
mod decide;
mod enter;
mod events;
mod guard;
mod listen;
mod log;
mod owner;
mod routes;
mod secret;
mod view;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use carrick_core::Desk;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub use secret::Kept;
use secret::Secrets;

/// What the page tells about its host beyond what the desk knows.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The version of carrick.
    pub version: String,
    /// The folder the desk was opened in.
    pub root: PathBuf,
    /// The lock file by which agents find the door.
    pub lock_file: PathBuf,
}

/// Something that went wrong, for a person to read.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// What.
    pub words: String,
    /// When.
    pub at: SystemTime,
}

/// How a page is opened.
pub struct Options {
    /// What it tells about its host.
    pub facts: Facts,
    /// Port and secrets of an earlier run: with them, a page that is still open in a browser finds its server again.
    pub kept: Option<Kept>,
    /// The last thing that went wrong in this process.
    pub trouble: fn() -> Option<Trouble>,
}

/// Everything the requests share.
struct Room {
    desk: Arc<Desk>,
    facts: Facts,
    trouble: fn() -> Option<Trouble>,
    /// Names this run, in which review numbers mean something.
    run: String,
    port: u16,
    secrets: Secrets,
    counts: counts::Counts,
    decisions: decide::Decisions,
    logs: log::Logs,
}

/// A page that is served until this is dropped.
pub struct Page {
    room: Arc<Room>,
    serving: JoinHandle<()>,
}

impl Page {
    /// Listens. Nothing more happens before somebody comes.
    ///
    /// # Errors
    /// The system gives no port or no randomness.
    pub async fn open(desk: Arc<Desk>, options: Options) -> io::Result<Self> {
        let listener = bind(options.kept.as_ref().map(|kept| kept.port)).await?;
        let port = listener.local_addr()?.port();
        let room = Arc::new(Room {
            desk,
            facts: options.facts,
            trouble: options.trouble,
            run: secret::random(8)?,
            port,
            secrets: Secrets::new(options.kept)?,
            counts: counts::Counts::default(),
            decisions: decide::Decisions::default(),
            logs: log::Logs::default(),
        });
        let serving = tokio::spawn(listen::serve(listener, routes::router(&room)));
        Ok(Self { room, serving })
    }

    /// Makes addresses, for as long as anybody holds it.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        Addresses { room: Arc::clone(&self.room) }
    }

    /// What the next run needs to be found by the pages that are open now. It holds a secret: for a private file.
    #[must_use]
    pub fn kept(&self) -> Kept {
        self.room.secrets.kept(self.room.port)
    }

    /// Stops listening and ends all conversations.
    pub async fn close(mut self) {
        self.serving.abort();
        let _ = (&mut self.serving).await;
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// The old port if it is free, so that open pages come back by themselves; else any.
async fn bind(port: Option<u16>) -> io::Result<TcpListener> {
    let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    if let Some(port) = port
        && let Ok(listener) = TcpListener::bind(at(port)).await
    {
        return Ok(listener);
    }
    TcpListener::bind(at(0)).await
}

/// Addresses of the page, each good for one browser.
#[derive(Clone)]
pub struct Addresses {
    room: Arc<Room>,
}

impl Addresses {
    /// A new address; `None` when the system has no randomness to give.
    #[must_use]
    pub fn make(&self) -> Option<String> {
        let ticket = self.room.secrets.ticket().ok()?;
        Some(format!("http://127.0.0.1:{}{}enter/{ticket}", self.room.port, self.room.secrets.base()))
    }
}

impl std::fmt::Debug for Addresses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Addresses(…)")
    }
}
