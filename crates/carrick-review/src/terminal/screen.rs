//! The terminal, taken and given back. Whatever ends the room, the person gets their terminal as it was: the orderly end
//! and the editor through [`Screen::give_back`], a panic of any thread through a hook.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::sync::Notify;

use super::draw;
use super::palette::Palette;
use super::room::Room;

/// The other screen, pasted text marked as such (a pasted letter must not decide anything), no cursor.
const TAKE: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[?25l";
const CLEAR: &[u8] = b"\x1b[0m\x1b[2J";
/// All of that back.
const GIVE_BACK: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// Whose the terminal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Person,
    Room,
    /// The person's, for good: something panicked, and nobody knows what else is broken.
    PersonForGood,
}

struct Held {
    owner: Owner,
    /// The terminal's output, apart from the lock of the standard library: a panic may come while that is held.
    output: Option<File>,
}

static HELD: Mutex<Held> = Mutex::new(Held { owner: Owner::Person, output: None });

static LOST: Notify = Notify::const_new();

/// Waits until a panic has given the terminal back.
pub(super) async fn lost() {
    LOST.notified().await;
}

fn held() -> MutexGuard<'static, Held> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Held {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.as_mut().map_or(Ok(()), |output| output.write_all(bytes))
    }

    fn give_back(&mut self, owner: Owner) {
        if self.owner == Owner::Room {
            // Nothing can be done about a terminal that is gone.
            let _ = disable_raw_mode();
            let _ = self.write(GIVE_BACK);
        }
        if self.owner != Owner::PersonForGood {
            self.owner = owner;
        }
    }
}

type Backend = CrosstermBackend<BufWriter<File>>;

pub(super) struct Screen {
    terminal: Terminal<Backend>,
    palette: Palette,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn take(colours: bool) -> io::Result<Self> {
        let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        held().output = Some(output.try_clone()?);
        let backend = CrosstermBackend::new(BufWriter::with_capacity(64 << 10, output));
        let mut screen = Self { terminal: Terminal::new(backend)?, palette: Palette { colours } };
        screen.take_again()?;
        Ok(screen)
    }

    /// Takes it again after [`Screen::give_back`].
    pub(super) fn take_again(&mut self) -> io::Result<()> {
        let mut held = held();
        if held.owner == Owner::Person {
            enable_raw_mode()?;
            held.owner = Owner::Room;
            held.write(TAKE)?;
        }
        drop(held);
        self.forget()
    }

    /// Gives the terminal back for a while, or for good.
    pub(super) fn give_back(&mut self) {
        held().give_back(Owner::Person);
    }

    /// Draws the room; false when the terminal is no longer ours.
    pub(super) fn draw(&mut self, room: &mut Room) -> io::Result<bool> {
        if held().owner != Owner::Room {
            return Ok(false);
        }
        let palette = self.palette;
        self.terminal.draw(|frame| draw::draw(room, frame.buffer_mut(), palette))?;
        Ok(true)
    }

    /// Draws everything anew the next time.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        // Not the library's own clear: it asks the terminal where its cursor is and waits for an answer among the keys.
        self.send(CLEAR)?;
        self.terminal.swap_buffers();
        self.terminal.swap_buffers();
        Ok(())
    }

    /// Sends something that is no picture, such as a text for the clipboard.
    pub(super) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut held = held();
        if held.owner == Owner::Room { held.write(bytes) } else { Ok(()) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// From now on a panic of any thread gives the terminal back before it says what happened.
pub(super) fn give_back_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            held().give_back(Owner::PersonForGood);
            LOST.notify_one();
            before(panic);
        }));
    });
}
