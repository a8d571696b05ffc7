//! The terminal in other hands: a program that runs in it while the room waits.

use std::ffi::OsString;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::run::Order;

/// How long a program that is told to end may take. It may have work to save.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What a shell says about a program that is no program, or not there; above these, one that was killed.
const NOT_STARTED: [i32; 2] = [126, 127];

/// How a program ended.
#[derive(Debug)]
pub struct Status(io::Result<ExitStatus>);

impl Status {
    /// As the system tells it.
    #[must_use]
    pub fn of(status: io::Result<ExitStatus>) -> Self {
        Self(status)
    }

    /// Its own exit code; `None` when it was not found, could not be started or was killed.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.0.as_ref().ok().and_then(ExitStatus::code).filter(|code| *code < 126)
    }

    /// What went wrong, in words; `None` when it ended with 0.
    #[must_use]
    pub fn failure(&self, program: &str) -> Option<String> {
        match &self.0 {
            Ok(status) if status.success() => None,
            Ok(status) if status.code().is_some_and(|code| NOT_STARTED.contains(&code)) => {
                Some(format!("{program} cannot be started"))
            }
            Ok(status) => Some(format!("{program} failed ({status})")),
            Err(error) => Some(format!("{program} cannot be started: {error}")),
        }
    }
}

/// How long after a loan a Ctrl-C may still be on its way to us: the program that it ended was quicker.
const LATE_CTRL_C: Duration = Duration::from_millis(500);

/// Whether the terminal is in other hands, for whoever gets the signals.
#[derive(Debug, Default)]
pub(super) struct Lent(Mutex<Option<Until>>);

#[derive(Clone, Copy, Debug)]
enum Until {
    Open,
    Moment(Instant),
}

impl Lent {
    fn set(&self, until: Until) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }

    /// A program has the terminal.
    pub(super) fn begin(&self) {
        self.set(Until::Open);
    }

    /// It is back.
    pub(super) fn end(&self) {
        self.set(Until::Moment(Instant::now() + LATE_CTRL_C));
    }

    /// True while a Ctrl-C is meant for a program, not for us.
    pub(super) fn is_on(&self) -> bool {
        match *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            None => false,
            Some(Until::Open) => true,
            Some(Until::Moment(moment)) => Instant::now() < moment,
        }
    }
}

/// A program that wants the terminal.
pub(super) struct Loan {
    pub(super) command: Vec<OsString>,
    pub(super) done: oneshot::Sender<Status>,
}

/// Runs a program in the terminal; true when the room was told to close before it ended.
pub(super) async fn run(command: &[OsString], orders: &mut mpsc::Receiver<Order>) -> (Status, bool) {
    let mut words = command.iter();
    let Some(program) = words.next() else {
        return (Status(Err(io::ErrorKind::NotFound.into())), false);
    };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return (Status(Err(error)), false),
    };
    loop {
        tokio::select! {
            status = child.wait() => return (Status(status), false),
            order = orders.recv() => match order {
                None | Some(Order::Close) => return (end(&mut child).await, true),
                // One program at a time; who comes now is told that nothing was started.
                Some(Order::Lend(loan)) => drop(loan),
                Some(Order::Say(_) | Order::Switch(..)) => {}
            },
        }
    }
}

async fn end(child: &mut Child) -> Status {
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = kill_process(pid, Signal::TERM);
    }
    let ended = timeout(LAST_WORDS, child.wait()).await;
    Status(ended.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())))
}
