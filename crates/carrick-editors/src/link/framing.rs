//! Bytes to bodies and back: `Content-Length: N`, a blank line, N bytes, as language servers do it.
//!
//! The lengths come from the other side, so each has a limit, and a body over its limit is skipped without being
//! kept: the next message still begins where it should.

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// A header block longer than this is not one; the connection ends, because nothing says where the next begins.
pub const HEADER_LIMIT: usize = 4 << 10;

/// The largest body. A larger one is skipped and answered with an error.
pub const BODY_LIMIT: usize = 64 << 20;

/// How much is read at a time while the length is not known.
const READ_STEP: usize = 8 << 10;

/// Why no body could be read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The stream failed.
    #[error("the connection failed: {0}")]
    Io(#[from] std::io::Error),
    /// The stream ended inside a message.
    #[error("the connection ended inside a message")]
    Cut,
    /// The header block cannot be read.
    #[error("bad header: {0}")]
    Header(&'static str),
    /// The body is larger than [`BODY_LIMIT`]; it is being skipped.
    #[error("a message of {0} bytes is too large: the limit is {BODY_LIMIT}")]
    TooLarge(usize),
}

impl FrameError {
    /// True when the next message can still be read.
    #[must_use]
    pub fn next_is_readable(&self) -> bool {
        matches!(self, Self::TooLarge(_))
    }
}

/// Reads bodies from a stream. Dropping a pending [`FrameReader::next`] loses nothing: what was read stays here.
#[derive(Debug)]
pub struct FrameReader<R> {
    input: R,
    held: BytesMut,
    to_skip: usize,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    /// A reader that begins at the start of a header.
    pub fn new(input: R) -> Self {
        Self { input, held: BytesMut::new(), to_skip: 0 }
    }

    /// The next body; `None` when the stream ended between two messages.
    ///
    /// # Errors
    /// See [`FrameError`].
    pub async fn next(&mut self) -> Result<Option<Bytes>, FrameError> {
        loop {
            if let Some(body) = self.take()? {
                return Ok(Some(body));
            }
            if self.input.read_buf(&mut self.held).await? == 0 {
                let between = self.held.is_empty() && self.to_skip == 0;
                return if between { Ok(None) } else { Err(FrameError::Cut) };
            }
        }
    }

    fn take(&mut self) -> Result<Option<Bytes>, FrameError> {
        let skipped = self.to_skip.min(self.held.len());
        self.held.advance(skipped);
        self.to_skip -= skipped;
        let Some(header) = find_header(&self.held)? else {
            self.held.reserve(READ_STEP);
            return Ok(None);
        };
        if header.body > BODY_LIMIT {
            self.held.advance(header.bytes);
            self.to_skip = header.body;
            return Err(FrameError::TooLarge(header.body));
        }
        let whole = header.bytes + header.body;
        if self.held.len() < whole {
            // Grown as bytes arrive: a length alone, without its body, must not cost 64 MiB.
            self.held.reserve((whole - self.held.len()).min(self.held.len().max(READ_STEP)));
            return Ok(None);
        }
        self.held.advance(header.bytes);
        let body = self.held.split_to(header.body).freeze();
        if self.held.is_empty() {
            self.held = BytesMut::new();
        }
        Ok(Some(body))
    }
}

struct Header {
    bytes: usize,
    body: usize,
}

fn find_header(held: &[u8]) -> Result<Option<Header>, FrameError> {
    let seen = held.get(..HEADER_LIMIT).unwrap_or(held);
    let Some(end) = seen.windows(4).position(|four| four == b"\r\n\r\n") else {
        let endless = held.len() >= HEADER_LIMIT;
        return if endless { Err(FrameError::Header("it does not end")) } else { Ok(None) };
    };
    let block = seen.get(..end).unwrap_or_default();
    let block = std::str::from_utf8(block).map_err(|_| FrameError::Header("it is not text"))?;
    Ok(Some(Header { bytes: end + 4, body: content_length(block)? }))
}

fn content_length(block: &str) -> Result<usize, FrameError> {
    let mut length = None;
    for line in block.split("\r\n") {
        let (name, value) = line.split_once(':').ok_or(FrameError::Header("a line without a colon"))?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            let number =
                value.trim().parse().map_err(|_| FrameError::Header("Content-Length is no number"))?;
            length = Some(number);
        }
    }
    length.ok_or(FrameError::Header("Content-Length is missing"))
}

/// Writes one body and pushes it out.
///
/// # Errors
/// The stream failed.
pub async fn write_frame<W: AsyncWrite + Unpin>(output: &mut W, body: &[u8]) -> std::io::Result<()> {
    output.write_all(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes()).await?;
    output.write_all(body).await?;
    output.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use tokio::io::ReadBuf;

    fn run<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    struct Pieces(std::collections::VecDeque<Vec<u8>>);

    impl AsyncRead for Pieces {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<std::io::Result<()>> {
            if let Some(mut piece) = self.0.pop_front() {
                let rest = piece.split_off(piece.len().min(buffer.remaining()));
                buffer.put_slice(&piece);
                if !rest.is_empty() {
                    self.0.push_front(rest);
                }
            }
            Poll::Ready(Ok(()))
        }
    }

    /// Feeds `bytes` in pieces of these sizes and collects what comes out, up to the first final error.
    fn read_in_pieces(bytes: &[u8], sizes: &[usize]) -> (Vec<Bytes>, Option<FrameError>) {
        let mut pieces = std::collections::VecDeque::new();
        let (mut rest, mut sizes) = (bytes, sizes.iter().cycle());
        while !rest.is_empty() {
            let size = sizes.next().copied().unwrap_or(1).clamp(1, rest.len());
            pieces.push_back(rest[..size].to_vec());
            rest = &rest[size..];
        }
        let mut reader = FrameReader::new(Pieces(pieces));
        run(async {
            let mut bodies = Vec::new();
            loop {
                match reader.next().await {
                    Ok(Some(body)) => bodies.push(body),
                    Ok(None) => return (bodies, None),
                    Err(error) if error.next_is_readable() => {}
                    Err(error) => return (bodies, Some(error)),
                }
            }
        })
    }

    fn framed(bodies: &[Vec<u8>]) -> Vec<u8> {
        let mut all = Vec::new();
        for body in bodies {
            run(write_frame(&mut all, body)).unwrap();
        }
        all
    }

    #[test]
    fn other_headers_and_any_case_are_fine() {
        let bytes = b"content-length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\nok";
        assert_eq!(read_in_pieces(bytes, &[100]).0, [Bytes::from_static(b"ok")]);
    }

    #[test]
    fn a_body_over_the_limit_is_skipped_and_the_next_one_read() {
        let mut bytes = format!("Content-Length: {}\r\n\r\n", BODY_LIMIT + 3).into_bytes();
        bytes.resize(bytes.len() + BODY_LIMIT + 3, b'x');
        bytes.extend(framed(&[b"next".to_vec()]));
        let (bodies, error) = read_in_pieces(&bytes, &[1 << 20]);
        assert_eq!(bodies, [Bytes::from_static(b"next")]);
        assert!(error.is_none());
    }

    #[test]
    fn a_stream_that_ends_inside_a_message_says_so() {
        let (bodies, error) = read_in_pieces(b"Content-Length: 9\r\n\r\nabc", &[7]);
        assert!(bodies.is_empty());
        assert!(matches!(error, Some(FrameError::Cut)));
    }

    #[test]
    fn headers_that_are_none_end_the_stream() {
        let endless = vec![b'a'; HEADER_LIMIT + 1];
        let cases: [&[u8]; 4] =
            [b"Content-Length: x\r\n\r\n", b"Other: 1\r\n\r\n", b"no colon\r\n\r\n", &endless];
        for bytes in cases {
            assert!(matches!(read_in_pieces(bytes, &[64]).1, Some(FrameError::Header(_))));
        }
    }

    proptest! {
        #[test]
        fn bodies_survive_any_cutting(
            bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..6),
            sizes in prop::collection::vec(1usize..50, 1..8),
        ) {
            let (read, error) = read_in_pieces(&framed(&bodies), &sizes);
            prop_assert!(error.is_none());
            prop_assert_eq!(read, bodies.into_iter().map(Bytes::from).collect::<Vec<_>>());
        }

        #[test]
        fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..600), sizes in prop::collection::vec(1usize..50, 1..4)) {
            let _ = read_in_pieces(&bytes, &sizes);
        }

        #[test]
        fn nearly_a_header_never_panics(text in "(Content-Length: ?[0-9-]{0,25}|[a-zA-Z:]{0,9}|\r\n|\r|\n){0,12}", sizes in prop::collection::vec(1usize..9, 1..4)) {
            let _ = read_in_pieces(text.as_bytes(), &sizes);
        }
    }
}
