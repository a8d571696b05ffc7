//! The talk with one language server: requests find their answers, and nobody waits longer than they said.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::wire::{ASK_AGAIN, WireError};

/// Messages that may wait for a server to read them. One that lets so many pile up has stopped reading: it is ended
/// and started again.
const OUTGOING: usize = 256;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub(super) enum Refusal {
    /// The server is gone.
    Gone,
    /// It did not answer in time.
    Slow,
    /// It said no.
    Said(WireError),
}

impl Refusal {
    /// It was disturbed by a change, and the same question may be answered now.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self, Self::Said(error) if ASK_AGAIN.contains(&error.code))
    }

    /// For the one who asked.
    pub(super) fn words(&self, server: &str) -> String {
        match self {
            Self::Gone => format!("{server} ended before it answered: ask again"),
            Self::Slow => {
                format!("{server} did not answer in time: it may still be reading the workspace, ask again")
            }
            Self::Said(error) => format!("{server} refused: {}", error.message),
        }
    }
}

/// What is to be done with an answer.
enum Expected {
    /// Somebody waits for it.
    Call(oneshot::Sender<Result<Value, WireError>>),
    /// Whatever the server says from here on is about this version of the file, or a newer one.
    Fence(PathBuf, i64),
}

/// One end of the pipe to a server.
pub(super) struct Connection {
    outgoing: mpsc::Sender<Vec<u8>>,
    expected: Mutex<(u64, HashMap<u64, Expected>)>,
    deaf: Notify,
}

impl Connection {
    /// A connection, and what is to be written to the server.
    pub(super) fn new() -> (Self, mpsc::Receiver<Vec<u8>>) {
        let (outgoing, to_write) = mpsc::channel(OUTGOING);
        (Self { outgoing, expected: Mutex::default(), deaf: Notify::new() }, to_write)
    }

    fn expected(&self) -> MutexGuard<'_, (u64, HashMap<u64, Expected>)> {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn expect(&self, what: Expected) -> u64 {
        let mut expected = self.expected();
        expected.0 += 1;
        let id = expected.0;
        expected.1.insert(id, what);
        id
    }

    fn send(&self, message: &Value) -> Result<(), Refusal> {
        match self.outgoing.try_send(message.to_string().into_bytes()) {
            Ok(()) => Ok(()),
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.give_up();
                Err(Refusal::Gone)
            }
            Err(mpsc::error::TrySendError::Closed(_)) => Err(Refusal::Gone),
        }
    }

    /// The server is to be ended: it does not read, or cannot be talked to.
    pub(super) fn give_up(&self) {
        self.deaf.notify_one();
    }

    /// Waits until somebody has given up.
    pub(super) async fn given_up(&self) {
        self.deaf.notified().await;
    }

    /// Tells the server something.
    pub(super) fn notify(&self, method: &str, params: &Value) -> Result<(), Refusal> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Asks the server something. Dropping the future, or the end of the time, takes the question back.
    pub(super) async fn request(
        &self,
        method: &str,
        params: Value,
        until: Instant,
    ) -> Result<Value, Refusal> {
        let (answer, answered) = oneshot::channel();
        let call = Call { connection: self, id: self.expect(Expected::Call(answer)) };
        self.send(&json!({ "jsonrpc": "2.0", "id": call.id, "method": method, "params": params }))?;
        match timeout_at(until, answered).await {
            Ok(Ok(outcome)) => outcome.map_err(Refusal::Said),
            Ok(Err(_)) => Err(Refusal::Gone),
            Err(_) => Err(Refusal::Slow),
        }
    }

    /// A question that no server knows: the refusal comes back when everything said before has been heard, and all
    /// that the server had written by then has been read.
    pub(super) fn fence(&self, path: PathBuf, version: i64) {
        let id = self.expect(Expected::Fence(path, version));
        let _ = self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "$/carrick/fence", "params": {} }));
    }

    /// Answers a question of the server.
    pub(super) fn reply(&self, id: &Value, outcome: Result<Value, (i64, &str)>) {
        let message = match outcome {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err((code, message)) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
            }
        };
        let _ = self.send(&message);
    }

    /// An answer has come. Gives back the fence, if it was one.
    pub(super) fn answered(&self, id: &Value, outcome: Result<Value, WireError>) -> Option<(PathBuf, i64)> {
        let expected = id.as_u64().and_then(|id| self.expected().1.remove(&id))?;
        match expected {
            Expected::Call(answer) => {
                // Whoever asked may have stopped waiting.
                let _ = answer.send(outcome);
                None
            }
            Expected::Fence(path, version) => Some((path, version)),
        }
    }

    /// Nothing will be answered any more.
    pub(super) fn close(&self) {
        self.expected().1.clear();
    }
}

/// A question that is under way.
struct Call<'a> {
    connection: &'a Connection,
    id: u64,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        if self.connection.expected().1.remove(&self.id).is_some() {
            let _ = self.connection.notify("$/cancelRequest", &json!({ "id": self.id }));
        }
    }
}
