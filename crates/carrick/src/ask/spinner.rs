//! A sign of life on standard error, on a terminal only.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use crate::print::colours_wanted;

const FRAMES: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const STEP: Duration = Duration::from_millis(80);

/// Back to the line's beginning, and everything on it gone.
const ERASE: &str = "\r\x1b[K";

pub(super) struct Spinner {
    wanted: bool,
    step: usize,
}

impl Spinner {
    pub(super) fn new() -> Self {
        Self { wanted: std::io::stderr().is_terminal() && colours_wanted(), step: 0 }
    }

    pub(super) async fn turn_during<T>(&mut self, work: impl Future<Output = T>) -> T {
        if !self.wanted {
            return work.await;
        }
        tokio::pin!(work);
        let mut shown = Erased(false);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = tokio::time::sleep(STEP) => shown.show(self.next()),
            }
        }
    }

    fn next(&mut self) -> char {
        self.step += 1;
        FRAMES.get(self.step % FRAMES.len()).copied().unwrap_or(' ')
    }
}

/// Erases the sign when it goes out of use, also by a signal.
struct Erased(bool);

impl Erased {
    fn show(&mut self, sign: char) {
        self.0 = true;
        let _ = write!(std::io::stderr(), "\r{sign}");
    }
}

impl Drop for Erased {
    fn drop(&mut self) {
        if self.0 {
            let _ = write!(std::io::stderr(), "{ERASE}");
        }
    }
}
