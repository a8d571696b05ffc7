//! Starting a kernel: the process, what it says when it fails, and its end.

use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use std::path::Path;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::{Instant, sleep, timeout};

use crate::connection::{OwnFile, is_listening};
use crate::spec::{CONNECTION_FILE, Interrupt, Launch};
use crate::{KernelError, Places};

/// A kernel that does not listen by then never will. A cold disk and a busy machine are not rare.
const READY_WITHIN: Duration = Duration::from_secs(60);
/// Between two looks whether it listens.
const LOOK: Duration = Duration::from_millis(20);
/// How long a kernel may take to end by itself.
const END_WITHIN: Duration = Duration::from_secs(2);
/// What is kept of what a kernel writes to its error output; the oldest goes.
const SAID: usize = 4 << 10;

/// ipykernel watches the process of this number and ends when it is gone, however it went.
const PARENT: &str = "JPY_PARENT_PID";

/// A kernel's process. It ends with this value.
pub(crate) struct Process {
    pub(crate) child: Child,
    pub(crate) interrupt: Interrupt,
    pub(crate) file: OwnFile,
    said: Said,
}

type Said = Arc<Mutex<Vec<u8>>>;

impl Process {
    /// Starts it in `folder` and waits until it listens.
    pub(crate) async fn start(launch: &Launch, places: &Places, folder: &Path) -> Result<Self, KernelError> {
        let mut file = OwnFile::make(places).await?;
        let mut command = command(launch, places, &file.path);
        command.current_dir(folder);
        file.listeners.clear();
        let failed = |error| KernelError::Start { what: launch.what.clone(), error };
        let mut child = command.spawn().map_err(failed)?;
        let said = Said::default();
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(listen(stderr, Arc::clone(&said)));
        }
        let mut process = Self { child, interrupt: launch.interrupt, file, said };
        process.ready(&launch.what).await?;
        Ok(process)
    }

    async fn ready(&mut self, what: &str) -> Result<(), KernelError> {
        let until = Instant::now() + READY_WITHIN;
        while Instant::now() < until {
            if is_listening(&self.file.info).await {
                return Ok(());
            }
            if let Ok(ended) = timeout(LOOK, self.child.wait()).await {
                let how = ended.map_or_else(|error| error.to_string(), |status| format!("ended ({status})"));
                return Err(self.not_ready(what, format!("{how} before it was ready")).await);
            }
        }
        Err(self.not_ready(what, format!("was not ready after {} s", READY_WITHIN.as_secs())).await)
    }

    async fn not_ready(&self, what: &str, how: String) -> KernelError {
        // Its last words may still be on their way.
        sleep(LOOK).await;
        KernelError::NotReady { what: what.into(), how, said: self.said() }
    }

    /// The end of what it wrote to its error output.
    pub(crate) fn said(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        crate::text::plain(&String::from_utf8_lossy(&said))
    }

    /// Sends a signal to the kernel and what it started.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(pid) = pid {
            let _ = kill_process_group(pid, signal);
        }
    }

    /// Waits for an end that has been asked for, and makes it come.
    pub(crate) async fn end(mut self) {
        // While the process is not reaped its number, which is also that of its group, is nobody else's.
        let pid = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if timeout(END_WITHIN, self.child.wait()).await.is_err() {
            self.signal(Signal::KILL);
            let _ = self.child.wait().await;
        }
        // What the code started and left behind.
        if let Some(group) = pid {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

fn command(launch: &Launch, places: &Places, file: &Path) -> Command {
    let mut words = launch.argv.iter().map(|word| word.replace(CONNECTION_FILE, &file.to_string_lossy()));
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).envs(&launch.env).env(PARENT, std::process::id().to_string());
    if let Some(environment) = &launch.environment {
        let programs = [environment.join("bin")].into_iter().chain(places.programs.iter().cloned());
        if let Ok(path) = std::env::join_paths(programs) {
            command.env("PATH", path);
        }
        command.env("VIRTUAL_ENV", environment).env_remove("PYTHONHOME");
    }
    // A group of its own: Ctrl-C in our terminal is not meant for it, and an interrupt reaches what it started.
    command.process_group(0).kill_on_drop(true);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Reads to the end, so that the kernel never waits for us, and keeps the last words.
async fn listen(mut stderr: ChildStderr, said: Said) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut buffer).await {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        said.extend_from_slice(buffer.get(..count).unwrap_or_default());
        let over = said.len().saturating_sub(SAID);
        said.drain(..over);
    }
}
