//! MCP servers in this process, called by the real CLI.

use carrick_claude::{ElicitationReply, McpConfig, ToolOutput, ToolServer};
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

/// An MCP server on stdio whose only tool asks the person something and returns the answer.
const ASKER: &str = r#"
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case "$line" in
    *'"method":"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"asker","version":"1"}}' ;;
    *'"method":"tools/list"'*) result='{"tools":[{"name":"ask","inputSchema":{"type":"object"}}]}' ;;
    *'"method":"tools/call"'*)
        call=$id
        echo '{"jsonrpc":"2.0","id":900,"method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}'
        continue ;;
    *'"id":900'*)
        id=$call
        name=$(printf '%s' "$line" | sed -n 's/.*"name":"\([a-zA-Z]*\)".*/\1/p')
        result='{"content":[{"type":"text","text":"the person is called '$name'"}]}' ;;
    *) continue ;;
    esac
    echo '{"jsonrpc":"2.0","id":'$id',"result":'$result'}'
done
"#;

#[tokio::test]
async fn a_server_of_the_cli_asks_the_person_through_us() {
    let world = World::new();
    world.api.add(Script::when("who am I").uses("mcp__asker__ask", json!({})).says("I see"));
    let args = vec!["-c".to_owned(), ASKER.to_owned()];
    let asker = McpConfig::Stdio { command: "sh".into(), args, env: Vec::new() };
    let options = world
        .options()
        .mcp_server("asker", asker)
        .allowed_tools(["mcp__asker__ask"])
        .env("ENABLE_TOOL_SEARCH", "false")
        .on_elicitation(|asked| async move {
            assert_eq!((asked.mcp_server_name.as_str(), asked.message.as_str()), ("asker", "Your name?"));
            ElicitationReply::Accept(json!({"name": "Ada"}))
        });
    let client = world.client(options).await;
    client.send("who am I").await.unwrap();
    until(&client, is_result).await;
    let asked = world.api.conversation();
    assert!(
        asked.last().unwrap().contains("the person is called Ada"),
        "{:?}",
        asked.last().unwrap().tool_results()
    );
    client.close().await.unwrap();
}
