//! Any command in a pseudo-terminal: its screen as text, keys for its input, and nothing left when it is dropped.

mod key;
mod screen;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use tokio::time::{Instant, timeout_at};

use crate::family::Family;
pub use key::Key;
use screen::Screen;

/// How long a key that may have been missed is given before it is pressed again.
const AGAIN: Duration = Duration::from_millis(300);

/// A command to be run in a terminal. Its environment is empty but for what is given here.
#[derive(Debug, Clone)]
pub struct TerminalCommand {
    program: OsString,
    args: Vec<OsString>,
    envs: Vec<(OsString, OsString)>,
    dir: PathBuf,
    columns: u16,
    rows: u16,
}

impl TerminalCommand {
    /// `program` run in the folder `dir`, in a terminal of 120 columns and 40 rows.
    pub fn new(program: impl AsRef<OsStr>, dir: impl AsRef<Path>) -> Self {
        let (program, dir) = (program.as_ref().to_owned(), dir.as_ref().to_owned());
        Self { program, args: Vec::new(), envs: Vec::new(), dir, columns: 120, rows: 40 }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets a variable; the last value given for a name counts.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.envs.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Runs in another folder.
    #[must_use]
    pub fn dir(mut self, dir: impl AsRef<Path>) -> Self {
        dir.as_ref().clone_into(&mut self.dir);
        self
    }

    /// Sets the size of the terminal.
    #[must_use]
    pub fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// Starts it.
    pub fn spawn(self) -> Result<Terminal> {
        let size = PtySize { rows: self.rows, cols: self.columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).context("opening a pseudo-terminal")?;
        let family = Family::new();
        let program = self.program.clone();
        let child = pair.slave.spawn_command(self.builder(&family));
        let child = child.with_context(|| format!("starting {} in a terminal", program.display()))?;
        let screen = Screen::new(size.rows, size.cols);
        screen.follow(pair.master.try_clone_reader()?);
        let input = pair.master.take_writer()?;
        Ok(Terminal { child, family, screen, input, master: pair.master, status: None })
    }

    fn builder(self, family: &Family) -> CommandBuilder {
        let mut builder = CommandBuilder::new(self.program);
        builder.env_clear();
        builder.args(self.args);
        builder.cwd(self.dir);
        let (name, mark) = family.env();
        builder.env(name, mark);
        for (name, value) in self.envs {
            builder.env(name, value);
        }
        builder
    }
}

/// A running command and its screen. Dropping it kills the command and all that came from it.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    family: Family,
    screen: Screen,
    input: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    status: Option<ExitStatus>,
}

impl Terminal {
    /// The text on the screen now.
    pub fn screen(&self) -> String {
        self.screen.text()
    }

    /// The same with the escape sequences that paint it.
    pub fn painted(&self) -> String {
        self.screen.painted()
    }

    /// True while the command has taken the whole screen, or hides the cursor.
    pub fn is_taken(&self) -> bool {
        self.screen.is_taken()
    }

    /// The process id of the command itself.
    pub fn pid(&self) -> Option<u32> {
        self.child.process_id()
    }

    /// The command and all that came from it.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// Waits until `text` stands on the screen, in one row.
    pub async fn wait_for_text(&self, text: &str, timeout: Duration) -> Result<()> {
        self.wait(&format!("{text:?}"), |screen| screen.contains(text), timeout).await
    }

    /// Waits until `text` is no longer on the screen.
    pub async fn wait_until_gone(&self, text: &str, timeout: Duration) -> Result<()> {
        self.wait(&format!("{text:?} to go away"), |screen| !screen.contains(text), timeout).await
    }

    /// Waits until `wanted` accepts the screen.
    pub async fn wait_until(&self, wanted: impl Fn(&str) -> bool, timeout: Duration) -> Result<()> {
        self.wait("the wanted state", wanted, timeout).await
    }

    async fn wait(&self, what: &str, wanted: impl Fn(&str) -> bool, timeout: Duration) -> Result<()> {
        let deadline = Instant::now() + timeout;
        let mut painted = self.screen.watch();
        loop {
            let over = painted.borrow_and_update().over;
            let screen = self.screen();
            if wanted(&screen) {
                return Ok(());
            }
            if over {
                bail!("the command ended while waiting for {what}; the last screen:\n{}", framed(&screen));
            }
            if timeout_at(deadline, painted.changed()).await.is_err() {
                let screen = framed(&self.screen());
                bail!("waited {timeout:?} for {what}, in vain; the last screen:\n{screen}");
            }
        }
    }

    /// Types text, without Enter.
    pub fn type_text(&mut self, text: &str) -> Result<()> {
        self.write(text.as_bytes())
    }

    /// Presses one key.
    pub fn press(&mut self, key: Key) -> Result<()> {
        self.write(&key.bytes())
    }

    /// Presses `key`, again every 300 ms, until `wanted` accepts the screen: a dialog that has just been
    /// painted may not listen yet, and the CLI drops what is pressed too soon. Use it with keys that do no
    /// harm when pressed once more.
    pub async fn press_until(
        &mut self,
        key: Key,
        wanted: impl Fn(&str) -> bool,
        timeout: Duration,
    ) -> Result<()> {
        let deadline = Instant::now() + timeout;
        loop {
            self.press(key)?;
            let seen = self.wait(&format!("an effect of {key:?}"), &wanted, AGAIN).await;
            if seen.is_ok() || Instant::now() > deadline {
                return seen;
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.input.write_all(bytes).and_then(|()| self.input.flush()).context("the terminal takes no input")
    }

    /// Changes the size, as dragging a window's corner does.
    pub fn resize(&self, columns: u16, rows: u16) -> Result<()> {
        self.screen.resize(rows, columns);
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 })
    }

    /// Waits for the command to end by itself and tells how it did.
    pub async fn wait_for_exit(&mut self, timeout: Duration) -> Result<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(status) = self.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > deadline {
                bail!("the command still runs after {timeout:?}; its screen:\n{}", framed(&self.screen()));
            }
            // waits: for the exit, which portable-pty can only be asked about
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn try_wait(&mut self) -> Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = self.child.try_wait().context("asking how the command ended")?;
        }
        Ok(self.status.clone())
    }

    /// Kills the command with all that came from it, and reaps it. Does nothing the second time.
    pub fn kill(&mut self) {
        if self.status.is_none() {
            self.family.end(self.pid());
            self.status = self.child.wait().ok();
        } else {
            // The command is reaped, so its number may be another's by now; its children are still marked.
            self.family.end(None);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.kill();
    }
}

fn framed(screen: &str) -> String {
    screen.lines().map(|line| format!("  │ {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(10);

    fn shell(script: &str) -> Terminal {
        TerminalCommand::new("/bin/sh", std::env::temp_dir()).args(["-c", script]).spawn().unwrap()
    }

    #[tokio::test]
    async fn a_screen_is_read_and_answered() {
        let mut terminal = shell("printf 'name? '; read name; echo \"hello $name\"; read rest");
        terminal.wait_for_text("name?", SOON).await.unwrap();
        terminal.type_text("carrick").unwrap();
        terminal.press(Key::Enter).unwrap();
        terminal.wait_for_text("hello carrick", SOON).await.unwrap();
        terminal.kill();
        assert!(terminal.family().pids().is_empty());
    }

    #[tokio::test]
    async fn waiting_in_vain_shows_the_screen() {
        let mut terminal = shell("echo on the screen; read rest");
        terminal.wait_for_text("on the screen", SOON).await.unwrap();
        let error =
            terminal.wait_for_text("absent", Duration::from_millis(20)).await.unwrap_err().to_string();
        assert!(error.contains("absent") && error.contains("│ on the screen"), "{error}");
        terminal.press(Key::Ctrl('d')).unwrap();
        assert!(!terminal.wait_for_exit(SOON).await.unwrap().success());
        let error = terminal.wait_for_text("absent", SOON).await.unwrap_err().to_string();
        assert!(error.contains("ended"), "{error}");
    }
}
