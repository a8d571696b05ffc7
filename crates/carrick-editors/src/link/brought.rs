//! A guest that brings an editor: it asks the host like any other, is asked itself, and tells what happens in the
//! editor.
//!
//! One task owns the stream. Each question of the host is answered in a task of its own, because one may wait for a
//! language server while the next wants a file opened; the host keeps the order where it matters by asking the next
//! thing only after the answer.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use carrick_core::{ClientId, Decision, Editor, Mention, ReviewId, Selection};
use serde::Serialize;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::framing::{FrameReader, write_frame};
use super::guest::{Guest, GuestError};
use super::protocol::{self as p, Abilities, EVENT, HelloReply, Method, Note};
use super::rpc::{self, Message, RpcError};

mod answer;

/// How long a host may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Messages that may wait to be written. When it is full the teller waits: the host reads, or is gone.
const OUTGOING: usize = 64;

/// Notes that may wait to be read. When it is full the newest is dropped: they are for a log.
const NOTES: usize = 256;

type Waiting = Arc<Mutex<HashMap<u64, oneshot::Sender<Result<Value, RpcError>>>>>;

/// An editor at a desk in another process. Dropping it is leaving.
pub struct Brought {
    host: HelloReply,
    out: mpsc::Sender<Vec<u8>>,
    notes: mpsc::Receiver<Note>,
    waiting: Waiting,
    last_id: AtomicU64,
    editor: Arc<dyn Editor>,
    talking: JoinHandle<()>,
}

impl Brought {
    /// Sits down with an editor that runs in this process.
    ///
    /// # Errors
    /// The host is gone or refuses.
    pub async fn seat<S>(
        guest: Guest<S>,
        editor: Arc<dyn Editor>,
        pid: Option<u32>,
    ) -> Result<Self, GuestError>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (reader, writer, host) = guest.into_parts();
        let (out, to_write) = mpsc::channel(OUTGOING);
        let (noted, notes) = mpsc::channel(NOTES);
        let waiting = Waiting::default();
        let talk =
            Talk { editor: Arc::clone(&editor), out: out.clone(), noted, waiting: Arc::clone(&waiting) };
        let talking = tokio::spawn(talk.run(reader, writer, to_write));
        let brought = Self { host, out, notes, waiting, last_id: AtomicU64::new(0), editor, talking };
        let abilities = abilities(&*brought.editor);
        brought.ask::<p::Seat>(&p::SeatParams { pid, abilities }).await?;
        brought.ask::<p::Subscribe>(&p::Empty {}).await?;
        Ok(brought)
    }

    /// What the host said about itself.
    #[must_use]
    pub fn host(&self) -> &HelloReply {
        &self.host
    }

    /// The next thing that happens at the desk; `None` when the host went away.
    pub async fn next(&mut self) -> Option<Note> {
        self.notes.recv().await
    }

    async fn ask<M: Method>(&self, params: &M::Params) -> Result<M::Reply, GuestError> {
        let unreadable = |error: serde_json::Error| GuestError::Unreadable(error.to_string());
        // The greeting had the number 1.
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 2;
        let body = rpc::request(id, M::NAME, params).map_err(unreadable)?;
        let (answer, answered) = oneshot::channel();
        lock(&self.waiting).insert(id, answer);
        let asked = async {
            self.out.send(body).await.map_err(|_| GuestError::Gone)?;
            Ok::<_, GuestError>(answered.await.map_err(|_| GuestError::Gone)??)
        };
        let result = timeout(PATIENCE, asked).await;
        lock(&self.waiting).remove(&id);
        serde_json::from_value(result.map_err(|_| GuestError::Silent)??).map_err(unreadable)
    }

    async fn tell(&self, method: &str, params: &impl Serialize) {
        // Only a path that is not UTF-8 cannot be told.
        if let Ok(body) = rpc::notification(method, params) {
            let _ = self.out.send(body).await;
        }
    }

    /// This is selected now.
    pub async fn select(&self, selection: Option<Selection>) {
        let selection = selection.map(|selection| p::Selected {
            path: selection.path,
            range: selection.range.into(),
            text: selection.text.to_string(),
        });
        self.tell("editor/selected", &p::SelectedParams { selection }).await;
    }

    /// The person is here.
    pub async fn focus(&self) {
        self.tell("editor/focused", &p::Empty {}).await;
    }

    /// The editor works in these folders.
    pub async fn folders(&self, folders: Vec<PathBuf>) {
        self.tell("editor/folders", &p::EditorFoldersParams { folders }).await;
    }

    /// Files were opened or closed.
    pub async fn tabs_changed(&self) {
        self.tell("editor/tabsChanged", &p::Empty {}).await;
    }

    /// The editor can do other things now.
    pub async fn abilities_changed(&self) {
        self.tell("editor/abilities", &abilities(&*self.editor)).await;
    }

    /// The person wants this in the prompt.
    ///
    /// # Errors
    /// What to say to the person.
    pub async fn mention(&self, mention: Mention, to: Option<ClientId>) -> Result<(), String> {
        let params = p::MentionParams {
            path: mention.path,
            line_start: mention.lines.map(|(start, _)| start),
            line_end: mention.lines.map(|(_, end)| end),
            client: to.map(|client| client.0),
        };
        self.ask::<p::Mention>(&params).await.map(|_| ()).map_err(|error| error.to_string())
    }

    /// The person decided.
    ///
    /// # Errors
    /// What to say to the person.
    pub async fn decide(&self, id: ReviewId, decision: Decision) -> Result<(), String> {
        let accept = p::ReviewAcceptParams { id: Some(id.0), ..p::ReviewAcceptParams::default() };
        let (hunks, contents) = match decision {
            Decision::Reject => {
                let reject = p::ReviewRejectParams { id: Some(id.0) };
                return self.ask::<p::ReviewReject>(&reject).await.map(|_| ()).map_err(|e| e.to_string());
            }
            Decision::Accept => (None, None),
            Decision::AcceptHunks(hunks) => (Some(hunks), None),
            Decision::AcceptWith(contents) => (None, Some(contents.to_string())),
        };
        let accept = p::ReviewAcceptParams { hunks, contents, ..accept };
        self.ask::<p::ReviewAccept>(&accept).await.map(|_| ()).map_err(|error| error.to_string())
    }
}

impl Drop for Brought {
    fn drop(&mut self) {
        self.talking.abort();
    }
}

fn abilities(editor: &dyn Editor) -> Abilities {
    Abilities {
        diagnose: editor.diagnose().is_some(),
        format: editor.format().is_some(),
        room: editor.room().is_some(),
    }
}

// Every change of the list is whole before anything after it could panic.
fn lock(waiting: &Waiting) -> MutexGuard<'_, HashMap<u64, oneshot::Sender<Result<Value, RpcError>>>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The task that owns the stream. Its end drops `noted`, by which the owner learns that the host is gone.
struct Talk {
    editor: Arc<dyn Editor>,
    out: mpsc::Sender<Vec<u8>>,
    noted: mpsc::Sender<Note>,
    waiting: Waiting,
}

impl Talk {
    async fn run<S: AsyncRead + AsyncWrite>(
        self,
        mut reader: FrameReader<ReadHalf<S>>,
        mut writer: WriteHalf<S>,
        mut to_write: mpsc::Receiver<Vec<u8>>,
    ) {
        let mut answering = JoinSet::new();
        loop {
            tokio::select! {
                frame = reader.next() => match frame {
                    Ok(Some(body)) => self.hear(&body, &mut answering),
                    Ok(None) | Err(_) => break,
                },
                Some(body) = to_write.recv() => {
                    if write_frame(&mut writer, &body).await.is_err() {
                        break;
                    }
                }
                Some(_) = answering.join_next() => {}
            }
        }
        lock(&self.waiting).clear();
    }

    fn hear(&self, body: &[u8], answering: &mut JoinSet<()>) {
        match rpc::read(body) {
            Ok(Message::Request { id, method, params }) => {
                let (editor, out) = (Arc::clone(&self.editor), self.out.clone());
                answering.spawn(async move {
                    let outcome = answer::answer(&*editor, &method, params).await;
                    let _ = out.send(rpc::reply(&id, outcome)).await;
                });
            }
            Ok(Message::Answer { id, outcome }) => {
                let waits = id.as_u64().and_then(|id| lock(&self.waiting).remove(&id));
                if let Some(answer) = waits {
                    let _ = answer.send(outcome);
                }
            }
            Ok(Message::Notification { method, params }) if method == EVENT => {
                if let Ok(note) = serde_json::from_value(params) {
                    let _ = self.noted.try_send(note);
                }
            }
            Ok(Message::Notification { .. }) => {}
            Err(refused) => tracing::warn!(error = %refused.1, "the desk said something that cannot be read"),
        }
    }
}
