//! The terminal room: opened by `serve` for its own desk, and by `carrick review` for one that runs elsewhere.

use std::io::IsTerminal;

use carrick_editors::link::protocol::Role;
use carrick_review::terminal::{Ended, Leaving, Options, Terminal};
use rustix::process::Signal;

use super::link_source::LinkSource;
use crate::env;
use crate::exit::{Exit, Failure};
use crate::join::Shell;
use crate::print::colours_wanted;
use crate::signals::Signals;

/// True when a room can be shown: somebody looks and somebody types.
pub(crate) fn is_possible() -> bool {
    let dumb = env::get(env::TERM).is_none_or(|term| term == "dumb");
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !dumb
}

/// How a room is set up here.
pub(crate) fn options(leaving: Leaving, outlives: bool, hints: Vec<(String, String)>) -> Options {
    let editor = env::get(env::VISUAL).or_else(|| env::get(env::EDITOR)).unwrap_or_else(|| "vi".into());
    Options { colours: colours_wanted(), editor, drafts: std::env::temp_dir(), leaving, outlives, hints }
}

/// `carrick review` on a terminal.
pub(super) async fn visit() -> Result<Exit, Failure> {
    let mut signals = Signals::catch()?;
    let socket = Shell::find()?;
    let hints = vec![("carrick review list".into(), "prints the list instead".into())];
    let opening = LinkSource::opening(socket, Role::Viewer, "carrick review");
    let room = Terminal::open(options(Leaving::LeavesRoom, false, hints), opening);
    let mut room = room.map_err(Failure::io("open", "the terminal room"))?;
    let ended = loop {
        tokio::select! {
            ended = room.ended() => break ended,
            signal = signals.next() => if !is_for_program(signal, &room) {
                room.close().await;
                return Ok(Exit::Done);
            },
        }
    };
    match ended {
        Ended::Left | Ended::Closed => Ok(Exit::Done),
        Ended::Over => Err(Failure::HostEnded),
        Ended::Broken => Err(Failure::NoRoom),
    }
}

/// Ctrl-C in a program that has the terminal is meant for that program, and reaches us as well.
pub(crate) fn is_for_program(signal: Signal, room: &Terminal) -> bool {
    signal == Signal::INT && room.is_lent()
}
