//! `carrick ask` with the real CLI and a scripted API.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::process::Stdio;
use std::time::Duration;

use carrick_testkit::api::{Api, Gate, Script, Turn};
use carrick_testkit::claude::ClaudeHome;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

struct Done {
    code: Option<i32>,
    out: String,
    err: String,
}

fn command(home: &ClaudeHome, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carrick"));
    command.arg("ask").args(arguments).env_clear().envs(home.env()).current_dir(home.project());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

async fn ask(home: &ClaudeHome, arguments: &[&str], piped: &str) -> Done {
    let mut child = command(home, arguments).spawn().unwrap();
    child.stdin.take().unwrap().write_all(piped.as_bytes()).await.unwrap();
    let output =
        tokio::time::timeout(Duration::from_secs(60), child.wait_with_output()).await.unwrap().unwrap();
    Done {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[tokio::test]
async fn the_answer_is_on_stdout_and_the_tools_on_stderr() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    let file = home.write("notes.txt", "the tide turns at noon\n").unwrap();
    let look = Turn::new().text("Let me look.").tool_use("Read", json!({"file_path": file}));
    api.add(Script::when("tide").turn(look).says("It turns at noon."));

    let done = ask(&home, &["when", "does the tide turn?"], "").await;
    assert_eq!(
        (done.code, done.out.as_str()),
        (Some(0), "Let me look.\nIt turns at noon.\n"),
        "{}",
        done.err
    );
    assert!(done.err.contains("· Read ") && done.err.contains("notes.txt"), "{}", done.err);
}

#[tokio::test]
async fn what_is_piped_in_belongs_to_the_question() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("sum it up").says("short"));
    let done = ask(&home, &["sum it up"], "a long text about anchors").await;
    assert_eq!((done.code, done.out.as_str()), (Some(0), "short\n"));
    assert!(api.conversation()[0].contains("a long text about anchors"));

    let done = ask(&home, &[], "  \n").await;
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("error: ") && done.err.contains("hint: "), "{}", done.err);
}

#[tokio::test]
async fn as_json_every_frame_is_a_line() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("hello").says("hi"));
    let done = ask(&home, &["--json", "hello"], "").await;
    let frames: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(done.code, Some(0));
    assert!(frames.iter().any(|frame| frame["type"] == "assistant"));
    let last = frames.last().unwrap();
    assert_eq!((&last["type"], &last["result"]), (&json!("result"), &json!("hi")));
}

#[tokio::test]
async fn a_failure_is_told_and_in_the_exit_code() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("fail").turn(Turn::error(400, "invalid_request_error", "the sea is closed")));
    let done = ask(&home, &["fail please"], "").await;
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("the sea is closed"), "{}", done.err);
}

#[tokio::test]
async fn ctrl_c_ends_it_and_leaves_nothing() {
    let api = Api::start().unwrap();
    let home = ClaudeHome::new(&api).unwrap();
    api.add(Script::when("hang").turn(Turn::new().text("so").hold(&Gate::new())));
    let mut child = command(&home, &["hang"]).stdin(Stdio::null()).spawn().unwrap();
    api.wait_for_request(|request| request.offers_tools(), Duration::from_secs(60)).await.unwrap();
    let pid = Pid::from_raw(child.id().unwrap().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let status = tokio::time::timeout(Duration::from_secs(20), child.wait()).await.unwrap().unwrap();
    assert_eq!(status.code(), Some(130));
    let gone = async {
        while !home.family().pids().is_empty() {
            // waits: for other processes to end, which nothing here can be told of
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(10), gone).await.is_ok(), "something is left");
}
