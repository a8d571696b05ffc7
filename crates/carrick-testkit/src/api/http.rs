//! As much HTTP/1.1 as the CLI speaks: kept connections, sized or chunked bodies, sized or streamed answers.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::request::Request;

/// A body beyond this is a runaway, not a conversation.
const MAX_BODY: usize = 256 << 20;

/// One kept connection.
pub(super) struct Connection(BufReader<TcpStream>);

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self(BufReader::new(stream))
    }

    /// The next request, or `None` when the client is done with the connection.
    pub(super) async fn next_request(&mut self) -> Result<Option<Request>> {
        let Some(first) = self.line().await? else { return Ok(None) };
        let mut words = first.split(' ');
        let (Some(method), Some(path)) = (words.next(), words.next()) else {
            bail!("not an HTTP request line: {first:?}");
        };
        let headers = self.headers().await?;
        let mut request = Request {
            method: method.into(),
            path: path.into(),
            headers,
            body: Value::Null,
            raw: String::new(),
        };
        let raw = self.body(&request).await?;
        request.body = serde_json::from_slice(&raw).unwrap_or_default();
        request.raw = String::from_utf8_lossy(&raw).into_owned();
        Ok(Some(request))
    }

    async fn line(&mut self) -> Result<Option<String>> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).await.context("reading a line from the client")?;
        Ok((read > 0).then(|| line.trim_end().to_owned()))
    }

    async fn headers(&mut self) -> Result<Vec<(String, String)>> {
        let mut headers = Vec::new();
        loop {
            let line = self.line().await?.context("the client left in the middle of its headers")?;
            if line.is_empty() {
                return Ok(headers);
            }
            let (name, value) = line.split_once(':').with_context(|| format!("not a header: {line:?}"))?;
            headers.push((name.trim().to_lowercase(), value.trim().to_owned()));
        }
    }

    async fn body(&mut self, request: &Request) -> Result<Vec<u8>> {
        if request.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
            self.write(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
        }
        if request.header("transfer-encoding").is_some_and(|value| value.contains("chunked")) {
            return self.chunked_body().await;
        }
        match request.header("content-length") {
            None => Ok(Vec::new()),
            Some(length) => self.exactly(length.parse().context("content-length is not a number")?).await,
        }
    }

    async fn exactly(&mut self, length: usize) -> Result<Vec<u8>> {
        ensure!(length <= MAX_BODY, "a body of {length} bytes is more than any conversation needs");
        let mut bytes = vec![0; length];
        self.0.read_exact(&mut bytes).await.context("the client left in the middle of its body")?;
        Ok(bytes)
    }

    async fn chunked_body(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let line = self.line().await?.context("the client left between chunks")?;
            let digits = line.split(';').next().unwrap_or_default();
            let size = usize::from_str_radix(digits.trim(), 16).context("a chunk without a size")?;
            ensure!(
                body.len().saturating_add(size) <= MAX_BODY,
                "a chunked body of more than {MAX_BODY} bytes"
            );
            body.extend(self.exactly(size).await?);
            self.line().await?;
            if size == 0 {
                return Ok(body);
            }
        }
    }

    /// A whole answer at once.
    pub(super) async fn answer(&mut self, status: u16, body: &Value) -> Result<()> {
        let body = body.to_string();
        let head = head(status, &format!("content-type: application/json\r\ncontent-length: {}", body.len()));
        self.write(format!("{head}{body}").as_bytes()).await
    }

    /// The head alone, as `HEAD` wants it.
    pub(super) async fn answer_head(&mut self, status: u16) -> Result<()> {
        self.write(head(status, "content-length: 0").as_bytes()).await
    }

    pub(super) async fn start_events(&mut self) -> Result<()> {
        let fields =
            "content-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked";
        self.write(head(200, fields).as_bytes()).await
    }

    /// One server-sent event, named by the `type` of its data as the Messages API does.
    pub(super) async fn event(&mut self, data: &Value) -> Result<()> {
        let event = format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or("message"));
        self.write(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes()).await
    }

    pub(super) async fn end_events(&mut self) -> Result<()> {
        self.write(b"0\r\n\r\n").await
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.write_all(bytes).await.context("the client went away while it was answered")?;
        self.0.flush().await.context("the client went away while it was answered")
    }
}

fn head(status: u16, fields: &str) -> String {
    let reason = if status < 400 { "OK" } else { "Error" };
    format!("HTTP/1.1 {status} {reason}\r\nrequest-id: req_carrick_testkit\r\n{fields}\r\n\r\n")
}
