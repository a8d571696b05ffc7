//! Our own `kill -9`, in the middle of a tool: the CLI and the command it runs are gone a moment later.

use std::process::{Command, Stdio};

use carrick_claude::{Client, Options, Permission, PermissionMode, SystemPrompt};
use carrick_testkit::api::Script;
use carrick_testkit::claude::Claude;
use serde_json::json;

use super::world::{World, within};

/// Holds the options of the process that will be killed; set only for that process.
const VICTIM: &str = "CARRICK_TEST_VICTIM";

#[tokio::test]
async fn after_kill_9_nothing_is_left() {
    let world = World::new();
    let started = world.home.project().join("started");
    let command = format!("touch {}; sleep 600", started.display());
    world.api.add(Script::when("work").uses("Bash", json!({"command": command, "description": "works"})));
    let env: Vec<(String, String)> = world
        .home
        .env()
        .into_iter()
        .map(|(name, value)| (name.into_string().unwrap(), value.into_string().unwrap()))
        .collect();
    let brief = json!({"cwd": world.home.project(), "env": env}).to_string();
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "orphan::victim", "--nocapture"])
        .env(VICTIM, brief)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    within(async {
        while !started.exists() {
            // waits: for a file another process makes
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    })
    .await;
    assert!(world.home.family().pids().len() > 1, "the CLI and its command run");

    victim.kill().unwrap();
    victim.wait().unwrap();
    world.is_empty().await;
}

/// Does nothing in an ordinary run; as the other process, it starts a session and never ends it.
#[tokio::test]
async fn victim() {
    let Ok(brief) = std::env::var(VICTIM) else { return };
    let brief: serde_json::Value = serde_json::from_str(&brief).unwrap();
    let env: Vec<(String, String)> = serde_json::from_value(brief["env"].clone()).unwrap();
    let options = Options::new()
        .program(Claude::find().unwrap().path())
        .clear_env()
        .envs(env)
        .cwd(brief["cwd"].as_str().unwrap())
        .system_prompt(SystemPrompt::ClaudeCode)
        .permission_mode(PermissionMode::Manual)
        .can_use_tool(|_| async { Permission::allow() });
    let client = Client::start(options).await.unwrap();
    client.send("work").await.unwrap();
    while client.receive().await.is_some() {}
}
