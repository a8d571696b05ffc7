//! What Neovim shows the person: reviews, who is connected, and news.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use carrick_core::{Answer, ClientId, End, Original, Pending, Review, ReviewId, Room, Standing};
use rmpv::Value;
use tokio::time::{Instant, sleep};

use super::channel::Channel;
use super::editor::Neovim;
use super::words::{self, args};
use crate::lineage::lineage;

/// An agent writes what was accepted within this time; until then Neovim is told when it did.
const WRITTEN_WITHIN: Duration = Duration::from_secs(5);

/// Between two looks at the file.
const LOOK: Duration = Duration::from_millis(50);

/// As in `vim.log.levels`.
const WARN: u8 = 3;

/// What is known of the desk, to be told when the plug-in asks.
#[derive(Debug)]
pub(super) struct Board {
    version: String,
    desk: Option<DeskFacts>,
    standing: Standing,
    /// The reviews that are on the screen.
    shown: BTreeSet<ReviewId>,
}

/// Where the desk is that Neovim is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeskFacts {
    /// The port of the door.
    pub port: u16,
    /// The folder it was opened in.
    pub root: PathBuf,
    /// This process holds it.
    pub hosting: bool,
}

impl Board {
    pub(super) fn new(version: &str) -> Self {
        Self { version: version.into(), desk: None, standing: Standing::default(), shown: BTreeSet::new() }
    }

    fn status(&self) -> Value {
        let clients = self.standing.clients.iter().map(|(client, mine)| {
            args([
                ("id", Some(client.id.0.into())),
                ("name", Some(client.name.as_str().into())),
                ("pid", client.pid.map(Value::from)),
                ("mine", Some((*mine).into())),
                ("ready", Some(client.ready.into())),
            ])
        });
        args([
            ("version", Some(self.version.as_str().into())),
            ("pid", Some(std::process::id().into())),
            ("port", self.desk.as_ref().map(|desk| desk.port.into())),
            ("root", self.desk.as_ref().map(|desk| words::path(&desk.root))),
            ("hosting", self.desk.as_ref().map(|desk| desk.hosting.into())),
            ("clients", Some(Value::Array(clients.collect()))),
            ("reviews", Some(self.standing.waiting.len().into())),
        ])
    }

    fn reviews(&self) -> Value {
        Value::Array(self.standing.waiting.iter().map(line).collect())
    }
}

fn line(review: &Pending) -> Value {
    args([
        ("id", Some(review.id.0.into())),
        ("path", Some(words::path(&review.path))),
        ("tab_name", Some(review.tab_name.as_str().into())),
        ("client", Some(review.client.0.into())),
        ("client_name", Some(review.client_name.as_str().into())),
        ("mine", Some(review.mine.into())),
        ("opened", Some(since_1970(review.opened).into())),
    ])
}

fn since_1970(moment: SystemTime) -> u64 {
    moment.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

impl Neovim {
    /// Neovim is at this desk from now on. It is told in its own time: one that waits for a key holds up nobody.
    pub fn moved_to(self: &Arc<Self>, desk: DeskFacts) {
        self.board().desk = Some(desk);
        let neovim = Arc::clone(self);
        tokio::spawn(async move { neovim.tell_status().await });
    }

    /// The answer to `carrick_ask`, from memory; `None` for what is not in the contract.
    #[must_use]
    pub fn asked(&self, what: &str) -> Option<Value> {
        match what {
            "status" => Some(self.board().status()),
            "reviews" => Some(self.board().reviews()),
            _ => None,
        }
    }

    /// The agent that runs in this process or under it.
    #[must_use]
    pub fn client_under(&self, pid: u32) -> Option<ClientId> {
        let board = self.board();
        let ready = board.standing.clients.iter().filter(|(client, _)| client.ready);
        let under = |own: u32| lineage(own).contains(&pid);
        ready.map(|(client, _)| client).find(|client| client.pid.is_some_and(under)).map(|client| client.id)
    }

    /// Says something to the person.
    pub async fn warn(&self, words: &str) {
        let said = args([("level", Some(WARN.into())), ("text", Some(words.into()))]);
        self.say("notify", said).await;
    }

    /// Neovim goes away from a desk that is gone: what it shows of it has no end but this. It is told in its own time.
    pub fn left_desk(self: &Arc<Self>) {
        let mut board = self.board();
        let shown = std::mem::take(&mut board.shown);
        board.standing = Standing::default();
        drop(board);
        let neovim = Arc::clone(self);
        tokio::spawn(async move {
            for id in shown {
                neovim.say("review_close", ended(id, End::Gone)).await;
            }
            neovim.tell_status().await;
        });
    }

    async fn tell_status(&self) {
        let status = self.board().status();
        self.say("status", status).await;
    }

    /// A call whose answer does not matter. A plug-in that fails at it has said so on its own screen.
    async fn say(&self, name: &str, args: Value) {
        if let Err(error) = self.channel.ask::<serde::de::IgnoredAny>(name, args).await {
            tracing::warn!(%error, name, "Neovim did not take it");
        }
    }
}

fn ended(id: ReviewId, end: End) -> Value {
    args([("id", Some(id.0.into())), ("why", Some(end.word().into()))])
}

fn shown(review: &Review) -> Value {
    let (kind, original) = match &review.original {
        Original::Missing => ("missing", None),
        Original::NotText => ("binary", None),
        Original::Text(_) => ("text", review.before().map(|text| Value::from(text.as_ref()))),
    };
    args([
        ("id", Some(review.id.0.into())),
        ("path", Some(words::path(&review.path))),
        ("tab_name", Some(review.tab_name.as_str().into())),
        ("original", original),
        ("original_kind", Some(kind.into())),
        ("proposed", Some((&*review.proposed).into())),
        ("client_name", Some(review.client_name.as_str().into())),
    ])
}

impl Room for Neovim {
    fn show(&self, review: Arc<Review>) -> Answer<'_, ()> {
        Box::pin(async move {
            self.board().shown.insert(review.id);
            let _: serde::de::IgnoredAny = self.ask("review_open", shown(&review)).await?;
            Ok(())
        })
    }

    fn settled(&self, id: ReviewId, path: PathBuf, end: End) -> Answer<'_, ()> {
        Box::pin(async move {
            self.board().shown.remove(&id);
            self.say("review_close", ended(id, end)).await;
            // Closed by the agent is also what it does when the person said yes in its own terminal.
            if matches!(end, End::Accepted | End::Closed) {
                tokio::spawn(tell_when_written(self.channel.clone(), path));
            }
            Ok(())
        })
    }

    fn standing(&self, standing: Standing) -> Answer<'_, ()> {
        Box::pin(async move {
            self.board().standing = standing;
            self.tell_status().await;
            Ok(())
        })
    }

    fn remark(&self, words: Arc<str>) -> Answer<'_, ()> {
        Box::pin(async move {
            self.warn(&words).await;
            Ok(())
        })
    }
}

/// The agent writes the file itself, after it has heard the answer: Neovim looks at its buffers when that happened.
async fn tell_when_written(channel: Channel, path: PathBuf) {
    let until = Instant::now() + WRITTEN_WITHIN;
    let mut seen = None;
    while Instant::now() < until {
        let now = Some(stamp(&path));
        if seen != now {
            seen = now;
            let told = channel.ask::<serde::de::IgnoredAny>("checktime", Value::Map(Vec::new())).await;
            if told.is_err() {
                return;
            }
        }
        sleep(LOOK).await;
    }
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
