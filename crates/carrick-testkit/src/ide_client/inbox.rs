//! Everything a server sent, kept in order; whoever expects something takes it out once.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// How a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The close code, when the server sent a close frame with one.
    pub code: Option<u16>,
    /// Its reason, or what broke.
    pub reason: String,
}

/// Grows for as long as the client lives: it is the test's record, and a test is short.
#[derive(Debug, Clone, Default)]
pub(super) struct Inbox {
    state: Arc<Mutex<State>>,
    changed: Arc<watch::Sender<u64>>,
}

#[derive(Debug, Default)]
struct State {
    messages: Vec<Message>,
    closed: Option<Closed>,
}

#[derive(Debug)]
struct Message {
    value: Value,
    taken: bool,
}

impl Inbox {
    /// `taken` is for what has been dealt with on arrival.
    pub(super) fn put(&self, value: Value, taken: bool) {
        self.state.lock().unwrap().messages.push(Message { value, taken });
        self.changed.send_modify(|count| *count += 1);
    }

    pub(super) fn close(&self, closed: Closed) {
        self.state.lock().unwrap().closed.get_or_insert(closed);
        self.changed.send_modify(|count| *count += 1);
    }

    /// All messages so far, taken or not.
    pub(super) fn all(&self) -> Vec<Value> {
        self.state.lock().unwrap().messages.iter().map(|message| message.value.clone()).collect()
    }

    /// Those nobody has taken yet.
    pub(super) fn untaken(&self) -> Vec<Value> {
        let state = self.state.lock().unwrap();
        state.messages.iter().filter(|message| !message.taken).map(|message| message.value.clone()).collect()
    }

    fn try_take(&self, wanted: &dyn Fn(&Value) -> bool) -> Option<Value> {
        let mut state = self.state.lock().unwrap();
        let found = state.messages.iter_mut().find(|message| !message.taken && wanted(&message.value))?;
        found.taken = true;
        Some(found.value.clone())
    }

    /// Takes the oldest message that `wanted` accepts, waiting for it if need be; `None` when the connection
    /// ended first.
    pub(super) async fn take_or_end(
        &self,
        what: &str,
        wanted: impl Fn(&Value) -> bool,
        timeout: Duration,
    ) -> Result<Option<Value>> {
        let deadline = Instant::now() + timeout;
        let mut changed = self.changed.subscribe();
        loop {
            changed.borrow_and_update();
            let over = self.closed().is_some();
            if let Some(value) = self.try_take(&wanted) {
                return Ok(Some(value));
            }
            if over {
                return Ok(None);
            }
            if timeout_at(deadline, changed.changed()).await.is_err() {
                bail!("waited {timeout:?} for {what}, in vain; {}", self.told());
            }
        }
    }

    /// The same, where an ended connection is a failure.
    pub(super) async fn take(
        &self,
        what: &str,
        wanted: impl Fn(&Value) -> bool,
        timeout: Duration,
    ) -> Result<Value> {
        match self.take_or_end(what, wanted, timeout).await? {
            Some(value) => Ok(value),
            None => {
                bail!("the connection ended while waiting for {what}: {:?}; {}", self.closed(), self.told())
            }
        }
    }

    pub(super) fn closed(&self) -> Option<Closed> {
        self.state.lock().unwrap().closed.clone()
    }

    pub(super) async fn wait_closed(&self, timeout: Duration) -> Result<Closed> {
        let deadline = Instant::now() + timeout;
        let mut changed = self.changed.subscribe();
        loop {
            changed.borrow_and_update();
            if let Some(closed) = self.closed() {
                return Ok(closed);
            }
            if timeout_at(deadline, changed.changed()).await.is_err() {
                bail!("the server has not closed the connection within {timeout:?}; {}", self.told());
            }
        }
    }

    fn told(&self) -> String {
        let untaken = self.untaken().iter().map(|value| format!("\n  {value}")).collect::<String>();
        if untaken.is_empty() { "nothing else is waiting".into() } else { format!("still waiting:{untaken}") }
    }
}
