//! What `serve` shows to the person: the room on a terminal, lines everywhere else.

use carrick_editors::link::protocol::{Note, Role};
use carrick_review::terminal::source::Opening;
use carrick_review::terminal::{DeskSource, Ended, Leaving, Lender, Terminal};
use rustix::process::Signal;

use crate::desk::Part;
use crate::exit::Failure;
use crate::print;
use crate::review::link_source::LinkSource;
use crate::review::room;
use crate::screen::Screen;

/// One or the other.
pub(crate) enum Face {
    /// Lines, or lines of JSON.
    Lines(Screen),
    /// The room.
    Room(Terminal),
}

impl Face {
    /// Lines for this desk.
    pub(crate) fn lines(json: bool, part: &Part) -> Self {
        let screen = Screen::new(json, part.root());
        screen.begin(part);
        Self::Lines(screen)
    }

    /// The room of this desk.
    pub(crate) fn room(part: &Part) -> Result<Self, Failure> {
        let room = Terminal::open(room::options(leaving(part), true, hints(part)), opening(part));
        Ok(Self::Room(room.map_err(Failure::io("open", "the terminal room"))?))
    }

    /// Waits for the end of the room: true when the person left, false when it broke.
    pub(crate) async fn left(&mut self) -> bool {
        match self {
            Self::Room(room) => matches!(room.ended().await, Ended::Left | Ended::Closed),
            Self::Lines(_) => std::future::pending().await,
        }
    }

    /// Something happened. A room hears it from the desk itself.
    pub(crate) fn note(&self, note: &Note) {
        if let Self::Lines(screen) = self {
            screen.note(note);
        }
    }

    /// The host ended; somebody, perhaps we, took over.
    pub(crate) async fn again(&self, part: &Part) {
        match self {
            Self::Lines(screen) => screen.again(part),
            Self::Room(room) => room.switch(opening(part), leaving(part)).await,
        }
    }

    /// What the person should know and would not see.
    pub(crate) fn remark(&self, words: &str) {
        match self {
            Self::Lines(_) => print::remark(&format!("note: {words}")),
            Self::Room(room) => room.say(words),
        }
    }

    /// True for a signal that is meant for a program that has the terminal.
    pub(crate) fn is_for_program(&self, signal: Signal) -> bool {
        matches!(self, Self::Room(room) if room::is_for_program(signal, room))
    }

    /// A way to lend the terminal.
    pub(crate) fn lender(&self) -> Option<Lender> {
        match self {
            Self::Lines(_) => None,
            Self::Room(room) => Some(room.lender()),
        }
    }

    /// Gives the terminal back.
    pub(crate) async fn close(self) {
        if let Self::Room(room) = self {
            room.close().await;
        }
    }
}

fn leaving(part: &Part) -> Leaving {
    match part {
        Part::Host(_) => Leaving::EndsServer,
        Part::Viewer(_) => Leaving::LeavesRoom,
    }
}

fn opening(part: &Part) -> Opening {
    match part {
        Part::Host(hosting) => {
            DeskSource::opening(hosting.desk(), hosting.root().into(), hosting.ready().port)
        }
        Part::Viewer(_) => LinkSource::opening(part.ready().socket, Role::Shell, "the room of carrick serve"),
    }
}

fn hints(part: &Part) -> Vec<(String, String)> {
    let page = part.ready().page.map(|address| ("page".into(), address));
    let commands = [
        ("claude --ide", "in another terminal here: connects the agent"),
        ("carrick select FILE:3-9", "shows the agent what you mean"),
        ("carrick review", "opens this room in another terminal"),
    ];
    let commands = commands.map(|(command, meaning)| (command.into(), meaning.into()));
    commands.into_iter().chain(page).collect()
}
