//! The real CLI in a terminal against the scripted API.

use std::time::Duration;

use carrick_testkit::api::{Api, Gate, Script, Turn};
use carrick_testkit::claude::{ASK_FIRST, ClaudeHome, Session};
use carrick_testkit::terminal::Key;
use serde_json::json;

const NO_ARGS: [&str; 0] = [];
const SOON: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_prompt_is_answered_on_the_screen() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("say hello").says("Ahoy from the script."));

    let mut session = home.interactive(NO_ARGS).start().await.unwrap();
    session.submit("say hello").await.unwrap();
    session.wait_for_text("Ahoy from the script.", SOON).await.unwrap();

    let family = session.family().clone();
    drop(session);
    assert!(family.pids().is_empty());
}

#[tokio::test]
async fn an_error_of_the_api_is_shown() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("fail").turn(Turn::error(400, "invalid_request_error", "the sea is closed")));

    let mut session = home.interactive(NO_ARGS).start().await.unwrap();
    session.submit("fail please").await.unwrap();
    session.wait_for_text("the sea is closed", SOON).await.unwrap();
}

#[tokio::test]
async fn an_edit_waits_for_the_person() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    let file = home.write("a.txt", "one\n").unwrap();
    let edit = json!({"file_path": file, "old_string": "one", "new_string": "two"});
    api.add(
        Script::when("change it")
            .uses("Read", json!({"file_path": file}))
            .uses("Edit", edit)
            .says("Changed."),
    );

    let mut session = home.interactive(ASK_FIRST).start().await.unwrap();
    session.submit("change it").await.unwrap();
    session.wait_for_text("Do you want to make this edit", SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\n");
    session.press_until(Key::Enter, |screen| screen.contains("Changed."), SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "two\n");
}

#[tokio::test]
async fn dropping_a_session_in_the_middle_leaves_no_process() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    let gate = Gate::new();
    api.add(Script::when("wait").turn(Turn::new().text("Hold on.").hold(&gate)));
    api.add(Script::when("sleep").uses("Bash", json!({"command": "touch started; sleep 600"})));

    let args = ["--allowedTools", "Bash"];
    let mut session = home.interactive(args).start().await.unwrap();
    session.submit("wait").await.unwrap();
    session.wait_for_text("Hold on.", SOON).await.unwrap();
    session.press(Key::Esc).unwrap();
    session.wait_for_text("Interrupted", SOON).await.unwrap();
    session.submit("sleep").await.unwrap();
    session.wait_for_text("sleep 600", SOON).await.unwrap();
    let family = session.family().clone();
    while !home.project().join("started").exists() {
        // waits: for the file that the command makes first
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(family.pids().len() >= 2, "the command the CLI runs is a process of its own");
    drop(session);
    assert!(family.pids().is_empty());
}

#[tokio::test]
async fn a_wrapper_runs_the_cli_in_the_same_home() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("who").says("Wrapped."));

    let wrapped = home.terminal("/bin/sh").args(["-c", "claude; echo wrapper ended"]).spawn().unwrap();
    let mut session = Session::new(wrapped);
    session.submit("who").await.unwrap();
    session.wait_for_text("Wrapped.", SOON).await.unwrap();
    session.submit("/exit").await.unwrap();
    session.wait_for_text("wrapper ended", SOON).await.unwrap();
    assert!(session.wait_for_exit(SOON).await.unwrap().success());
}
