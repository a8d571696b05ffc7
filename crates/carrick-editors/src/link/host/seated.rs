//! A peer that brought an editor: its questions and answers, and what it tells.

use std::collections::HashMap;
use std::sync::Arc;

use carrick_core::{Desk, Editor, Range, Selection};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::remote::{QUESTIONS, Question, Remote};
use crate::link::protocol::{self as p, SeatParams};
use crate::link::rpc::{self, RpcError};
use crate::seat::AtDesk;

/// Dropping it is leaving: the editor goes from the desk, and nobody waits for its answers any more.
pub(super) struct Seated {
    seat: AtDesk,
    remote: Arc<Remote>,
    questions: mpsc::Receiver<Question>,
    asked: HashMap<u64, oneshot::Sender<Result<Value, RpcError>>>,
    last_id: u64,
}

impl Seated {
    pub(super) fn take(desk: &Arc<Desk>, name: String, params: &SeatParams) -> Self {
        let (ask, questions) = mpsc::channel(QUESTIONS);
        let remote = Remote::new(name, params.abilities, ask);
        let seat = AtDesk::take(desk, Arc::clone(&remote) as Arc<dyn Editor>, params.pid);
        Self { seat, remote, questions, asked: HashMap::new(), last_id: 0 }
    }

    pub(super) fn number(&self) -> u64 {
        self.seat.id().0
    }

    /// The next thing that the desk wants to know of it.
    pub(super) async fn next_question(&mut self) -> Question {
        match self.questions.recv().await {
            Some(question) => question,
            // We hold the editor, and the editor holds the sending end.
            None => std::future::pending().await,
        }
    }

    /// The question as bytes; its answer will be waited for.
    pub(super) fn asks(&mut self, question: Question) -> Option<Vec<u8>> {
        // Those who gave up in the meantime need no answer.
        self.asked.retain(|_, waits| !waits.is_closed());
        self.last_id += 1;
        let body = rpc::request(self.last_id, question.method, &question.params).ok()?;
        self.asked.insert(self.last_id, question.answer);
        Some(body)
    }

    pub(super) fn answered(&mut self, id: &Value, outcome: Result<Value, RpcError>) {
        if let Some(answer) = id.as_u64().and_then(|id| self.asked.remove(&id)) {
            let _ = answer.send(outcome);
        }
    }

    /// What happened in the editor. What cannot be read is left unanswered, as JSON-RPC wants, and logged.
    pub(super) fn told(&self, method: &str, params: Value) {
        match method {
            "editor/selected" => self.with(method, params, |p::SelectedParams { selection }| {
                self.seat.select(selection.map(selected));
            }),
            "editor/focused" => self.seat.focus(),
            "editor/folders" => self.with(method, params, |p::EditorFoldersParams { folders }| {
                self.seat.folders(folders);
            }),
            "editor/tabsChanged" => self.seat.tabs_changed(),
            "editor/abilities" => self.with(method, params, |abilities| {
                self.remote.able(abilities);
                self.seat.abilities_changed();
            }),
            _ => {}
        }
    }

    fn with<P: DeserializeOwned>(&self, method: &str, params: Value, act: impl FnOnce(P)) {
        match rpc::parameters(params) {
            Ok(params) => act(params),
            Err(error) => tracing::warn!(%error, method, "an editor tells something that cannot be read"),
        }
    }
}

fn selected(selected: p::Selected) -> Selection {
    Selection { path: selected.path, text: selected.text.into(), range: Range::from(selected.range) }
}
