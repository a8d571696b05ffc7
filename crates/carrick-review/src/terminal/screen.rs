//! The terminal, taken and given back. Whatever ends the room, the person gets their terminal as it was: the orderly end
//! and the editor through [`Screen::give_back`], a panic of any thread through a hook.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::{Mutex, MutexGuard, Once, PoisonError, TryLockError};
use std::time::Duration;

use ratatui::Terminal;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::sync::Notify;

use super::draw;
use super::palette::Palette;
use super::paper::Paper;
use super::room::Room;

/// The other screen, pasted text marked as such (a pasted letter must not decide anything), no cursor.
const TAKE: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[?25l";
/// All of that back.
const GIVE_BACK: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// How often, and with which pauses, a panic tries to give the terminal back.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(5);

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
    /// How the person had set it up.
    before: Option<Termios>,
    /// The terminal's output, apart from the lock of the standard library: a panic may come while that is held.
    output: Option<File>,
}

static HELD: Mutex<Held> = Mutex::new(Held { owner: Owner::Person, before: None, output: None });

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
            if let Some(before) = self.before.take() {
                let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
            }
            let _ = self.write(GIVE_BACK);
        }
        if self.owner != Owner::PersonForGood {
            self.owner = owner;
        }
    }
}

pub(super) struct Screen {
    terminal: Terminal<Paper>,
    palette: Palette,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn take(colours: bool) -> io::Result<Self> {
        held().output = Some(File::from(io::stdout().as_fd().try_clone_to_owned()?));
        let mut screen = Self { terminal: Terminal::new(Paper::default())?, palette: Palette { colours } };
        screen.take_again()?;
        Ok(screen)
    }

    /// Takes it again after [`Screen::give_back`].
    pub(super) fn take_again(&mut self) -> io::Result<()> {
        let mut held = held();
        if held.owner == Owner::Person {
            let before = tcgetattr(io::stdin())?;
            let mut raw = before.clone();
            raw.make_raw();
            tcsetattr(io::stdin(), OptionalActions::Now, &raw)?;
            (held.before, held.owner) = (Some(before), Owner::Room);
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
        self.terminal.clear()
    }
}

/// Sends something to the terminal, unless it is no longer ours: nothing may follow what gives it back.
pub(super) fn send(bytes: &[u8]) -> io::Result<()> {
    let mut held = held();
    if held.owner == Owner::Room { held.write(bytes) } else { Ok(()) }
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
            give_back_for_good();
            LOST.notify_one();
            before(panic);
        }));
    });
}

/// A terminal that takes no output keeps whoever draws on it waiting, and the panic must not wait for them for ever.
fn give_back_for_good() {
    for _ in 0..TRIES {
        match HELD.try_lock() {
            Ok(mut held) => return held.give_back(Owner::PersonForGood),
            Err(TryLockError::Poisoned(held)) => return held.into_inner().give_back(Owner::PersonForGood),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
    }
}
