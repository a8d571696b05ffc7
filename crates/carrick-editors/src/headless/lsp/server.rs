//! One language server: started, greeted, listened to, started again when it falls over, and ended with us.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::Languages;
use super::able::{Able, Asking, introduction};
use super::connection::Connection;
use super::documents::Sheet;
use super::papers::{Papers, Telling};
use super::process::{Pipes, Process};
use super::table::Entry;
use super::wire::{Incoming, Published, address};
use crate::link::framing::{FrameReader, write_frame};

/// How long a server may take to greet; a large workspace on a slow disk needs its time.
const GREETING: Duration = Duration::from_secs(60);
/// How long it may take to answer `shutdown`.
const GOODBYE: Duration = Duration::from_secs(1);
/// The pause before a server is started again; it doubles each time.
const PAUSE: Duration = Duration::from_millis(250);
/// So many times in a row it is started again …
const TRIES: u32 = 5;
/// … unless it lived so long: then it is a new story.
const GOOD_LIFE: Duration = Duration::from_secs(60);
/// One that was given up is tried again when it is needed after so long.
pub(super) const GIVEN_UP_FOR: Duration = Duration::from_secs(300);
/// How much of what it writes to its standard error is kept, and in what pieces it is read.
const LAST_WORDS: usize = 8;
const WORD_LENGTH: usize = 400;

/// Where a server stands.
#[derive(Clone)]
pub(super) enum Phase {
    /// It was started and has not greeted yet.
    Starting,
    /// It answers.
    Ready(Arc<Session>),
    /// It fell over and is started again soon.
    Resting,
    /// It fell over too often.
    Failed(Instant, String),
    /// It was ended by us.
    Ended,
}

/// A server that has greeted.
pub(super) struct Session {
    pub(super) connection: Arc<Connection>,
    pub(super) able: Able,
}

pub(super) struct State {
    pub(super) phase: Phase,
    pub(super) pid: Option<u32>,
    pub(super) papers: Papers,
    /// Questions in a row that it did not answer in time.
    pub(super) misses: u32,
    words: VecDeque<String>,
}

/// What to start.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) root: PathBuf,
}

/// One server for one folder.
pub(super) struct Server {
    pub(super) entry: Arc<Entry>,
    pub(super) start: Start,
    state: Mutex<State>,
    /// Changes whenever something may have come that somebody waits for.
    changed: watch::Sender<u64>,
    ending: watch::Sender<bool>,
    family: Weak<Languages>,
}

impl Server {
    /// Starts it, and looks after it until it is ended.
    pub(super) fn launch(entry: Arc<Entry>, start: Start, family: Weak<Languages>) -> Arc<Self> {
        let state = State {
            phase: Phase::Starting,
            pid: None,
            papers: Papers::default(),
            misses: 0,
            words: VecDeque::new(),
        };
        let server = Arc::new(Self {
            entry,
            start,
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
            ending: watch::Sender::new(false),
            family,
        });
        tokio::spawn(Arc::clone(&server).keep());
        server
    }

    pub(super) fn family(&self) -> Option<Arc<Languages>> {
        self.family.upgrade()
    }

    pub(super) fn name(&self) -> &str {
        &self.entry.server.name
    }

    // Nothing inside a critical section can panic half-way through a change.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.send_modify(|count| *count += 1);
    }

    /// Looks again whenever something changed, until there is something or the time is over.
    pub(super) async fn wait<T>(
        &self,
        until: Instant,
        mut look: impl FnMut(&mut State) -> Option<T>,
    ) -> Option<T> {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(found) = look(&mut self.state()) {
                return Some(found);
            }
            timeout_at(until, changed.changed()).await.ok()?.ok()?;
        }
    }

    /// The session, once there is one.
    pub(super) async fn session(&self, until: Instant) -> Option<Arc<Session>> {
        let found = self.wait(until, |state| match &state.phase {
            Phase::Ready(session) => Some(Some(Arc::clone(session))),
            Phase::Starting | Phase::Resting => None,
            Phase::Failed(..) | Phase::Ended => Some(None),
        });
        found.await.flatten()
    }

    /// The session, if it is there now.
    pub(super) fn running(&self) -> Option<Arc<Session>> {
        if let Phase::Ready(session) = &self.state().phase { Some(Arc::clone(session)) } else { None }
    }

    /// Shows the server a file as it is.
    pub(super) fn show(&self, session: &Session, sheet: &Sheet) {
        let mut state = self.state();
        let named = json!({ "uri": address(&sheet.real) });
        let versioned = json!({ "uri": address(&sheet.real), "version": sheet.version });
        let (line, able) = (&session.connection, &session.able);
        // Sent while the lock is held, so that versions go out in their order. Failures end the server elsewhere.
        match state.papers.show(&sheet.real, sheet.version, &sheet.text) {
            Telling::Nothing => return,
            Telling::Open => {
                let document = json!({ "uri": address(&sheet.real), "languageId": sheet.language,
                    "version": sheet.version, "text": &*sheet.text });
                let _ = line.notify("textDocument/didOpen", &json!({ "textDocument": document }));
            }
            Telling::Change => {
                line.fence(sheet.real.clone(), sheet.version);
                let change = json!([{ "text": &*sheet.text }]);
                let change = json!({ "textDocument": versioned, "contentChanges": change });
                let _ = line.notify("textDocument/didChange", &change);
                if let Some(with_text) = able.hears_saves() {
                    let mut saved = json!({ "textDocument": named });
                    if let (true, Some(saved)) = (with_text, saved.as_object_mut()) {
                        saved.insert("text".into(), (&*sheet.text).into());
                    }
                    let _ = line.notify("textDocument/didSave", &saved);
                }
            }
        }
        drop(state);
    }

    /// The server may forget a file.
    pub(super) fn close(&self, path: &Path) {
        let mut state = self.state();
        if let (true, Phase::Ready(session)) = (state.papers.close(path), &state.phase) {
            let closed = json!({ "textDocument": { "uri": address(path) } });
            let _ = session.connection.notify("textDocument/didClose", &closed);
        }
    }

    /// What it wrote to its standard error last.
    pub(super) fn last_words(&self) -> Option<String> {
        self.state().words.iter().rev().find(|line| !line.trim().is_empty()).cloned()
    }

    /// Asks it to end; [`Server::ended`] waits for that.
    pub(super) fn end(&self) {
        self.ending.send_replace(true);
    }

    /// Waits until it is ended.
    pub(super) async fn ended(&self) {
        let far = Instant::now() + GOODBYE * 4;
        let over = |state: &mut State| matches!(state.phase, Phase::Ended | Phase::Failed(..)).then_some(());
        self.wait(far, over).await;
    }

    async fn keep(self: Arc<Self>) {
        let (mut ending, mut tries) = (self.ending.subscribe(), 0);
        while !*ending.borrow_and_update() {
            let born = Instant::now();
            let end = self.live().await;
            tries = if born.elapsed() > GOOD_LIFE { 1 } else { tries + 1 };
            if *ending.borrow() {
                break;
            }
            tracing::warn!(server = self.name(), tries, "language server ended: {end}");
            if tries >= TRIES {
                return self.fail(&end);
            }
            self.change(|state| state.phase = Phase::Resting);
            let _ = timeout(PAUSE * 2_u32.pow(tries - 1), ending.changed()).await;
        }
        self.change(|state| state.phase = Phase::Ended);
    }

    fn fail(&self, end: &str) {
        let words = self.last_words().map_or_else(String::new, |words| format!(": {words}"));
        let note = format!("ended {TRIES} times in a row ({end}){words}");
        if let Some(desk) = self.family.upgrade().and_then(|family| family.desk.upgrade()) {
            desk.remark(format!("the language server {} {note}", self.name()));
        }
        self.change(|state| state.phase = Phase::Failed(Instant::now(), note));
    }

    /// One life of the process; how it ended.
    async fn live(self: &Arc<Self>) -> String {
        let Start { program, arguments, root } = &self.start;
        let (process, Pipes { input, output, words }) = match Process::start(program, arguments, root) {
            Ok(started) => started,
            Err(error) => return format!("{} cannot be started: {error}", program.display()),
        };
        let (connection, to_write) = Connection::new();
        let connection = Arc::new(connection);
        self.change(|state| {
            (state.phase, state.pid, state.misses) = (Phase::Starting, process.id(), 0);
            state.papers = Papers::default();
        });
        let writing = tokio::spawn(write(to_write, input));
        let listening = tokio::spawn(Arc::clone(self).listen(words));
        let greeting = tokio::spawn(Arc::clone(self).greet(Arc::clone(&connection)));
        let orderly = self.talk(output, &connection).await;
        self.change(|state| (state.phase, state.pid) = (Phase::Resting, None));
        connection.close();
        greeting.abort();
        // What is still to be written is written, then the input ends, which is a farewell by itself.
        drop(connection);
        let end = if orderly { process.end().await } else { process.kill().await };
        writing.abort();
        let _ = timeout(GOODBYE, listening).await;
        end
    }

    /// Listens until the server is gone, or is to go; true when it was asked to.
    async fn talk(&self, output: ChildStdout, connection: &Arc<Connection>) -> bool {
        let mut ending = self.ending.subscribe();
        let mut reading = pin!(self.read(output, connection));
        let orderly = tokio::select! {
            () = &mut reading => false,
            () = connection.given_up() => false,
            _ = ending.wait_for(|ending| *ending) => true,
        };
        if orderly {
            tokio::select! { () = &mut reading => {}, () = goodbye(connection) => {} }
        }
        orderly
    }

    async fn greet(self: Arc<Self>, connection: Arc<Connection>) {
        let until = Instant::now() + GREETING;
        match connection.request("initialize", introduction(&self.start.root), until).await {
            Ok(answer) => {
                let able = Able::of(&answer);
                let _ = connection.notify("initialized", &json!({}));
                let session = Session { connection, able };
                self.change(|state| state.phase = Phase::Ready(Arc::new(session)));
                if let Some(desk) = self.family.upgrade().and_then(|family| family.desk.upgrade()) {
                    desk.abilities_changed();
                }
            }
            Err(refusal) => {
                tracing::warn!(server = self.name(), "no greeting: {}", refusal.words(self.name()));
                connection.give_up();
            }
        }
    }

    /// Reads until the server ends or says something that cannot be read.
    async fn read(&self, output: ChildStdout, connection: &Arc<Connection>) {
        let mut frames = FrameReader::new(output);
        loop {
            match frames.next().await {
                Ok(Some(body)) => match serde_json::from_slice(&body) {
                    Ok(message) => self.hear(message, connection),
                    Err(error) => tracing::debug!(server = self.name(), %error, "a message that is none"),
                },
                Ok(None) => return,
                Err(error) if error.next_is_readable() => tracing::warn!(server = self.name(), %error),
                Err(error) => return tracing::warn!(server = self.name(), %error, "cannot be read"),
            }
        }
    }

    fn hear(&self, message: Incoming, connection: &Connection) {
        match (message.method, message.id) {
            (Some(method), Some(id)) => connection.reply(&id, self.answer(&method, &message.params)),
            (Some(method), None) => self.notified(&method, message.params),
            (None, Some(id)) => {
                let outcome = message.error.map_or(Ok(message.result), Err);
                if let Some((path, version)) = connection.answered(&id, outcome) {
                    self.change(|state| state.papers.fence(&path, version));
                }
            }
            (None, None) => {}
        }
    }

    /// What servers ask of an editor. We have no settings for them and show nothing.
    fn answer(&self, method: &str, params: &Value) -> Result<Value, (i64, &'static str)> {
        match method {
            "workspace/configuration" => {
                let items = params.get("items").and_then(Value::as_array).map_or(0, Vec::len);
                Ok(vec![Value::Null; items].into())
            }
            "workspace/workspaceFolders" => {
                Ok(introduction(&self.start.root).get("workspaceFolders").cloned().unwrap_or_default())
            }
            "workspace/applyEdit" => {
                Ok(json!({ "applied": false, "failureReason": "carrick applies no edits" }))
            }
            "window/showDocument" => Ok(json!({ "success": false })),
            "client/registerCapability"
            | "client/unregisterCapability"
            | "window/workDoneProgress/create"
            | "window/showMessageRequest"
            | "workspace/diagnostic/refresh"
            | "workspace/semanticTokens/refresh"
            | "workspace/inlayHint/refresh"
            | "workspace/codeLens/refresh" => Ok(Value::Null),
            _ => Err((-32601, "carrick cannot do that")),
        }
    }

    fn notified(&self, method: &str, params: Value) {
        if method != "textDocument/publishDiagnostics" {
            return tracing::trace!(server = self.name(), method, %params);
        }
        let Ok(published) = serde_json::from_value::<Published>(params) else { return };
        let mut about = None;
        self.change(|state| {
            // What the other way of asking gives is whole; this is not.
            let whole = |session: &&Arc<Session>| session.able.asking != Asking::TsServer;
            if let Phase::Ready(session) = &state.phase
                && whole(&session)
            {
                about = state.papers.publish(&published, session.able.encoding);
                state.misses = 0;
            }
        });
        if let (Some(path), Some(family)) = (about, self.family.upgrade()) {
            family.tell(&path);
        }
    }

    /// Reads what it writes to its standard error, and keeps the last lines.
    async fn listen(self: Arc<Self>, words: ChildStderr) {
        let mut words = BufReader::new(words);
        let mut line = Vec::new();
        loop {
            line.clear();
            // A line without an end must not grow without one.
            match (&mut words).take(WORD_LENGTH as u64).read_until(b'\n', &mut line).await {
                Ok(1..) => {}
                _ => return,
            }
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            tracing::debug!(server = self.name(), "{text}");
            let mut state = self.state();
            if state.words.len() == LAST_WORDS {
                state.words.pop_front();
            }
            state.words.push_back(text);
        }
    }
}

async fn write(mut to_write: mpsc::Receiver<Vec<u8>>, mut input: ChildStdin) {
    while let Some(body) = to_write.recv().await {
        if write_frame(&mut input, &body).await.is_err() {
            return;
        }
    }
}

async fn goodbye(connection: &Connection) {
    let asked = connection.request("shutdown", Value::Null, Instant::now() + GOODBYE).await;
    let _ = connection.notify("exit", &Value::Null);
    if asked.is_ok() {
        // Until it closes its output; whoever waits for that ends this.
        sleep(GOODBYE).await;
    }
}
