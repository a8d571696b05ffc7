//! A server of the official Rust SDK and the real CLI: calls in one direction, what it says unasked in the other.

use std::time::Duration;

use carrick_testkit::api::{Api, Script};
use carrick_testkit::claude::{Claude, ClaudeHome};
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use tokio::sync::watch;

use super::*;
use crate::{Client, Options};

/// Knows the tide, and after the first call the waves, too.
struct Sea {
    knows_waves: watch::Sender<bool>,
    /// How many tools it has named last.
    named: watch::Sender<usize>,
}

impl Sea {
    fn new() -> (Self, watch::Receiver<usize>) {
        let named = watch::Sender::new(0);
        let heard = named.subscribe();
        (Self { knows_waves: watch::Sender::new(false), named }, heard)
    }
}

impl ServerHandler for Sea {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, rmcp::ErrorData> {
        let schema = json!({"type": "object"}).as_object().cloned().unwrap_or_default();
        let mut tools = vec![Tool::new("tide", "Tells the tide", schema.clone())];
        if *self.knows_waves.borrow() {
            tools.push(Tool::new("waves", "Tells the waves", schema));
        }
        self.named.send_replace(tools.len());
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, rmcp::ErrorData> {
        if call.name == "waves" {
            return Ok(CallToolResult::success(vec![ContentBlock::text("a metre high")]).into());
        }
        if !self.knows_waves.send_replace(true) {
            context.peer.notify_tool_list_changed().await.unwrap();
        }
        Ok(CallToolResult::success(vec![ContentBlock::text("high at noon")]).into())
    }
}

fn options(home: &ClaudeHome, sea: Sea) -> Options {
    Options::new()
        .program(Claude::find().unwrap().path())
        .clear_env()
        .envs(home.env())
        .cwd(home.project())
        .sdk_server("sea", RmcpServer::new(sea))
        .allowed_tools(["mcp__sea__tide", "mcp__sea__waves"])
}

#[tokio::test]
async fn the_real_cli_calls_a_server_of_the_official_sdk() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("the tide").uses("mcp__sea__tide", json!({})).says("thanks"));
    let answer = crate::query("the tide?", options(&home, Sea::new().0)).text().await.unwrap();
    assert_eq!(answer, "thanks");
    assert!(api.conversation().last().unwrap().contains("high at noon"));
}

#[tokio::test]
async fn the_real_cli_hears_that_there_are_new_tools_and_uses_them() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("the tide").uses("mcp__sea__tide", json!({})).says("thanks"));
    api.add(Script::when("the waves").uses("mcp__sea__waves", json!({})).says("splendid"));
    let (sea, mut named) = Sea::new();
    let client = Client::start(options(&home, sea)).await.unwrap();
    client.send("the tide?").await.unwrap();
    assert_eq!(client.answer().await.unwrap().0, "thanks");
    let both = named.wait_for(|tools| *tools == 2);
    tokio::time::timeout(Duration::from_secs(60), both).await.unwrap().unwrap();
    client.send("the waves?").await.unwrap();
    assert_eq!(client.answer().await.unwrap().0, "splendid");
    assert!(api.conversation().last().unwrap().contains("a metre high"));
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_question_of_the_server_is_not_taken_for_the_answer_to_the_same_number() {
    let (server, mut unasked) = (RmcpServer::new(Sea::new().0), Vec::new());
    let mut said = server.unasked();
    let (sender, mut answer) = oneshot::channel();
    server.outgoing.waiting.lock().unwrap().insert("0".into(), sender);
    let question = json!({"jsonrpc": "2.0", "id": 0, "method": "roots/list"});
    server.outgoing.sort(question.clone());
    unasked.extend(futures_util::StreamExt::next(&mut said).await);
    assert_eq!(unasked, [question]);
    assert!(answer.try_recv().is_err());
    let theirs = json!({"jsonrpc": "2.0", "id": 0, "result": {"roots": []}});
    assert_eq!(server.message(theirs.into()).await, None, "an answer is not answered");
}
