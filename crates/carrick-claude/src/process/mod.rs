//! The `claude` process: found, started, listened to and, whatever happens to us, ended.

mod find;
mod stderr;
mod version;
mod watch;

use std::process::{ExitStatus, Stdio};

use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::error::{Error, Result};
use crate::options::Options;
pub(crate) use stderr::LastWords;
pub(crate) use version::version;
use watch::Watch;

/// A running CLI. Dropped, it is ended with everything it started.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    mark: String,
    watch: Option<Watch>,
}

/// Its three streams.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) last_words: LastWords,
}

impl Process {
    pub(crate) fn start(options: &Options) -> Result<(Self, Pipes)> {
        let program = find::program(options)?;
        if let Some(missing) = options.cwd.as_ref().filter(|cwd| !cwd.is_dir()) {
            return Err(Error::NoDirectory(missing.clone()));
        }
        let mut command = Command::new(&program);
        command.args(options.argv()?);
        let mark = surroundings(&mut command, options)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Its own group: a Ctrl-C in our terminal is ours to handle.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(|source| Error::Start { program, source })?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(Error::Protocol("the CLI was started without pipes".into()));
        };
        let last_words = LastWords::listen(stderr, options.on_stderr.clone());
        Ok((Self { child, mark, watch: None }, Pipes { stdin, stdout, last_words }))
    }

    /// Sets somebody up to end it when we are gone. Not part of the start, so that the CLI's first question need
    /// not wait for it; it follows within the same turn of the event loop.
    pub(crate) fn guard(&mut self) {
        self.watch = self.child.id().and_then(|pid| Watch::over(pid, &self.mark));
    }

    /// Waits for the end. What a killed CLI left running is ended, too.
    pub(crate) async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        match self.watch.take() {
            Some(watch) if status.code().is_some() => watch.dismiss().await,
            Some(watch) => watch.act().await,
            None => {}
        }
        Ok(status)
    }

    /// Ends it now: the watch asks first and then insists.
    pub(crate) async fn end(&mut self) -> std::io::Result<ExitStatus> {
        match self.watch.take() {
            Some(watch) => drop(watch),
            None => self.child.start_kill()?,
        }
        self.child.wait().await
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // With a watch, dropping it is enough; it also reaches what the CLI started.
        if self.watch.is_none() {
            let _ = self.child.start_kill();
        }
    }
}

/// Variables and folder; returns the mark by which everything the CLI starts can be found again.
fn surroundings(command: &mut Command, options: &Options) -> Result<String> {
    if options.clear_env {
        command.env_clear();
    }
    // The CLI must not believe that it runs inside another one.
    command.env_remove("CLAUDECODE");
    command.env("CLAUDE_CODE_ENTRYPOINT", "sdk-rs");
    // Asks for the frames that tell when a run is over.
    command.env("CLAUDE_CODE_SDK_READS_SESSION_STATE", "1");
    if options.file_checkpointing {
        command.env("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true");
    }
    if let Some(name) = &options.client_app {
        command.env("CLAUDE_AGENT_SDK_CLIENT_APP", name);
    }
    if let Some(cwd) = &options.cwd {
        command.current_dir(cwd).env("PWD", cwd);
    }
    command.envs(options.env.iter().map(|(name, value)| (name, value)));
    let mark = crate::uuid::v4()?;
    command.env(watch::MARK, &mark);
    Ok(mark)
}
