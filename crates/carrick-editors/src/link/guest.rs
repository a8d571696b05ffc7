//! The asking side of the link: a shell command, a viewer, later an editor's plug-in.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf};
use tokio::net::UnixStream;

use super::framing::{FrameError, FrameReader, write_frame};
use super::protocol::{EVENT, Hello, HelloParams, HelloReply, Method, Note, Role, VERSION};
use super::rpc::{self, Message, RpcError};

/// How long a host may take to answer. It does nothing slow: one that is silent for so long is stuck or stopped.
const PATIENCE: Duration = Duration::from_secs(20);

/// Notes kept while an answer is awaited. When there are more the oldest is dropped, as the host would do.
const NOTES_WAITING: usize = 1024;

/// Why asking failed.
#[derive(Debug, thiserror::Error)]
pub enum GuestError {
    /// Nobody listens there.
    #[error("cannot join the desk at {}: {error}", .socket.display())]
    Join {
        /// The socket.
        socket: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The host said no.
    #[error(transparent)]
    Refused(#[from] RpcError),
    /// The host went away.
    #[error("the desk went away before it answered")]
    Gone,
    /// The host is silent.
    #[error("the desk has not answered for {} seconds", PATIENCE.as_secs())]
    Silent,
    /// What came cannot be read.
    #[error("the desk's answer cannot be read: {0}")]
    Unreadable(String),
}

/// A joined peer.
pub struct Guest<S> {
    reader: FrameReader<ReadHalf<S>>,
    writer: WriteHalf<S>,
    last_id: u64,
    notes: VecDeque<Note>,
    host: HelloReply,
}

impl Guest<UnixStream> {
    /// Joins the desk at this socket.
    ///
    /// # Errors
    /// Nobody is there, or it refuses.
    pub async fn join(socket: &Path, role: Role, name: &str) -> Result<Self, GuestError> {
        let stream = UnixStream::connect(socket).await;
        let stream = stream.map_err(|error| GuestError::Join { socket: socket.into(), error })?;
        Self::greet(stream, role, name).await
    }
}

impl<S: AsyncRead + AsyncWrite> Guest<S> {
    /// Says hello over any stream.
    ///
    /// # Errors
    /// The other side refuses or does not speak the link.
    pub async fn greet(stream: S, role: Role, name: &str) -> Result<Self, GuestError> {
        let (reader, writer) = tokio::io::split(stream);
        let reader = FrameReader::new(reader);
        let mut guest =
            Self { reader, writer, last_id: 0, notes: VecDeque::new(), host: HelloReply::default() };
        let hello = HelloParams { version: VERSION, role, name: name.into(), pid: std::process::id() };
        guest.host = guest.ask::<Hello>(&hello).await?;
        Ok(guest)
    }

    /// The two ends of the stream and what the host said, for one that is asked as well as asks.
    pub(super) fn into_parts(self) -> (FrameReader<ReadHalf<S>>, WriteHalf<S>, HelloReply) {
        (self.reader, self.writer, self.host)
    }

    /// What the host said about itself when we joined.
    #[must_use]
    pub fn host(&self) -> &HelloReply {
        &self.host
    }

    /// Asks for something and waits for the answer.
    ///
    /// # Errors
    /// See [`GuestError`].
    pub async fn ask<M: Method>(&mut self, params: &M::Params) -> Result<M::Reply, GuestError> {
        let unreadable = |error: serde_json::Error| GuestError::Unreadable(error.to_string());
        self.last_id += 1;
        let body = rpc::request(self.last_id, M::NAME, params).map_err(unreadable)?;
        let answered = async {
            // A host that closes while we write has often said why: the reading below finds that.
            let _ = write_frame(&mut self.writer, &body).await;
            self.answer().await
        };
        let result = tokio::time::timeout(PATIENCE, answered).await.map_err(|_| GuestError::Silent)??;
        serde_json::from_value(result).map_err(unreadable)
    }

    async fn answer(&mut self) -> Result<Value, GuestError> {
        loop {
            match self.message().await?.ok_or(GuestError::Gone)? {
                Message::Answer { id, outcome } if id == json!(self.last_id) => return Ok(outcome?),
                Message::Notification { method, params } => self.keep(&method, params),
                Message::Answer { .. } | Message::Request { .. } => {}
            }
        }
    }

    /// The next thing that happens; `None` when the host went away. Only after `subscribe`.
    pub async fn next_note(&mut self) -> Option<Note> {
        loop {
            if let Some(note) = self.notes.pop_front() {
                return Some(note);
            }
            if let Message::Notification { method, params } = self.message().await.ok()?? {
                self.keep(&method, params);
            }
        }
    }

    fn keep(&mut self, method: &str, params: Value) {
        // A newer host may tell of things we have no word for: they are not for us.
        let Ok(note) = serde_json::from_value(params) else { return };
        if method == EVENT {
            if self.notes.len() == NOTES_WAITING {
                self.notes.pop_front();
            }
            self.notes.push_back(note);
        }
    }

    async fn message(&mut self) -> Result<Option<Message>, GuestError> {
        let body = match self.reader.next().await {
            Ok(Some(body)) => body,
            Ok(None) | Err(FrameError::Cut | FrameError::Io(_)) => return Ok(None),
            Err(error) => return Err(GuestError::Unreadable(error.to_string())),
        };
        rpc::read(&body).map(Some).map_err(|refused| GuestError::Unreadable(refused.1.message))
    }
}
