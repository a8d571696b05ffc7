//! Interrupts: while the answer is written, while a tool runs, while a permission waits.

use std::sync::Arc;

use carrick_claude::{Frame, Permission};
use carrick_testkit::api::{Gate, Script, Turn};
use serde_json::json;
use tokio::sync::Notify;

use super::world::{World, is_result, until, within};

#[tokio::test]
async fn while_the_answer_is_written() {
    let world = World::new();
    let gate = Gate::new();
    world.api.add(Script::when("talk").turn(Turn::new().text("A beginning without an end").hold(&gate)));
    world.api.add(Script::when("again").says("still here"));
    let client = world.client(world.options().include_partial_messages()).await;
    client.send("talk").await.unwrap();
    until(&client, |frame| matches!(frame, Frame::StreamEvent(event) if event.text().is_some())).await;

    let left = within(client.interrupt()).await.unwrap();
    assert_eq!(left.still_queued, Some(Vec::new()));
    let frames = until(&client, is_result).await;
    let Some(Frame::Result(result)) = frames.last() else { panic!() };
    assert!(!result.is_success(), "{result:?}");

    client.send("again").await.unwrap();
    assert_eq!(within(client.answer()).await.unwrap().0, "still here");
    client.close().await.unwrap();
}

#[tokio::test]
async fn while_a_tool_runs() {
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

    within(client.interrupt()).await.unwrap();
    until(&client, is_result).await;
    client.close().await.unwrap();
    world.is_empty().await;
}

#[tokio::test]
async fn while_a_permission_waits_the_question_is_taken_back() {
    struct Dropped(Arc<Notify>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    let world = World::new();
    world.api.add(Script::when("ask").uses("Bash", json!({"command": "touch made", "description": "x"})));
    let (asked, dropped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (asking, dropping) = (asked.clone(), dropped.clone());
    let options = world.options().can_use_tool(move |_| {
        let (asking, guard) = (asking.clone(), Dropped(dropping.clone()));
        async move {
            let _guard = guard;
            asking.notify_one();
            std::future::pending().await
        }
    });
    let client = world.client(options).await;
    client.send("ask").await.unwrap();
    within(asked.notified()).await;

    within(client.interrupt()).await.unwrap();
    within(dropped.notified()).await;
    until(&client, is_result).await;
    assert!(!world.home.project().join("made").exists());
    client.close().await.unwrap();
}
