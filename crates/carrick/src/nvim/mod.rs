//! `carrick nvim`: ties a Neovim to the desk of its folder, for as long as that Neovim runs.
//!
//! The plug-in starts it with its standard streams as the channel, so nothing but msgpack-rpc is ever printed.

mod attach;
mod journal;
mod sitting;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use carrick_core::{ClientId, MENTION_WAIT, Mention, Selection};
use carrick_editors::nvim::channel::{Channel, Incoming};
use carrick_editors::nvim::news::{METHOD, News};
use carrick_editors::nvim::{DeskFacts, Greeting, Neovim};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use crate::args::{LogArguments, NvimArguments};
use crate::config::{Config, Flags};
use crate::desk::Plan;
use crate::exit::{Exit, Failure};
use crate::join::workspace;
use crate::log;
use crate::signals::Signals;
use journal::Journal;
use sitting::Sitting;

/// A selection waits so long for a newer one. The agents' own 50 ms of quiet come after that.
const SELECTION_PAUSE: Duration = Duration::from_millis(10);

/// Abilities are looked at so long after the last change of the buffers.
const ABILITIES_PAUSE: Duration = Duration::from_millis(300);

/// How long the desk may take with what the person did, and the end with everything that has to be put in order: a
/// Neovim that ends waits two seconds for us.
const PATIENCE: Duration = Duration::from_secs(5);
const END: Duration = Duration::from_millis(1500);

/// Mentions that may wait for their agent. The oldest is dropped: a person who made so many did not mean the first.
const MENTIONS: usize = 64;

pub(crate) async fn nvim(arguments: NvimArguments, log: &LogArguments) -> Result<Exit, Failure> {
    let mut signals = Signals::catch()?;
    let (channel, incoming) = attach::attach(arguments.server.as_deref())?;
    let (neovim, greeting) = Neovim::greet(channel.clone(), env!("CARGO_PKG_VERSION")).await?;
    let plan = plan(&greeting, log)?;
    let config = Config::load(&plan.root, &plan.flags)?;
    log::start(log, config.log_filter(), true)?;
    let mut adapter = Adapter::start(channel, neovim, greeting, plan).await?;
    let done = tokio::select! {
        _ = signals.next() => Ok(()),
        done = adapter.run(incoming) => done,
    };
    // What is not in order by then goes with the process, lock files first.
    let _ = timeout(END, adapter.sitting.close()).await;
    done.map(|()| Exit::Done)
}

fn plan(greeting: &Greeting, log: &LogArguments) -> Result<Plan, Failure> {
    let root = workspace(&greeting.cwd)?;
    let flags = Flags { log_filter: log.log_filter.clone(), ..Flags::default() };
    Ok(Plan { folders: vec![root.clone()], root, flags, name: "carrick nvim", exact: false })
}

/// Neovim on one side, its seat on the other.
struct Adapter {
    channel: Channel,
    neovim: Arc<Neovim>,
    pid: u32,
    plan: Plan,
    sitting: Sitting,
    journal: Journal,
    /// What Neovim said last, to be said again at another desk.
    selection: Option<Selection>,
    folders: Vec<PathBuf>,
    selection_due: Option<Instant>,
    abilities_due: Option<Instant>,
    /// The agent that has been told less than it should: who it runs under, until when it may come.
    mentions: VecDeque<(Mention, u32, Instant)>,
}

impl Adapter {
    async fn start(
        channel: Channel,
        neovim: Arc<Neovim>,
        greeting: Greeting,
        plan: Plan,
    ) -> Result<Self, Failure> {
        let sitting = Sitting::take(&plan, &neovim, greeting.pid).await?;
        let mut adapter = Self {
            channel,
            neovim,
            pid: greeting.pid,
            plan,
            sitting,
            journal: Journal::default(),
            selection: None,
            folders: greeting.folders,
            selection_due: None,
            abilities_due: Some(Instant::now()),
            mentions: VecDeque::new(),
        };
        adapter.settle_in().await;
        Ok(adapter)
    }

    /// Says at a new desk what was said at the one before.
    async fn settle_in(&mut self) {
        let (port, root, hosting) = self.sitting.facts();
        self.journal.line(format!("at the desk of {} on port {port}", root.display()));
        self.neovim.moved_to(DeskFacts { port, root, hosting });
        self.sitting.seat.folders(self.folders.clone()).await;
        if self.selection.is_some() {
            self.sitting.seat.select(self.selection.clone()).await;
        }
    }

    /// Runs until Neovim ends.
    async fn run(&mut self, mut incoming: mpsc::Receiver<Incoming>) -> Result<(), Failure> {
        // One answer at a time, and the next look comes later anyway.
        let (looked, mut able) = mpsc::channel::<()>(1);
        loop {
            tokio::select! {
                said = incoming.recv() => match said {
                    Some(said) => self.hear(said).await,
                    None => return Ok(()),
                },
                note = self.sitting.next() => match note {
                    Some(note) => self.journal.note(&note),
                    None => self.move_on().await?,
                },
                () = at(self.selection_due) => self.tell_selection().await,
                () = at(self.abilities_due) => {
                    self.abilities_due = None;
                    self.look(looked.clone());
                }
                Some(()) = able.recv() => self.sitting.seat.abilities_changed().await,
                () = at(self.mentions.front().map(|_| Instant::now() + MENTION_PAUSE)) => self.try_mentions().await,
            }
        }
    }

    /// Asks Neovim what it can do, without waiting for it.
    fn look(&self, looked: mpsc::Sender<()>) {
        let neovim = Arc::clone(&self.neovim);
        tokio::spawn(async move {
            if neovim.look_at_abilities().await {
                let _ = looked.send(()).await;
            }
        });
    }

    /// The desk's host is gone: somebody, perhaps we, holds it now.
    async fn move_on(&mut self) -> Result<(), Failure> {
        self.neovim.left_desk();
        let plan = self.sitting.succession(&self.plan);
        self.sitting = Sitting::take(&plan, &self.neovim, self.pid).await?;
        self.settle_in().await;
        Ok(())
    }

    async fn hear(&mut self, said: Incoming) {
        match said {
            Incoming::Request(id, method, params) => self.channel.answer(id, self.answer(&method, &params)),
            Incoming::Notification(method, params) if method == METHOD => match News::read(params) {
                Ok(news) => self.happened(news).await,
                Err(error) => {
                    tracing::warn!(%error, "the plug-in says something that is not in the contract")
                }
            },
            Incoming::Notification(..) => {}
        }
    }

    fn answer(&self, method: &str, params: &[rmpv::Value]) -> Result<rmpv::Value, String> {
        let what = params.first().and_then(|asked| asked["what"].as_str()).unwrap_or_default();
        match (method, what) {
            ("carrick_ask", "log") => Ok(self.journal.lines()),
            ("carrick_ask", _) => {
                self.neovim.asked(what).ok_or_else(|| format!("carrick cannot be asked for `{what}`"))
            }
            _ => Err(format!("carrick has no method `{method}`")),
        }
    }

    async fn happened(&mut self, news: News) {
        match news {
            News::Selection(selection) => self.selected(Some(selection)),
            News::NoFile => self.selected(None),
            News::Focus => self.sitting.seat.focus().await,
            News::Folders(folders) => {
                self.folders.clone_from(&folders);
                self.sitting.seat.folders(folders).await;
            }
            News::Tabs => {
                self.sitting.seat.tabs_changed().await;
                self.abilities_due = Some(Instant::now() + ABILITIES_PAUSE);
            }
            News::Mention(mention, None) => self.mention(mention, None).await,
            News::Mention(mention, Some(pid)) => self.mention_under(mention, pid).await,
            News::Decided(id, decision) => {
                let decided = timeout(PATIENCE, self.sitting.seat.decide(id, decision)).await;
                self.complain(decided.unwrap_or_else(|_| Err("the desk does not answer".into())));
            }
        }
    }

    fn selected(&mut self, selection: Option<Selection>) {
        self.selection = selection;
        self.selection_due.get_or_insert(Instant::now() + SELECTION_PAUSE);
    }

    /// The newest of what came in the meantime. Who selects is there.
    async fn tell_selection(&mut self) {
        self.selection_due = None;
        self.sitting.seat.select(self.selection.clone()).await;
        self.sitting.seat.focus().await;
    }

    async fn mention(&self, mention: Mention, to: Option<ClientId>) {
        let told = timeout(PATIENCE, self.sitting.seat.mention(mention, to)).await;
        self.complain(told.unwrap_or_else(|_| Err("the desk does not answer".into())));
    }

    /// To the agent that runs under this process. One that was started a moment ago is waited for.
    async fn mention_under(&mut self, mention: Mention, pid: u32) {
        if self.mentions.len() == MENTIONS {
            self.mentions.pop_front();
        }
        self.mentions.push_back((mention, pid, Instant::now() + MENTION_WAIT));
        self.try_mentions().await;
    }

    async fn try_mentions(&mut self) {
        for (mention, pid, until) in std::mem::take(&mut self.mentions) {
            match self.neovim.client_under(pid) {
                Some(client) => self.mention(mention, Some(client)).await,
                None if Instant::now() < until => self.mentions.push_back((mention, pid, until)),
                None => self.complain(Err("nobody came to hear what you mentioned".into())),
            }
        }
    }

    /// Tells the person what went wrong, without waiting for them.
    fn complain(&self, done: Result<(), String>) {
        if let Err(words) = done {
            let neovim = Arc::clone(&self.neovim);
            tokio::spawn(async move { neovim.warn(&words).await });
        }
    }
}

/// Between two looks for an agent that something was mentioned to.
const MENTION_PAUSE: Duration = Duration::from_millis(100);

async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
