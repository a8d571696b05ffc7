//! A WebSocket client that plays the CLI's part against an IDE server, frame for frame, or misbehaves on purpose.
//!
//! It reads in the background, so the server's pings are answered while a test is busy elsewhere, and all of
//! its methods take `&self`, so a call can wait while others are made.

mod connect;
mod inbox;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
pub use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::claude::CLAUDE_VERSION;
pub use connect::{Attempt, Connect, Refusal};
pub use inbox::Closed;
use inbox::Inbox;

/// How long an answer may take where no other time is given.
pub const PATIENCE: Duration = Duration::from_secs(10);

type Sink = Arc<Mutex<SplitSink<WebSocketStream<TcpStream>, Message>>>;

/// A connected client. Dropping it cuts the connection without a close frame, as a killed CLI does.
pub struct IdeClient {
    sink: Sink,
    inbox: Inbox,
    next_id: AtomicI64,
    reading: watch::Sender<bool>,
    reader: JoinHandle<()>,
}

/// What the two requests of a handshake gave.
#[derive(Debug, Clone)]
pub struct Handshake {
    /// The result of `initialize`.
    pub initialize: Value,
    /// The tools of `tools/list`.
    pub tools: Vec<Value>,
}

impl IdeClient {
    /// Connects as the CLI does; see [`Connect`] for other ways.
    pub async fn connect(port: u16, token: &str) -> Result<Self> {
        Connect::new(port, token).open().await
    }

    fn over(socket: WebSocketStream<TcpStream>, answer_pings: bool) -> Self {
        let (sink, stream) = socket.split();
        let sink = Arc::new(Mutex::new(sink));
        let inbox = Inbox::default();
        let (reading, may_read) = watch::channel(true);
        let pongs = answer_pings.then(|| sink.clone());
        let reader = tokio::spawn(read(stream, inbox.clone(), may_read, pongs));
        Self { sink, inbox, next_id: AtomicI64::new(0), reading, reader }
    }

    /// The CLI's opening: initialize, initialized, `ide_connected`, `tools/list`.
    pub async fn handshake(&self) -> Result<Handshake> {
        let initialize = self.request("initialize", initialize_params()).await?;
        self.send_raw(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await?;
        self.notify("ide_connected", json!({"pid": std::process::id()})).await?;
        let mut listed = self.request("tools/list", Value::Null).await?;
        let tools = listed["tools"].as_array_mut().map(std::mem::take);
        Ok(Handshake { initialize, tools: tools.context("tools/list answered without tools")? })
    }

    /// Calls a tool and waits for its result; a JSON-RPC error is an error here.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<Value> {
        let id = self.begin_call(tool, arguments).await?;
        result(self.reply(&id, PATIENCE).await?)
    }

    /// Calls a tool and returns the id of the call at once; fetch the answer with [`IdeClient::reply`].
    pub async fn begin_call(&self, tool: &str, arguments: Value) -> Result<Value> {
        let id = self.next_id();
        // The CLI uses the id of the request as its progress token.
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}});
        self.send_request("tools/call", &params, id).await
    }

    /// Makes a request and returns its result; a JSON-RPC error is an error here.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value> {
        result(self.exchange(method, params).await?)
    }

    /// Makes a request and returns the whole answer, result or error.
    pub async fn exchange(&self, method: &str, params: Value) -> Result<Value> {
        let id = self.send_request(method, &params, self.next_id()).await?;
        self.reply(&id, PATIENCE).await
    }

    /// Waits for the answer to a request, whatever kind of JSON its id is.
    pub async fn reply(&self, id: &Value, timeout: Duration) -> Result<Value> {
        let answers = |message: &Value| message.get("id") == Some(id) && message.get("method").is_none();
        self.inbox.take(&format!("the answer to request {id}"), answers, timeout).await
    }

    /// Sends a notification.
    pub async fn notify(&self, method: &str, params: Value) -> Result<()> {
        let method = Value::from(method);
        self.send_raw(format!(r#"{{"jsonrpc":"2.0","method":{method},"params":{params}}}"#)).await
    }

    /// Waits for a notification and returns its params.
    pub async fn expect_notification(&self, method: &str, timeout: Duration) -> Result<Value> {
        let wanted = |message: &Value| message["method"] == method && message.get("id").is_none();
        let message = self.inbox.take(&format!("the notification {method}"), wanted, timeout).await?;
        Ok(message["params"].clone())
    }

    /// Takes the oldest message nobody has taken yet, of any kind; `None` when the connection has ended.
    pub async fn next(&self, timeout: Duration) -> Result<Option<Value>> {
        self.inbox.take_or_end("a message", |_| true, timeout).await
    }

    /// Everything received so far, taken or not.
    pub fn received(&self) -> Vec<Value> {
        self.inbox.all()
    }

    /// What was received and not yet taken by a reply, an expected notification or [`IdeClient::next`].
    pub fn untaken(&self) -> Vec<Value> {
        self.inbox.untaken()
    }

    /// Sends text as it is, JSON or not.
    pub async fn send_raw(&self, text: impl Into<String>) -> Result<()> {
        self.send(Message::text(text.into())).await
    }

    /// Sends a binary message.
    pub async fn send_binary(&self, bytes: impl Into<Vec<u8>>) -> Result<()> {
        self.send(Message::binary(bytes.into())).await
    }

    /// Sends a text frame whose bytes need not be UTF-8, as only a broken client does.
    pub async fn send_text_bytes(&self, bytes: impl Into<Vec<u8>>) -> Result<()> {
        let frame = Frame::message(bytes.into(), OpCode::Data(Data::Text), true);
        self.send(Message::Frame(frame)).await
    }

    /// Sends one text message in frames of at most `size` bytes.
    pub async fn send_fragmented(&self, text: &str, size: usize) -> Result<()> {
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(size.max(1)).collect();
        for (index, piece) in pieces.iter().enumerate() {
            let kind = if index == 0 { Data::Text } else { Data::Continue };
            let last = index + 1 == pieces.len();
            let frame = Frame::message(piece.to_vec(), OpCode::Data(kind), last);
            self.send(Message::Frame(frame)).await?;
        }
        Ok(())
    }

    /// Sends any WebSocket message: pings, lone frames, wrong UTF-8.
    pub async fn send(&self, message: Message) -> Result<()> {
        self.sink.lock().await.send(message).await.context("sending to the IDE server")
    }

    /// Stops reading from the socket, so that the server's queue fills; `true` goes on again.
    pub fn set_reading(&self, reading: bool) {
        self.reading.send_replace(reading);
    }

    /// Closes in an orderly way. The CLI closes without a code.
    pub async fn close(&self, code: Option<u16>) -> Result<()> {
        let frame = code.map(|code| CloseFrame { code: code.into(), reason: "".into() });
        self.send(Message::Close(frame)).await
    }

    /// Waits until the connection is over and tells how it ended.
    pub async fn closed(&self, timeout: Duration) -> Result<Closed> {
        self.inbox.wait_closed(timeout).await
    }

    fn next_id(&self) -> i64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Keys stand in the CLI's order, and absent params are left out as it does.
    async fn send_request(&self, method: &str, params: &Value, id: i64) -> Result<Value> {
        let method = Value::from(method);
        let params = if params.is_null() { String::new() } else { format!(r#""params":{params},"#) };
        self.send_raw(format!(r#"{{"method":{method},{params}"jsonrpc":"2.0","id":{id}}}"#)).await?;
        Ok(id.into())
    }
}

impl Drop for IdeClient {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

fn result(mut reply: Value) -> Result<Value> {
    match reply.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => bail!("the server answered with an error: {}", reply["error"]),
    }
}

fn initialize_params() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {
            "roots": {"listChanged": true}, "elicitation": {},
            "extensions": {"io.modelcontextprotocol/tasks": {}},
        },
        "clientInfo": {
            "name": "claude-code", "title": "Claude Code", "version": CLAUDE_VERSION,
            "description": "Anthropic's agentic coding tool", "websiteUrl": "https://claude.com/claude-code",
        },
    })
}

async fn read(
    mut stream: SplitStream<WebSocketStream<TcpStream>>,
    inbox: Inbox,
    mut may_read: watch::Receiver<bool>,
    pongs: Option<Sink>,
) {
    loop {
        if may_read.wait_for(|reading| *reading).await.is_err() {
            return;
        }
        let next = tokio::select! {
            _ = may_read.changed() => continue,
            next = stream.next() => next,
        };
        match next {
            Some(Ok(Message::Text(text))) => arrived(text.as_str().as_bytes(), &inbox, pongs.as_ref()).await,
            Some(Ok(Message::Binary(bytes))) => arrived(&bytes, &inbox, pongs.as_ref()).await,
            Some(Ok(Message::Close(frame))) => {
                let code = frame.as_ref().map(|frame| frame.code.into());
                let reason = frame.map(|frame| frame.reason.to_string()).unwrap_or_default();
                inbox.close(Closed { code, reason });
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return inbox.close(Closed { code: None, reason: error.to_string() }),
            None => return inbox.close(Closed { code: None, reason: "no close frame".into() }),
        }
    }
}

/// What is not JSON is kept as a JSON string, so that a test sees it.
async fn arrived(bytes: &[u8], inbox: &Inbox, pongs: Option<&Sink>) {
    let text = || Value::String(String::from_utf8_lossy(bytes).into_owned());
    let value: Value = serde_json::from_slice(bytes).unwrap_or_else(|_| text());
    let ping = value["method"] == "ping" && value.get("id").is_some();
    match pongs.filter(|_| ping) {
        None => inbox.put(value, false),
        Some(sink) => {
            let pong = json!({"jsonrpc": "2.0", "id": value["id"], "result": {}}).to_string();
            inbox.put(value, true);
            // A failure shows in the reader as the end of the connection.
            let _ = sink.lock().await.send(Message::text(pong)).await;
        }
    }
}
