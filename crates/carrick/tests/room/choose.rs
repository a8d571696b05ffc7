//! The keys `review` and `auto_accept`, each value.

use std::os::unix::fs::PermissionsExt;

use carrick_testkit::terminal::Key;
use serde_json::json;

use crate::stage::{NEW, Stage, answer, connect, propose, terminal};
use crate::world::{PATIENCE, Server, World, until};

fn own_file(world: &World, text: &str) {
    let folder = world.path("home/.config/carrick");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), text).unwrap();
}

/// A diff program that is a shell script; it gets the two files as `$1` and `$2`.
fn program(world: &World, script: &str) -> String {
    let path = world.write("../differ", &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

async fn with_program(script: &str, arguments: &str) -> Stage {
    let world = World::new();
    let program = program(&world, script);
    own_file(&world, &format!("review = \"command:{program}{arguments}\"\n"));
    let serve = terminal(&world, &["serve"]);
    Stage::with(world, serve).await
}

#[tokio::test]
async fn editor_terminal_and_command_show_the_room_page_and_none_do_not() {
    for (value, room, page) in
        [("editor", true, true), ("terminal", true, false), ("page", false, true), ("none", false, false)]
    {
        let world = World::new();
        let serve = terminal(&world, &["serve"]).env("CARRICK_REVIEW", value).spawn().unwrap();
        let sign = if room { "q quit" } else { "ends it" };
        serve.wait_for_text(sign, PATIENCE).await.unwrap();
        assert_eq!(serve.is_taken(), room, "{value}");
        assert_eq!(serve.screen().contains("http://127.0.0.1"), page, "{value}: {}", serve.screen());
    }
}

#[tokio::test]
async fn none_answers_an_error_at_once() {
    let world = World::new();
    world.write("carrick.toml", "review = \"none\"\n");
    let server = world.serve().await;
    let client = world.client(&server).await;
    let call = propose(&world, &client, "a.txt", "x\n").await;
    let reply = client.reply(&call, PATIENCE).await.unwrap();
    assert_eq!(reply["result"]["isError"], json!(true), "{reply}");
    assert_eq!(world.json(&["review", "list", "--all", "--json"]).await["reviews"], json!([]));
}

#[tokio::test]
async fn a_command_that_saves_accepts_what_it_saved() {
    let mut stage =
        with_program("echo the differ asks; read x; sed -i s/42/43/ \"$2\"", " {old} {new}").await;
    let call = stage.propose("main.rs", NEW).await;
    stage.see("the differ asks").await;
    assert!(!stage.terminal.is_taken());
    stage.terminal.press(Key::Enter).unwrap();
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", &NEW.replace("42", "43")]);
    stage.see("nothing waits").await;
    assert_eq!(std::fs::read_dir(stage.world.path("tmp")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_command_that_fails_rejects_and_one_that_only_looks_decides_nothing() {
    let mut stage = with_program("grep -q 42 \"$2\" && grep -q 41 \"$1\" || exit 1", "").await;
    let call = stage.propose("main.rs", NEW).await;
    stage.see("ended without saving").await;
    stage.see("a accept").await;
    stage.keys("a");
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", NEW]);
    let call = stage.propose("a.txt", "no such number\n").await;
    assert_eq!(stage.answer(&call).await[0], "DIFF_REJECTED");
}

#[tokio::test]
async fn a_command_that_is_not_there_or_is_killed_leaves_the_review_to_the_room() {
    for script in ["kill -9 $$", "exec no-such-program"] {
        let mut stage = with_program(script, "").await;
        let call = stage.propose("main.rs", NEW).await;
        stage.see("waits here").await;
        stage.see("a accept").await;
        stage.keys("r");
        assert_eq!(stage.answer(&call).await[0], "DIFF_REJECTED");
    }
}

#[tokio::test]
async fn a_command_without_a_terminal_accepts_but_never_rejects_by_failing() {
    let world = World::new();
    let program = program(&world, "grep -q good \"$2\" || exit 1; touch -d 2001-01-01 \"$2\"");
    own_file(&world, &format!("review = \"command:{program}\"\n"));
    let mut server = world.serve().await;
    let client = world.client(&server).await;
    let call = propose(&world, &client, "a.txt", "good\n").await;
    assert_eq!(answer(&client, &call).await, ["FILE_SAVED", "good\n"]);
    propose(&world, &client, "a.txt", "bad\n").await;
    let told = server.event("remarked").await;
    assert!(told["words"].as_str().unwrap().contains("waits here"), "{told}");
    assert_eq!(world.json(&["status", "--json"]).await["waiting"], 1);
}

#[tokio::test]
async fn a_workspace_may_neither_start_programs_nor_decide() {
    for text in ["review = \"command:touch owned\"\n", "auto_accept = [\"*\"]\n"] {
        let world = World::new();
        world.write("carrick.toml", text);
        let done = world.carrick(&["serve"]).await;
        assert_eq!(done.code, 2);
        assert!(done.err.contains("only in your own file"), "{}", done.err);
        let run = world.carrick(&["run", "--", "true"]).await;
        assert_eq!(run.code, 2);
    }
}

#[tokio::test]
async fn auto_accept_is_loud_in_lines_log_and_room() {
    let world = World::new();
    own_file(&world, "auto_accept = [\"*.txt\"]\n");
    let mut server = Server::start(world.command(&["serve", "--json", "--log-file", "../log"])).await;
    let visitor = terminal(&world, &["review"]).spawn().unwrap();
    visitor.wait_for_text("No change waits", PATIENCE).await.unwrap();
    let client = connect(&world).await;
    let call = propose(&world, &client, "a.txt", "x\n").await;
    assert_eq!(answer(&client, &call).await, ["FILE_SAVED", "x\n"]);
    let told = server.event("remarked").await;
    assert!(told["words"].as_str().unwrap().starts_with("ACCEPTED WITHOUT ASKING"), "{told}");
    visitor.wait_for_text("ACCEPTED WITHOUT ASKING", PATIENCE).await.unwrap();
    let log = || std::fs::read_to_string(world.path("log")).unwrap_or_default();
    until("the log says so", || log().contains("WARN") && log().contains("auto_accept")).await;
    propose(&world, &client, "main.rs", NEW).await;
    propose(&world, &client, ".env", "KEY=1\n").await;
    visitor.wait_for_text("2 waiting", PATIENCE).await.unwrap();
}
