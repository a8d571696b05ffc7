//! The terminal room: the same reviews on a terminal screen.
//!
//! It runs on a thread of its own, so that neither a large comparison nor a terminal that takes no output holds up the
//! desk. `source` is where the reviews come from, `change` what a person works on, `room` the state and its keys,
//! `draw` the picture of it, `screen` the terminal that is taken and given back, `run` what ties them together.

mod change;
mod desk_source;
mod draw;
mod inline;
mod key;
mod keyboard;
mod loan;
mod outward;
mod paint;
mod palette;
mod paper;
mod room;
mod run;
mod screen;
pub mod source;
mod syntax;

use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

pub use desk_source::DeskSource;
pub use loan::Status;
pub(crate) use outward::{plain_name, private_folder, write_private};
pub use room::Leaving;
use run::Order;
pub use run::{Ended, Options};
use source::Opening;

/// Orders that may wait for a room that does not read them, because its terminal takes no output. A remark that finds no
/// place is dropped: it is in the log as well.
const ORDERS: usize = 64;

/// How long the end waits for a room to give the terminal back before it is taken from it.
const LAST_PICTURE: Duration = Duration::from_secs(3);

/// A room on the terminal of this process.
pub struct Terminal {
    orders: mpsc::Sender<Order>,
    end: oneshot::Receiver<Ended>,
    /// How it ended, once it has.
    ended: Option<Ended>,
    lent: Arc<loan::Lent>,
}

impl Terminal {
    /// Opens a room on standard input and output, which must be a terminal.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn open(options: Options, opening: Opening) -> io::Result<Self> {
        screen::give_back_on_panic();
        let (orders, received) = mpsc::channel(ORDERS);
        let (ended, end) = oneshot::channel();
        let lent = Arc::<loan::Lent>::default();
        let room = Terminal { orders, end, ended: None, lent: Arc::clone(&lent) };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new().name("terminal room".into()).spawn(move || {
            let done = runtime.block_on(run::run(options, opening, received, lent));
            // The key reader may still hold a thread of its own; nothing waits for it.
            runtime.shutdown_background();
            let _ = ended.send(done.unwrap_or(Ended::Broken));
        })?;
        Ok(room)
    }

    /// Waits for the end. A room that panicked is a broken one.
    pub async fn ended(&mut self) -> Ended {
        match self.ended {
            Some(ended) => ended,
            None => *self.ended.insert((&mut self.end).await.unwrap_or(Ended::Broken)),
        }
    }

    /// True while the terminal belongs to another program. Ctrl-C is meant for that one then.
    #[must_use]
    pub fn is_lent(&self) -> bool {
        self.lent.is_on()
    }

    /// The reviews come from elsewhere from now on.
    pub async fn switch(&self, opening: Opening, leaving: Leaving) {
        let _ = self.orders.send(Order::Switch(opening, leaving)).await;
    }

    /// Something for the person to read.
    pub fn say(&self, words: impl Into<String>) {
        let _ = self.orders.try_send(Order::Say(words.into()));
    }

    /// A way to lend the terminal to a program.
    #[must_use]
    pub fn lender(&self) -> Lender {
        Lender { orders: self.orders.clone() }
    }

    /// Ends the room and waits until the person has their terminal back.
    pub async fn close(mut self) {
        let closing = async {
            let _ = self.orders.send(Order::Close).await;
            self.ended().await;
        };
        let _ = timeout(LAST_PICTURE, closing).await;
    }
}

/// Lends the terminal of a room to programs.
#[derive(Clone)]
pub struct Lender {
    orders: mpsc::Sender<Order>,
}

impl Lender {
    /// Runs a program in the terminal; `None` when the room has ended or the terminal is lent already.
    pub async fn lend(&self, command: Vec<OsString>) -> Option<Status> {
        let (done, status) = oneshot::channel();
        self.orders.send(Order::Lend(loan::Loan { command, done })).await.ok()?;
        status.await.ok()
    }
}
