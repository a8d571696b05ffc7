//! Lines out of a stream of bytes, borrowed from one buffer that grows for a long line and shrinks again.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Read at once; the buffer goes back to about this size after a long line.
const CHUNK: usize = 64 * 1024;

/// No frame of the CLI comes near this; real images and files do come near a tenth of it.
pub(crate) const LIMIT: usize = 64 * 1024 * 1024;

/// Splits what it reads into lines.
#[derive(Debug)]
pub struct Lines<R> {
    from: R,
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// How far it has been searched for a newline.
    searched: usize,
    limit: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines of at most 64 MiB.
    pub fn new(from: R) -> Self {
        Self::with_limit(from, LIMIT)
    }

    /// Lines of at most `limit` bytes; a longer one is an error, because nothing after it could be trusted.
    pub fn with_limit(from: R, limit: usize) -> Self {
        Self { from, buffer: Vec::new(), start: 0, searched: 0, limit }
    }

    /// The next line without its newline; a last line that was cut short counts, too. Cancel safe.
    pub async fn next(&mut self) -> io::Result<Option<&[u8]>> {
        loop {
            let unsearched = self.buffer.get(self.searched..).unwrap_or_default();
            if let Some(at) = memchr::memchr(b'\n', unsearched) {
                let line = self.start..self.searched + at;
                self.start = line.end + 1;
                self.searched = self.start;
                return Ok(self.buffer.get(line));
            }
            self.searched = self.buffer.len();
            if !self.fill().await? {
                let line = self.start..self.buffer.len();
                self.start = line.end;
                return Ok(self.buffer.get(line).filter(|rest| !rest.is_empty()));
            }
        }
    }

    async fn fill(&mut self) -> io::Result<bool> {
        self.make_room();
        if self.buffer.len() > self.limit {
            let text = format!("a line is longer than {} bytes", self.limit);
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        self.buffer.reserve(CHUNK);
        Ok(self.from.read_buf(&mut self.buffer).await? > 0)
    }

    /// Moves the unfinished line to the front, and gives back what only a long line needed.
    fn make_room(&mut self) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        if self.buffer.capacity() > 16 * CHUNK && self.buffer.len() < CHUNK {
            self.buffer.shrink_to(2 * CHUNK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(bytes: &[u8], limit: usize) -> io::Result<Vec<String>> {
        let mut lines = Lines::with_limit(bytes, limit);
        let mut found = Vec::new();
        while let Some(line) = lines.next().await? {
            found.push(String::from_utf8_lossy(line).into_owned());
        }
        Ok(found)
    }

    #[tokio::test]
    async fn lines_come_whole_and_the_cut_one_too() {
        assert_eq!(all(b"one\n\ntwo\nthr", 100).await.unwrap(), ["one", "", "two", "thr"]);
        assert!(all(b"", 100).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_line_over_many_reads_is_found_and_the_buffer_shrinks_again() {
        let long = "x".repeat(3 * 1024 * 1024);
        let (mut near, far) = tokio::io::duplex(1000);
        let text = format!("{long}\nshort\n");
        let writing = tokio::spawn(async move {
            tokio::io::AsyncWriteExt::write_all(&mut near, text.as_bytes()).await.unwrap();
        });
        let mut lines = Lines::new(far);
        assert_eq!(lines.next().await.unwrap().unwrap().len(), long.len());
        assert_eq!(lines.next().await.unwrap().unwrap(), b"short");
        assert!(lines.next().await.unwrap().is_none());
        assert!(lines.buffer.capacity() < 16 * CHUNK + CHUNK);
        writing.await.unwrap();
    }

    #[tokio::test]
    async fn a_line_without_end_is_refused() {
        let error = all(&vec![b'x'; 3 * CHUNK], CHUNK).await.unwrap_err();
        assert!(error.to_string().contains("longer than"), "{error}");
    }
}
