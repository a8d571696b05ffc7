//! An editor that was brought over the link, as the desk sees it: every question is asked there.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use carrick_core::{
    Answer, Change, Content, Diagnose, Dirty, Editor, EditorError, End, FileDiagnostics, Format, OpenRequest,
    Opened, Original, Pending, Range, Review, ReviewId, Room, Standing, Tab,
};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::link::protocol::{self as p, Abilities, Before, Method, client_line, since_1970};
use crate::link::rpc::RpcError;

/// How long an editor may take. Its own patience with what it waits for is shorter.
const PATIENCE: Duration = Duration::from_secs(15);

/// Questions that may wait to be sent. When it is full the editor does not read, and the question fails.
pub(super) const QUESTIONS: usize = 64;

/// A question to the peer, and where its answer goes.
pub(super) struct Question {
    pub(super) method: &'static str,
    pub(super) params: Value,
    pub(super) answer: oneshot::Sender<Result<Value, RpcError>>,
}

/// See the module.
pub(super) struct Remote {
    name: String,
    questions: mpsc::Sender<Question>,
    diagnose: AtomicBool,
    format: AtomicBool,
    room: bool,
}

impl Remote {
    pub(super) fn new(name: String, abilities: Abilities, questions: mpsc::Sender<Question>) -> Arc<Self> {
        let remote = Self {
            name,
            questions,
            diagnose: AtomicBool::new(abilities.diagnose),
            format: AtomicBool::new(abilities.format),
            room: abilities.room,
        };
        Arc::new(remote)
    }

    /// It can do other things now. A room it has or has not from the beginning.
    pub(super) fn able(&self, abilities: Abilities) {
        self.diagnose.store(abilities.diagnose, Ordering::Relaxed);
        self.format.store(abilities.format, Ordering::Relaxed);
    }

    async fn ask<M: Method>(&self, params: &M::Params) -> Result<M::Reply, EditorError> {
        let failed = |words: String| EditorError::Failed(words);
        let gone = || failed(format!("{} went away", self.name));
        let params = serde_json::to_value(params).map_err(|error| failed(error.to_string()))?;
        let (answer, answered) = oneshot::channel();
        let question = Question { method: M::NAME, params, answer };
        self.questions.try_send(question).map_err(|_| gone())?;
        let outcome = timeout(PATIENCE, answered).await;
        let silent = |_| failed(format!("{} has not answered for {} seconds", self.name, PATIENCE.as_secs()));
        let value = outcome.map_err(silent)?.map_err(|_| gone())?.map_err(|error| failed(error.message))?;
        serde_json::from_value(value).map_err(|error| failed(error.to_string()))
    }

    async fn show_there(&self, review: &Review) -> Result<(), EditorError> {
        let (before, original) = match &review.original {
            Original::Missing => (Before::Missing, None),
            Original::NotText => (Before::Binary, None),
            Original::Text(text) => (Before::Text, Some(text.to_string())),
        };
        let line = p::PendingLine {
            id: review.id.0,
            path: review.path.clone(),
            tab_name: review.tab_name.clone(),
            client: review.client.0,
            client_name: review.client_name.clone(),
            opened: since_1970(review.opened),
            mine: true,
        };
        let params = p::ShowParams { review: line, before, original, proposed: review.proposed.to_string() };
        self.ask::<p::EditorShow>(&params).await.map(|_| ())
    }
}

impl Editor for Remote {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&self, request: OpenRequest) -> Answer<'_, Opened> {
        Box::pin(async move {
            let params = p::EditorOpenParams {
                path: request.path,
                preview: request.preview,
                focus: request.focus,
                range: request.range.map(p::Span::from),
                start_text: request.start_text,
                end_text: request.end_text,
                to_end_of_line: request.to_end_of_line,
            };
            let opened = self.ask::<p::EditorOpen>(&params).await?;
            Ok(Opened {
                path: opened.path,
                language: opened.language,
                line_count: opened.line_count,
                selected: opened.range.map(Range::from),
                start_missing: opened.start_missing,
                end_missing: opened.end_missing,
            })
        })
    }

    fn tabs(&self) -> Answer<'_, Vec<Tab>> {
        Box::pin(async {
            let reply = self.ask::<p::EditorTabs>(&p::Empty {}).await?;
            Ok(reply.tabs.into_iter().map(Tab::from).collect())
        })
    }

    fn close_tab(&self, name: String) -> Answer<'_, bool> {
        Box::pin(async { Ok(self.ask::<p::EditorCloseTab>(&p::NameParams { name }).await?.done) })
    }

    fn dirty(&self, path: PathBuf) -> Answer<'_, Option<Dirty>> {
        Box::pin(async {
            let state = self.ask::<p::EditorDirty>(&p::PathParams { path }).await?;
            Ok(state.open.then_some(Dirty { is_dirty: state.dirty, is_untitled: state.untitled }))
        })
    }

    fn save(&self, path: PathBuf) -> Answer<'_, bool> {
        Box::pin(async { Ok(self.ask::<p::EditorSave>(&p::PathParams { path }).await?.done) })
    }

    fn content(&self, path: PathBuf) -> Answer<'_, Content> {
        Box::pin(async {
            let reply = self.ask::<p::EditorContent>(&p::PathParams { path }).await?;
            Ok(match reply.kind {
                Before::Missing => Content::Missing,
                Before::Binary => Content::NotText,
                Before::Text => Content::Text(reply.text.unwrap_or_default().into()),
            })
        })
    }

    fn diagnose(&self) -> Option<&dyn Diagnose> {
        self.diagnose.load(Ordering::Relaxed).then_some(self as &dyn Diagnose)
    }

    fn format(&self) -> Option<&dyn Format> {
        self.format.load(Ordering::Relaxed).then_some(self as &dyn Format)
    }

    fn room(&self) -> Option<&dyn Room> {
        self.room.then_some(self as &dyn Room)
    }
}

impl Diagnose for Remote {
    fn diagnostics(&self, path: Option<PathBuf>) -> Answer<'_, Vec<FileDiagnostics>> {
        Box::pin(async {
            let reply = self.ask::<p::EditorDiagnostics>(&p::DiagnosticsParams { path }).await?;
            Ok(reply.files.into_iter().map(FileDiagnostics::from).collect())
        })
    }
}

impl Format for Remote {
    fn reformat(&self, path: PathBuf) -> Answer<'_, Option<Change>> {
        Box::pin(async {
            let reply = self.ask::<p::EditorFormat>(&p::PathParams { path: path.clone() }).await?;
            let change = reply.change;
            Ok(change.map(|c| Change { path, before: c.before.into(), after: c.after.into() }))
        })
    }
}

impl Room for Remote {
    fn show(&self, review: Arc<Review>) -> Answer<'_, ()> {
        Box::pin(async move { self.show_there(&review).await })
    }

    fn settled(&self, id: ReviewId, path: PathBuf, end: End) -> Answer<'_, ()> {
        let end = match end {
            End::Accepted => p::End::Accepted,
            End::Rejected => p::End::Rejected,
            End::Closed => p::End::Closed,
            End::Gone => p::End::Gone,
        };
        Box::pin(async move {
            self.ask::<p::EditorSettled>(&p::SettledParams { id: id.0, path, end }).await.map(|_| ())
        })
    }

    fn standing(&self, standing: Standing) -> Answer<'_, ()> {
        let clients = standing.clients.iter();
        let params = p::StandingParams {
            clients: clients.map(|(c, mine)| p::ServedLine { client: client_line(c), mine: *mine }).collect(),
            waiting: standing.waiting.into_iter().map(pending_line).collect(),
        };
        Box::pin(async move { self.ask::<p::EditorStanding>(&params).await.map(|_| ()) })
    }

    fn remark(&self, words: Arc<str>) -> Answer<'_, ()> {
        Box::pin(async move {
            self.ask::<p::EditorRemark>(&p::RemarkParams { words: words.to_string() }).await.map(|_| ())
        })
    }
}

fn pending_line(pending: Pending) -> p::PendingLine {
    p::PendingLine {
        id: pending.id.0,
        path: pending.path,
        tab_name: pending.tab_name,
        client: pending.client.0,
        client_name: pending.client_name,
        opened: since_1970(pending.opened),
        mine: pending.mine,
    }
}
