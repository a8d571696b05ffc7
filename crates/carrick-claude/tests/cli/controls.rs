//! Every control request, put to the real CLI.

use std::collections::BTreeMap;

use carrick_claude::{Error, PermissionMode};
use carrick_testkit::api::Script;
use serde_json::json;

use super::world::{World, within};

#[tokio::test]
async fn all_that_can_be_asked_is_answered() {
    let world = World::new();
    world.api.add(Script::when("hello").says("hi"));
    let file = world.home.write("a.txt", "hello\n").unwrap();
    let path = file.to_str().unwrap();
    let client = world.client(world.options().file_checkpointing()).await;
    assert!(client.initialized().commands.as_ref().is_some_and(|commands| !commands.is_empty()));
    let sent = client.send_tracked("hello").await.unwrap();
    within(client.answer()).await.unwrap();

    let mode = client.set_permission_mode(PermissionMode::AcceptEdits).await.unwrap();
    assert_eq!(mode.mode.as_deref(), Some("acceptEdits"));
    assert!(client.set_model(Some("sonnet")).await.unwrap().model.unwrap().contains("sonnet"));
    client.set_model(None).await.unwrap();
    client.set_max_thinking_tokens(Some(1024)).await.unwrap();
    client.rename_session("A title").await.unwrap();
    assert_eq!(client.mcp_status().await.unwrap().servers, Some(Vec::new()));
    assert_eq!(client.mcp_set_servers(&BTreeMap::new()).await.unwrap().added, Some(Vec::new()));
    assert!(client.context_usage(false).await.unwrap().total_tokens.unwrap() > 0);
    assert!(client.session_cost().await.unwrap().text.unwrap().contains("cost"));
    assert!(client.usage().await.unwrap().session.is_some());
    assert!(!client.models().await.unwrap().models.unwrap().is_empty());
    assert!(client.binary_version().await.unwrap().version.is_some());
    assert!(client.settings().await.unwrap().applied.is_some());
    assert!(client.permission_rules().await.unwrap().state.is_some());
    let events = client.hooks_listing().await.unwrap().event_catalog.unwrap();
    let strange: Vec<_> = events
        .iter()
        .filter_map(|event| event.name.as_deref())
        .filter(|name| !carrick_claude::HookEvent::KNOWN.contains(name))
        .collect();
    assert!(strange.is_empty(), "events this crate does not know: {strange:?}");
    client.file_suggestions("a").await.unwrap();
    assert_eq!(client.read_file(path).await.unwrap().contents.as_deref(), Some("hello\n"));
    client.seed_read_state(path, 1).await.unwrap();
    client.apply_flag_settings(json!({"effortLevel": "low"})).await.unwrap();
    client.reload_plugins().await.unwrap();
    client.reload_skills().await.unwrap();
    client.reload_output_styles().await.unwrap();
    client.stop_task("nope").await.unwrap();
    client.background_tasks(None).await.unwrap();
    client.set_has_subscribers(None).await.unwrap();
    assert_eq!(client.cancel_message("nope").await.unwrap().cancelled, Some(false));
    assert!(client.preview_rewind(&sent).await.unwrap().can_rewind.is_some());
    client.generate_session_title("about the tides", false).await.unwrap();
    client.update_settings("localSettings", json!({"outputStyle": "default"})).await.unwrap();
    client.set_thinking_display(Some("omitted")).await.unwrap();
    client.introduce_again().await.unwrap();
    assert_eq!(client.interrupt_all().await.unwrap().cancelled, Some(Vec::new()));
    client.close().await.unwrap();
}

#[tokio::test]
async fn what_is_refused_says_why() {
    let world = World::new();
    let client = world.client(world.options()).await;
    for refused in [
        client.mcp_reconnect("nope").await.map(drop),
        client.mcp_toggle("nope", false).await.map(drop),
        client.mcp_call("mcp__x__y", json!({})).await.map(drop),
        client.mcp_read_resource("nope", "x://y").await.map(drop),
        client.task_output("nope").await.map(drop),
        client.register_repo_root("/").await.map(drop),
        client.rewind_files("nope").await.map(drop),
        client.set_color("blue").await.map(drop),
        client.set_permission_mode(PermissionMode::Other("bogus".into())).await.map(drop),
    ] {
        assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
    }
    let unknown = client.control("of_next_year", json!({"x": 1})).await.unwrap_err();
    assert!(matches!(&unknown, Error::Refused { code: Some(code), .. } if code == "unsupported_request"));
    client.close().await.unwrap();
}
