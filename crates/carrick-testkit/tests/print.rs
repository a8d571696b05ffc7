//! The real CLI in print mode against the scripted API.

use std::time::Duration;

use carrick_testkit::api::{Api, Failure, Gate, Script, Turn};
use carrick_testkit::claude::ClaudeHome;
use serde_json::json;

const NO_ARGS: [&str; 0] = [];

#[tokio::test]
async fn a_prompt_is_answered_after_a_round_of_tools() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    let file = home.write("notes.txt", "the tide turns at noon\n").unwrap();
    api.add(
        Script::when("when does the tide turn")
            .turn(Turn::new().text("Let me look.").tool_use("Read", json!({"file_path": file})))
            .says("It turns at noon."),
    );

    let printed = home.print("when does the tide turn?", NO_ARGS).run().await.unwrap();

    assert!(printed.status.success(), "{printed:?}");
    assert_eq!(printed.text().unwrap(), "It turns at noon.");
    assert_eq!(printed.tool_results().len(), 1);
    let second = &api.conversation()[1];
    assert!(second.contains("the tide turns at noon"), "{}", second.raw);
    assert_eq!(second.tool_results().len(), 1);
}

#[tokio::test]
async fn an_error_of_the_api_is_told() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("fail").turn(Turn::error(400, "invalid_request_error", "the sea is closed")));

    let printed = home.print("fail please", NO_ARGS).run().await.unwrap();

    assert!(!printed.status.success());
    assert_eq!(printed.result().unwrap()["is_error"], true);
    assert!(printed.text().unwrap().contains("the sea is closed"), "{printed:?}");
}

#[tokio::test]
async fn an_overloaded_api_is_asked_again() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("retry").turn(Turn::new().text("made it").after_failures(1, Failure::overloaded())));

    let printed = home.print("retry this", NO_ARGS).run().await.unwrap();

    assert_eq!(printed.text().unwrap(), "made it");
    assert_eq!(api.conversation().len(), 2);
}

#[tokio::test]
async fn a_broken_stream_is_asked_for_again() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("break").turn(Turn::new().text("half an ans").break_stream()));

    let run = home.print("break it", NO_ARGS).timeout(Duration::from_secs(60)).run();
    let asked_twice = async {
        while api.conversation().len() < 2 {
            let seen = api.requests().len();
            let more = |_: &_| api.requests().len() > seen;
            api.wait_for_request(more, Duration::from_secs(30)).await.unwrap();
        }
    };
    // The run itself goes on retrying for long; it ends when it is dropped here.
    tokio::select! {
        printed = run => assert!(api.conversation().len() > 1, "{printed:?}"),
        () = asked_twice => {}
    }
    assert!(home.family().pids().is_empty());
}

#[tokio::test]
async fn a_run_that_takes_too_long_is_ended() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("hang").turn(Turn::new().hold(&Gate::new())));

    let error = home.print("hang", NO_ARGS).timeout(Duration::from_secs(2)).run().await.unwrap_err();

    assert!(error.to_string().contains("did not end within 2s"), "{error}");
    assert!(home.family().pids().is_empty());
}
