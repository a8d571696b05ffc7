//! The keys, read by a thread of their own. When this is dropped nobody reads any more: a program that gets the terminal
//! gets every key, and the room gets every key that comes after.

use std::io::{self, PipeReader, PipeWriter};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use super::key::{Key, Keys};

/// Keys that may wait for the room. When there are more, the reading waits too, and they wait in the terminal.
const KEYS_WAITING: usize = 64;

/// The bytes of one key come together; what has not come after this long does not belong to it, not even over SSH.
const ONE_KEY: Duration = Duration::from_millis(50);

pub(super) struct Keyboard {
    keys: mpsc::Receiver<Key>,
    resized: Signal,
    /// Closing it ends the thread.
    stop: Option<PipeWriter>,
    thread: Option<JoinHandle<()>>,
}

impl Keyboard {
    /// Reads from now on.
    pub(super) fn open() -> io::Result<Self> {
        let (stopped, stop) = io::pipe()?;
        let (sender, keys) = mpsc::channel(KEYS_WAITING);
        let resized = signal(SignalKind::window_change())?;
        let reading = move || {
            // Its end is the end of the keys, whatever the reason.
            let _ = follow(&stopped, &sender);
        };
        let thread = std::thread::Builder::new().name("keys".into()).spawn(reading)?;
        Ok(Self { keys, resized, stop: Some(stop), thread: Some(thread) })
    }

    /// The next key, or [`Key::Other`] for another size; `None` when the terminal is gone.
    pub(super) async fn next(&mut self) -> Option<Key> {
        tokio::select! {
            key = self.keys.recv() => key,
            _ = self.resized.recv() => Some(Key::Other),
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        // In this order: a thread that waits for room in the queue must not be waited for.
        self.keys.close();
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What the thread does, until it is stopped or the terminal is gone.
fn follow(stopped: &PipeReader, sender: &mpsc::Sender<Key>) -> io::Result<()> {
    let (stdin, mut keys, mut piece) = (io::stdin(), Keys::default(), [0; 1024]);
    loop {
        let came = wait(stopped, keys.is_unfinished())?;
        if came {
            match read(&stdin, &mut piece) {
                Ok(0) => return Ok(()),
                Ok(length) => keys.push(piece.get(..length).unwrap_or_default()),
                Err(Errno::INTR | Errno::AGAIN) => continue,
                Err(error) => return Err(error.into()),
            }
        }
        while let Some(key) = keys.next(!came) {
            sender.blocking_send(key).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
    }
}

/// Waits for bytes: true when some came, false when the rest of a key did not.
fn wait(stopped: &PipeReader, unfinished: bool) -> io::Result<bool> {
    let patience = Timespec::try_from(ONE_KEY).unwrap_or_default();
    let stdin = io::stdin();
    loop {
        let mut both = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(stopped, PollFlags::IN)];
        let ready = match poll(&mut both, unfinished.then_some(&patience)) {
            Err(Errno::INTR) => continue,
            ready => ready?,
        };
        let [key, end] = &both;
        if !end.revents().is_empty() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        return Ok(ready > 0 && !key.revents().is_empty());
    }
}
