//! A channel to Neovim: calls that are answered, and what Neovim says by itself.
//!
//! Reading and writing have a thread each, because the standard streams of a process can only be waited for that way.
//! Both end with the channel: Neovim closes its end, or [`Channel`] is dropped and the writer closes ours.

use std::collections::HashMap;
use std::io::{BufReader, Read, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmpv::Value;
use serde::de::DeserializeOwned;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::message::{self, Message};

/// How long Neovim may take to answer. It answers in milliseconds, unless it waits for a key of the person.
const PATIENCE: Duration = Duration::from_secs(10);

/// Messages to Neovim that may wait. When it is full Neovim does not read, and the call fails at once.
const TO_NEOVIM: usize = 256;

/// Messages from Neovim that may wait. When it is full the reader stops, and Neovim keeps them.
const FROM_NEOVIM: usize = 1024;

/// Answers that came before anyone waited for them. When there are more, the plug-in invents numbers: they are dropped.
const EARLY: usize = 64;

/// The plug-in's one entrance.
const ENTRANCE: &str = "return require('carrick.rpc').call(...)";

/// Why a call failed. The words are shown to people and to models.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NeovimError {
    /// The channel is closed.
    #[error("Neovim is gone")]
    Gone,
    /// A person typed the command.
    #[error("there is no Neovim at the other end of standard input")]
    NoChannel,
    /// No answer.
    #[error("Neovim has not answered for {} seconds: it may be waiting for a key", PATIENCE.as_secs())]
    Silent,
    /// Neovim or the plug-in says no.
    #[error("Neovim says: {0}")]
    Refused(String),
    /// The answer is not what the contract says.
    #[error("the plug-in's answer to `{0}` cannot be read: {1}")]
    Unreadable(String, String),
}

/// What Neovim says by itself.
#[derive(Debug)]
pub enum Incoming {
    /// It tells.
    Notification(String, Vec<Value>),
    /// It asks, under this number.
    Request(u32, String, Vec<Value>),
}

type Outcome = Result<Value, String>;

/// Those who wait for an answer, and the answers that nobody waits for yet.
#[derive(Default)]
struct Waiting {
    calls: HashMap<u32, oneshot::Sender<Outcome>>,
    later: HashMap<u64, oneshot::Sender<Outcome>>,
    early: HashMap<u64, Outcome>,
    closed: bool,
}

/// One end of a channel. Clones share it.
#[derive(Clone)]
pub struct Channel {
    out: SyncSender<Vec<u8>>,
    waiting: Arc<Mutex<Waiting>>,
    last: Arc<AtomicU32>,
}

impl Channel {
    /// Talks over these two streams. What Neovim says by itself comes out of the receiver; its end is the channel's.
    pub fn over(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> std::io::Result<(Self, mpsc::Receiver<Incoming>)> {
        let (out, to_write) = sync_channel(TO_NEOVIM);
        let (heard, incoming) = mpsc::channel(FROM_NEOVIM);
        let waiting = Arc::<Mutex<Waiting>>::default();
        let shared = Arc::clone(&waiting);
        let name = |name: &str| std::thread::Builder::new().name(name.into());
        name("nvim-read").spawn(move || listen(input, &shared, &heard))?;
        name("nvim-write").spawn(move || write(output, &to_write))?;
        Ok((Self { out, waiting, last: Arc::default() }, incoming))
    }

    /// Calls a function of Neovim's API.
    ///
    /// # Errors
    /// See [`NeovimError`].
    pub async fn call(&self, method: &str, params: Vec<Value>) -> Result<Value, NeovimError> {
        let id = self.last.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        if !lock(&self.waiting).expect_answer(id, answer) {
            return Err(NeovimError::Gone);
        }
        let waits = Waits { waiting: &self.waiting, id };
        self.send(message::request(id, method, params))?;
        let outcome = outcome(answered).await;
        drop(waits);
        outcome
    }

    /// Calls the plug-in, and waits if it says that it has to.
    ///
    /// # Errors
    /// See [`NeovimError`].
    pub async fn ask<T: DeserializeOwned>(&self, name: &str, args: Value) -> Result<T, NeovimError> {
        let params = vec![ENTRANCE.into(), Value::Array(vec![name.into(), args])];
        let mut value = self.call("nvim_exec_lua", params).await?;
        if let Some(id) = pending(&value) {
            let (answer, answered) = oneshot::channel();
            lock(&self.waiting).expect_later(id, answer);
            value = outcome(answered).await?;
        }
        read(value).map_err(|error| NeovimError::Unreadable(name.into(), error))
    }

    /// Answers a request.
    pub fn answer(&self, id: u32, outcome: Outcome) {
        let _ = self.send(message::answer(id, outcome));
    }

    fn send(&self, body: Vec<u8>) -> Result<(), NeovimError> {
        use std::sync::mpsc::TrySendError;
        self.out.try_send(body).map_err(|error| match error {
            TrySendError::Full(_) => NeovimError::Silent,
            TrySendError::Disconnected(_) => NeovimError::Gone,
        })
    }
}

/// Takes a call off the list when its caller no longer waits.
struct Waits<'a> {
    waiting: &'a Mutex<Waiting>,
    id: u32,
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        lock(self.waiting).calls.remove(&self.id);
    }
}

// Every change of the list is whole before anything after it could panic.
fn lock(waiting: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn outcome(answered: oneshot::Receiver<Outcome>) -> Result<Value, NeovimError> {
    match timeout(PATIENCE, answered).await {
        Ok(Ok(outcome)) => outcome.map_err(NeovimError::Refused),
        Ok(Err(_)) => Err(NeovimError::Gone),
        Err(_) => Err(NeovimError::Silent),
    }
}

impl Waiting {
    /// False when there will be no answer.
    fn expect_answer(&mut self, id: u32, answer: oneshot::Sender<Outcome>) -> bool {
        if !self.closed {
            self.calls.insert(id, answer);
        }
        !self.closed
    }

    fn expect_later(&mut self, id: u64, answer: oneshot::Sender<Outcome>) {
        // One whose caller gave up is of no use to anyone.
        self.later.retain(|_, waits| !waits.is_closed());
        match self.early.remove(&id) {
            Some(outcome) => drop(answer.send(outcome)),
            None if !self.closed => drop(self.later.insert(id, answer)),
            None => {}
        }
    }

    fn came(&mut self, id: u64, outcome: Outcome) {
        match self.later.remove(&id) {
            Some(answer) => drop(answer.send(outcome)),
            None if self.early.len() < EARLY => drop(self.early.insert(id, outcome)),
            None => {}
        }
    }
}

/// Sorts what comes: answers to their callers, everything else to the receiver.
fn listen(input: impl Read, waiting: &Mutex<Waiting>, heard: &mpsc::Sender<Incoming>) {
    let mut input = BufReader::with_capacity(64 << 10, input);
    while let Some(message) = message::read(&mut input) {
        let incoming = match message {
            Message::Answer { id, outcome } => {
                if let Some(answer) = lock(waiting).calls.remove(&id) {
                    let _ = answer.send(outcome);
                }
                continue;
            }
            Message::Notification { params, .. } if is_done(&params) => {
                if let Some((id, outcome)) = params.get(1).and_then(done) {
                    lock(waiting).came(id, outcome);
                }
                continue;
            }
            Message::Notification { method, params } => Incoming::Notification(method, params),
            Message::Request { id, method, params } => Incoming::Request(id, method, params),
        };
        if heard.blocking_send(incoming).is_err() {
            break;
        }
    }
    let mut waiting = lock(waiting);
    *waiting = Waiting { closed: true, ..Waiting::default() };
}

fn write(mut output: impl Write, bodies: &Receiver<Vec<u8>>) {
    while let Ok(body) = bodies.recv() {
        if output.write_all(&body).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

fn is_done(params: &[Value]) -> bool {
    params.first().and_then(Value::as_str) == Some("done")
}

fn done(payload: &Value) -> Option<(u64, Outcome)> {
    let id = field(payload, "id")?.as_u64()?;
    let outcome = match field(payload, "error").filter(|error| !error.is_nil()) {
        Some(error) => Err(error.as_str().unwrap_or("it failed").to_owned()),
        None => Ok(field(payload, "value").cloned().unwrap_or(Value::Nil)),
    };
    Some((id, outcome))
}

fn pending(value: &Value) -> Option<u64> {
    field(value, "pending")?.as_u64()
}

fn field<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let (_, found) = value.as_map()?.iter().find(|(key, _)| key.as_str() == Some(name))?;
    Some(found)
}

/// Reads a value as one of the contract's shapes.
pub(super) fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    let value = readable(value);
    // Lua does not tell an empty map from an empty list.
    let empty = value.as_array().is_some_and(Vec::is_empty);
    match rmpv::ext::from_value(value) {
        Err(_) if empty => {
            rmpv::ext::from_value(Value::Map(Vec::new())).map_err(|error: rmpv::ext::Error| error.to_string())
        }
        read => read.map_err(|error| error.to_string()),
    }
}

/// Lua's strings are bytes: what is not UTF-8 is read as well as it can be, so that one odd line does not hide a file.
fn readable(value: Value) -> Value {
    match value {
        Value::String(text) => {
            let lossy = |text: rmpv::Utf8String| String::from_utf8_lossy(text.as_bytes()).into_owned();
            if text.is_str() { Value::String(text) } else { lossy(text).into() }
        }
        Value::Binary(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
        Value::Array(items) => Value::Array(items.into_iter().map(readable).collect()),
        Value::Map(pairs) => {
            Value::Map(pairs.into_iter().map(|(key, value)| (readable(key), readable(value))).collect())
        }
        other => other,
    }
}
