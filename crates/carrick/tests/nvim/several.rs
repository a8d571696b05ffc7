//! Two Neovims in one workspace share one desk, and a client belongs to the one it was started from.

use serde_json::json;

use crate::neovim::{NEWEST, Neovim, OLDEST, client_of, selected};
use crate::world::{World, until};

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
    let answer = client.reply(&call, crate::world::PATIENCE).await.unwrap();
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
