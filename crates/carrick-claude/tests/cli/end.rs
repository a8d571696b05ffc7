//! Every way a session can end, and that nothing is left after each.

use carrick_claude::{Client, Error, Options, Permission, query};
use carrick_testkit::api::{Gate, Script, Turn};
use serde_json::json;

use super::world::{World, within};

#[tokio::test]
async fn a_dropped_client_leaves_nothing_even_in_the_middle_of_a_tool() {
    let world = World::new();
    let started = world.home.project().join("started");
    let command = format!("touch {}; sleep 600", started.display());
    world.api.add(Script::when("work").uses("Bash", json!({"command": command, "description": "works"})));
    let client = world.client(world.options().can_use_tool(|_| async { Permission::allow() })).await;
    client.send("work").await.unwrap();
    within(async {
        while !started.exists() {
            // waits: for a file another process makes
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    })
    .await;
    assert!(world.home.family().pids().len() > 1);
    drop(client);
    world.is_empty().await;
}

#[tokio::test]
async fn a_killed_cli_is_told_and_leaves_nothing() {
    let world = World::new();
    world.api.add(Script::when("hang").turn(Turn::new().text("so").hold(&Gate::new())));
    let client = world.client(world.options()).await;
    client.send("hang").await.unwrap();
    within(world.api.wait_for_request(|request| request.offers_tools(), super::world::LIMIT)).await.unwrap();
    let pid = client.initialized().pid.unwrap();
    std::process::Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();

    let error = within(client.answer()).await.unwrap_err();
    assert!(matches!(error, Error::Exited { code: None, signal: Some(9), .. }), "{error:?}");
    assert!(within(client.receive()).await.is_none(), "an error is told once");
    let after = client.send("more").await.unwrap_err();
    assert!(matches!(after, Error::Closed), "{after:?}");
    assert!(matches!(client.mcp_status().await.unwrap_err(), Error::Closed));
    world.is_empty().await;
}

#[tokio::test]
async fn a_line_that_is_no_frame_ends_the_cli_and_says_why() {
    let world = World::new();
    let client = world.client(world.options()).await;
    // The crate itself cannot write such a line, so a stub stands in for a CLI that complains like the real one.
    client.close().await.unwrap();
    let stub = world
        .home
        .write("stub", "#!/bin/sh\necho 'Error parsing streaming input line' >&2\nexit 1\n")
        .unwrap();
    std::process::Command::new("chmod").arg("+x").arg(&stub).status().unwrap();
    let error = Client::start(world.options().program(stub)).await.unwrap_err();
    let told = matches!(&error, Error::Exited { code: Some(1), stderr, .. } if stderr[0].contains("parsing"));
    assert!(told, "{error:?}");
}

#[tokio::test]
async fn an_option_of_next_year_means_that_the_cli_is_too_old() {
    let world = World::new();
    let options = world.options().extra_arg("of-next-year", None);
    let error = Client::start(options).await.unwrap_err();
    let told = matches!(&error, Error::TooOld { version: Some(version), complaint }
        if complaint.contains("of-next-year") && version.contains("Claude Code"));
    assert!(told, "{error:?}");
}

#[tokio::test]
async fn an_old_cli_is_told_with_its_version_and_a_silent_one_without() {
    let world = World::new();
    for (says, wanted) in
        [("echo '1.0.3 (Claude Code)'", "the CLI (1.0.3 (Claude Code)) is"), ("exit 1", "the CLI is")]
    {
        let complains = "echo \"error: unknown option '--thinking-display'\" >&2; exit 1";
        let script = format!("#!/bin/sh\n[ \"$1\" = --version ] && {{ {says}; exit; }}\n{complains}\n");
        let stub = world.home.write("stub", &script).unwrap();
        std::process::Command::new("chmod").arg("+x").arg(&stub).status().unwrap();
        let error = Client::start(world.options().program(stub)).await.unwrap_err().to_string();
        assert!(error.starts_with(wanted) && error.contains("--thinking-display"), "{error}");
    }
}

#[tokio::test]
async fn a_missing_folder_and_a_missing_cli_are_told_before_anything_starts() {
    let world = World::new();
    let nowhere = world.home.project().join("nowhere");
    let error = Client::start(world.options().cwd(&nowhere)).await.unwrap_err();
    assert!(matches!(error, Error::NoDirectory(path) if path == nowhere));
    let error = query("x", Options::new().program("/nowhere/claude")).text().await.unwrap_err();
    assert!(matches!(error, Error::NotFound { looked } if looked[0].ends_with("nowhere/claude")));
}

#[tokio::test]
async fn a_reply_that_breaks_off_is_asked_for_again() {
    let world = World::new();
    world.api.add(Script::when("break").turn(Turn::new().text("half an ans").break_stream()));
    let client = world.client(world.options()).await;
    client.send("break it").await.unwrap();
    within(async {
        while world.api.conversation().len() < 2 {
            let seen = world.api.requests().len();
            let more = |_: &_| world.api.requests().len() > seen;
            world.api.wait_for_request(more, super::world::LIMIT).await.unwrap();
        }
    })
    .await;
    drop(client);
    world.is_empty().await;
}
