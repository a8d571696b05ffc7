//! The answering side of the link: a desk, served to everyone who joins.
//!
//! [`Host`] accepts; `talk` is one conversation, over any stream; `desk` and `reviews` hold one function for each
//! method. `answer` in `talk` is the table that pairs the two. `seated` is a peer that brought an editor, and `remote`
//! is that editor as the desk sees it.

mod desk;
mod remote;
mod reviews;
mod seated;
mod talk;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use carrick_core::Desk;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};

use super::protocol::{HelloParams, HelloReply, PeerLine, VERSION};

/// Peers at once. One more is turned away at the socket: a person has a handful, a runaway script has no claim.
const PEERS: usize = 256;

/// A pause after the system could not accept, so that a lack of file handles does not become a spinning core.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What the host says about itself beyond what the desk knows.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The version of carrick.
    pub carrick: String,
    /// The folder the desk was opened in.
    pub root: PathBuf,
    /// The port of the door.
    pub port: u16,
    /// The lock files that announce it.
    pub lock_files: Vec<PathBuf>,
    /// The dialect it speaks.
    pub dialect: String,
    /// The name under which agents see this desk.
    pub name: String,
    /// Makes addresses of the review page, when there is one.
    pub page: Option<MakeAddress>,
}

/// Makes a new address of the review page with every call. Addresses are secrets: none is ever shown by Debug.
#[derive(Clone)]
pub struct MakeAddress(pub Arc<dyn Fn() -> Option<String> + Send + Sync>);

impl std::fmt::Debug for MakeAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MakeAddress(…)")
    }
}

/// A desk that can be joined, until this is dropped.
#[derive(Debug)]
pub struct Host {
    accepting: JoinHandle<()>,
    forgotten: Arc<Notify>,
}

impl Host {
    /// Serves `desk` to everyone who comes to `listener`.
    #[must_use]
    pub fn serve(listener: UnixListener, desk: Arc<Desk>, facts: Facts) -> Self {
        let room = Room::new(desk, facts);
        let forgotten = Arc::clone(&room.forgotten);
        Self { accepting: tokio::spawn(accept(listener, room)), forgotten }
    }

    /// Waits until a person has forgotten reviews. The desk makes no event of it, because nobody else cares.
    pub async fn forgotten(&self) {
        self.forgotten.notified().await;
    }

    /// Ends all conversations and stops listening.
    pub async fn close(mut self) {
        self.accepting.abort();
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Serves one peer over any stream, until it leaves.
pub async fn serve_one<S: AsyncRead + AsyncWrite>(stream: S, desk: Arc<Desk>, facts: Facts) {
    talk::talk(stream, Room::new(desk, facts)).await;
}

async fn accept(listener: UnixListener, room: Arc<Room>) {
    // Dropped with this task, and then ends every conversation.
    let mut talks = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) if talks.len() < PEERS && is_ours(&stream) => {
                    talks.spawn(talk::talk(stream, Arc::clone(&room)));
                }
                Ok(_) => tracing::warn!("a peer was turned away"),
                Err(error) => pause(&error).await,
            },
            Some(_) = talks.join_next() => {}
        }
    }
}

async fn pause(error: &io::Error) {
    tracing::warn!(%error, "cannot accept on the link");
    tokio::time::sleep(ACCEPT_PAUSE).await;
}

/// The socket is in a private folder already; this holds even if someone opens the folder.
fn is_ours(stream: &UnixStream) -> bool {
    let own = rustix::process::getuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == own || peer.uid() == 0)
}

/// What all conversations share.
struct Room {
    desk: Arc<Desk>,
    facts: Facts,
    peers: Mutex<BTreeMap<u64, PeerLine>>,
    last_peer: AtomicU64,
    forgotten: Arc<Notify>,
}

impl Room {
    fn new(desk: Arc<Desk>, facts: Facts) -> Arc<Self> {
        Arc::new(Self {
            desk,
            facts,
            peers: Mutex::default(),
            last_peer: AtomicU64::new(0),
            forgotten: Arc::default(),
        })
    }

    fn peers(&self) -> MutexGuard<'_, BTreeMap<u64, PeerLine>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn about(&self) -> HelloReply {
        let facts = self.facts.clone();
        HelloReply {
            version: VERSION,
            carrick: facts.carrick,
            pid: std::process::id(),
            root: facts.root,
            folders: self.desk.folders(),
            port: facts.port,
            lock_files: facts.lock_files,
            dialect: facts.dialect,
            name: facts.name,
        }
    }

    fn enter(self: &Arc<Self>, hello: HelloParams) -> Entered {
        let number = self.last_peer.fetch_add(1, Ordering::Relaxed);
        let peer = PeerLine { role: hello.role, name: hello.name, pid: hello.pid };
        self.peers().insert(number, peer);
        Entered { room: Arc::clone(self), number }
    }
}

/// A peer's place in the list; dropping it is leaving.
struct Entered {
    room: Arc<Room>,
    number: u64,
}

impl Entered {
    fn line(&self) -> Option<PeerLine> {
        self.room.peers().get(&self.number).cloned()
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.room.peers().remove(&self.number);
    }
}

#[cfg(test)]
mod editor_tests;
#[cfg(test)]
mod tests;
