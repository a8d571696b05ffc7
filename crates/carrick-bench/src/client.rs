//! One client of the load: the CLI's part, with nothing around it that costs the load generator time.

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{ClientRequestBuilder, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::messages;
use crate::subject::Subject;

/// How many characters of a message are looked at to see what it is.
const HEAD: usize = 96;

/// What a server said.
pub(crate) enum Said {
    /// The answer to what was asked, or the echo of it.
    Answer,
    /// Something it said by itself.
    Push,
    /// It asked whether we are there; we have said yes.
    Ping,
}

/// A connection.
pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
    /// The other side is an MCP server and says more than answers.
    talks: bool,
}

impl Client {
    /// Through the upgrade, and no further.
    pub(crate) async fn connect(subject: &Subject) -> Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", subject.port)).await.context("connecting")?;
        stream.set_nodelay(true)?;
        let address = format!("ws://127.0.0.1:{}/", subject.port).parse()?;
        let request = ClientRequestBuilder::new(address)
            .with_header("X-Claude-Code-Ide-Authorization", subject.token.as_str());
        let config = WebSocketConfig::default().read_buffer_size(16 * 1024).max_frame_size(None);
        let (socket, _) = client_async_with_config(request, stream, Some(config)).await?;
        Ok(Self { socket, talks: subject.talks })
    }

    /// Through the whole opening, when the other side has one.
    pub(crate) async fn open(subject: &Subject) -> Result<Self> {
        let mut client = Self::connect(subject).await?;
        if subject.talks {
            client.initialize().await?;
            client.ask(&messages::list_tools()).await?;
        }
        Ok(client)
    }

    /// The first request and what the CLI says after its answer.
    pub(crate) async fn initialize(&mut self) -> Result<()> {
        self.ask(&messages::initialize()).await?;
        self.send(messages::initialized()).await
    }

    /// Sends and waits for the answer.
    pub(crate) async fn ask(&mut self, request: &Utf8Bytes) -> Result<()> {
        self.send(request.clone()).await?;
        self.answer().await
    }

    /// Queues without sending.
    pub(crate) async fn feed(&mut self, request: &Utf8Bytes) -> Result<()> {
        Ok(self.socket.feed(Message::Text(request.clone())).await?)
    }

    /// Sends what is queued.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        Ok(self.socket.flush().await?)
    }

    /// Waits for the next answer.
    pub(crate) async fn answer(&mut self) -> Result<()> {
        while !matches!(self.hear().await?, Said::Answer) {}
        Ok(())
    }

    /// Waits for whatever is said next.
    pub(crate) async fn hear(&mut self) -> Result<Said> {
        loop {
            let message = self.socket.next().await.context("the server closed the connection")??;
            match message {
                Message::Text(text) if self.talks => return self.understand(&text).await,
                Message::Text(text) => return Ok(echo_or_push(&text)),
                Message::Close(frame) => bail!("the server closed the connection: {frame:?}"),
                _ => {}
            }
        }
    }

    async fn understand(&mut self, text: &str) -> Result<Said> {
        let head = head(text);
        if head.contains("\"method\":\"ping\"") {
            let ping: Value = serde_json::from_str(text)?;
            let id = ping.get("id").cloned().unwrap_or_default();
            self.send(json!({ "jsonrpc": "2.0", "id": id, "result": {} }).to_string().into()).await?;
            return Ok(Said::Ping);
        }
        if head.contains("\"error\":") {
            bail!("the server answered with an error: {head}");
        }
        Ok(if head.contains("\"method\":") { Said::Push } else { Said::Answer })
    }

    async fn send(&mut self, text: Utf8Bytes) -> Result<()> {
        Ok(self.socket.send(Message::Text(text)).await?)
    }
}

/// A bare server sends either back what it got or the one thing it pushes.
fn echo_or_push(text: &str) -> Said {
    if head(text).contains(messages::SELECTION_CHANGED) { Said::Push } else { Said::Answer }
}

fn head(text: &str) -> &str {
    let end = text.char_indices().nth(HEAD).map(|(at, _)| at);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// A thousand connections are a thousand descriptors on either side.
pub(crate) fn raise_descriptor_limit() {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}
