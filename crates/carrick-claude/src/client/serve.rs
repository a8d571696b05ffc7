//! What the CLI asks of us: each question on a task of its own, answered once, dropped when it is taken back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::Outgoing;
use crate::dialog::{DialogReply, ElicitationReply};
use crate::frame::{ControlRequest, Request};
use crate::options::Options;

/// At once; one more is answered with an error, which the CLI takes for a refusal.
const AT_ONCE: usize = 256;

/// The questions being answered.
#[derive(Debug)]
pub(super) struct Service {
    options: Options,
    outgoing: mpsc::Sender<Outgoing>,
    running: Arc<Mutex<HashMap<String, AbortHandle>>>,
}

impl Service {
    pub(super) fn new(options: Options, outgoing: mpsc::Sender<Outgoing>) -> Self {
        Self { options, outgoing, running: Arc::default() }
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    pub(super) fn begin(&self, asked: ControlRequest) {
        let ControlRequest { request_id: id, request, .. } = asked;
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = running.len() >= AT_ONCE;
        let (options, outgoing) = (self.options.clone(), self.outgoing.clone());
        let (done, key) = (self.running.clone(), id.clone());
        let task = tokio::spawn(async move {
            let answer = match busy {
                true => Err("too many questions at once".to_owned()),
                false => answer(&options, request).await,
            };
            // A closed queue means that the CLI is gone and with it the question.
            let _ = outgoing.send(Outgoing::Line(reply(&id, answer))).await;
            done.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        });
        running.insert(key, task.abort_handle());
    }

    /// The CLI no longer wants to know.
    pub(super) fn cancel(&self, id: &str) {
        if let Some(task) = self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(id) {
            task.abort();
        }
    }

    pub(super) fn cancel_all(&self) {
        for (_, task) in self.running.lock().unwrap_or_else(PoisonError::into_inner).drain() {
            task.abort();
        }
    }
}

async fn answer(options: &Options, request: Request) -> Result<Value, String> {
    match request {
        Request::CanUseTool(asked) => match &options.judge {
            Some(judge) => Ok(judge((*asked).clone()).await.reply(&asked)),
            None => Err("nobody here decides about tools".into()),
        },
        Request::HookCallback(call) => options.hooks.call(&call.callback_id, call.input).await,
        Request::McpMessage(envelope) => match options.servers.get(&envelope.server_name) {
            Some(server) => {
                let answer = server.message(envelope.message).await;
                // A notification has no answer, but the envelope wants one.
                Ok(json!({"mcp_response": answer.unwrap_or_else(|| json!({"jsonrpc": "2.0", "result": {}}))}))
            }
            None => Err(format!("there is no MCP server `{}` here", envelope.server_name)),
        },
        Request::Elicitation(asked) => Ok(match &options.asked {
            Some(ask) => ask(*asked).await.reply(),
            None => ElicitationReply::Decline.reply(),
        }),
        Request::RequestUserDialog(dialog) => Ok(match &options.shown {
            Some(show) => show(*dialog).await.reply(),
            None => DialogReply::Cancelled.reply(),
        }),
        Request::Unknown(unknown) => {
            Err(format!("unsupported control request: {}", unknown.tag.unwrap_or_default()))
        }
    }
}

fn reply(id: &str, answer: Result<Value, String>) -> String {
    let response = match answer {
        Ok(response) => json!({"subtype": "success", "request_id": id, "response": response}),
        Err(error) => json!({"subtype": "error", "request_id": id, "error": error}),
    };
    json!({"type": "control_response", "response": response}).to_string()
}
