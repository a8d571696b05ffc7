//! `carrick nvim --server`, a Neovim without the plug-in, and the plug-in that the binary writes.

use crate::neovim::{NEWEST, Neovim};
use crate::world::{World, until};

#[tokio::test]
async fn carrick_attaches_to_a_neovim_that_runs() {
    let world = World::new();
    let mut neovim = Neovim::bare(&world, NEWEST, &["a.txt"]).await;
    let socket = neovim.socket.to_str().unwrap().to_owned();
    let mut carrick = world.command(&["nvim", "--server", &socket]).spawn().unwrap();
    neovim.wait("it said hello", "require('carrick.job').channel() ~= nil").await;
    neovim.wait("it is at a desk", "(require('carrick.job').ask('status') or {}).port ~= nil").await;
    assert_eq!(world.lock()["pid"], serde_json::json!(carrick.id()));
    neovim.quit().await;
    let ended = tokio::time::timeout(crate::world::PATIENCE, carrick.wait()).await.unwrap().unwrap();
    assert_eq!(ended.code(), Some(0));
    until("nothing is left", || world.locks().is_empty()).await;
}

#[tokio::test]
async fn what_is_missing_is_said_with_the_next_step() {
    let world = World::new();
    let none = world.carrick(&["nvim", "--server", "/nowhere/nvim.sock"]).await;
    assert_eq!(none.code, 1);
    assert!(none.err.contains("cannot attach to the Neovim at /nowhere/nvim.sock"), "{}", none.err);
    // Its standard output is msgpack, which nobody here reads.
    let alone = world.command(&["nvim"]).spawn().unwrap().wait_with_output().await.unwrap();
    let words = String::from_utf8(alone.stderr).unwrap();
    assert_eq!(alone.status.code(), Some(1));
    assert!(words.contains("Neovim is gone") && words.contains("--server"), "{words}");
    let neovim = Neovim::bare(&world, NEWEST, &["a.txt"]).await;
    neovim.lua("vim.opt.rtp:remove(vim.opt.rtp:get()[1])").await;
    let without = world.carrick(&["nvim", "--server", neovim.socket.to_str().unwrap()]).await;
    assert_eq!(without.code, 1);
    assert!(without.err.contains("plug-in is not installed"), "{}", without.err);
}

#[tokio::test]
async fn the_binary_writes_the_plugin_that_fits_it() {
    let world = World::new();
    let folder = world.path("home/plugin");
    let written = world.carrick(&["plugin", "nvim", folder.to_str().unwrap()]).await;
    assert_eq!(written.code, 0, "{}", written.err);
    assert!(folder.join("plugin/carrick.lua").exists() && folder.join("lua/carrick/rpc.lua").exists());
    assert!(!folder.join("tests").exists());
    let printed = world.carrick(&["plugin", "nvim"]).await;
    assert!(printed.out.contains("-- lua/carrick/rpc.lua\n"));
}
