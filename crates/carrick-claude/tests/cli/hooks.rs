//! Hooks: called at the right moments, heard, and able to refuse.

use std::sync::{Arc, Mutex};

use carrick_claude::{Hook, HookEvent, HookOutput, Permission};
use carrick_testkit::api::Script;
use serde_json::json;

use super::world::{World, is_result, until};

#[tokio::test]
async fn hooks_see_the_turn_pass_and_speak_to_the_model() {
    let world = World::new();
    world.api.add(
        Script::when("look").uses("Bash", json!({"command": "echo hi", "description": "x"})).says("seen"),
    );
    let called: Arc<Mutex<Vec<String>>> = Arc::default();
    let note = |output: HookOutput| {
        let called = called.clone();
        Hook::new(move |input| {
            called.lock().unwrap().push(input.event.to_string());
            std::future::ready(output.clone())
        })
    };
    let options = world
        .options()
        .can_use_tool(|_| async { Permission::deny("the hook should have allowed it") })
        .hook(HookEvent::UserPromptSubmit, note(HookOutput::new().context("the hook was here")))
        .hook(HookEvent::PreToolUse, note(HookOutput::new().allow("fine")).matcher("Bash"))
        .hook(HookEvent::PreToolUse, note(HookOutput::new().deny("never called")).matcher("Write"))
        .hook(HookEvent::PostToolUse, note(HookOutput::new()))
        .hook(HookEvent::Stop, note(HookOutput::new()));
    let client = world.client(options).await;
    client.send("look").await.unwrap();
    until(&client, is_result).await;
    client.close().await.unwrap();

    let called = called.lock().unwrap().clone();
    assert_eq!(called, ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"]);
    assert!(world.api.conversation()[0].contains("the hook was here"));
}

#[tokio::test]
async fn a_hook_refuses_a_tool() {
    let world = World::new();
    world.api.add(
        Script::when("try").uses("Bash", json!({"command": "touch made", "description": "x"})).says("ok"),
    );
    let refuse = Hook::new(|_| async { HookOutput::new().deny("the hook says no") });
    let options = world.options().hook(HookEvent::PreToolUse, refuse);
    let client = world.client(options).await;
    client.send("try").await.unwrap();
    until(&client, is_result).await;
    assert!(world.api.conversation().last().unwrap().contains("the hook says no"));
    assert!(!world.home.project().join("made").exists());
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_question_with_hooks_ends_by_itself() {
    let world = World::new();
    world.api.add(Script::when("hello").says("hi"));
    let options = world.options().hook(HookEvent::Stop, Hook::new(|_| async { HookOutput::new() }));
    let text = super::world::within(carrick_claude::query("hello", options).text()).await.unwrap();
    assert_eq!(text, "hi");
    world.is_empty().await;
}
