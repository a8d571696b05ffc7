//! The terminal, taken and given back. Whatever ends the room, the person gets their terminal as it was: the orderly end
//! and the editor through [`Screen::give_back`], a panic of any thread through a hook.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::draw;
use super::palette::Palette;
use super::room::Room;

/// The other screen, pasted text marked as such (a pasted letter must not decide anything), no cursor.
const TAKE: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[?25l";
const CLEAR: &[u8] = b"\x1b[0m\x1b[2J";
/// All of that back.
const GIVE_BACK: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l";

const FREE: u8 = 0;
const TAKEN: u8 = 1;
/// A panic gave it back. It is not taken again: nobody knows what else is broken.
const LOST: u8 = 2;

static HELD: AtomicU8 = AtomicU8::new(FREE);

/// The terminal's output, apart from the lock of the standard library: a panic may come while that is held.
static OUTPUT: Mutex<Option<File>> = Mutex::new(None);

type Backend = CrosstermBackend<BufWriter<File>>;

pub(super) struct Screen {
    terminal: Terminal<Backend>,
    palette: Palette,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn take(colours: bool) -> io::Result<Self> {
        let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let spare = output.try_clone()?;
        *OUTPUT.lock().unwrap_or_else(PoisonError::into_inner) = Some(spare);
        give_back_on_panic();
        let backend = CrosstermBackend::new(BufWriter::with_capacity(64 << 10, output));
        let mut screen = Self { terminal: Terminal::new(backend)?, palette: Palette { colours } };
        screen.take_again()?;
        Ok(screen)
    }

    /// Takes it again after [`Screen::give_back`].
    pub(super) fn take_again(&mut self) -> io::Result<()> {
        if HELD.compare_exchange(FREE, TAKEN, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            enable_raw_mode()?;
            write(TAKE)?;
            self.forget()?;
        }
        Ok(())
    }

    /// Gives the terminal back for a while, or for good.
    pub(super) fn give_back(&mut self) {
        give_back(FREE);
    }

    /// Draws the room; false when the terminal is no longer ours.
    pub(super) fn draw(&mut self, room: &mut Room) -> io::Result<bool> {
        if HELD.load(Ordering::Acquire) != TAKEN {
            return Ok(false);
        }
        let palette = self.palette;
        self.terminal.draw(|frame| draw::draw(room, frame.buffer_mut(), palette))?;
        Ok(true)
    }

    /// Draws everything anew the next time.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        // Not the library's own clear: it asks the terminal where its cursor is and waits for an answer among the keys.
        write(CLEAR)?;
        self.terminal.swap_buffers();
        self.terminal.swap_buffers();
        Ok(())
    }

    /// Sends something that is no picture, such as a text for the clipboard.
    pub(super) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        write(bytes)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Gives the terminal back if it is taken. Only the first of several at once does it.
pub(super) fn give_back(then: u8) {
    if HELD.compare_exchange(TAKEN, then, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        // Nothing can be done about a terminal that is gone.
        let _ = disable_raw_mode();
        let _ = write(GIVE_BACK);
    }
}

fn write(bytes: &[u8]) -> io::Result<()> {
    match OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        Some(output) => output.write_all(bytes),
        None => Ok(()),
    }
}

fn give_back_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back(LOST);
            before(panic);
        }));
    });
}
