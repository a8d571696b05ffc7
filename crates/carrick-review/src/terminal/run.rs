//! The room at work: keys, news and orders come in, wishes are fulfilled, and the picture follows.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::key::Key;
use super::keyboard::Keyboard;
use super::loan::{self, Lent, Loan};
use super::outward::{Draft, clipboard, editor_command};
use super::room::{Leaving, Room, Wish};
use super::screen::{self, Screen};
use super::source::{Opening, Source, Told};

/// How often ages are looked at while something waits.
const AGES: Duration = Duration::from_secs(15);

/// News that are taken in before the next picture. More of them wait in the source.
const NEWS_AT_ONCE: usize = 256;

/// How a room is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Colours, or only bold, underlined and reversed.
    pub colours: bool,
    /// The person's editor, a command line.
    pub editor: OsString,
    /// Where files for the person go.
    pub drafts: PathBuf,
    /// What leaving means.
    pub leaving: Leaving,
    /// The room waits for another source when its own ends, instead of ending too.
    pub outlives: bool,
    /// Commands worth knowing and what they do, shown while nothing waits.
    pub hints: Vec<(String, String)>,
}

/// Why a room ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The person left.
    Left,
    /// Its source ended.
    Over,
    /// It was told to.
    Closed,
    /// Something is broken; the terminal was given back.
    Broken,
}

/// What the outside tells a room.
pub(super) enum Order {
    /// Another source, and what leaving means from now on.
    Switch(Opening, Leaving),
    /// Something for the person to read.
    Say(String),
    /// The terminal, for a program.
    Lend(Loan),
    /// The end.
    Close,
}

struct Work {
    room: Room,
    screen: Screen,
    keys: Option<Keyboard>,
    source: Option<Box<dyn Source>>,
    options: Options,
    lent: Arc<Lent>,
    orders: mpsc::Receiver<Order>,
}

/// Runs a room to its end.
pub(super) async fn run(
    options: Options,
    opening: Opening,
    orders: mpsc::Receiver<Order>,
    lent: Arc<Lent>,
) -> io::Result<Ended> {
    let screen = Screen::take(options.colours)?;
    let room = Room::new(options.leaving, options.hints.clone());
    let keys = Some(Keyboard::open()?);
    let mut work = Work { room, screen, keys, source: None, options, lent, orders };
    work.open(opening).await;
    let ended = work.go_on().await;
    work.screen.give_back();
    ended
}

impl Work {
    async fn open(&mut self, opening: Opening) {
        match opening().await {
            Ok(source) => {
                self.source = Some(source);
                self.look().await;
            }
            Err(why) => self.room.say_loudly(why),
        }
    }

    async fn look(&mut self) {
        let Some(source) = &mut self.source else { return };
        match source.look().await {
            Ok(look) => self.room.begin(look),
            Err(why) => self.room.say_loudly(why),
        }
    }

    async fn go_on(&mut self) -> io::Result<Ended> {
        loop {
            if let Some(ended) = self.fulfil().await? {
                return Ok(ended);
            }
            if !self.screen.draw(&mut self.room)? {
                return Ok(Ended::Broken);
            }
            if let Some(ended) = self.step().await? {
                return Ok(ended);
            }
        }
    }

    /// Waits for something to happen and takes it in.
    async fn step(&mut self) -> io::Result<Option<Ended>> {
        let look_again = match self.room.next_change() {
            Some(moment) => Instant::from_std(moment),
            None => Instant::now() + AGES,
        };
        let waits = self.room.waiting() > 0;
        tokio::select! {
            key = next_key(&mut self.keys) => match key {
                Some(key) => self.room.press(key),
                // The terminal is gone: there is nobody to show anything to.
                None => return Ok(Some(Ended::Broken)),
            },
            told = next_told(&mut self.source) => return Ok(self.heard(told)),
            order = self.orders.recv() => return self.obey(order).await,
            () = screen::lost() => return Ok(Some(Ended::Broken)),
            () = sleep_until(look_again), if waits => {}
        }
        Ok(None)
    }

    /// One piece of news, and those that are there already.
    fn heard(&mut self, first: Told) -> Option<Ended> {
        let mut told = Some(first);
        for _ in 0..NEWS_AT_ONCE {
            match told {
                None => break,
                Some(Told::Over) if !self.options.outlives => return Some(Ended::Over),
                Some(Told::Over) => {
                    self.source = None;
                    self.room.say_loudly("the server ended; somebody takes over");
                    break;
                }
                Some(news) => self.room.hear(news),
            }
            told = next_told(&mut self.source).now_or_never();
        }
        None
    }

    async fn obey(&mut self, order: Option<Order>) -> io::Result<Option<Ended>> {
        match order {
            None | Some(Order::Close) => return Ok(Some(Ended::Closed)),
            Some(Order::Say(words)) => self.room.say_loudly(words),
            Some(Order::Switch(opening, leaving)) => {
                self.room.leaving = leaving;
                self.open(opening).await;
            }
            Some(Order::Lend(loan)) => {
                let (command, done) = (loan.command, loan.done);
                let (status, closed) = self.lend(&command).await?;
                let _ = done.send(status);
                return Ok(closed);
            }
        }
        Ok(None)
    }

    /// Gives the terminal to a program until that ends. The room may be told to close meanwhile.
    async fn lend(&mut self, command: &[OsString]) -> io::Result<(loan::Status, Option<Ended>)> {
        // Two readers of one keyboard would share the keys between them.
        self.keys = None;
        self.screen.give_back();
        self.lent.begin();
        let (status, closed) = loan::run(command, &mut self.orders).await;
        self.lent.end();
        if closed {
            return Ok((status, Some(Ended::Closed)));
        }
        self.screen.take_again()?;
        self.keys = Some(Keyboard::open()?);
        Ok((status, None))
    }

    async fn fulfil(&mut self) -> io::Result<Option<Ended>> {
        while let Some(wish) = self.room.wish() {
            match wish {
                Wish::Leave => return Ok(Some(Ended::Left)),
                Wish::Look => self.look().await,
                Wish::Redraw => self.screen.forget()?,
                Wish::Contents(id) => {
                    if let Some(source) = &mut self.source {
                        let contents = source.contents(id).await;
                        self.room.contents(id, contents);
                    }
                }
                Wish::Decide(id, decision) => {
                    let Some(source) = &mut self.source else { continue };
                    if let Err(why) = source.decide(id, decision).await {
                        self.room.refused(id, why);
                    }
                }
                Wish::Edit(id) => {
                    if let Some(ended) = self.edit(id).await? {
                        return Ok(Some(ended));
                    }
                }
                Wish::Copy(text) => self.copy(&text)?,
                Wish::Keep(path, text, words) => match Draft::new(&self.options.drafts, &path, &text) {
                    Ok(draft) => self.room.say_loudly(format!("{words} {}", draft.keep().display())),
                    Err(error) => self.room.say_loudly(format!("cannot write a file: {error}")),
                },
            }
        }
        Ok(None)
    }

    fn copy(&mut self, text: &str) -> io::Result<()> {
        match clipboard(text) {
            Some(bytes) => {
                screen::send(&bytes)?;
                self.room.say(format!("{} bytes were sent to the terminal's clipboard", text.len()));
            }
            None => self.room.say("too large for a terminal's clipboard: w writes it to a file"),
        }
        Ok(())
    }

    async fn edit(&mut self, id: u64) -> io::Result<Option<Ended>> {
        let Some((path, text)) = self.room.to_edit(id) else { return Ok(None) };
        let draft = match Draft::new(&self.options.drafts, &path, &text) {
            Ok(draft) => draft,
            Err(error) => {
                self.room.say_loudly(format!("cannot make a file to edit: {error}"));
                return Ok(None);
            }
        };
        let command = editor_command(&self.options.editor, &draft.file);
        let (status, ended) = self.lend(&command).await?;
        let editor = self.options.editor.to_string_lossy();
        let outcome = draft.outcome(&text, status.failure(&editor));
        // What happened meanwhile comes first: a review that has ended must not be taken for one that waits.
        while let Some(told) = next_told(&mut self.source).now_or_never() {
            if let Some(ended) = self.heard(told) {
                return Ok(Some(ended));
            }
        }
        self.room.edited(id, outcome);
        Ok(ended)
    }
}

async fn next_key(keys: &mut Option<Keyboard>) -> Option<Key> {
    match keys {
        Some(keys) => keys.next().await,
        None => std::future::pending().await,
    }
}

async fn next_told(source: &mut Option<Box<dyn Source>>) -> Told {
    match source {
        Some(source) => source.next().await,
        None => std::future::pending().await,
    }
}
