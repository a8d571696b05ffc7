//! Two Neovims in one workspace share one desk, and a client belongs to the one it was started from.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::neovim::{NEWEST, Neovim, OLDEST, client_of, selected};
use crate::world::{PATIENCE, World, until};

#[tokio::test]
async fn a_client_hears_and_asks_the_neovim_it_was_started_from() {
    let world = World::new();
    world.write("b.txt", "from b\n");
    let mut a = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let b = Neovim::start(&world, OLDEST, &["b.txt"]).await;
    assert_eq!(world.locks().len(), 1, "one desk");
    assert_eq!((&a.status().await["hosting"], &b.status().await["hosting"]), (&json!(true), &json!(false)));
    let pid = b.descendant().await;
    let client = client_of(&world, pid).await;
    b.wait("the client is its own", "(require('carrick.job').ask('status').clients[1] or {}).mine").await;
    a.keys("ggV").await;
    b.keys("ggV").await;
    let heard = selected(&client, "b's line", |heard| heard["text"] == "from b").await;
    assert_eq!(heard["filePath"], json!(world.work().join("b.txt")));
    // The person goes to the other editor; the client stays with its own.
    a.keys("<Esc>2GV").await;
    let (path, contents) = (world.work().join("b.txt"), "new b\n");
    let asked = json!({"old_file_path": path, "new_file_contents": contents, "tab_name": "t"});
    let call = client.begin_call("openDiff", asked).await.unwrap();
    b.wait("it opens in b", "#require('carrick').reviews() == 1").await;
    assert_eq!(a.lua("return #require('carrick').reviews()").await, 0);
    b.lua("require('carrick').accept()").await;
    let answer = client.reply(&call, PATIENCE).await.unwrap();
    assert_eq!(answer["result"]["content"][1]["text"], contents);
    assert!(!client.received().iter().any(|message| message["params"]["text"] == "one"), "nothing of a");

    let lock = world.lock();
    a.quit().await;
    b.wait("b holds the desk now", "require('carrick.job').ask('status').hosting").await;
    assert_eq!(world.lock()["authToken"], lock["authToken"]);
    // The CLI comes back by itself, to the same port with the same token.
    let client = client_of(&world, pid).await;
    b.keys("<Esc>ggV").await;
    selected(&client, "b's line again", |heard| heard["text"] == "from b").await;
    drop(client);
    let mut b = b;
    b.quit().await;
    until("the last one out closes the door", || {
        world.locks().is_empty() && world.runtime_files().is_empty()
    })
    .await;
}

#[tokio::test]
async fn a_neovim_joins_the_desk_of_a_server_and_leaves_it_again() {
    let world = World::new();
    let server = world.serve().await;
    let mut neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    assert_eq!(neovim.status().await["port"], server.ready["port"]);
    let client = world.client(&server).await;
    neovim.keys("2GV").await;
    selected(&client, "its line", |heard| heard["text"] == "two").await;
    world.write("c.txt", "c\n");
    let opened = client.call("openFile", json!({"filePath": world.work().join("c.txt")})).await.unwrap();
    assert!(opened["isError"].is_null() || opened["isError"] == false, "{opened}");
    assert_eq!(neovim.lua("return vim.fn.expand('%:t')").await, "c.txt");
    neovim.quit().await;
    let tabs = client.call("getOpenEditors", json!({})).await.unwrap();
    assert!(!tabs.to_string().contains("c.txt"), "{tabs}");
    assert_eq!(world.locks().len(), 1, "the server goes on");
}

#[tokio::test]
async fn the_job_that_holds_the_desk_may_die_too() {
    let world = World::new();
    let a = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let b = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let before = a.status().await;
    let pid = Pid::from_raw(before["pid"].as_i64().unwrap().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    b.wait("b holds the desk now", "require('carrick.job').ask('status').hosting").await;
    assert_eq!(b.status().await["port"], before["port"]);
    a.wait("a knows", "not require('carrick.job').is_running()").await;
    a.begin().await;
    assert_eq!(a.status().await["hosting"], false);
    assert_eq!(world.locks().len(), 1);
}

#[tokio::test]
async fn a_mention_goes_to_the_agent_of_the_session_it_is_made_in() {
    let world = World::new();
    let neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let (one, other) = (neovim.descendant().await, neovim.descendant().await);
    let hears = client_of(&world, one).await;
    neovim.wait("the first is there", "#require('carrick.job').ask('status').clients == 1").await;
    let mention = |pid: u32| {
        format!("require('carrick.job').notify('mention', {{path = vim.fn.expand('%:p'), pid = {pid}}})")
    };
    // The second agent is still on its way: what it is told waits for it.
    neovim.lua(&mention(other)).await;
    let late = client_of(&world, other).await;
    let file = json!({"filePath": world.work().join("a.txt")});
    assert_eq!(late.expect_notification("at_mentioned", PATIENCE).await.unwrap(), file);
    neovim.lua(&mention(one)).await;
    assert_eq!(hears.expect_notification("at_mentioned", PATIENCE).await.unwrap(), file);
    let heard = |client: &carrick_testkit::ide_client::IdeClient| {
        client.received().iter().filter(|message| message["method"] == "at_mentioned").count()
    };
    assert_eq!((heard(&hears), heard(&late)), (1, 1));
}

#[tokio::test]
async fn a_review_at_a_desk_that_dies_is_closed_and_comes_again_with_its_client() {
    let world = World::new();
    let a = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let b = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let pid = b.descendant().await;
    let asked =
        json!({"old_file_path": world.work().join("a.txt"), "new_file_contents": "new\n", "tab_name": "t"});
    let client = client_of(&world, pid).await;
    client.begin_call("openDiff", asked.clone()).await.unwrap();
    b.wait("it opens in b", "#require('carrick').reviews() == 1").await;
    a.kill();
    b.wait("it is closed", "#require('carrick').reviews() == 0").await;
    b.wait("b holds the desk now", "require('carrick.job').ask('status').hosting").await;
    until("the lock file is b's", || world.locks().len() == 1).await;
    let client = client_of(&world, pid).await;
    let call = client.begin_call("openDiff", asked).await.unwrap();
    b.wait("it opens again", "#require('carrick').reviews() == 1").await;
    b.lua("require('carrick').accept()").await;
    let answer = client.reply(&call, PATIENCE).await.unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "FILE_SAVED");
}
