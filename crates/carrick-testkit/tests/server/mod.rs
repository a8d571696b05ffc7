//! The smallest IDE server there can be: it keeps the bytes of the upgrade and every message, and has one tool.

use std::sync::{Arc, Mutex};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

pub(crate) const TOKEN: &str = "3f0c2e3a-0000-4000-8000-carricktests";

/// One connection, as far as it has come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) head: Vec<String>,
    pub(crate) messages: Vec<Value>,
}

pub(crate) struct Server {
    pub(crate) port: u16,
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
    pub(crate) changed: watch::Receiver<u32>,
}

impl Server {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (changes, changed) = watch::channel(0);
        tokio::spawn(accept(listener, seen.clone(), changes));
        Self { port, seen, changed }
    }

    /// The connection numbered `index`, once `count` messages have come through it.
    pub(crate) async fn wait(&mut self, index: usize, count: usize) -> Seen {
        let seen = self.seen.clone();
        let there =
            move || seen.lock().unwrap().get(index).filter(|one| one.messages.len() >= count).cloned();
        let wait = self.changed.wait_for(|_| there().is_some());
        tokio::time::timeout(std::time::Duration::from_secs(30), wait).await.unwrap().unwrap();
        self.seen.lock().unwrap()[index].clone()
    }
}

async fn accept(listener: TcpListener, seen: Arc<Mutex<Vec<Seen>>>, changes: watch::Sender<u32>) {
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        let head = read_head(&mut stream).await;
        // The CLI may try a port with a bare connection first.
        let Some(key) = head.iter().find_map(|line| line.strip_prefix("Sec-WebSocket-Key: ")) else {
            continue;
        };
        let accept = derive_accept_key(key.as_bytes());
        let answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Accept: {accept}\r\nSec-WebSocket-Protocol: mcp\r\n\r\n"
        );
        stream.write_all(answer.as_bytes()).await.unwrap();
        let index = {
            let mut seen = seen.lock().unwrap();
            seen.push(Seen { head, messages: Vec::new() });
            seen.len() - 1
        };
        tokio::spawn(talk(stream, index, seen.clone(), changes.clone()));
    }
}

async fn read_head(stream: &mut TcpStream) -> Vec<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else { break };
        head.push(byte);
    }
    String::from_utf8(head).unwrap().lines().map(str::to_owned).collect()
}

async fn talk(stream: TcpStream, index: usize, seen: Arc<Mutex<Vec<Seen>>>, changes: watch::Sender<u32>) {
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, None).await;
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let asked: Value = serde_json::from_str(&text).unwrap();
        seen.lock().unwrap()[index].messages.push(asked.clone());
        changes.send_modify(|count| *count += 1);
        if let Some(result) = asked.get("id").and_then(|_| result(&asked)) {
            let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result});
            socket.send(Message::text(answer.to_string())).await.unwrap();
        }
    }
}

fn result(asked: &Value) -> Option<Value> {
    let tool = json!({"name": "depth", "description": "Sounds the depth", "inputSchema": {"type": "object"}});
    match asked["method"].as_str()? {
        "initialize" => Some(json!({
            "protocolVersion": asked["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "small", "version": "0"},
        })),
        "tools/list" => Some(json!({"tools": [tool]})),
        "tools/call" => Some(json!({"content": [{"type": "text", "text": "seven fathoms"}]})),
        _ => Some(json!({})),
    }
}
