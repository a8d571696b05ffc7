//! MCP servers in this process, called by the real CLI.

use carrick_claude::{ToolOutput, ToolServer};
use carrick_testkit::api::Script;
use serde_json::json;

use super::world::{World, is_result, until};

#[tokio::test]
async fn a_tool_of_ours_is_called() {
    let world = World::new();
    world.api.add(Script::when("add").uses("mcp__calc__add", json!({"a": 20, "b": 22})).says("that is it"));
    let schema = json!({"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}});
    let calc = ToolServer::new("calc", "1.0.0").tool("add", "Adds", schema, |call| async move {
        let sum = call.arguments["a"].as_i64().unwrap() + call.arguments["b"].as_i64().unwrap();
        ToolOutput::text(format!("the sum is {sum}"))
    });
    let options = world.options().sdk_server("calc", calc).allowed_tools(["mcp__calc__add"]);
    let client = world.client(options).await;
    client.send("add them").await.unwrap();
    until(&client, is_result).await;
    let status = client.mcp_status().await.unwrap().servers.unwrap();
    assert_eq!(status[0].name.as_deref(), Some("calc"));
    let results = world.api.conversation();
    assert!(results.last().unwrap().contains("the sum is 42"), "{}", results.last().unwrap().raw);
    client.close().await.unwrap();
}
