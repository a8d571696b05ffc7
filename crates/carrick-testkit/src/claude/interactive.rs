//! The CLI as a person meets it: in a terminal, with an input line to type in.

use std::ffi::OsStr;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use anyhow::Result;

use crate::terminal::{Key, Terminal, TerminalCommand};

/// A start takes one to three seconds on an idle machine; the rest is for busy ones.
const START: Duration = Duration::from_secs(60);

/// How long typed text may take to show.
const ECHO: Duration = Duration::from_secs(20);

/// Opens the input line. The blank after it is a no-break space.
const PROMPT: &str = "❯\u{a0}";

/// Arguments that make the CLI ask before it edits or runs anything. Left alone it starts in auto mode, where
/// edits are neither asked about nor shown to an IDE.
pub const ASK_FIRST: [&str; 2] = ["--permission-mode", "manual"];

/// A CLI about to be started in a terminal.
#[derive(Debug, Clone)]
pub struct Interactive {
    command: TerminalCommand,
}

impl Interactive {
    pub(super) fn new(command: TerminalCommand) -> Self {
        Self { command }
    }

    /// Sets a variable, for example `CLAUDE_CODE_SSE_PORT`.
    #[must_use]
    pub fn env(self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        Self { command: self.command.env(name, value) }
    }

    /// Changes anything else about the command: its size, its folder.
    #[must_use]
    pub fn command(self, change: impl FnOnce(TerminalCommand) -> TerminalCommand) -> Self {
        Self { command: change(self.command) }
    }

    /// Starts it and returns at once; most tests want [`Interactive::start`].
    pub fn spawn(self) -> Result<Session> {
        self.command.spawn().map(Session::new)
    }

    /// Starts it and waits until it takes a prompt.
    pub async fn start(self) -> Result<Session> {
        let session = self.spawn()?;
        session.wait_for_prompt().await?;
        Ok(session)
    }
}

/// A running CLI; everything a [`Terminal`] can do, and prompts.
pub struct Session {
    terminal: Terminal,
}

impl Session {
    /// A CLI in a terminal that was started some other way, for example through a wrapper.
    pub fn new(terminal: Terminal) -> Self {
        Self { terminal }
    }

    /// Waits until the input line is there.
    pub async fn wait_for_prompt(&self) -> Result<()> {
        self.terminal.wait_until(|screen| input_line(screen).is_some(), START).await
    }

    /// What stands in the input line, without the blanks around it.
    pub fn input(&self) -> Option<String> {
        input_line(&self.terminal.screen())
    }

    /// Types `prompt`, waits until the input line shows it, then presses Enter. Sent together, the CLI takes
    /// the two for a paste and waits for another Enter.
    pub async fn submit(&mut self, prompt: &str) -> Result<()> {
        self.wait_for_prompt().await?;
        self.terminal.type_text(prompt)?;
        // A long prompt wraps, so only its start can be expected in the first row.
        let start: String = prompt.chars().take(40).collect();
        let shown = |screen: &str| input_line(screen).is_some_and(|line| line.contains(start.trim()));
        self.terminal.wait_until(shown, ECHO).await?;
        self.terminal.press(Key::Enter)
    }
}

/// Older prompts further up and the choices of a dialog have a plain blank after the same sign, so a CLI that
/// asks something has no input line.
fn input_line(screen: &str) -> Option<String> {
    let text = screen.lines().rev().find_map(|row| row.trim_start().strip_prefix(PROMPT))?;
    Some(text.replace('\u{a0}', " ").trim().to_owned())
}

impl Deref for Session {
    type Target = Terminal;

    fn deref(&self) -> &Terminal {
        &self.terminal
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Terminal {
        &mut self.terminal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_line_with_the_no_break_space_is_the_input() {
        assert_eq!(input_line("❯ older\n\n❯\u{a0}newer  \n  hint"), Some("newer".into()));
        assert_eq!(input_line("❯\u{a0}\n"), Some(String::new()));
        assert_eq!(input_line("Do you trust it?\n ❯ 1. Yes\n   2. No"), None);
    }
}
