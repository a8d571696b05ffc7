//! The door as strangers, clumsy clients and dead ones find it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    unreachable_pub,
    reason = "a test fails by panicking"
)]

mod support;

use std::collections::VecDeque;
use std::time::Duration;

use carrick_agents::claude::{Dialect, Door, Remembered};
use carrick_core::{Diagnostic, Event, FileDiagnostics, Outcome};
use carrick_testkit::ide_client::{Connect, IdeClient, Message};
use serde_json::{Value, json};
use support::{PATIENCE, Stage, options, wait_for};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn proposal(stage: &Stage, tab: &str, contents: &str) -> Value {
    let path = stage.workspace.join("a.txt");
    json!({"old_file_path": path, "new_file_path": path, "new_file_contents": contents, "tab_name": tab})
}

async fn is_well(client: &IdeClient) {
    let folders = client.call("getWorkspaceFolders", json!({})).await.unwrap();
    assert!(folders["content"][0]["text"].as_str().unwrap().contains("work space"));
}

/// Polls a condition that has no event.
async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = tokio::time::Instant::now() + PATIENCE;
    while !holds() {
        assert!(tokio::time::Instant::now() < end, "waited in vain: {what}");
        // waits: the file system has no event for this test to listen to
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn refuses_before_the_upgrade() {
    let stage = Stage::set().await;
    let port = stage.door.port();
    let status = async |knock: Connect| knock.refused().await.unwrap().status;
    assert_eq!(status(stage.knock().without_token()).await, 401);
    assert_eq!(status(Connect::new(port, "0".repeat(64))).await, 401);
    assert_eq!(status(Connect::new(port, "")).await, 401);
    assert_eq!(status(stage.knock().origin("http://localhost")).await, 403);
    assert_eq!(status(stage.knock().origin("null")).await, 403);
    assert_eq!(status(stage.knock().host("attacker.example")).await, 403);
    assert_eq!(status(stage.knock().subprotocols(Some("chat, other"))).await, 400);
    assert!(stage.desk.clients().is_empty());
}

#[tokio::test]
async fn lets_in_on_any_path_with_mcp_or_no_subprotocol() {
    let stage = Stage::set().await;
    for knock in [
        stage.knock().path("/mcp"),
        stage.knock().subprotocols(None),
        stage.knock().subprotocols(Some("x, mcp")),
        stage.knock().host("localhost"),
    ] {
        is_well(&knock.open().await.unwrap()).await;
    }
}

#[tokio::test]
async fn a_refusal_never_repeats_the_token() {
    let stage = Stage::set().await;
    let refusal = stage.knock().origin("http://x").refused().await.unwrap();
    assert!(
        !refusal.head.contains(stage.door.token().reveal())
            && !refusal.body.contains(stage.door.token().reveal())
    );
}

#[tokio::test]
async fn garbage_is_answered_and_forgotten() {
    let stage = Stage::set().await;
    let client = stage.ready_client().await;
    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01\x00"[..],
        b"HELO there\r\n\r\n",
        &[0; 9000],
        b"GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(("127.0.0.1", stage.door.port())).await.unwrap();
        stream.write_all(garbage).await.unwrap();
        let mut answer = String::new();
        let _ = tokio::time::timeout(PATIENCE, stream.read_to_string(&mut answer)).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 4"), "{answer:?}");
    }
    is_well(&client).await;
}

#[tokio::test]
async fn ten_thousand_idle_attempts_keep_nobody_out() {
    let stage = Stage::set().await;
    let client = stage.ready_client().await;
    // As many at once as a process may hold open with the usual limit; the door keeps far fewer.
    let mut idle = VecDeque::new();
    for attempt in 0..10_000 {
        idle.push_back(TcpStream::connect(("127.0.0.1", stage.door.port())).await.unwrap());
        if idle.len() > 400 {
            idle.pop_front();
        }
        if attempt % 2_000 == 0 {
            is_well(&client).await;
            is_well(&stage.client().await).await;
        }
    }
    is_well(&stage.client().await).await;
    is_well(&client).await;
}

#[tokio::test]
async fn large_and_fragmented_messages_come_through_whole() {
    let stage = Stage::set().await;
    let client = stage.client().await;
    let contents = "ü😀\n".repeat(700_000);
    let call = json!({"jsonrpc": "2.0", "id": "big", "method": "tools/call",
        "params": {"name": "openDiff", "arguments": proposal(&stage, "big", &contents)}});
    client.send_fragmented(&call.to_string(), 60_000).await.unwrap();
    let id = stage.waiting_review().await.unwrap();
    stage.desk.decide(id, carrick_core::Decision::Accept).unwrap();
    let answer = client.reply(&json!("big"), Duration::from_secs(60)).await.unwrap();
    assert!(answer["result"]["content"][1]["text"] == contents.as_str(), "the contents came back changed");
}

#[tokio::test]
async fn what_is_too_large_or_not_utf8_closes_with_its_code() {
    let stage = Stage::set().await;
    let other = stage.ready_client().await;
    let client = stage.client().await;
    // The server may close while this is still being written: only the close counts.
    let _ = client.send_raw("x".repeat((64 << 20) + 1)).await;
    assert_eq!(client.closed(Duration::from_secs(60)).await.unwrap().code, Some(1009));
    let client = stage.client().await;
    client.send_text_bytes(vec![b'{', 0xff, 0xfe, b'}']).await.unwrap();
    assert_eq!(client.closed(PATIENCE).await.unwrap().code, Some(1007));
    is_well(&other).await;
}

#[tokio::test]
async fn deep_nesting_is_refused_and_costs_nothing() {
    let stage = Stage::set().await;
    let client = stage.client().await;
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}{}}}"#,
        "[".repeat(1 << 20),
        "]".repeat(1 << 20)
    );
    client.send_raw(deep).await.unwrap();
    let answer = client.next(PATIENCE).await.unwrap().unwrap();
    assert_eq!(answer["error"]["code"], -32600);
    is_well(&client).await;
}

#[tokio::test]
async fn bytes_that_hold_json_are_understood() {
    let stage = Stage::set().await;
    let client = stage.client().await;
    client.send_binary(br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#.to_vec()).await.unwrap();
    assert_eq!(client.reply(&json!(7), PATIENCE).await.unwrap()["result"], json!({}));
    client.send_binary(vec![0xff]).await.unwrap();
    assert_eq!(client.next(PATIENCE).await.unwrap().unwrap()["error"]["code"], -32700);
    client.send(Message::Ping(vec![1].into())).await.unwrap();
    is_well(&client).await;
}

#[tokio::test]
async fn one_clients_prompt_leaves_the_others_review_alone() {
    let stage = Stage::set().await;
    let (one, other) = (stage.ready_client().await, stage.ready_client().await);
    let id = one.begin_call("openDiff", proposal(&stage, "t", "mine")).await.unwrap();
    let review = stage.waiting_review().await.unwrap();
    let closed = other.call("closeAllDiffTabs", json!({})).await.unwrap();
    assert_eq!(closed["content"][0]["text"], "CLOSED_0_DIFF_TABS");
    other.call("close_tab", json!({"tab_name": "t"})).await.unwrap();
    assert_eq!(stage.desk.review(review).unwrap().outcome, None);
    stage.desk.decide(review, carrick_core::Decision::Accept).unwrap();
    assert_eq!(one.reply(&id, PATIENCE).await.unwrap()["result"]["content"][1]["text"], "mine");
}

#[tokio::test]
async fn a_client_that_dies_leaves_its_review_to_be_copied() {
    let stage = Stage::set().await;
    let client = stage.ready_client().await;
    client.begin_call("openDiff", proposal(&stage, "t", "precious")).await.unwrap();
    let review = stage.waiting_review().await.unwrap();
    let mut events = stage.desk.events();
    drop(client);
    wait_for(&mut events, |event| matches!(event, Event::ReviewSettled(_))).await.unwrap();
    let record = stage.desk.review(review).unwrap();
    assert_eq!((record.outcome, &*record.review.proposed), (Some(Outcome::Gone), "precious"));
}

#[tokio::test]
async fn a_client_that_does_not_read_is_dropped_and_the_others_hear_everything() {
    let stage = Stage::set().await;
    let (stuck, well) = (stage.ready_client().await, stage.ready_client().await);
    stuck.set_reading(false);
    let mut events = stage.desk.events();
    let message = "x".repeat(200_000);
    let mut sent = 0;
    while stage.desk.clients().len() == 2 {
        assert!(sent < 2_000, "the stuck client is still there");
        let diagnostic =
            Diagnostic { message: message.clone(), ..support::editor::some_diagnostics().remove(0) };
        let path = stage.workspace.join(format!("{sent}"));
        stage.desk.diagnostics_changed(FileDiagnostics { path, diagnostics: vec![diagnostic] });
        let heard = well.expect_notification("diagnostics_changed", PATIENCE).await.unwrap();
        assert!(heard["uri"].as_str().unwrap().ends_with(&format!("/{sent}")));
        sent += 1;
    }
    wait_for(&mut events, |event| matches!(event, Event::ClientLeft(_))).await.unwrap();
    is_well(&well).await;
}

#[tokio::test]
async fn a_silent_client_is_pinged_told_of_progress_and_marked() {
    let stage = Stage::set().await;
    let mut events = stage.desk.events();
    let client = stage.knock().ignore_pings().open().await.unwrap();
    client.handshake().await.unwrap();
    client.begin_call("openDiff", proposal(&stage, "t", "x")).await.unwrap();
    let progress = client.expect_notification("notifications/progress", PATIENCE).await.unwrap();
    assert!(
        progress["progress"].as_u64().unwrap() >= 1 && progress["progressToken"].is_number(),
        "{progress}"
    );
    assert!(client.received().iter().any(|message| message["method"] == "ping" && message["id"].is_string()));
    wait_for(&mut events, |event| matches!(event, Event::ClientResponsive(_, false))).await.unwrap();
    // Its answer makes it responsive again.
    let ping = client.received().into_iter().rfind(|message| message["method"] == "ping").unwrap();
    client.send_raw(json!({"jsonrpc": "2.0", "id": ping["id"], "result": {}}).to_string()).await.unwrap();
    wait_for(&mut events, |event| matches!(event, Event::ClientResponsive(_, true))).await.unwrap();
}

#[tokio::test]
async fn the_lock_file_comes_back_and_follows_the_folders() {
    let stage = Stage::set().await;
    let file = stage.door.lock_files().remove(0);
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    until("the lock file is there again", || file.exists()).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
    std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
    until("the folder is there again", || file.exists()).await;
    std::fs::remove_file(&file).unwrap();
    until("it is watched in the new folder too", || file.exists()).await;
    stage.desk.add_folder("/somewhere/else".into());
    until("the new folder is named", || {
        std::fs::read_to_string(&file).is_ok_and(|text| text.contains("/somewhere/else"))
    })
    .await;
    stage.door.close().await;
    assert!(!file.exists());
}

#[tokio::test]
async fn closing_says_goodbye_and_opening_again_takes_the_old_place() {
    let stage = Stage::set().await;
    let client = stage.ready_client().await;
    let remembered = Remembered { port: stage.door.port(), token: stage.door.token().clone() };
    stage.door.close().await;
    assert_eq!(client.closed(PATIENCE).await.unwrap().code, Some(1001));
    let again =
        Door::open(stage.desk.clone(), options(&stage.home, Dialect::default(), Some(remembered.clone())))
            .await
            .unwrap();
    assert_eq!((again.port(), again.token()), (remembered.port, &remembered.token));
    // A third door finds the port taken: another port, and then another token.
    let third = Door::open(stage.desk.clone(), options(&stage.home, Dialect::default(), Some(remembered)))
        .await
        .unwrap();
    assert_ne!(third.port(), again.port());
    assert_ne!(third.token(), again.token());
    is_well(&Connect::new(again.port(), again.token().reveal()).open().await.unwrap()).await;
}

#[tokio::test]
async fn too_many_requests_at_once_are_refused_one_by_one() {
    let stage = Stage::set().await;
    let client = stage.client().await;
    for number in 0..257 {
        client.begin_call("openDiff", proposal(&stage, &format!("t{number}"), "x")).await.unwrap();
    }
    let refused = client.next(PATIENCE).await.unwrap().unwrap();
    assert_eq!((refused["id"].as_i64(), refused["error"]["code"].as_i64()), (Some(256), Some(-32603)));
    // What needs no waiting is still done, and makes room.
    let closed = client.call("closeAllDiffTabs", json!({})).await.unwrap();
    assert_eq!(closed["content"][0]["text"], "CLOSED_256_DIFF_TABS");
}

#[tokio::test]
async fn who_listens_to_the_wire_hears_both_sides() {
    let stage = Stage::set().await;
    let client = stage.client().await;
    is_well(&client).await;
    let mut wire = stage.desk.exchanges();
    is_well(&client).await;
    let (asked, answered) = (wire.recv().await.unwrap(), wire.recv().await.unwrap());
    assert_eq!(
        (asked.what.as_str(), asked.direction),
        ("tools/call getWorkspaceFolders", carrick_core::Direction::In)
    );
    assert_eq!((answered.what.as_str(), answered.direction), ("answer to 1", carrick_core::Direction::Out));
    assert!(answered.contents.contains("work space"));
}
