//! The two things a transcript needs from the outside: somebody to talk with, and hands.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::ide_client::IdeClient;

/// The other side of a conversation.
pub trait Peer {
    /// Sends one message as it stands.
    fn send(&mut self, text: String) -> impl Future<Output = Result<()>> + Send;

    /// The next message, or `None` when the other side has gone. No message in time is an error.
    fn receive(&mut self, within: Duration) -> impl Future<Output = Result<Option<Value>>> + Send;
}

/// What `$` lines do: accept a review, move a selection, …
pub trait Actions {
    /// Does what `line` says, or tells why it cannot.
    fn act(&mut self, line: &str) -> impl Future<Output = Result<()>> + Send;
}

/// For transcripts without `$` lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoActions;

impl Actions for NoActions {
    async fn act(&mut self, line: &str) -> Result<()> {
        bail!("nobody is there to do {line:?}; pass Actions to `run`")
    }
}

impl<F, Done> Actions for F
where
    F: FnMut(String) -> Done + Send,
    Done: Future<Output = Result<()>> + Send,
{
    fn act(&mut self, line: &str) -> impl Future<Output = Result<()>> + Send {
        self(line.to_owned())
    }
}

impl Peer for IdeClient {
    fn send(&mut self, text: String) -> impl Future<Output = Result<()>> + Send {
        self.send_raw(text)
    }

    fn receive(&mut self, within: Duration) -> impl Future<Output = Result<Option<Value>>> + Send {
        self.next(within)
    }
}

/// A peer in the same process, over two bounded channels of JSON texts; a full one makes the sender wait.
#[derive(Debug)]
pub struct ChannelPeer {
    /// To the other side.
    pub to: mpsc::Sender<String>,
    /// From the other side.
    pub from: mpsc::Receiver<String>,
}

impl ChannelPeer {
    /// Two ends, each the other's peer.
    pub fn pair(bound: usize) -> (Self, Self) {
        let (to_left, from_right) = mpsc::channel(bound);
        let (to_right, from_left) = mpsc::channel(bound);
        (Self { to: to_right, from: from_right }, Self { to: to_left, from: from_left })
    }
}

impl Peer for ChannelPeer {
    async fn send(&mut self, text: String) -> Result<()> {
        self.to.send(text).await.context("the other side has gone")
    }

    async fn receive(&mut self, within: Duration) -> Result<Option<Value>> {
        match tokio::time::timeout(within, self.from.recv()).await {
            Ok(None) => Ok(None),
            Ok(Some(text)) => Ok(Some(serde_json::from_str(&text).unwrap_or(Value::String(text)))),
            Err(_) => bail!("no message within {within:?}"),
        }
    }
}
