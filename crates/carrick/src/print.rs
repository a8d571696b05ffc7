//! The one place that prints: colours only on a terminal, and nothing that a terminal could obey.
//!
//! Write errors are passed over: a reader that went away (`carrick review list | head -1`) is no failure, and a
//! server whose output nobody reads still serves.

use std::io::{IsTerminal, Write};

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

    /// True when a person reads it directly.
    pub(crate) fn is_terminal(self) -> bool {
        self.terminal
    }

    /// Prints a line.
    pub(crate) fn line(self, line: &Line) {
        self.bytes(format!("{}\n", line.painted(self.colours)).as_bytes());
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn json(self, value: &impl Serialize) {
        if let Ok(json) = serde_json::to_string(value) {
            self.bytes(format!("{}\n", visible_json(&json)).as_bytes());
        }
    }

    /// Prints a text as it is, unless a terminal would read it.
    pub(crate) fn exactly(self, text: &str) {
        if self.terminal { self.bytes(visible_lines(text).as_bytes()) } else { self.bytes(text.as_bytes()) }
    }

    fn bytes(self, bytes: &[u8]) {
        let mut output = std::io::stdout().lock();
        let _ = output.write_all(bytes).and_then(|()| output.flush());
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

fn colours_wanted() -> bool {
    env::get(env::NO_COLOR).is_none() && env::get(env::TERM).is_none_or(|term| term != "dumb")
}
