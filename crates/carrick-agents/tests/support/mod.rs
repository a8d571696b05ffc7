//! A stage for conversations: a desk, a scripted editor and an open door, all of it in temporary folders.
#![allow(dead_code, reason = "every test program uses its own part of the stage")]

pub mod editor;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use carrick_agents::claude::{Dialect, Door, DoorOptions, Remembered};
use carrick_core::paths::Host;
use carrick_core::{Decision, Desk, Event, FileDiagnostics, Mention, Position, PrivateList, Range, ReviewId};
use carrick_testkit::ide_client::{Connect, IdeClient};
use carrick_testkit::transcript::Actions;
use editor::ScriptedEditor;
use tempfile::TempDir;

pub const PATIENCE: Duration = Duration::from_secs(10);

pub struct Stage {
    pub home: TempDir,
    pub workspace: PathBuf,
    pub desk: Arc<Desk>,
    pub editor: Arc<ScriptedEditor>,
    pub door: Door,
}

impl Stage {
    pub async fn set() -> Self {
        Self::speaking(Dialect::default()).await
    }

    pub async fn speaking(dialect: Dialect) -> Self {
        let home = tempfile::tempdir().unwrap();
        let workspace = home.path().join("work space");
        std::fs::create_dir(&workspace).unwrap();
        let desk = Desk::new(vec![workspace.clone()], PrivateList::default());
        let editor = ScriptedEditor::seat(&desk, &workspace);
        let door = Door::open(desk.clone(), options(&home, dialect, None)).await.unwrap();
        Self { home, workspace, desk, editor, door }
    }

    pub fn knock(&self) -> Connect {
        Connect::new(self.door.port(), self.door.token().reveal())
    }

    pub async fn client(&self) -> IdeClient {
        self.knock().open().await.unwrap()
    }

    /// A client that has finished its greeting and hears what is pushed.
    pub async fn ready_client(&self) -> IdeClient {
        let mut events = self.desk.events();
        let client = self.client().await;
        client.handshake().await.unwrap();
        wait_for(&mut events, |event| matches!(event, Event::ClientReady(_))).await.unwrap();
        client
    }

    /// Waits until a review waits, and returns its number.
    pub async fn waiting_review(&self) -> Result<ReviewId> {
        let mut events = self.desk.events();
        loop {
            let waiting = self.desk.reviews().into_iter().find(|record| record.outcome.is_none());
            match waiting {
                Some(record) => return Ok(record.review.id),
                None => wait_for(&mut events, |event| matches!(event, Event::ReviewOpened(_))).await?,
            }
        }
    }

    async fn decide(&self, words: &str) -> Result<()> {
        let id = self.waiting_review().await?;
        let decision = match words.split_once(' ').unwrap_or((words, "")) {
            ("accept", "") => Decision::Accept,
            ("reject", "") => Decision::Reject,
            ("hunks", numbers) => {
                Decision::AcceptHunks(numbers.split(',').map(str::parse).collect::<Result<_, _>>()?)
            }
            ("with", contents) => Decision::AcceptWith(serde_json::from_str::<String>(contents)?.into()),
            _ => bail!("unknown decision {words:?}"),
        };
        Ok(self.desk.decide(id, decision)?)
    }

    fn select(&self, words: &str) -> Result<()> {
        let (name, range) = words.split_once(' ').context("select FILE L:C-L:C")?;
        let (start, end) = range.split_once('-').context("L:C-L:C")?;
        self.editor.select(name, Range::new(position(start)?, position(end)?));
        Ok(())
    }

    fn mention(&self, words: &str) -> Result<()> {
        let (name, lines) = words.split_once(' ').unwrap_or((words, ""));
        let lines =
            lines.split_once('-').map(|(from, to)| Ok::<_, anyhow::Error>((from.parse()?, to.parse()?)));
        self.desk.mention(Mention { path: self.workspace.join(name), lines: lines.transpose()? }, None)?;
        Ok(())
    }
}

pub fn options(home: &TempDir, dialect: Dialect, remembered: Option<Remembered>) -> DoorOptions {
    DoorOptions {
        ide_name: "carrick".into(),
        version: "0.0.0-test",
        dialect,
        host: Host::Posix,
        lock_dirs: vec![home.path().join(".claude/ide")],
        remembered,
        fixed_port: None,
    }
}

fn position(text: &str) -> Result<Position> {
    let (line, character) = text.split_once(':').context("L:C")?;
    Ok(Position::new(line.parse()?, character.parse()?))
}

pub async fn wait_for(
    events: &mut tokio::sync::broadcast::Receiver<Event>,
    wanted: impl Fn(&Event) -> bool,
) -> Result<()> {
    let look = async {
        loop {
            if wanted(&events.recv().await?) {
                return Ok(());
            }
        }
    };
    tokio::time::timeout(PATIENCE, look).await.context("the event did not come")?
}

/// The `$` lines of a transcript.
impl Actions for &Stage {
    async fn act(&mut self, line: &str) -> Result<()> {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("review", words) => self.decide(words).await,
            ("select", words) => self.select(words),
            ("mention", words) => self.mention(words),
            ("dirty", name) => {
                self.editor.dirty.lock().unwrap().push(self.workspace.join(name));
                Ok(())
            }
            ("folder", name) => {
                self.desk.add_folder(self.workspace.join(name));
                Ok(())
            }
            ("diagnose", name) => {
                let diagnostics = editor::some_diagnostics();
                self.desk
                    .diagnostics_changed(FileDiagnostics { path: self.workspace.join(name), diagnostics });
                Ok(())
            }
            ("abilities", "none") => {
                self.editor.able.store(false, Ordering::Relaxed);
                self.desk.abilities_changed();
                Ok(())
            }
            // The greeting is over when the client hears what is pushed.
            ("greeted", "") => {
                let mut events = self.desk.events();
                while !self.desk.clients().iter().all(|client| client.ready) {
                    wait_for(&mut events, |event| matches!(event, Event::ClientReady(_))).await?;
                }
                Ok(())
            }
            // Longer than the debounce: what would have been sent by now has been.
            ("settle", "") => {
                // waits: silence has no event; the debounce is 50 ms
                tokio::time::sleep(Duration::from_millis(200)).await;
                Ok(())
            }
            ("rooms", "none") => {
                self.desk.set_rooms(false);
                Ok(())
            }
            ("both", "wait") => {
                let mut events = self.desk.events();
                let waiting = || self.desk.reviews().iter().filter(|it| it.outcome.is_none()).count();
                while waiting() < 2 {
                    wait_for(&mut events, |event| matches!(event, Event::ReviewOpened(_))).await?;
                }
                Ok(())
            }
            ("waiting", "") => self.waiting_review().await.map(drop),
            _ => bail!("unknown action {line:?}"),
        }
    }
}
