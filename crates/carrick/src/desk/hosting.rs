//! Holding a desk: the lock, the desk with its built-in editor, the door, the link, in this order; and back.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carrick_agents::claude::{Door, DoorOptions, lock_dirs};
use carrick_core::{Desk, Event, ReviewRecord, paths};
use carrick_editors::headless::{Equipment, Headless, Places};
use carrick_editors::link::host::{Facts, Host, MakeAddress};
use carrick_editors::link::place::HostLock;
use carrick_editors::link::protocol::{Note, Notes, ReviewLine};
use carrick_review::page::{self, Page};
use carrick_review::terminal::Lender;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::journal::Journal;
use super::state::StateFolder;
use super::{Plan, Ready};
use crate::config::Config;
use crate::env;
use crate::exit::Failure;
use crate::review::choice::Choice;
use crate::review::program::Programs;
use crate::review::unasked::Unasked;

/// carrick's own version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A desk in our hands. If it is dropped without [`Hosting::close`], as in a panic, the fields still go in the order
/// in which they stand here: the door with its lock file first, the right to host last.
pub(crate) struct Hosting {
    programs: Option<Programs>,
    door: Door,
    link: Host,
    page: Option<Page>,
    journal: Journal,
    events: Receiver<Event>,
    notes: Notes,
    left_behind: VecDeque<Note>,
    unasked: Unasked,
    choice: Choice,
    editor: Arc<Headless>,
    desk: Arc<Desk>,
    root: PathBuf,
    ready: Ready,
    lock: HostLock,
}

impl Hosting {
    /// Opens the desk. What agents do not wait for comes after the door.
    pub(crate) async fn open(lock: HostLock, plan: &Plan) -> Result<Self, Failure> {
        let config = Config::load(&plan.root, &plan.flags)?;
        let desk = Desk::new(plan.folders.clone(), config.private());
        desk.know_lineage(Box::new(carrick_editors::lineage::lineage));
        let choice = config.review();
        desk.set_rooms(choice != Choice::Nowhere);
        let equipment = Equipment::default().with_languages(config.languages(env::path()));
        let editor = Headless::seat_with(&desk, equipment);
        if let Some((consent, kernel)) = config.kernels() {
            editor.offer_kernels(consent, Places::of_this_process(), kernel);
        }
        let events = desk.events();
        let state = StateFolder::of(&plan.root);
        let door = Door::open(Arc::clone(&desk), door_options(&config, state.as_ref())).await?;
        if let Some(state) = &state {
            state.remember(door.port(), door.token());
        }
        let mut journal = Journal::new(state.as_ref().map(StateFolder::reviews));
        journal.load(&desk);
        let left_behind = desk.reviews().iter().map(left_behind).collect();
        let page = match choice.has_page() {
            true => open_page(&desk, &plan.root, &door, state.as_ref()).await,
            false => None,
        };
        let addresses = page.as_ref().map(Page::addresses);
        let address = addresses.as_ref().and_then(page::Addresses::make);
        let make = addresses.map(|addresses| MakeAddress(Arc::new(move || addresses.make())));
        let facts = Facts { page: make, ..facts(&plan.root, &config, &door) };
        let link = Host::serve(lock.listen()?, Arc::clone(&desk), facts);
        lock.announce(&plan.root, desk.folders())?;
        let ready = Ready {
            port: door.port(),
            lock: door.lock_files().into_iter().next().unwrap_or_default(),
            socket: lock.socket(),
            pid: std::process::id(),
            page: address,
        };
        let (notes, root) = (Notes::default(), plan.root.clone());
        let (unasked, programs) = (config.unasked(), None);
        Ok(Self {
            programs,
            door,
            link,
            page,
            journal,
            events,
            notes,
            left_behind,
            unasked,
            choice,
            editor,
            desk,
            root,
            ready,
            lock,
        })
    }

    pub(crate) fn ready(&self) -> &Ready {
        &self.ready
    }

    /// A fresh address of the review page.
    pub(crate) fn page(&self) -> Option<String> {
        self.page.as_ref().and_then(|page| page.addresses().make())
    }

    pub(crate) fn desk(&self) -> Arc<Desk> {
        Arc::clone(&self.desk)
    }

    /// Starts the person's diff program for changes from now on, if they have chosen one; in the terminal that is lent,
    /// or without one.
    pub(crate) fn show_programs(&mut self, lender: Option<Lender>) {
        let program = self.choice.program().map(String::from);
        self.programs = program.map(|program| Programs::start(self.desk(), program, lender));
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The next thing that happens. What the desk's files have to follow is done on the way.
    pub(crate) async fn next(&mut self) -> Note {
        if let Some(note) = self.left_behind.pop_front() {
            return note;
        }
        loop {
            tokio::select! {
                event = self.events.recv() => match event {
                    Ok(event) => {
                        self.follow(&event);
                        if let Some(note) = self.notes.note(&self.desk, &event) {
                            return note;
                        }
                    }
                    Err(RecvError::Lagged(count)) => return self.catch_up(count),
                    // We hold the desk, and the desk holds the sending end.
                    Err(RecvError::Closed) => std::future::pending().await,
                },
                id = self.journal.next_due() => self.journal.write(&self.desk, id),
                () = self.link.forgotten() => self.journal.tidy(&self.desk),
            }
        }
    }

    fn follow(&mut self, event: &Event) {
        match event {
            Event::FoldersChanged => self.announce(),
            Event::ReviewOpened(id) => {
                self.journal.opened(*id);
                self.unasked.consider(&self.desk, *id);
            }
            Event::ReviewSettled(id) => self.journal.settled(&self.desk, *id),
            _ => {}
        }
    }

    /// Events were lost: everything that follows them is brought up to date from the desk itself.
    fn catch_up(&mut self, count: u64) -> Note {
        self.announce();
        for record in self.desk.reviews() {
            match record.outcome {
                None => {
                    self.journal.opened(record.review.id);
                    self.unasked.consider(&self.desk, record.review.id);
                }
                Some(_) => self.journal.settled(&self.desk, record.review.id),
            }
        }
        self.journal.tidy(&self.desk);
        Note::Missed { count }
    }

    fn announce(&self) {
        if let Err(error) = self.lock.announce(&self.root, self.desk.folders()) {
            tracing::warn!(%error, "other commands will not find the new folders");
        }
    }

    /// Ends in order: reviews are kept and answered as gone, clients hear goodbye, the lock file goes, and when the
    /// right to host is free again the link falls silent, so that a viewer can take over.
    pub(crate) async fn close(mut self) {
        self.journal.write_all(&self.desk);
        self.door.close().await;
        self.journal.tidy(&self.desk);
        self.editor.close_kernels().await;
        self.editor.close_programs().await;
        drop(self.lock);
        self.link.close().await;
        if let Some(page) = self.page {
            page.close().await;
        }
    }
}

/// A desk without its page is still a desk: the terminal and the shell remain.
async fn open_page(desk: &Arc<Desk>, root: &Path, door: &Door, state: Option<&StateFolder>) -> Option<Page> {
    let lock_file = door.lock_files().into_iter().next().unwrap_or_default();
    let facts = page::Facts { version: VERSION.into(), root: root.into(), lock_file };
    let options =
        page::Options { facts, kept: state.and_then(StateFolder::kept_page), trouble: crate::log::trouble };
    let page = Page::open(Arc::clone(desk), options).await;
    if let (Ok(page), Some(state)) = (&page, state) {
        state.keep_page(&page.kept());
    }
    page.inspect_err(|error| tracing::warn!(%error, "the review page cannot be served")).ok()
}

/// What an earlier run left behind is told first, in the words of the event that nobody heard.
fn left_behind(record: &ReviewRecord) -> Note {
    Note::ReviewSettled { id: record.review.id.0, review: Some(ReviewLine::uncounted(record)) }
}

fn door_options(config: &Config, state: Option<&StateFolder>) -> DoorOptions {
    let wsl = env::get(env::WSL_DISTRO_NAME).is_some();
    DoorOptions {
        ide_name: config.name().into(),
        version: VERSION,
        dialect: config.dialect(),
        host: if wsl { paths::Host::Wsl } else { paths::Host::Posix },
        lock_dirs: lock_dirs(
            env::get(env::CLAUDE_CONFIG_DIR).as_deref(),
            env::home().as_deref(),
            env::get(env::XDG_CONFIG_HOME).as_deref(),
        ),
        remembered: state.and_then(StateFolder::remembered),
        fixed_port: config.port(),
    }
}

fn facts(root: &Path, config: &Config, door: &Door) -> Facts {
    Facts {
        carrick: VERSION.into(),
        root: root.into(),
        port: door.port(),
        lock_files: door.lock_files(),
        dialect: config.dialect().name().into(),
        name: config.name().into(),
        page: None,
    }
}
