//! What is selected in Neovim reaches the client in UTF-16 units, in every visual mode.

use serde_json::{Value, json};

use crate::neovim::{NEWEST, Neovim, OLDEST, client_of, selected};
use crate::world::World;

fn place(line: u32, character: u32) -> Value {
    json!({"line": line, "character": character})
}

async fn every_mode(which: &str) {
    let world = World::new();
    let file = world.write("a.txt", "one two\n\tzwei ä😀 drei\nvier fünf\nsechs\n");
    let neovim = Neovim::start(&world, which, &["a.txt"]).await;
    let client = client_of(&world, std::process::id()).await;
    let empty = |heard: &Value| heard["text"] == "";
    let first = selected(&client, "the cursor", empty).await;
    assert_eq!(first["filePath"], json!(file));
    assert_eq!(first["selection"]["isEmpty"], true);
    // From the ä to the d: a tab is one unit, ä one, the emoji two.
    neovim.keys("2G0fäv2l").await;
    let heard = selected(&client, "characters", |heard| heard["text"] == "ä😀 ").await;
    assert_eq!(heard["selection"], json!({"start": place(1, 6), "end": place(1, 10), "isEmpty": false}));
    neovim.keys("<Esc>2GVj").await;
    let heard = selected(&client, "lines", |heard| heard["text"] == "\tzwei ä😀 drei\nvier fünf").await;
    assert_eq!(heard["selection"]["start"], place(1, 0));
    assert_eq!(heard["selection"]["end"], place(2, 9));
    neovim.keys("<Esc>3G0<C-v>jl").await;
    let heard = selected(&client, "a block", |heard| heard["text"] == "vi\nse").await;
    assert_eq!((&heard["selection"]["start"], &heard["selection"]["end"]), (&place(2, 0), &place(3, 2)));
    neovim.keys("<Esc>4G$").await;
    let heard = selected(&client, "the cursor", |heard| heard["selection"]["start"]["line"] == 3).await;
    assert_eq!(heard["selection"]["start"], heard["selection"]["end"]);
}

#[tokio::test]
async fn every_mode_is_told_by_the_newest() {
    every_mode(NEWEST).await;
}

#[tokio::test]
async fn every_mode_is_told_by_the_oldest() {
    every_mode(OLDEST).await;
}

#[tokio::test]
async fn a_private_file_is_not_told() {
    let world = World::new();
    world.write(".env", "KEY=1\n");
    let neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let client = client_of(&world, std::process::id()).await;
    selected(&client, "the cursor", |heard| heard["text"] == "").await;
    std::os::unix::fs::symlink(world.work().join(".env"), world.work().join("link")).unwrap();
    neovim.lua("vim.cmd.edit('.env') vim.cmd.edit('link')").await;
    neovim.keys("V").await;
    neovim.lua("vim.cmd.normal({'\\27', bang = true}) vim.cmd.edit('a.txt')").await;
    neovim.keys("2GV").await;
    selected(&client, "the file after it", |heard| heard["text"] == "two").await;
    let all = serde_json::to_string(&client.received()).unwrap();
    assert!(!all.contains("KEY") && !all.contains(".env") && !all.contains("/link"), "{all}");
}

#[tokio::test]
async fn a_mention_reaches_the_client() {
    let world = World::new();
    let neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let client = client_of(&world, std::process::id()).await;
    selected(&client, "the cursor", |heard| heard["text"] == "").await;
    neovim.lua("require('carrick.job').notify('mention', {path = vim.fn.expand('%:p'), line_start = 1, line_end = 2})").await;
    let heard = client.expect_notification("at_mentioned", crate::world::PATIENCE).await.unwrap();
    assert_eq!(heard, json!({"filePath": world.work().join("a.txt"), "lineStart": 1, "lineEnd": 2}));
}
