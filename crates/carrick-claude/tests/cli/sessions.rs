//! Sessions the real CLI has written: listed, read, changed, and taken up by it again.

use carrick_claude::Error;
use carrick_claude::sessions::Sessions;
use carrick_testkit::api::{Script, Turn};
use serde_json::json;

use super::world::{World, within};

async fn talk(world: &World) -> String {
    let file = world.home.write("a.txt", "alpha\n").unwrap();
    let twice =
        Turn::new().tool_use("Read", json!({"file_path": file})).tool_use("Read", json!({"file_path": file}));
    world.api.add(Script::when("tango-first").turn(twice).says("one"));
    world.api.add(Script::when("tango-second").says("two"));
    let client = world.client(world.options()).await;
    client.send("tango-first").await.unwrap();
    within(client.answer()).await.unwrap();
    client.send("tango-second").await.unwrap();
    let (_, result) = within(client.answer()).await.unwrap();
    client.close().await.unwrap();
    result.session_id.unwrap()
}

fn texts(sessions: &Sessions, id: &str) -> Vec<String> {
    let messages = sessions.messages(id).unwrap().map(Result::unwrap);
    let text = |content: carrick_claude::Content| content.text();
    messages.filter_map(|one| one.message?.content.map(text)).filter(|text| !text.is_empty()).collect()
}

#[tokio::test]
async fn sessions_are_listed_read_renamed_tagged_and_deleted() {
    let world = World::new();
    let sessions = Sessions::at(world.home.config());
    assert!(sessions.list(None).unwrap().is_empty());
    let id = talk(&world).await;

    let listed = sessions.list(Some(&world.home.project())).unwrap();
    assert_eq!(listed, sessions.list(None).unwrap());
    assert_eq!((listed.len(), listed[0].id.as_str()), (1, id.as_str()));
    assert_eq!(listed[0].first_prompt.as_deref(), Some("tango-first"));
    assert_eq!(listed[0].cwd.as_deref(), world.home.project().to_str());
    assert_eq!(texts(&sessions, &id), ["tango-first", "one", "tango-second", "two"]);
    let uses =
        sessions.messages(&id).unwrap().map(Result::unwrap).filter(|one| one.tool_use_result.is_some());
    assert_eq!(uses.count(), 2, "results of parallel tools are all there");

    sessions.rename(&id, " Tides ").unwrap();
    sessions.tag(&id, Some("sea")).unwrap();
    let info = sessions.info(&id).unwrap().unwrap();
    assert_eq!(
        (info.title.as_deref(), info.tag.as_deref(), info.summary.as_str()),
        (Some("Tides"), Some("sea"), "Tides")
    );
    sessions.tag(&id, None).unwrap();
    assert_eq!(sessions.info(&id).unwrap().unwrap().tag, None);

    sessions.delete(&id).unwrap();
    assert!(matches!(sessions.delete(&id), Err(Error::NoSession { .. })));
    assert!(sessions.list(None).unwrap().is_empty());
}

#[tokio::test]
async fn a_fork_goes_its_own_way() {
    let world = World::new();
    let sessions = Sessions::at(world.home.config());
    let id = talk(&world).await;
    let stored: Vec<_> = sessions.messages(&id).unwrap().map(Result::unwrap).collect();
    let is_one = |one: &&carrick_claude::sessions::StoredMessage| {
        one.message
            .as_ref()
            .and_then(|message| message.content.as_ref())
            .is_some_and(|content| content.text() == "one")
    };
    let one = stored.iter().find(is_one).unwrap().uuid.clone().unwrap();

    let fork = sessions.fork(&id, Some(&one), None).unwrap();
    assert_eq!(texts(&sessions, &fork), ["tango-first", "one"]);
    assert!(sessions.info(&fork).unwrap().unwrap().summary.ends_with("(fork)"));
    let whole = sessions.fork(&id, None, Some("Copy")).unwrap();
    assert_eq!(texts(&sessions, &whole), texts(&sessions, &id));
    assert_eq!(sessions.info(&whole).unwrap().unwrap().summary, "Copy");

    world.api.add(Script::when("tango-third").says("three"));
    let client = world.client(world.options().resume(&fork)).await;
    client.send("tango-third").await.unwrap();
    let (_, result) = within(client.answer()).await.unwrap();
    client.close().await.unwrap();
    assert_eq!(result.session_id, Some(fork.clone()));
    let asked = world.api.conversation();
    assert!(asked.last().unwrap().contains("tango-first") && !asked.last().unwrap().contains("tango-second"));
    assert_eq!(texts(&sessions, &fork), ["tango-first", "one", "tango-third", "three"]);
}
