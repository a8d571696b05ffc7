//! A proposed change opens in Neovim, and what the person decides there is what the client hears.

use carrick_testkit::ide_client::IdeClient;
use serde_json::{Value, json};

use crate::neovim::{NEWEST, Neovim, OLDEST, client_of};
use crate::world::{PATIENCE, World};

async fn propose(client: &IdeClient, world: &World, name: &str, contents: &str) -> Value {
    let path = world.work().join(name);
    let arguments = json!({"old_file_path": path, "new_file_path": path, "new_file_contents": contents,
                           "tab_name": format!("✻ {name}")});
    client.begin_call("openDiff", arguments).await.unwrap()
}

async fn answer(client: &IdeClient, call: &Value) -> Value {
    client.reply(call, PATIENCE).await.unwrap()["result"]["content"].clone()
}

fn blocks(first: &str, second: &str) -> Value {
    json!([{"type": "text", "text": first}, {"type": "text", "text": second}])
}

async fn decisions(which: &str) {
    let world = World::new();
    let neovim = Neovim::start(&world, which, &["a.txt"]).await;
    let client = client_of(&world, std::process::id()).await;
    for contents in ["one\nTWO\nthree\n", "no final newline", ""] {
        let call = propose(&client, &world, "a.txt", contents).await;
        neovim.wait("it is shown", "#require('carrick').reviews() == 1").await;
        neovim.lua("require('carrick').accept()").await;
        assert_eq!(answer(&client, &call).await, blocks("FILE_SAVED", contents));
        neovim.wait("it is closed", "#require('carrick').reviews() == 0").await;
    }
    let call = propose(&client, &world, "new.txt", "fresh\n").await;
    neovim.wait("it is shown", "#require('carrick').reviews() == 1").await;
    neovim.lua("require('carrick').reject()").await;
    assert_eq!(answer(&client, &call).await, blocks("DIFF_REJECTED", "✻ new.txt"));
    assert_eq!(
        std::fs::read_to_string(world.work().join("a.txt")).unwrap(),
        "one\ntwo\nthree\n",
        "never written"
    );
}

#[tokio::test]
async fn decisions_of_the_newest_are_heard() {
    decisions(NEWEST).await;
}

#[tokio::test]
async fn decisions_of_the_oldest_are_heard() {
    decisions(OLDEST).await;
}

#[tokio::test]
async fn a_review_decided_elsewhere_closes_and_the_file_is_read_again() {
    let world = World::new();
    let neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let client = client_of(&world, std::process::id()).await;
    let call = propose(&client, &world, "a.txt", "changed\n").await;
    neovim.wait("it is shown", "#require('carrick').reviews() == 1").await;
    assert_eq!(neovim.status().await["reviews"], 1);
    world.json(&["review", "accept", "--json"]).await;
    assert_eq!(answer(&client, &call).await, blocks("FILE_SAVED", "changed\n"));
    neovim.wait("it is closed", "#require('carrick').reviews() == 0").await;
    // As the CLI does after the answer.
    world.write("a.txt", "changed\n");
    neovim.wait("the buffer is new", "vim.fn.getbufline('a.txt', 1)[1] == 'changed'").await;
}

#[tokio::test]
async fn a_client_that_goes_takes_its_review_along() {
    let world = World::new();
    let neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let client = client_of(&world, std::process::id()).await;
    propose(&client, &world, "a.txt", "changed\n").await;
    neovim.wait("it is shown", "#require('carrick').reviews() == 1").await;
    neovim.wait("the client is told", "#require('carrick.job').ask('status').clients == 1").await;
    drop(client);
    neovim.wait("it is closed", "#require('carrick').reviews() == 0").await;
    neovim.wait("and the client gone", "#require('carrick.job').ask('status').clients == 0").await;
    let log = neovim.lua("return require('carrick.job').ask('log')").await.to_string();
    assert!(log.contains("review 1 waits") && log.contains("the connection went away"), "{log}");
}
