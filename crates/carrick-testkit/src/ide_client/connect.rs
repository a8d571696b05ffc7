//! Knocking at an IDE server's door: the CLI's own request to the byte, or one wrong in a chosen way.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::IdeClient;
use crate::claude::CLAUDE_VERSION;

/// How long a server may take to answer a knock.
const ANSWER: Duration = Duration::from_secs(10);

/// A head longer than this is not an answer to a handshake.
const MAX_HEAD: usize = 64 << 10;

/// A connection about to be tried.
#[derive(Debug, Clone)]
pub struct Connect {
    port: u16,
    path: String,
    host: String,
    protocols: Option<String>,
    token: Option<String>,
    extra: Vec<(String, String)>,
    pub(super) answer_pings: bool,
}

/// What came of it.
pub enum Attempt {
    /// The door opened.
    Accepted(IdeClient),
    /// The door stayed shut.
    Refused(Refusal),
}

/// An HTTP answer other than 101.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The head of the answer, for tests of its fields.
    pub head: String,
    /// What stands below it.
    pub body: String,
}

impl Connect {
    /// The request the CLI makes for a lock file with this port and token.
    pub fn new(port: u16, token: impl Into<String>) -> Self {
        Self {
            port,
            path: "/".into(),
            host: format!("127.0.0.1:{port}"),
            protocols: Some("mcp".into()),
            token: Some(token.into()),
            extra: Vec::new(),
            answer_pings: true,
        }
    }

    /// Leaves the token out.
    #[must_use]
    pub fn without_token(mut self) -> Self {
        self.token = None;
        self
    }

    /// Adds an `Origin`, as every browser does and the CLI never.
    #[must_use]
    pub fn origin(self, origin: &str) -> Self {
        self.header("Origin", origin)
    }

    /// Says another `Host`.
    #[must_use]
    pub fn host(mut self, host: &str) -> Self {
        host.clone_into(&mut self.host);
        self
    }

    /// Offers these subprotocols, or none at all.
    #[must_use]
    pub fn subprotocols(mut self, list: Option<&str>) -> Self {
        self.protocols = list.map(str::to_owned);
        self
    }

    /// Asks for another path.
    #[must_use]
    pub fn path(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// Adds any other header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.extra.push((name.into(), value.into()));
        self
    }

    /// Leaves the server's `ping` requests unanswered.
    #[must_use]
    pub fn ignore_pings(mut self) -> Self {
        self.answer_pings = false;
        self
    }

    /// Knocks and expects to be let in.
    pub async fn open(self) -> Result<IdeClient> {
        match self.attempt().await? {
            Attempt::Accepted(client) => Ok(client),
            Attempt::Refused(refusal) => bail!("the server refused: {} {}", refusal.status, refusal.body),
        }
    }

    /// Knocks and expects to be turned away.
    pub async fn refused(self) -> Result<Refusal> {
        match self.attempt().await? {
            Attempt::Accepted(_) => bail!("the server accepted a connection it should refuse"),
            Attempt::Refused(refusal) => Ok(refusal),
        }
    }

    /// Knocks and tells what came of it.
    pub async fn attempt(self) -> Result<Attempt> {
        match tokio::time::timeout(ANSWER, self.knock()).await {
            Ok(attempt) => attempt,
            Err(_) => bail!("no answer to the WebSocket handshake within {ANSWER:?}"),
        }
    }

    async fn knock(self) -> Result<Attempt> {
        let to = format!("127.0.0.1:{}", self.port);
        let mut stream = TcpStream::connect(&to).await.with_context(|| format!("connecting to {to}"))?;
        stream.set_nodelay(true)?;
        let key = generate_key();
        stream.write_all(self.head(&key).as_bytes()).await.context("sending the handshake")?;
        let (head, rest) = read_head(&mut stream).await?;
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.with_context(|| format!("not an HTTP answer: {head:?}"))?;
        if status != 101 {
            return Ok(Attempt::Refused(Refusal {
                status,
                body: read_body(stream, &head, rest).await,
                head,
            }));
        }
        self.check(&head, &key)?;
        // The server's bound is what is tested, so this side has none.
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let socket = WebSocketStream::from_partially_read(stream, rest, Role::Client, Some(config)).await;
        Ok(Attempt::Accepted(IdeClient::over(socket, self.answer_pings)))
    }

    /// The CLI's headers in the CLI's order.
    fn head(&self, key: &str) -> String {
        let mut head = format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\
             Sec-WebSocket-Key: {key}\r\n",
            self.path, self.host
        );
        let mut add = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
        if let Some(list) = &self.protocols {
            add("Sec-WebSocket-Protocol", list);
        }
        add("User-Agent", &format!("claude-code/{CLAUDE_VERSION} (cli)"));
        if let Some(token) = &self.token {
            add("X-Claude-Code-Ide-Authorization", token);
        }
        self.extra.iter().for_each(|(name, value)| add(name, value));
        head + "\r\n"
    }

    /// What the CLI checks before it takes a connection, and that no compression was agreed on: this client
    /// offers it as the CLI does but cannot undo it.
    fn check(&self, head: &str, key: &str) -> Result<()> {
        let accept = field(head, "sec-websocket-accept").unwrap_or_default();
        ensure!(accept == derive_accept_key(key.as_bytes()), "wrong Sec-WebSocket-Accept in {head:?}");
        let chosen = field(head, "sec-websocket-protocol");
        let wanted = self.protocols.as_ref().map(|_| "mcp");
        ensure!(chosen == wanted, "the CLI drops a server that chooses {chosen:?} instead of {wanted:?}");
        let extensions = field(head, "sec-websocket-extensions");
        ensure!(extensions.is_none(), "this client cannot speak {extensions:?}");
        Ok(())
    }
}

impl Refusal {
    /// A field of the head, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        field(&self.head, name)
    }
}

fn field<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    fields.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

async fn read_head(stream: &mut TcpStream) -> Result<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let rest = bytes.split_off(end + 4);
            return Ok((String::from_utf8_lossy(&bytes).into_owned(), rest));
        }
        ensure!(bytes.len() < MAX_HEAD, "the answer's head does not end");
        let read = stream.read_buf(&mut bytes).await.context("reading the answer to the handshake")?;
        ensure!(read > 0, "the server hung up without an answer");
    }
}

/// As far as the length or the end of the connection tells; a body is only ever shown to people.
async fn read_body(mut stream: TcpStream, head: &str, mut body: Vec<u8>) -> String {
    let length = field(head, "content-length").and_then(|length| length.parse().ok()).unwrap_or(usize::MAX);
    while body.len() < length {
        match stream.read_buf(&mut body).await {
            Ok(1..) => {}
            _ => break,
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}
