//! Servers made with the official Rust SDK, on a transport whose other end is the control protocol.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use futures_util::{Sink, Stream, sink, stream};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::{RoleServer, Service, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

use super::McpServer;
use crate::json::Raw;

/// Messages for the server; when it is full, the control request waits and so does the CLI.
const INCOMING: usize = 64;

type Waiting = Arc<Mutex<HashMap<String, oneshot::Sender<Value>>>>;

/// A server of the `rmcp` crate, for [`crate::Options::sdk_server`]. It runs while this value lives.
pub struct RmcpServer {
    incoming: mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
    waiting: Waiting,
    task: AbortHandle,
}

impl RmcpServer {
    /// Runs `service` on the current tokio runtime. What it says of its own accord is dropped: the control
    /// protocol carries questions of the CLI and their answers.
    pub fn new<S: Service<RoleServer>>(service: S) -> Self {
        let (incoming, messages) = mpsc::channel(INCOMING);
        let waiting = Waiting::default();
        let transport = (answers(waiting.clone()), Box::pin(received(messages)));
        let task = tokio::spawn(async move {
            match service.serve(transport).await {
                Ok(running) => drop(running.waiting().await),
                Err(error) => tracing::warn!(%error, "an in-process MCP server did not start"),
            }
        });
        Self { incoming, waiting, task: task.abort_handle() }
    }

    async fn ask(&self, message: &Value) -> Option<Value> {
        let id = message.get("id").filter(|id| !id.is_null()).cloned();
        let fail = |code: i64, text: String| {
            let error = json!({"code": code, "message": text});
            id.as_ref().map(|id| json!({"jsonrpc": "2.0", "id": id, "error": error}))
        };
        let parsed = match serde_json::from_value(message.clone()) {
            Ok(parsed) => parsed,
            Err(error) => return fail(-32600, error.to_string()),
        };
        let Some(id) = &id else {
            let _ = self.incoming.send(parsed).await;
            return None;
        };
        let (sender, answer) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_string(), sender);
        if self.incoming.send(parsed).await.is_err() {
            return fail(-32603, "the server has ended".into());
        }
        match answer.await {
            Ok(answer) => Some(answer),
            Err(_) => fail(-32603, "the server has ended".into()),
        }
    }
}

impl McpServer for RmcpServer {
    fn message(&self, message: Raw) -> BoxFuture<'_, Option<Value>> {
        Box::pin(async move { self.ask(&message.value()).await })
    }
}

impl Drop for RmcpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl fmt::Debug for RmcpServer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("RmcpServer")
    }
}

fn received(
    messages: mpsc::Receiver<RxJsonRpcMessage<RoleServer>>,
) -> impl Stream<Item = RxJsonRpcMessage<RoleServer>> + Send {
    stream::unfold(messages, |mut messages| async move { Some((messages.recv().await?, messages)) })
}

/// Hands each answer to whoever waits for its id.
fn answers(
    waiting: Waiting,
) -> std::pin::Pin<Box<impl Sink<TxJsonRpcMessage<RoleServer>, Error = serde_json::Error> + Send>> {
    Box::pin(sink::unfold(waiting, |waiting, message: TxJsonRpcMessage<RoleServer>| async move {
        let value = serde_json::to_value(&message)?;
        let id = value.get("id").map(Value::to_string).unwrap_or_default();
        let waiter = waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        if let Some(waiter) = waiter {
            let _ = waiter.send(value);
        }
        Ok(waiting)
    }))
}

#[cfg(test)]
mod tests {
    use carrick_testkit::api::{Api, Script};
    use carrick_testkit::claude::{Claude, ClaudeHome};
    use rmcp::handler::server::ServerHandler;
    use rmcp::model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    };
    use rmcp::service::RequestContext;

    use super::*;

    struct Tide;

    impl ServerHandler for Tide {
        fn get_info(&self) -> ServerConfig {
            ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
        }

        async fn list_tools(
            &self,
            _: Option<PaginatedRequestParams>,
            _: RequestContext<RoleServer>,
        ) -> Result<ListToolsResult, rmcp::ErrorData> {
            let schema = json!({"type": "object"}).as_object().cloned().unwrap_or_default();
            Ok(ListToolsResult::with_all_items(vec![Tool::new("tide", "Tells the tide", schema)]))
        }

        async fn call_tool(
            &self,
            _: CallToolRequestParams,
            _: RequestContext<RoleServer>,
        ) -> Result<CallToolResponse, rmcp::ErrorData> {
            Ok(CallToolResult::success(vec![ContentBlock::text("high at noon")]).into())
        }
    }

    #[tokio::test]
    async fn the_real_cli_calls_a_server_of_the_official_sdk() {
        let api = Api::start().unwrap();
        let home = ClaudeHome::new(&api).unwrap();
        api.add(Script::when("the tide").uses("mcp__sea__tide", json!({})).says("thanks"));
        let options = crate::Options::new()
            .program(Claude::find().unwrap().path())
            .clear_env()
            .envs(home.env())
            .cwd(home.project())
            .sdk_server("sea", RmcpServer::new(Tide))
            .allowed_tools(["mcp__sea__tide"]);
        let answer = crate::query("the tide?", options).text().await.unwrap();
        assert_eq!(answer, "thanks");
        assert!(api.conversation().last().unwrap().contains("high at noon"));
    }
}
