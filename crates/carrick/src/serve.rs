//! `carrick serve`: open the desk of a workspace or watch the one that is open, until a signal ends it.

use std::path::PathBuf;

use carrick_editors::link::protocol::Note;

use crate::args::{LogArguments, ServeArguments};
use crate::config::{Config, Flags};
use crate::desk::{Part, Plan};
use crate::exit::{Exit, Failure};
use crate::face::Face;
use crate::join::{here, inner_desks, workspace};
use crate::log;
use crate::page;
use crate::print;
use crate::review::room;
use crate::signals::Signals;

pub(crate) async fn serve(arguments: ServeArguments, log: &LogArguments) -> Result<Exit, Failure> {
    // Before anything that has to be cleaned up exists.
    let mut signals = Signals::catch()?;
    let plan = plan(&arguments, log)?;
    let config = Config::load(&plan.root, &plan.flags)?;
    let in_room = wants_room(&arguments, log, &config);
    log::start(log, config.log_filter(), in_room)?;
    let mut part = plan.settle().await?;
    let mut face = if in_room { Face::room(&part)? } else { Face::lines(arguments.json.json, &part) };
    remark(&face, &part, &plan.flags);
    if arguments.open {
        page::open_for(&mut part).await;
    }
    part.show_programs(face.lender());
    panic_if_asked();
    let mut folders = None;
    loop {
        tokio::select! {
            signal = signals.next() => if !face.is_for_program(signal) { break },
            left = face.left() => {
                if left {
                    break;
                }
                print::remark("note: the room could not go on; the server does, and prints lines");
                face = Face::lines(false, &part);
                part.show_programs(None);
            },
            note = part.next() => match note {
                Some(note) => {
                    remember_folders(&mut folders, &note);
                    face.note(&note);
                }
                None => {
                    part = part.succession(&plan, folders.take()).settle().await?;
                    face.again(&part).await;
                    part.show_programs(face.lender());
                }
            },
        }
    }
    face.close().await;
    part.close().await;
    Ok(Exit::Done)
}

/// The room is for a person at a terminal who has not asked for something else to be written there.
fn wants_room(arguments: &ServeArguments, log: &LogArguments, config: &Config) -> bool {
    let lines = arguments.plain || arguments.json.json || !config.review().has_room();
    let log_on_terminal = (log.verbose > 0 || config.log_filter().is_some()) && log.log_file.is_none();
    !lines && !log_on_terminal && room::is_possible()
}

fn plan(arguments: &ServeArguments, log: &LogArguments) -> Result<Plan, Failure> {
    let root = match &arguments.directory {
        Some(directory) => workspace(directory)?,
        None => workspace(&here()?)?,
    };
    let flags = Flags {
        name: arguments.name.clone(),
        dialect: arguments.dialect.clone(),
        log_filter: log.log_filter.clone(),
    };
    Ok(Plan { folders: vec![root.clone()], root, flags, name: "carrick serve", exact: false })
}

fn remember_folders(folders: &mut Option<Vec<PathBuf>>, note: &Note) {
    if let Note::FoldersChanged { folders: now } = note {
        *folders = Some(now.clone());
    }
}

/// What the person should know and would not see.
fn remark(face: &Face, part: &Part, flags: &Flags) {
    if matches!(part, Part::Viewer(_)) && (flags.name.is_some() || flags.dialect.is_some()) {
        face.remark("the desk is open already; --name and --dialect count only for the one who opens it");
    }
    for root in inner_desks(part.root()) {
        let words = "has a desk of its own; an agent that is started there sees both and connects by itself to neither";
        face.remark(&format!("{} {words}", root.display()));
    }
}

#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "a test looks at what a panic leaves behind")]
fn panic_if_asked() {
    match crate::env::get(crate::env::CARRICK_TEST_PANIC) {
        // On another thread than this one, as the room is.
        Some(place) if place == "room" => drop(std::thread::spawn(|| panic!("asked to panic")).join()),
        Some(_) => panic!("asked to panic"),
        None => {}
    }
}

#[cfg(not(debug_assertions))]
fn panic_if_asked() {}
