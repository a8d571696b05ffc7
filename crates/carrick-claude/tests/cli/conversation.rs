//! Questions and answers: one, several, streamed, resumed, forked, and those the API does not answer.

use carrick_claude::{Block, Error, Frame, query};
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
