//! Who may come in: the HTTP request before the WebSocket, read and answered by hand.
//!
//! Loopback is no boundary: every web page can reach it. So the request must carry the token, which no browser can
//! set, must carry no Origin, and must have asked for a loopback host. All of that is decided before the upgrade,
//! within limits of size, count and time, and with the same few words to everyone.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::token::Token;

/// A request that is not whole after this time is dropped.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes and headers beyond which a request is refused.
const MAX_HEAD: usize = 8 * 1024;
const MAX_HEADERS: usize = 64;

/// The header that carries the token.
const TOKEN_HEADER: &str = "x-claude-code-ide-authorization";

/// A refusal: the status line and what to say to a person who looks.
#[derive(Debug, PartialEq, Eq)]
struct Refusal(&'static str, &'static str);

const TOO_LARGE: Refusal = Refusal("431 Request Header Fields Too Large", "The request is too large.");
const NOT_HTTP: Refusal = Refusal("400 Bad Request", "This is not an HTTP request.");
const ORIGIN: Refusal =
    Refusal("403 Forbidden", "Requests with an Origin are refused: no web page may come in.");
const HOST: Refusal = Refusal("403 Forbidden", "The Host is not a loopback address.");
const TOKEN: Refusal = Refusal("401 Unauthorized", "The token is missing or wrong. It is in the lock file.");
const UPGRADE: Refusal = Refusal("426 Upgrade Required", "This is a WebSocket server.");
const SUBPROTOCOL: Refusal = Refusal("400 Bad Request", "The subprotocol must be mcp.");

/// Reads the request and answers it: `Some` with the bytes that came after it when the client is let in.
///
/// # Errors
/// The connection broke.
pub(crate) async fn let_in(stream: &mut TcpStream, token: &Token) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::with_capacity(1024);
    let verdict = loop {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
        match judge(&bytes, token) {
            Verdict::Unfinished => {}
            decided => break decided,
        }
    };
    match verdict {
        Verdict::Welcome { length, answer } => {
            stream.write_all(answer.as_bytes()).await?;
            Ok(Some(bytes.split_off(length)))
        }
        Verdict::Refused(refusal) => refuse(stream, &refusal).await.map(|()| None),
        Verdict::Unfinished => Ok(None),
    }
}

async fn refuse(stream: &mut TcpStream, Refusal(status, words): &Refusal) -> std::io::Result<()> {
    tracing::info!(status, "refused a connection");
    let length = words.len() + 1;
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
         Sec-WebSocket-Version: 13\r\nConnection: close\r\n\r\n{words}\n"
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // Closing with unread bytes resets the connection and takes the answer with it: read what is on its way.
    let mut rest = [0; 1024];
    for _ in 0..64 {
        if stream.read(&mut rest).await? == 0 {
            break;
        }
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Unfinished,
    Refused(Refusal),
    Welcome { length: usize, answer: String },
}

fn judge(bytes: &[u8], token: &Token) -> Verdict {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => match check(&request, token) {
            Ok(answer) => Verdict::Welcome { length, answer },
            Err(refusal) => Verdict::Refused(refusal),
        },
        Ok(httparse::Status::Partial) if bytes.len() < MAX_HEAD => Verdict::Unfinished,
        Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => Verdict::Refused(TOO_LARGE),
        Err(_) => Verdict::Refused(NOT_HTTP),
    }
}

/// The secrets first: who has not shown one learns nothing else about this server.
fn check(request: &httparse::Request<'_, '_>, token: &Token) -> Result<String, Refusal> {
    let all = |name: &'static str| {
        let named = request.headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name));
        named.map(|header| header.value)
    };
    let only = |name| Some(all(name).next()?).filter(|_| all(name).count() == 1);
    if all("origin").next().is_some() {
        return Err(ORIGIN);
    }
    if !only("host").is_some_and(is_loopback) {
        return Err(HOST);
    }
    if !only(TOKEN_HEADER).is_some_and(|brought| token.matches(brought)) {
        return Err(TOKEN);
    }
    let has =
        |name, word: &str| all(name).any(|value| words(value).any(|found| found.eq_ignore_ascii_case(word)));
    let upgrade =
        request.method == Some("GET") && has("upgrade", "websocket") && has("connection", "upgrade");
    let key = only("sec-websocket-key").filter(|key| key.len() == 24);
    let (true, true, Some(key)) = (upgrade, has("sec-websocket-version", "13"), key) else {
        return Err(UPGRADE);
    };
    let subprotocol = match (all("sec-websocket-protocol").next(), has("sec-websocket-protocol", "mcp")) {
        (None, _) => "",
        (Some(_), true) => "Sec-WebSocket-Protocol: mcp\r\n",
        (Some(_), false) => return Err(SUBPROTOCOL),
    };
    Ok(format!(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Accept: {}\r\n{subprotocol}\r\n",
        derive_accept_key(key)
    ))
}

fn words(value: &[u8]) -> impl Iterator<Item = &str> {
    std::str::from_utf8(value).unwrap_or_default().split(',').map(str::trim)
}

/// `127.0.0.1`, `localhost` or `[::1]`, with or without a port. A name that resolves to loopback is not enough:
/// that is how a web page gets here.
fn is_loopback(host: &[u8]) -> bool {
    let Ok(host) = std::str::from_utf8(host) else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    fn request(change: impl Fn(&mut Vec<(&'static str, String)>)) -> Verdict {
        let mut headers = vec![
            ("Host", "127.0.0.1:4000".to_owned()),
            ("Connection", "Upgrade".into()),
            ("Upgrade", "websocket".into()),
            ("Sec-WebSocket-Version", "13".into()),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==".into()),
            ("Sec-WebSocket-Protocol", "mcp".into()),
            ("X-Claude-Code-Ide-Authorization", SECRET.into()),
        ];
        change(&mut headers);
        let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        judge(format!("GET / HTTP/1.1\r\n{lines}\r\n").as_bytes(), &Token::from_text(SECRET).unwrap())
    }

    fn set(name: &'static str, value: &'static str) -> Verdict {
        request(|headers| {
            headers.retain(|(known, _)| *known != name);
            headers.push((name, value.into()));
        })
    }

    fn without(name: &'static str) -> Verdict {
        request(|headers| headers.retain(|(known, _)| *known != name))
    }

    #[test]
    fn the_cli_is_welcome_and_hears_exactly_mcp() {
        let Verdict::Welcome { answer, .. } = request(|_| {}) else { panic!() };
        assert!(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), "{answer}");
        assert!(answer.contains("Sec-WebSocket-Protocol: mcp\r\n"));
        let Verdict::Welcome { answer, .. } = set("Sec-WebSocket-Protocol", "foo, mcp") else { panic!() };
        assert!(answer.contains("Sec-WebSocket-Protocol: mcp\r\n"));
        let Verdict::Welcome { answer, .. } = without("Sec-WebSocket-Protocol") else { panic!() };
        assert!(!answer.contains("WebSocket-Protocol"));
    }

    #[test]
    fn everyone_else_is_refused() {
        assert_eq!(without("X-Claude-Code-Ide-Authorization"), Verdict::Refused(TOKEN));
        assert_eq!(set("X-Claude-Code-Ide-Authorization", "wrong"), Verdict::Refused(TOKEN));
        assert_eq!(set("Origin", "http://localhost"), Verdict::Refused(ORIGIN));
        assert_eq!(set("Host", "evil.example:4000"), Verdict::Refused(HOST));
        assert_eq!(set("Host", "127.0.0.1.evil.example"), Verdict::Refused(HOST));
        assert_eq!(without("Host"), Verdict::Refused(HOST));
        assert_eq!(set("Sec-WebSocket-Protocol", "foo"), Verdict::Refused(SUBPROTOCOL));
        assert_eq!(set("Sec-WebSocket-Version", "8"), Verdict::Refused(UPGRADE));
        assert_eq!(without("Upgrade"), Verdict::Refused(UPGRADE));
        let twice = request(|headers| headers.push(("X-Claude-Code-Ide-Authorization", SECRET.into())));
        assert_eq!(twice, Verdict::Refused(TOKEN));
    }

    #[test]
    fn all_loopback_names_are_known() {
        for host in ["127.0.0.1:1", "localhost:65535", "LOCALHOST", "[::1]:80"] {
            assert!(is_loopback(host.as_bytes()), "{host}");
        }
    }

    #[test]
    fn size_and_count_are_limited() {
        let token = Token::from_text(SECRET).unwrap();
        let long = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(MAX_HEAD));
        assert_eq!(judge(long.as_bytes(), &token), Verdict::Refused(TOO_LARGE));
        let many = format!("GET / HTTP/1.1\r\n{}", "X: y\r\n".repeat(MAX_HEADERS + 1));
        assert_eq!(judge(many.as_bytes(), &token), Verdict::Refused(TOO_LARGE));
        assert_eq!(judge(b"\x16\x03\x01\x02", &token), Verdict::Refused(NOT_HTTP));
        assert_eq!(judge(b"GET / HT", &token), Verdict::Unfinished);
    }

    proptest! {
        #[test]
        fn nothing_panics_and_nothing_gets_in(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let verdict = judge(&bytes, &Token::from_text(SECRET).unwrap());
            let welcome = matches!(verdict, Verdict::Welcome { .. });
            prop_assert!(!welcome);
        }
    }
}
