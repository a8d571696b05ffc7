//! One conversation: requests are answered in their order, and events go out between them.
//!
//! There is no outgoing queue to overflow. One message is written at a time; while it is, nothing more is read, and
//! events wait in the desk's own bounded queue (a subscriber that falls behind is told how many it missed). A peer
//! that does not take a message within [`WRITE_PATIENCE`] is dropped.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use carrick_core::Event;
use serde::Serialize;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, WriteHalf};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::remote::Question;
use super::seated::Seated;
use super::{Entered, Room, desk, reviews};
use crate::link::framing::{BODY_LIMIT, FrameError, FrameReader, write_frame};
use crate::link::protocol::{self as p, Method, Note, Notes};
use crate::link::rpc::{self, Code, Message, RpcError};

/// How long a peer may take to read one message.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// Requests that may wait for the one before them. When there are more, nothing is read until one is answered.
const REQUESTS: usize = 64;

/// The peer is gone or must go.
struct Over;

/// A request of the peer.
struct Request {
    id: Value,
    method: String,
    params: Value,
}

/// A request at work, and the id to answer it under.
type Current = Pin<Box<dyn Future<Output = (Value, Result<Value, RpcError>)> + Send>>;

struct Talk<S> {
    room: Arc<Room>,
    output: WriteHalf<S>,
    entered: Option<Entered>,
    events: Option<Receiver<Event>>,
    notes: Notes,
    requests: VecDeque<Request>,
    current: Option<Current>,
    editor: Option<Seated>,
}

pub(super) async fn talk<S: AsyncRead + AsyncWrite>(stream: S, room: Arc<Room>) {
    let (input, output) = tokio::io::split(stream);
    let mut reader = FrameReader::new(input);
    let mut talk = Talk::new(room, output);
    loop {
        let may_read = talk.requests.len() < REQUESTS;
        let step = tokio::select! {
            frame = reader.next(), if may_read => match frame {
                Ok(Some(body)) => talk.hear(&body).await,
                Ok(None) => Err(Over),
                Err(error) => talk.misheard(&error).await,
            },
            (id, outcome) = done(&mut talk.current) => {
                talk.current = None;
                talk.reply(&id, outcome).await
            }
            question = next_question(&mut talk.editor) => talk.ask(question).await,
            event = next_event(&mut talk.events) => talk.tell(event).await,
        };
        if step.is_err() || talk.begin().await.is_err() {
            return;
        }
    }
}

async fn done(current: &mut Option<Current>) -> (Value, Result<Value, RpcError>) {
    match current {
        Some(current) => current.await,
        None => std::future::pending().await,
    }
}

async fn next_question(editor: &mut Option<Seated>) -> Question {
    match editor {
        Some(editor) => editor.next_question().await,
        None => std::future::pending().await,
    }
}

async fn next_event(events: &mut Option<Receiver<Event>>) -> Result<Event, RecvError> {
    match events {
        Some(events) => events.recv().await,
        None => std::future::pending().await,
    }
}

/// The map of the link: each method and the function that does it.
async fn answer(room: &Room, method: &str, params: Value) -> Result<Value, RpcError> {
    match method {
        p::Status::NAME => value(desk::status(room).await),
        p::Open::NAME => value(desk::open(room, rpc::parameters(params)?).await?),
        p::Select::NAME => value(desk::select(room, rpc::parameters(params)?).await?),
        p::Mention::NAME => value(desk::mention(room, rpc::parameters(params)?)?),
        p::FolderAdd::NAME => value(desk::add_folder(room, &rpc::parameters(params)?)?),
        p::FolderRemove::NAME => value(desk::remove_folder(room, rpc::parameters(params)?)?),
        p::ReviewList::NAME => value(reviews::list(room, rpc::parameters(params)?).await?),
        p::ReviewShow::NAME => value(reviews::show(room, rpc::parameters(params)?).await?),
        p::ReviewAccept::NAME => value(reviews::accept(room, rpc::parameters(params)?)?),
        p::ReviewReject::NAME => value(reviews::reject(room, rpc::parameters(params)?)?),
        p::ReviewForget::NAME => value(reviews::forget(room, rpc::parameters(params)?)?),
        p::Page::NAME => value(desk::page(room)),
        _ => Err(RpcError::new(Code::MethodNotFound, format!("there is no method {method:?}"))),
    }
}

impl<S: AsyncRead + AsyncWrite> Talk<S> {
    fn new(room: Arc<Room>, output: WriteHalf<S>) -> Self {
        Self {
            room,
            output,
            entered: None,
            events: None,
            notes: Notes::default(),
            requests: VecDeque::new(),
            current: None,
            editor: None,
        }
    }

    async fn hear(&mut self, body: &[u8]) -> Result<(), Over> {
        match rpc::read(body) {
            Ok(Message::Request { id, method, params }) => {
                self.requests.push_back(Request { id, method, params });
                Ok(())
            }
            Ok(Message::Notification { method, params }) => {
                if let Some(editor) = &self.editor {
                    editor.told(&method, params);
                }
                Ok(())
            }
            Ok(Message::Answer { id, outcome }) => {
                if let Some(editor) = &mut self.editor {
                    editor.answered(&id, outcome);
                }
                Ok(())
            }
            Err(refused) => self.reply(&refused.0, Err(refused.1)).await,
        }
    }

    /// Begins the requests that wait, until one takes its time. The stream is read on meanwhile: an editor may be
    /// asked about what it asks.
    async fn begin(&mut self) -> Result<(), Over> {
        while self.current.is_none()
            && let Some(Request { id, method, params }) = self.requests.pop_front()
        {
            if let Some(outcome) = self.answer_here(&method, &params) {
                self.reply(&id, outcome).await?;
                continue;
            }
            let room = Arc::clone(&self.room);
            self.current = Some(Box::pin(async move { (id, answer(&room, &method, params).await) }));
        }
        Ok(())
    }

    /// What concerns this conversation itself; `None` for everything else.
    fn answer_here(&mut self, method: &str, params: &Value) -> Option<Result<Value, RpcError>> {
        match method {
            p::Hello::NAME => Some(self.enter(params)),
            _ if self.entered.is_none() => Some(Err(RpcError::new(Code::HelloFirst, "say `hello` first"))),
            p::Subscribe::NAME => {
                self.events = Some(self.room.desk.events());
                Some(value(p::Empty {}))
            }
            p::Seat::NAME => Some(self.seat(params)),
            _ => None,
        }
    }

    fn enter(&mut self, params: &Value) -> Result<Value, RpcError> {
        let hello = rpc::parameters(params.clone())?;
        self.entered = Some(desk::hello(&self.room, hello)?);
        value(self.room.about())
    }

    fn seat(&mut self, params: &Value) -> Result<Value, RpcError> {
        let peer = self.entered.as_ref().and_then(Entered::line);
        let editor = peer.filter(|peer| peer.role == p::Role::Editor);
        let refused = || RpcError::new(Code::Refused, "only a peer with the role `editor` brings an editor");
        let editor = editor.ok_or_else(refused)?;
        let seated = Seated::take(&self.room.desk, editor.name, &rpc::parameters(params.clone())?);
        let number = seated.number();
        self.editor = Some(seated);
        value(p::SeatReply { editor: number })
    }

    async fn ask(&mut self, question: Question) -> Result<(), Over> {
        let Some(editor) = &mut self.editor else { return Ok(()) };
        match editor.asks(question) {
            Some(body) => self.write(&body).await,
            None => Ok(()),
        }
    }

    async fn misheard(&mut self, error: &FrameError) -> Result<(), Over> {
        let code = match error {
            FrameError::Io(_) | FrameError::Cut => return Err(Over),
            FrameError::Header(_) => Code::Parse,
            FrameError::TooLarge(_) => Code::InvalidRequest,
        };
        self.reply(&Value::Null, Err(RpcError::new(code, error.to_string()))).await?;
        if error.next_is_readable() { Ok(()) } else { Err(Over) }
    }

    async fn tell(&mut self, event: Result<Event, RecvError>) -> Result<(), Over> {
        let note = match event {
            Ok(event) => self.notes.note(&self.room.desk, &event),
            Err(RecvError::Lagged(count)) => Some(Note::Missed { count }),
            Err(RecvError::Closed) => return Err(Over),
        };
        match note.map(|note| rpc::notification(p::EVENT, &note)) {
            Some(Ok(body)) => self.write(&body).await,
            // Only a path that is not UTF-8 cannot be told; the desk still has it.
            Some(Err(_)) | None => Ok(()),
        }
    }

    async fn reply(&mut self, id: &Value, outcome: Result<Value, RpcError>) -> Result<(), Over> {
        let mut body = rpc::reply(id, outcome);
        if body.len() > BODY_LIMIT {
            let words = format!("the answer would have {} bytes, more than the link takes", body.len());
            body = rpc::reply(id, Err(RpcError::new(Code::Internal, words)));
        }
        self.write(&body).await
    }

    async fn write(&mut self, body: &[u8]) -> Result<(), Over> {
        let written = tokio::time::timeout(WRITE_PATIENCE, write_frame(&mut self.output, body)).await;
        if written.is_err() {
            tracing::warn!("a peer does not read and is dropped");
        }
        written.map_err(|_| Over)?.map_err(|_| Over)
    }
}

fn value(reply: impl Serialize) -> Result<Value, RpcError> {
    serde_json::to_value(reply).map_err(|error| RpcError::new(Code::Internal, error.to_string()))
}
