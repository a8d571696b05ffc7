//! Reviews decided from the shell, with a client that waits for the answer.

use std::os::unix::fs::PermissionsExt;

use carrick_testkit::ide_client::IdeClient;
use serde_json::{Value, json};

use crate::world::{PATIENCE, Server, World, finish};

const NEW: &str = "ONE\ntwo\nTHREE\n";

/// A server with a client that has proposed a change of `a.txt`; the id is that of the client's call.
async fn proposed(world: &World, contents: &str) -> (Server, IdeClient, Value) {
    let mut server = world.serve().await;
    let client = world.client(&server).await;
    let call = propose(world, &client, "a.txt", contents).await;
    server.event("review_opened").await;
    (server, client, call)
}

async fn propose(world: &World, client: &IdeClient, name: &str, contents: &str) -> Value {
    let path = world.work().join(name);
    let arguments = json!({
        "old_file_path": path, "new_file_path": path, "new_file_contents": contents, "tab_name": format!("tab {name}"),
    });
    client.begin_call("openDiff", arguments).await.unwrap()
}

async fn answer(client: &IdeClient, call: &Value) -> Vec<String> {
    let reply = client.reply(call, PATIENCE).await.unwrap();
    let blocks = reply["result"]["content"].as_array().unwrap_or_else(|| panic!("{reply}"));
    blocks.iter().map(|block| block["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn accepted_whole() {
    let world = World::new();
    let (mut server, client, call) = proposed(&world, NEW).await;
    let list = world.json(&["review", "list", "--json"]).await;
    assert_eq!((&list["reviews"][0]["added"], &list["reviews"][0]["removed"]), (&json!(2), &json!(2)));
    let done = world.carrick(&["review", "accept"]).await;
    assert_eq!((done.code, done.out.as_str()), (0, "accepted review 1: a.txt\n"));
    assert_eq!(answer(&client, &call).await, ["FILE_SAVED", NEW]);
    assert_eq!(server.event("review_settled").await["review"]["outcome"], "accepted");
    assert_eq!(std::fs::read_to_string(world.work().join("a.txt")).unwrap(), "one\ntwo\nthree\n");
    let again = world.carrick(&["review", "accept", "1"]).await;
    assert_eq!(again.code, 1);
    assert!(again.err.contains("settled already"), "{}", again.err);
}

#[tokio::test]
async fn accepted_by_hunk() {
    let world = World::new();
    let (_server, client, call) = proposed(&world, NEW).await;
    let wrong = world.carrick(&["review", "accept", "--hunks", "1,3"]).await;
    assert!(wrong.err.contains("no hunk 3"), "{}", wrong.err);
    assert_eq!(world.carrick(&["review", "accept", "1", "--hunks", "2"]).await.code, 0);
    assert_eq!(answer(&client, &call).await, ["FILE_SAVED", "one\ntwo\nTHREE\n"]);
}

#[tokio::test]
async fn rejected() {
    let world = World::new();
    let (_server, client, call) = proposed(&world, NEW).await;
    assert_eq!(world.carrick(&["review", "reject"]).await.code, 0);
    assert_eq!(answer(&client, &call).await, ["DIFF_REJECTED", "tab a.txt"]);
}

#[tokio::test]
async fn of_several_one_has_to_be_named() {
    let world = World::new();
    let (mut server, client, first) = proposed(&world, NEW).await;
    let second = propose(&world, &client, "b.txt", "new\n").await;
    server.event("review_opened").await;
    let done = world.carrick(&["review", "reject"]).await;
    assert_eq!(done.code, 1);
    assert!(done.err.contains("2 reviews wait: 1 (") && done.err.contains("hint: "), "{}", done.err);
    assert_eq!(world.carrick(&["review", "reject", "2"]).await.code, 0);
    assert_eq!(answer(&client, &second).await[0], "DIFF_REJECTED");
    assert_eq!(world.carrick(&["review", "accept"]).await.code, 0);
    assert_eq!(answer(&client, &first).await[0], "FILE_SAVED");
}

#[tokio::test]
async fn shown_with_hunks_and_nothing_a_terminal_obeys() {
    let world = World::new();
    let evil = "ONE\x1b[2J\ntwo\nthree\n";
    let (_server, _client, _call) = proposed(&world, evil).await;
    let shown = world.carrick(&["review", "show", "1"]).await.out;
    assert!(shown.ends_with("hunk 1 @@ -1,3 +1,3 @@\n-one\n+ONE␛[2J\n two\n three\n"), "{shown}");
    assert!(!shown.contains('\x1b'));
    assert_eq!(
        world.carrick(&["review", "show", "1", "--proposed"]).await.out,
        evil,
        "to a pipe it is exact"
    );
}

/// An editor that is a shell script.
fn editor(world: &World, script: &str) -> String {
    let path = world.write("../editor", &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn drafts(world: &World) -> usize {
    std::fs::read_dir(world.path("tmp")).unwrap().count()
}

async fn edit(world: &World, editor: &str) -> crate::world::Done {
    let mut command = world.command(&["review", "edit"]);
    command.env("EDITOR", editor);
    finish(command).await
}

#[tokio::test]
async fn edited_and_accepted() {
    let world = World::new();
    let (_server, client, call) = proposed(&world, NEW).await;
    let editor = editor(
        &world,
        "case \"$2\" in *.txt) ;; *) exit 1;; esac; ls -l \"$2\" | cut -c1-10 >../mode; echo more >>\"$2\"",
    );
    let done = edit(&world, &format!("{editor} --wait")).await;
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(answer(&client, &call).await, ["FILE_SAVED", "ONE\ntwo\nTHREE\nmore\n"]);
    assert_eq!(std::fs::read_to_string(world.path("mode")).unwrap(), "-rw-------\n");
    assert_eq!(drafts(&world), 0);
}

#[tokio::test]
async fn a_failed_editor_decides_nothing_and_keeps_the_work() {
    let world = World::new();
    let (_server, _client, _call) = proposed(&world, NEW).await;
    let done = edit(&world, &editor(&world, "exit 1")).await;
    assert_eq!(done.code, 1);
    assert!(done.err.contains("nothing was decided"), "{}", done.err);
    assert_eq!(drafts(&world), 0, "nothing was changed, nothing is kept");
    let done = edit(&world, &editor(&world, "echo work >>\"$1\"; exit 1")).await;
    assert!(done.err.contains("hint: your changes are kept in"), "{}", done.err);
    assert_eq!(drafts(&world), 1);
    let done = edit(&world, &editor(&world, ": >\"$1\"")).await;
    assert!(done.err.contains("the file is empty"), "{}", done.err);
    assert_eq!(world.json(&["status", "--json"]).await["waiting"], 1);
}
