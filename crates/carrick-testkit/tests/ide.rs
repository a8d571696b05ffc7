//! The ways to an IDE server: the real CLI takes both, and the scripted client is held against it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail where it stands")]

mod server;

use carrick_testkit::api::{Api, Script};
use carrick_testkit::claude::ClaudeHome;
use carrick_testkit::ide_client::IdeClient;
use serde_json::{Value, json};
use server::{Seen, Server, TOKEN};

/// What an IDE writes so that the CLI finds it.
fn write_lock(home: &ClaudeHome, port: u16) {
    let lock = json!({
        "pid": std::process::id(), "workspaceFolders": [home.project()], "ideName": "Small",
        "transport": "ws", "runningInWindows": false, "authToken": TOKEN,
    });
    let folder = home.config().join("ide");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{port}.lock")), lock.to_string()).unwrap();
}

/// Without what differs between any two connections.
fn comparable(seen: Seen) -> (Vec<String>, Vec<Value>) {
    let head = seen.head.into_iter().map(|line| match line.strip_prefix("Sec-WebSocket-Key: ") {
        Some(_) => "Sec-WebSocket-Key: …".to_owned(),
        None => line,
    });
    let mut messages = seen.messages;
    messages.truncate(4);
    messages[2]["params"]["pid"] = Value::Null;
    (head.collect(), messages)
}

#[tokio::test]
async fn the_scripted_client_opens_as_the_real_cli_does() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    let mut server = Server::start().await;
    write_lock(&home, server.port);

    let session = home.interactive(["--ide"]).start().await.unwrap();
    let real = server.wait(0, 4).await;
    drop(session);
    let client = IdeClient::connect(server.port, TOKEN).await.unwrap();
    client.handshake().await.unwrap();
    let scripted = server.wait(1, 4).await;

    assert_eq!(comparable(scripted), comparable(real));
}

#[tokio::test]
async fn print_mode_reaches_an_ide_server_as_an_mcp_server() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    let server = Server::start().await;
    api.add(Script::when("how deep").uses("mcp__small__depth", json!({})).says("Deep enough."));

    let print = home.print("how deep is it?", [""; 0]).mcp_websocket("small", server.port, TOKEN);
    let printed = print.run().await.unwrap();

    assert_eq!(printed.text().unwrap(), "Deep enough.");
    let requests = api.conversation();
    assert!(requests[0].tool_names().contains(&"mcp__small__depth"));
    assert!(requests[1].contains("seven fathoms"), "{}", requests[1].raw);
}
