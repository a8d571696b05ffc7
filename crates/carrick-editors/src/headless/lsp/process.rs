//! The process of a language server: started in a group of its own, and never left behind.
//!
//! Most servers end when their input does, but one that hangs does not look at its input. So each has a watcher: a
//! shell that waits for a line on a pipe which only we can write to. The line comes when all is well; when we are
//! killed the pipe ends without it, and the watcher ends the whole group.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

/// How long a server may take to end after it was asked to.
const FAREWELL: Duration = Duration::from_millis(1500);

const WATCH: &str = r#"read -r _ || kill -s KILL -- "-$1""#;

/// The three pipes of a server.
pub(super) struct Pipes {
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
    pub(super) words: ChildStderr,
}

/// A server and its watcher.
pub(super) struct Process {
    server: Child,
    watcher: Option<Child>,
    group: Option<Pid>,
}

impl Process {
    /// Starts it in the folder it is to work on.
    pub(super) fn start(program: &Path, arguments: &[String], root: &Path) -> std::io::Result<(Self, Pipes)> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(root).process_group(0).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn()?;
        let pipes = (server.stdin.take(), server.stdout.take(), server.stderr.take());
        let (Some(input), Some(output), Some(words)) = pipes else {
            return Err(std::io::Error::other("the system gave no pipes"));
        };
        let group = server.id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
        let watcher = server.id().and_then(|pid| watcher(pid).ok());
        Ok((Self { server, watcher, group }, Pipes { input, output, words }))
    }

    /// The process number.
    pub(super) fn id(&self) -> Option<u32> {
        self.server.id()
    }

    /// Waits a little for it to end, then ends it and everything it started. Says how it ended.
    pub(super) async fn end(mut self) -> String {
        let waited = timeout(FAREWELL, self.server.wait()).await;
        self.kill_group();
        let status = match waited {
            Ok(status) => status,
            Err(_) => self.server.wait().await,
        };
        self.release().await;
        status.map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    /// Ends it at once.
    pub(super) async fn kill(mut self) -> String {
        self.kill_group();
        let status = self.server.wait().await;
        self.release().await;
        status.map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    fn kill_group(&self) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Tells the watcher that nothing is left to watch.
    async fn release(&mut self) {
        if let Some(mut watcher) = self.watcher.take() {
            if let Some(mut pipe) = watcher.stdin.take() {
                let _ = pipe.write_all(b"done\n").await;
            }
            let _ = watcher.wait().await;
        }
        self.group = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
    }
}

fn watcher(group: u32) -> std::io::Result<Child> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", WATCH, "carrick-watcher"]).arg(group.to_string());
    command.current_dir("/").process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn()
}
