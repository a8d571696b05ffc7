//! The door itself: binds, writes the lock file, lets clients in, and closes in order.

use std::collections::VecDeque;
use std::io;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use carrick_core::{Desk, paths::Host};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::answer::Context;
use super::dialect::Dialect;
use super::lock_file::{LockFile, sweep};
use super::push::{Audience, Leave, QUEUE, beat, push};
use super::session::Session;
use super::token::Token;
use super::{handshake, lock_keeper};

/// The largest message, whole or in fragments. A larger one closes the connection with 1009.
const MAX_MESSAGE: usize = 64 << 20;
/// Handshakes under way at once. One more, and the oldest is dropped: a client that means it needs a millisecond.
const HANDSHAKES: usize = 64;
/// Per connection. The library's own 128 KiB are most of what an idle connection would cost.
const READ_BUFFER: usize = 16 * 1024;
/// How long to wait before accepting again when the system has no descriptor to give.
const BACK_OFF: Duration = Duration::from_millis(50);
/// How long clients may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(1);

/// Port and token of an earlier run: the CLI comes back to them without reading the lock file again.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// The port.
    pub port: u16,
    /// The token.
    pub token: Token,
}

/// What a door needs to know.
#[derive(Clone, Debug)]
pub struct DoorOptions {
    /// The name that the CLI shows.
    pub ide_name: String,
    /// carrick's own version.
    pub version: &'static str,
    /// The words to answer in.
    pub dialect: Dialect,
    /// How paths are written on this machine.
    pub host: Host,
    /// Where lock files go; see [`super::lock_dirs`].
    pub lock_dirs: Vec<PathBuf>,
    /// Taken back when the port is free.
    pub remembered: Option<Remembered>,
    /// Exactly this port or none.
    pub fixed_port: Option<u16>,
}

/// Why a door does not open.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    /// The port is taken, or loopback is not there.
    #[error("cannot listen on 127.0.0.1:{port}: {error}")]
    Bind {
        /// The port that was wanted; 0 for any.
        port: u16,
        /// What the system said.
        error: io::Error,
    },
    /// The lock file cannot be written.
    #[error("cannot write the lock file {}: {error}", path.display())]
    LockFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// No folder for lock files is known.
    #[error("there is no folder for the lock file: neither CLAUDE_CONFIG_DIR nor HOME is set")]
    NoFolder,
    /// No randomness for the token.
    #[error("the system gives no randomness for a token: {0}")]
    Token(io::Error),
}

/// An open door. Dropping it closes it without ceremony; [`Door::close`] says goodbye first.
pub struct Door {
    port: u16,
    token: Token,
    lock: Arc<LockFile>,
    audience: Arc<Audience>,
    tasks: Vec<AbortHandle>,
    /// Closed when the last session has ended.
    sessions: mpsc::Receiver<()>,
}

impl Door {
    /// Opens the door: from now on the CLI finds it.
    ///
    /// # Errors
    /// It cannot listen, or cannot say so in a lock file.
    pub async fn open(desk: Arc<Desk>, options: DoorOptions) -> Result<Self, DoorError> {
        raise_descriptor_limit();
        let main_dir = options.lock_dirs.first().ok_or(DoorError::NoFolder)?.clone();
        let (listener, token) = listen(&options).await?;
        let port = listener.local_addr().map_err(|error| DoorError::Bind { port: 0, error })?.port();
        let events = desk.events();
        let folders = lock_keeper::folders(&desk, options.host);
        let lock = LockFile::write(&options.lock_dirs, port, &options.ide_name, &token, &folders);
        let path = main_dir.join(format!("{port}.lock"));
        let lock = Arc::new(lock.map_err(|error| DoorError::LockFile { path, error })?);

        let audience = Arc::new(Audience::default());
        let (alive, sessions) = mpsc::channel(1);
        let dialect = Arc::new(options.dialect);
        let (host, version) = (options.host, options.version);
        let entrance = Entrance {
            desk: desk.clone(),
            audience: audience.clone(),
            token: token.clone(),
            dialect: dialect.clone(),
            host,
            version,
            alive,
        };
        let pushing = tokio::spawn(push(desk.clone(), audience.clone(), dialect, host)).abort_handle();
        let accepting = tokio::spawn(accept(listener, Arc::new(entrance))).abort_handle();
        let beating = tokio::spawn(beat(audience.clone())).abort_handle();
        let keeping =
            tokio::spawn(lock_keeper::keep(Arc::downgrade(&lock), desk, events, host)).abort_handle();
        let dirs = options.lock_dirs;
        tokio::task::spawn_blocking(move || sweep(&dirs));
        Ok(Self { port, token, lock, audience, tasks: vec![accepting, pushing, beating, keeping], sessions })
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The token that clients have to bring.
    #[must_use]
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// Where it can be found.
    #[must_use]
    pub fn lock_files(&self) -> Vec<PathBuf> {
        self.lock.files().to_vec()
    }

    /// Removes the lock file, says goodbye to every client and waits a moment for them to go.
    pub async fn close(mut self) {
        self.stop();
        self.lock.remove();
        self.audience.dismiss(1001);
        let _ = timeout(GOODBYE, self.sessions.recv()).await;
    }

    fn stop(&mut self) {
        self.tasks.drain(..).for_each(|task| task.abort());
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.stop();
        self.audience.dismiss(1001);
    }
}

/// The old port and token if they can be had, else the fixed port, else any.
async fn listen(options: &DoorOptions) -> Result<(TcpListener, Token), DoorError> {
    let kept = options.remembered.as_ref().map(|kept| kept.token.clone());
    if let Some(port) = options.fixed_port {
        let token = kept.map_or_else(Token::random, Ok).map_err(DoorError::Token)?;
        return Ok((bind(port).await?, token));
    }
    if let Some(Remembered { port, token }) = &options.remembered {
        match bind(*port).await {
            Ok(listener) => return Ok((listener, token.clone())),
            Err(error) => {
                tracing::warn!(%error, "the old port is taken; clients of an earlier run will not come back")
            }
        }
    }
    // Another port is another door: who knew the old token must not get in.
    Ok((bind(0).await?, Token::random().map_err(DoorError::Token)?))
}

async fn bind(port: u16) -> Result<TcpListener, DoorError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| DoorError::Bind { port, error })
}

/// What every new connection is given.
struct Entrance {
    desk: Arc<Desk>,
    audience: Arc<Audience>,
    token: Token,
    dialect: Arc<Dialect>,
    host: Host,
    version: &'static str,
    alive: mpsc::Sender<()>,
}

async fn accept(listener: TcpListener, entrance: Arc<Entrance>) {
    let mut handshakes: VecDeque<AbortHandle> = VecDeque::with_capacity(HANDSHAKES);
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of descriptors, most likely: an accept loop without a pause would turn all CPU into log lines.
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(BACK_OFF).await;
                continue;
            }
        };
        handshakes.retain(|task| !task.is_finished());
        if handshakes.len() == HANDSHAKES {
            handshakes.pop_front().iter().for_each(AbortHandle::abort);
        }
        let entrance = Arc::clone(&entrance);
        handshakes.push_back(tokio::spawn(async move { entrance.receive(stream).await }).abort_handle());
    }
}

impl Entrance {
    /// The handshake. A client that is let in gets a task of its own, which no handshake limit touches.
    async fn receive(self: Arc<Self>, mut stream: TcpStream) {
        let _ = stream.set_nodelay(true);
        if let Ok(Ok(Some(read))) =
            timeout(handshake::PATIENCE, handshake::let_in(&mut stream, &self.token)).await
        {
            tokio::spawn(async move { self.seat(stream, read).await });
        }
    }

    async fn seat(&self, stream: TcpStream, read: Vec<u8>) {
        let _alive = self.alive.clone();
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE));
        let socket = WebSocketStream::from_partially_read(stream, read, Role::Server, Some(config)).await;
        let seat = self.desk.join();
        let client = seat.id();
        tracing::info!(client = client.0, "a client connected");
        let (desk, dialect, host, version) =
            (self.desk.clone(), self.dialect.clone(), self.host, self.version);
        let context = Arc::new(Context { desk, client, dialect, host, version });
        let (queue, receiver) = mpsc::channel(QUEUE);
        let leave = Arc::new(Leave::default());
        self.audience.add(client, queue, leave.clone());
        Session::new(socket, seat, context, receiver, leave).run().await;
        self.audience.remove(client);
        tracing::info!(client = client.0, "a client went away");
    }
}

/// A thousand clients are a thousand descriptors; the usual soft limit is 1024.
fn raise_descriptor_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(65_536, |maximum| maximum.min(65_536));
    if limit.current.is_some_and(|current| current < wanted) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum });
    }
}
