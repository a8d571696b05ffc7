//! Questions and answers: one, several, streamed, resumed, forked, and those the API does not answer.

use carrick_claude::frame::{System, TurnResult};
use carrick_claude::{Agent, Block, Client, Error, Frame, Permission, query};
use carrick_testkit::api::{Script, Turn};
use serde_json::json;

use super::world::{World, is_result, until, within};

#[tokio::test]
async fn one_question_is_answered_after_a_round_of_tools() {
    let world = World::new();
    let file = world.home.write("notes.txt", "the tide turns at noon\n").unwrap();
    let look = Turn::new().text("Let me look.").tool_use("Read", json!({"file_path": file}));
    world.api.add(Script::when("tide").turn(look).says("It turns at noon."));

    let mut frames = Vec::new();
    let mut answer = query("when does the tide turn?", world.options());
    while let Some(frame) = within(answer.next()).await {
        frames.push(frame.unwrap());
    }

    let Some(Frame::Result(result)) = frames.last() else { panic!("{frames:#?}") };
    assert!(result.is_success());
    assert_eq!(result.text(), "It turns at noon.");
    let uses = frames.iter().any(|frame| {
        matches!(frame, Frame::Assistant(said) if matches!(said.blocks(), [Block::ToolUse(tool)] if tool.name == "Read"))
    });
    assert!(uses, "{frames:#?}");
    let unknown: Vec<_> = frames.iter().filter(|frame| matches!(frame, Frame::Unknown(_))).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    world.is_empty().await;
}

#[tokio::test]
async fn the_answer_is_streamed_while_it_is_written() {
    let world = World::new();
    let words = "A sentence that is long enough to come in several pieces, one after the other.";
    world.api.add(Script::when("stream").turn(Turn::new().thinking("hmm").text(words)));
    let client = world.client(world.options().include_partial_messages()).await;

    client.send("stream it").await.unwrap();
    let frames = until(&client, is_result).await;

    let pieces: Vec<&str> = frames.iter().filter_map(|frame| event(frame)?.text()).collect();
    assert!(pieces.len() > 2 && pieces.concat() == words, "{pieces:?}");
    let thoughts: String = frames.iter().filter_map(|frame| event(frame)?.thinking()).collect();
    assert_eq!(thoughts, "hmm");
    client.close().await.unwrap();
}

fn event(frame: &Frame) -> Option<&carrick_claude::frame::StreamEvent> {
    if let Frame::StreamEvent(event) = frame { Some(event) } else { None }
}

#[tokio::test]
async fn a_conversation_goes_on_and_is_resumed_and_forked() {
    let world = World::new();
    world.api.add(Script::when("first").says("one"));
    world.api.add(Script::when("second").says("two"));
    world.api.add(Script::when("third").says("three"));
    let client = world.client(world.options()).await;
    client.send("first").await.unwrap();
    let (one, result) = within(client.answer()).await.unwrap();
    client.send("second").await.unwrap();
    let (two, _) = within(client.answer()).await.unwrap();
    client.close().await.unwrap();
    assert_eq!((one.as_str(), two.as_str()), ("one", "two"));
    let session = result.session_id.unwrap();

    let resumed = world.client(world.options().resume(&session)).await;
    resumed.send("third").await.unwrap();
    let (_, result) = within(resumed.answer()).await.unwrap();
    resumed.close().await.unwrap();
    assert_eq!(result.session_id.as_ref(), Some(&session));
    assert!(world.api.conversation().last().unwrap().contains("first"));

    let forked = world.client(world.options().resume(&session).fork_session()).await;
    forked.send("third").await.unwrap();
    let (_, result) = within(forked.answer()).await.unwrap();
    assert_ne!(result.session_id, Some(session));
    assert!(world.api.conversation().last().unwrap().contains("second"));
    forked.close().await.unwrap();
}

#[tokio::test]
async fn a_session_gets_the_id_it_was_given() {
    let world = World::new();
    world.api.add(Script::when("hello").says("hi"));
    let id = "11111111-2222-4333-8444-555555555555";
    let client = world.client(world.options().session_id(id)).await;
    client.send("hello").await.unwrap();
    let (_, result) = within(client.answer()).await.unwrap();
    assert_eq!(result.session_id.as_deref(), Some(id));
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_failure_of_the_api_and_a_wrong_key_are_told_apart() {
    let world = World::new();
    world.api.add(Script::when("fail").turn(Turn::error(400, "invalid_request_error", "the sea is closed")));
    world.api.add(Script::when("key").turn(Turn::error(401, "authentication_error", "invalid x-api-key")));

    let failed = within(query("fail please", world.options()).text()).await.unwrap_err();
    assert!(
        matches!(&failed, Error::Api { .. }) && failed.to_string().contains("the sea is closed"),
        "{failed:?}"
    );
    // Left alone, the CLI asks again for minutes: a key helper may have a new one by then.
    let once = world.options().env("CLAUDE_CODE_MAX_RETRIES", "0");
    let refused = within(query("key please", once).text()).await.unwrap_err();
    assert!(matches!(&refused, Error::AuthNeeded { .. }), "{refused:?}");
    let nobody = world.options().env("ANTHROPIC_API_KEY", "");
    let refused = within(query("fail please", nobody).text()).await.unwrap_err();
    assert!(matches!(&refused, Error::AuthNeeded { .. }), "{refused:?}");
    world.is_empty().await;
}

#[tokio::test]
async fn an_answer_can_be_made_to_fit_a_schema() {
    let world = World::new();
    world.api.add(Script::when("count").uses("StructuredOutput", json!({"n": 3})).says("done"));
    let schema = json!({"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]});
    let client = world.client(world.options().json_schema(schema)).await;
    client.send("count").await.unwrap();
    let (_, result) = within(client.answer()).await.unwrap();
    assert_eq!(result.structured_output.unwrap().value(), json!({"n": 3}));
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_limit_of_turns_is_a_failure_of_its_own_kind() {
    let world = World::new();
    let file = world.home.write("a.txt", "x").unwrap();
    world.api.add(Script::when("on and on").uses("Read", json!({"file_path": file})).says("never said"));
    let error = within(query("on and on", world.options().max_turns(1)).text()).await.unwrap_err();
    assert!(matches!(&error, Error::Turn { kind, .. } if kind == "error_max_turns"), "{error:?}");
    world.is_empty().await;
}

#[tokio::test]
async fn replayed_messages_and_echoed_answers_are_understood() {
    let world = World::new();
    world.api.add(
        Script::when("make it").uses("Bash", json!({"command": "touch made", "description": "x"})).says("ok"),
    );
    let options = world.options().replay_user_messages().can_use_tool(|_| async { Permission::allow() });
    let client = world.client(options).await;
    let uuid = client.send_tracked("make it").await.unwrap();
    let frames = until(&client, is_result).await;

    let is_ours = |frame: &&Frame| matches!(frame, Frame::User(user) if user.is_replay == Some(true) && user.uuid.as_deref() == Some(&uuid));
    assert_eq!(frames.iter().filter(is_ours).count(), 1, "{frames:#?}");
    assert!(world.home.project().join("made").exists());
    let states: Vec<_> = frames.iter().filter_map(lifecycle).collect();
    assert!(states.contains(&(uuid.as_str(), "started")), "{states:?}");
    client.close().await.unwrap();
}

fn lifecycle(frame: &Frame) -> Option<(&str, &str)> {
    let Frame::CommandLifecycle(step) = frame else { return None };
    Some((step.command_uuid.as_deref()?, step.state.as_deref()?))
}

#[tokio::test]
async fn agents_and_folders_are_told_at_the_start() {
    let world = World::new();
    world.api.add(Script::when("hello").says("hi"));
    let other = tempfile::tempdir().unwrap();
    let options = world.options().add_agent("bosun", Agent::new("Pipes", "Pipe.")).add_dir(other.path());
    let client = world.client(options).await;
    client.send("hello").await.unwrap();
    let frames = until(&client, is_result).await;
    let init = frames.iter().find_map(|frame| match frame {
        Frame::System(System::Init(init)) => Some(init),
        _ => None,
    });
    assert!(init.unwrap().agents.as_ref().unwrap().contains(&"bosun".to_owned()), "{init:?}");
    client.close().await.unwrap();
}

#[tokio::test]
async fn after_its_answers_the_session_is_idle() {
    let world = World::new();
    world.api.add(Script::when("alpha").says("A"));
    world.api.add(Script::when("omega").says("Z"));
    let client: Client = world.client(world.options()).await;
    client.send("alpha").await.unwrap();
    let first: TurnResult = within(client.answer()).await.unwrap().1;
    client.send("omega").await.unwrap();
    let second = within(client.answer()).await.unwrap().1;
    assert_eq!((first.text().as_str(), second.text().as_str()), ("A", "Z"));
    within(client.idle()).await;
    client.close().await.unwrap();
}
