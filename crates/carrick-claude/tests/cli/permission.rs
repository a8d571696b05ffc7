//! May a tool be used? All answers, with what the CLI does about each.

use std::sync::{Arc, Mutex};

use carrick_claude::{CanUseTool, Frame, Options, Permission, PermissionUpdate};
use carrick_testkit::api::Script;
use serde_json::json;

use super::world::{World, is_result, until};

/// Runs one prompt whose model wants to write `made`; says what was asked and what came out.
async fn ask(world: &World, answer: impl Fn(CanUseTool) -> Permission + Send + Sync + 'static) -> Outcome {
    let command = format!("echo made > {}", world.home.project().join("made").display());
    let script = Script::when("make it").uses("Bash", json!({"command": command, "description": "makes it"}));
    world.api.add(script.uses("Bash", json!({"command": command, "description": "makes it"})).says("done"));
    let asked: Arc<Mutex<Vec<CanUseTool>>> = Arc::default();
    let seen = asked.clone();
    let options: Options = world.options().can_use_tool(move |question| {
        seen.lock().unwrap().push(question.clone());
        std::future::ready(answer(question))
    });
    let client = world.client(options).await;
    client.send("make it").await.unwrap();
    let frames = until(&client, is_result).await;
    client.close().await.unwrap();
    let asked = asked.lock().unwrap().clone();
    Outcome { asked, frames, made: std::fs::read_to_string(world.home.project().join("made")).ok() }
}

struct Outcome {
    asked: Vec<CanUseTool>,
    frames: Vec<Frame>,
    made: Option<String>,
}

#[tokio::test]
async fn allowed_it_happens() {
    let world = World::new();
    let outcome = ask(&world, |_| Permission::allow()).await;
    assert_eq!(outcome.made.as_deref(), Some("made\n"));
    assert_eq!(outcome.asked[0].tool_name, "Bash");
    assert!(outcome.asked[0].suggestions.is_some(), "{:?}", outcome.asked[0]);
    assert_eq!(outcome.asked.len(), 2, "the same again is asked again");
}

#[tokio::test]
async fn allowed_with_another_input_that_one_happens() {
    let world = World::new();
    let path = world.home.project().join("made");
    let other = json!({"command": format!("echo changed > {}", path.display()), "description": "changes it"});
    let outcome = ask(&world, move |_| Permission::allow_with(other.clone())).await;
    assert_eq!(outcome.made.as_deref(), Some("changed\n"));
}

#[tokio::test]
async fn allowed_for_the_session_it_is_not_asked_again() {
    let world = World::new();
    let rule = || vec![PermissionUpdate::allow_for_session("Bash", None)];
    let outcome = ask(&world, move |question| {
        let mut updates = question.suggestions.unwrap_or_default();
        updates.iter_mut().for_each(|update| update.destination = Some("session".into()));
        updates.extend(rule());
        Permission::allow_and_remember(updates)
    })
    .await;
    assert_eq!(outcome.made.as_deref(), Some("made\n"));
    assert_eq!(outcome.asked.len(), 1, "{:?}", outcome.asked);
}

#[tokio::test]
async fn denied_the_model_is_told_and_goes_on() {
    let world = World::new();
    let outcome = ask(&world, |_| Permission::deny("not on a Sunday")).await;
    assert_eq!(outcome.made, None);
    assert!(world.api.conversation().last().unwrap().contains("not on a Sunday"));
    let Some(Frame::Result(result)) = outcome.frames.last() else { panic!() };
    assert!(result.is_success() && result.permission_denials.as_ref().unwrap().len() == 2, "{result:?}");
}

#[tokio::test]
async fn denied_and_interrupted_the_turn_ends() {
    let world = World::new();
    let outcome = ask(&world, |_| Permission::deny_and_interrupt("stop it")).await;
    assert_eq!((outcome.made, outcome.asked.len()), (None, 1));
    assert_eq!(world.api.conversation().len(), 1, "the model is not asked again");
}

#[tokio::test]
async fn questions_for_the_person_come_here_too() {
    let world = World::new();
    let question = json!({"questions": [{"question": "Which?", "header": "Pick", "multiSelect": false,
        "options": [{"label": "Port", "description": "left"}, {"label": "Starboard", "description": "right"}]}]});
    world.api.add(Script::when("ask me").uses("AskUserQuestion", question).says("thanks"));
    let options = world.options().can_use_tool(|asked| async move {
        let mut input = asked.input.value();
        input["answers"] = json!({"Which?": "Port"});
        Permission::allow_with(input)
    });
    let client = world.client(options).await;
    client.send("ask me").await.unwrap();
    until(&client, is_result).await;
    assert!(world.api.conversation().last().unwrap().contains("Port"));
    client.close().await.unwrap();
}
