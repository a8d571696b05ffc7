//! The ends: Neovim dies, carrick dies, and nothing is left behind or taken along.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::neovim::{NEWEST, Neovim, client_of};
use crate::world::{PATIENCE, World, until};

#[tokio::test]
async fn a_killed_neovim_takes_its_desk_along_within_two_seconds() {
    let world = World::new();
    let neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let client = client_of(&world, std::process::id()).await;
    let asked =
        json!({"old_file_path": world.work().join("a.txt"), "new_file_contents": "x\n", "tab_name": "t"});
    client.begin_call("openDiff", asked).await.unwrap();
    neovim.wait("it is shown", "#require('carrick').reviews() == 1").await;
    let job = neovim.status().await["pid"].as_u64().unwrap();
    let killed = Instant::now();
    neovim.kill();
    // No rejection: nobody rejected. The CLI hears that the connection is over, and asks in its own terminal.
    assert_eq!(client.closed(PATIENCE).await.unwrap().code, Some(1001));
    until("everything is gone", || {
        world.locks().is_empty() && world.runtime_files().is_empty() && !runs(job)
    })
    .await;
    assert!(killed.elapsed() < Duration::from_secs(2), "{:?}", killed.elapsed());
}

/// One that has ended and that nobody has asked after yet does not run any more.
fn runs(pid: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, after)| !after.trim_start().starts_with('Z'))
}

#[tokio::test]
async fn a_neovim_that_quits_leaves_nothing() {
    let world = World::new();
    let mut neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let began = Instant::now();
    neovim.quit().await;
    until("everything is gone", || world.locks().is_empty() && world.runtime_files().is_empty()).await;
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[tokio::test]
async fn neovim_lives_on_without_carrick_and_starts_it_again() {
    let world = World::new();
    let neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let before = neovim.status().await;
    let pid = Pid::from_raw(before["pid"].as_i64().unwrap().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    neovim.wait("it is missed", "not require('carrick.job').is_running()").await;
    assert_eq!(neovim.lua("return vim.fn.getline(2)").await, "two");
    neovim.begin().await;
    let after = neovim.status().await;
    assert_eq!(after["port"], before["port"], "clients find it again");
    assert_ne!(after["pid"], before["pid"]);
    assert_eq!(world.locks().len(), 1);
}
