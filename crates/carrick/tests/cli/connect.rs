//! The ways in which the CLI finds the desk.

use carrick_testkit::api::Script;
use carrick_testkit::claude::Session;
use carrick_testkit::terminal::Key;

use crate::stage::{SOON, Stage};

#[tokio::test]
async fn with_the_flag() {
    let (stage, _, _server, session) = Stage::connected("a.txt", "x\n").await;
    let status = stage.json(&["status", "--json"]).await;
    let client = &status["clients"][0];
    assert!(client["name"].as_str().unwrap().starts_with("claude-code 2."), "{client}");
    assert!(client["pid"].as_u64().is_some_and(|pid| pid > 1), "{client}");
    drop(session);
}

#[tokio::test]
async fn with_the_environment_of_run_which_hosts_the_desk_itself() {
    let stage = Stage::set();
    stage.api.add(Script::when("who is there").says("Both of us."));
    let terminal = stage.terminal(&["run", "--", "claude"]).spawn().unwrap();
    let mut session = Session::new(terminal);
    session.wait_for_prompt().await.unwrap();
    session.submit("who is there").await.unwrap();
    session.wait_for_text("Both of us.", SOON).await.unwrap();
    let status = stage.json(&["status", "--json"]).await;
    assert_eq!(status["clients"].as_array().unwrap().len(), 1, "{status}");
    session.submit("/exit").await.unwrap();
    assert!(session.wait_for_exit(SOON).await.unwrap().success());
    let left = std::fs::read_dir(stage.home.config().join("ide")).unwrap().count();
    assert_eq!(left, 0, "the lock file went with the desk");
}

#[tokio::test]
async fn with_the_command_inside() {
    let stage = Stage::set();
    let mut server = stage.serve().await;
    let mut session = stage.home.interactive([] as [&str; 0]).start().await.unwrap();
    session.submit("/ide").await.unwrap();
    // "None" is chosen at first.
    let on_carrick = |screen: &str| screen.lines().any(|row| row.contains('❯') && row.contains("carrick"));
    session.press_until(Key::Up, on_carrick, SOON).await.unwrap();
    // The picker, then a question about the next time; both have the right default.
    session.press_until(Key::Enter, |screen| screen.contains("Connected to carrick"), SOON).await.unwrap();
    server.event("client_ready").await;
}
