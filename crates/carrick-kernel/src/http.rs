//! One question to a server on this machine, and nowhere else: a token must not leave it.

use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A local server that has not answered by then is not worth waiting for.
const PATIENCE: Duration = Duration::from_secs(3);
/// A longer answer is not read to its end, and then means nothing.
const LONGEST: u64 = 8 << 20;

/// The body of a good answer; `None` for anything else.
pub(crate) async fn get(port: u16, path: &str, token: &str) -> Option<Vec<u8>> {
    let answer = timeout(PATIENCE, ask(port, path, token)).await.ok()?.ok()?;
    let at = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let head = std::str::from_utf8(answer.get(..at)?).ok()?;
    let good = head.split_whitespace().nth(1) == Some("200");
    good.then(|| answer.get(at + 4..).map(<[u8]>::to_vec))?
}

/// HTTP 1.0: the answer comes in one piece and ends with the connection.
async fn ask(port: u16, path: &str, token: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    let request =
        format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nAuthorization: token {token}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(LONGEST).read_to_end(&mut answer).await?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn served(answer: &'static str) -> Option<Vec<u8>> {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 1024];
            let count = stream.read(&mut request).await.unwrap();
            assert!(request[..count].windows(15).any(|bytes| bytes == b"token the-token"));
            stream.write_all(answer.as_bytes()).await.unwrap();
        };
        tokio::join!(get(port, "/api", "the-token"), server).0
    }

    #[tokio::test]
    async fn only_a_good_answer_counts() {
        assert_eq!(served("HTTP/1.1 200 OK\r\nA: b\r\n\r\n[1]").await.as_deref(), Some(&b"[1]"[..]));
        assert_eq!(served("HTTP/1.1 403 Forbidden\r\n\r\n[]").await, None);
        assert_eq!(served("nonsense").await, None);
    }
}
