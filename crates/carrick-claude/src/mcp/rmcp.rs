//! Servers made with the official Rust SDK, on a transport whose other end is the control protocol.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{Sink, Stream, sink, stream};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::{RoleServer, Service, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::AbortHandle;

use super::McpServer;
use crate::json::Raw;

/// Messages for the server; when it is full, the control request waits and so does the CLI.
const INCOMING: usize = 64;

/// What it says of its own accord; when the CLI is slower than this, the oldest go.
const UNASKED: usize = 256;

type Waiting = Arc<Mutex<HashMap<String, oneshot::Sender<Value>>>>;

/// A server of the `rmcp` crate, for [`crate::Options::sdk_server`]. It runs while this value lives.
pub struct RmcpServer {
    incoming: mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
    outgoing: Outgoing,
    task: AbortHandle,
}

/// Where the server's messages go: answers to who waits for them, the rest to every session.
#[derive(Clone)]
struct Outgoing {
    waiting: Waiting,
    unasked: broadcast::Sender<Value>,
}

impl RmcpServer {
    /// Runs `service` on the current tokio runtime.
    pub fn new<S: Service<RoleServer>>(service: S) -> Self {
        let (incoming, messages) = mpsc::channel(INCOMING);
        let outgoing = Outgoing { waiting: Waiting::default(), unasked: broadcast::Sender::new(UNASKED) };
        let transport = (sorted(outgoing.clone()), Box::pin(received(messages)));
        let task = tokio::spawn(async move {
            match service.serve(transport).await {
                Ok(running) => drop(running.waiting().await),
                Err(error) => tracing::warn!(%error, "an in-process MCP server did not start"),
            }
        });
        Self { incoming, outgoing, task: task.abort_handle() }
    }

    async fn ask(&self, message: &Value) -> Option<Value> {
        let id = message.get("id").filter(|id| !id.is_null()).cloned();
        let fail = |code: i64, text: String| {
            let error = json!({"code": code, "message": text});
            id.as_ref().map(|id| json!({"jsonrpc": "2.0", "id": id, "error": error}))
        };
        let parsed = match serde_json::from_value(message.clone()) {
            Ok(parsed) => parsed,
            Err(error) => return fail(-32600, error.to_string()),
        };
        // Neither a notification nor the answer to a question of the server is answered.
        let Some(id) = id.as_ref().filter(|_| message.get("method").is_some()) else {
            let _ = self.incoming.send(parsed).await;
            return None;
        };
        let (sender, answer) = oneshot::channel();
        self.outgoing.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_string(), sender);
        if self.incoming.send(parsed).await.is_err() {
            return fail(-32603, "the server has ended".into());
        }
        match answer.await {
            Ok(answer) => Some(answer),
            Err(_) => fail(-32603, "the server has ended".into()),
        }
    }
}

impl McpServer for RmcpServer {
    fn message(&self, message: Raw) -> BoxFuture<'_, Option<Value>> {
        Box::pin(async move { self.ask(&message.value()).await })
    }

    fn unasked(&self) -> BoxStream<'static, Value> {
        Box::pin(stream::unfold(self.outgoing.unasked.subscribe(), |mut unasked| async move {
            loop {
                match unasked.recv().await {
                    Ok(message) => return Some((message, unasked)),
                    Err(RecvError::Lagged(lost)) => tracing::warn!(lost, "an MCP server speaks too fast"),
                    Err(RecvError::Closed) => return None,
                }
            }
        }))
    }
}

impl Drop for RmcpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl fmt::Debug for RmcpServer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("RmcpServer")
    }
}

fn received(
    messages: mpsc::Receiver<RxJsonRpcMessage<RoleServer>>,
) -> impl Stream<Item = RxJsonRpcMessage<RoleServer>> + Send {
    stream::unfold(messages, |mut messages| async move { Some((messages.recv().await?, messages)) })
}

/// Sends each message where it belongs.
fn sorted(
    outgoing: Outgoing,
) -> std::pin::Pin<Box<impl Sink<TxJsonRpcMessage<RoleServer>, Error = serde_json::Error> + Send>> {
    Box::pin(sink::unfold(outgoing, |outgoing, message: TxJsonRpcMessage<RoleServer>| async move {
        outgoing.sort(serde_json::to_value(&message)?);
        Ok(outgoing)
    }))
}

impl Outgoing {
    fn sort(&self, message: Value) {
        if message.get("method").is_some() {
            // Without a session there is nobody to hear it.
            let _ = self.unasked.send(message);
            return;
        }
        let id = message.get("id").map(Value::to_string).unwrap_or_default();
        let waiter = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        if let Some(waiter) = waiter {
            let _ = waiter.send(message);
        }
    }
}

#[cfg(test)]
#[path = "rmcp_tests.rs"]
mod tests;
