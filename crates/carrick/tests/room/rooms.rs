//! Several rooms of one desk: what one decides, the others show; what the agent closes, goes; what ends, ends.

use carrick_testkit::terminal::Key;
use serde_json::json;

use crate::stage::{NEW, Stage, answer, connect, propose, screen, terminal};
use crate::world::{PATIENCE, World};

#[tokio::test]
async fn what_one_room_decides_the_other_shows() {
    let mut stage = Stage::set().await;
    let visitor = terminal(&stage.world, &["review"]).spawn().unwrap();
    visitor.wait_for_text("No change waits", PATIENCE).await.unwrap();
    let call = stage.proposed().await;
    visitor.wait_for_text("a accept", PATIENCE).await.unwrap();
    screen(&stage.world, &visitor, "visitor", "a accept").await;
    stage.keys("r");
    assert_eq!(stage.answer(&call).await[0], "DIFF_REJECTED");
    visitor.wait_for_text("main.rs: rejected elsewhere", PATIENCE).await.unwrap();
    visitor.wait_for_text("nothing waits", PATIENCE).await.unwrap();
}

#[tokio::test]
async fn a_visitor_decides_by_hunk_and_leaves() {
    let mut stage = Stage::set().await;
    let call = stage.proposed().await;
    let mut visitor = terminal(&stage.world, &["review"]).spawn().unwrap();
    visitor.wait_for_text("a accept", PATIENCE).await.unwrap();
    visitor.type_text(" na").unwrap();
    let expected = NEW.replace("Greets a person.", "Greets.");
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", &expected]);
    stage.see("main.rs: accepted elsewhere").await;
    let call = stage.propose("a.txt", "x\n").await;
    visitor.wait_for_text("a.txt", PATIENCE).await.unwrap();
    visitor.type_text("q").unwrap();
    assert!(visitor.wait_for_exit(PATIENCE).await.unwrap().success(), "leaving a room asks nothing");
    stage.see("a accept").await;
    stage.keys("a");
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", "x\n"]);
}

#[tokio::test]
async fn what_the_agent_closes_goes_with_a_note() {
    let stage = Stage::set().await;
    stage.proposed().await;
    stage.client.call("close_tab", json!({"tab_name": "tab main.rs"})).await.unwrap();
    stage.screen("closed", "main.rs: closed by the agent").await;
}

#[tokio::test]
async fn a_visitor_of_a_server_that_ends_says_so() {
    let mut stage = Stage::set().await;
    let mut visitor = terminal(&stage.world, &["review"]).spawn().unwrap();
    visitor.wait_for_text("No change waits", PATIENCE).await.unwrap();
    stage.keys("q");
    assert!(stage.terminal.wait_for_exit(PATIENCE).await.unwrap().success());
    visitor.wait_for_text("the server ended, and its room with it", PATIENCE).await.unwrap();
    let status = visitor.wait_for_exit(PATIENCE).await.unwrap();
    assert_eq!(status.exit_code(), 3);
    assert!(!visitor.is_taken());
    let mut alone = terminal(&stage.world, &["review"]).spawn().unwrap();
    assert_eq!(alone.wait_for_exit(PATIENCE).await.unwrap().exit_code(), 3);
}

#[tokio::test]
async fn a_second_serve_shows_the_same_room_and_takes_over() {
    let mut stage = Stage::set().await;
    let mut second = terminal(&stage.world, &["serve"]).spawn().unwrap();
    second.wait_for_text("claude-code", PATIENCE).await.unwrap();
    stage.proposed().await;
    second.wait_for_text("a accept", PATIENCE).await.unwrap();
    stage.keys("qy");
    stage.terminal.wait_for_exit(PATIENCE).await.unwrap();
    second.wait_for_text("nothing waits", PATIENCE).await.unwrap();
    let client = connect(&stage.world).await;
    let call = propose(&stage.world, &client, "main.rs", NEW).await;
    second.wait_for_text("a accept", PATIENCE).await.unwrap();
    second.type_text("a").unwrap();
    assert_eq!(answer(&client, &call).await, ["FILE_SAVED", NEW]);
    second.wait_for_text("Last: accepted main.rs", PATIENCE).await.unwrap();
    second.press(Key::Ctrl('c')).unwrap();
    assert!(second.wait_for_exit(PATIENCE).await.unwrap().success());
    assert!(stage.world.locks().is_empty());
}

#[tokio::test]
async fn a_pipe_gets_the_list() {
    let stage = Stage::set().await;
    stage.proposed().await;
    let done = stage.world.carrick(&["review"]).await;
    assert!(done.out.contains("main.rs") && done.out.contains("waits"), "{}", done.out);
    let world: &World = &stage.world;
    assert_eq!(world.json(&["status", "--json"]).await["waiting"], 1);
}
