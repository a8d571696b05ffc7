//! The workspace follows the folders that Neovim works in.

use serde_json::json;

use crate::neovim::{NEWEST, Neovim};
use crate::world::{World, until};

#[tokio::test]
async fn the_lock_file_follows_cd() {
    let world = World::new();
    let other = world.path("home/other");
    std::fs::create_dir(&other).unwrap();
    let neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    assert_eq!(world.lock()["workspaceFolders"], json!([world.work()]));
    for command in ["cd", "tcd", "lcd"] {
        neovim.lua(&format!("vim.cmd.{command}('{}')", other.display())).await;
        until("the other folder is told", || {
            world.lock()["workspaceFolders"] == json!([world.work(), other])
        })
        .await;
        neovim.lua(&format!("vim.cmd.{command}('{}')", world.work().display())).await;
        until("and no longer", || world.lock()["workspaceFolders"] == json!([world.work()])).await;
    }
}
