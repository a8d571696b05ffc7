//! The one place that prints: colours only on a terminal, and nothing that a terminal could obey.
//!
//! Write errors are passed over: a reader that went away (`carrick review list | head -1`) is no failure, and a
//! server whose output nobody reads still serves.

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use serde::Serialize;

use crate::env;
use crate::visible::{visible, visible_json, visible_lines};

/// How a piece of a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Like everything else.
    Plain,
    /// What the eye should find first.
    Strong,
    /// What it may pass over.
    Dim,
    /// What came, what went well.
    Good,
    /// What goes, what went wrong.
    Bad,
    /// What wants attention.
    Note,
}

impl Tone {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "0",
            Self::Strong => "1",
            Self::Dim => "2",
            Self::Good => "32",
            Self::Bad => "31",
            Self::Note => "33",
        }
    }
}

/// A line in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pieces: Vec<(Tone, String)>,
}

impl Line {
    /// A line that begins with this.
    pub(crate) fn of(tone: Tone, text: impl Into<String>) -> Self {
        Self::default().and(tone, text)
    }

    /// A line without colours.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self::of(Tone::Plain, text)
    }

    /// The same with one more piece.
    #[must_use]
    pub(crate) fn and(mut self, tone: Tone, text: impl Into<String>) -> Self {
        self.pieces.push((tone, text.into()));
        self
    }

    fn painted(&self, colours: bool) -> String {
        let piece = |(tone, text): &(Tone, String)| match (colours, tone) {
            (false, _) | (_, Tone::Plain) => visible(text),
            _ => format!("\x1b[{}m{}\x1b[0m", tone.code(), visible(text)),
        };
        self.pieces.iter().map(piece).collect()
    }
}

/// Standard output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Out {
    terminal: bool,
    colours: bool,
}

impl Out {
    /// Standard output as it is.
    pub(crate) fn new() -> Self {
        let terminal = std::io::stdout().is_terminal();
        Self { terminal, colours: terminal && colours_wanted() }
    }

    /// Prints a line.
    pub(crate) fn line(self, line: &Line) {
        write_out(&self.painted(line));
    }

    fn painted(self, line: &Line) -> String {
        format!("{}\n", line.painted(self.colours))
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn json(self, value: &impl Serialize) {
        write_out(&json_line(value));
    }

    /// Prints a text as it is, unless a terminal would read it.
    pub(crate) fn exactly(self, text: &str) {
        if self.terminal { write_out(&visible_lines(text)) } else { write_out(text) }
    }
}

fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).map_or_else(|_| String::new(), |json| visible_json(&json) + "\n")
}

fn write_out(text: &str) {
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}

/// Lines that may wait for a reader. When there are more, they are dropped and counted, and the count is told when
/// there is room again: a stopped terminal or a lazy pipe must not stop the server.
const LINES_WAITING: usize = 1024;

/// How long the end of the process waits for the last lines to be taken.
const LAST_LINES: Duration = Duration::from_millis(200);

/// Standard output of a server, written by a thread of its own.
pub(crate) struct Stream {
    out: Out,
    lines: Option<SyncSender<String>>,
    written: Receiver<()>,
    lost: Cell<u64>,
}

impl Stream {
    pub(crate) fn new() -> Self {
        let (lines, waiting) = sync_channel::<String>(LINES_WAITING);
        let (done, written) = sync_channel(1);
        std::thread::spawn(move || {
            waiting.iter().for_each(|line| write_out(&line));
            let _ = done.send(());
        });
        Self { out: Out::new(), lines: Some(lines), written, lost: Cell::new(0) }
    }

    /// True when a person reads it directly.
    pub(crate) fn is_terminal(&self) -> bool {
        self.out.terminal
    }

    /// Prints a line.
    pub(crate) fn line(&self, line: &Line) {
        let lost = self.lost.get();
        if lost == 0 || self.push(self.out.painted(&Line::of(Tone::Note, format!("{lost} lines were lost"))))
        {
            self.push(self.out.painted(line));
        }
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn json(&self, value: &impl Serialize) {
        let lost = self.lost.get();
        if lost == 0 || self.push(json_line(&serde_json::json!({ "kind": "missed", "count": lost }))) {
            self.push(json_line(value));
        }
    }

    /// Hands a text to the thread; false when there is no room.
    fn push(&self, text: String) -> bool {
        let full =
            matches!(self.lines.as_ref().map(|lines| lines.try_send(text)), Some(Err(TrySendError::Full(_))));
        self.lost.set(if full { self.lost.get() + 1 } else { 0 });
        !full
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.lines = None;
        let _ = self.written.recv_timeout(LAST_LINES);
    }
}

/// Prints to standard error what went wrong and what to do next.
pub(crate) fn complain(message: &str, hint: Option<&str>) {
    let colours = std::io::stderr().is_terminal() && colours_wanted();
    let error = Line::of(Tone::Bad, "error: ").and(Tone::Plain, message.replace('\n', " "));
    let hint = hint.map(|hint| Line::of(Tone::Note, "hint: ").and(Tone::Plain, hint));
    let mut output = std::io::stderr().lock();
    for line in [Some(error), hint].into_iter().flatten() {
        let _ = writeln!(output, "{}", line.painted(colours));
    }
}

/// Says something to the person that is neither data nor an error.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(text));
}

/// True unless the person or the terminal wants none.
pub(crate) fn colours_wanted() -> bool {
    env::get(env::NO_COLOR).is_none() && env::get(env::TERM).is_none_or(|term| term != "dumb")
}
