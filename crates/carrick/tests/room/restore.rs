//! Whatever ends the room, the terminal is as it was.

use carrick_testkit::terminal::{Key, Terminal, TerminalCommand};
use rustix::process::{Pid, Signal, kill_process};

use crate::stage::program;
use crate::world::{PATIENCE, World};

/// A shell that runs the room and says afterwards how it found the terminal.
fn shell(world: &World) -> TerminalCommand {
    let script = "echo before; \"$0\" serve; echo \"code $?\"; stty -a | tr ' ;' '\\n\\n' | grep -E '^-?(icanon|echo)$' \
                  | tr '\\n' ' '; echo after; read end";
    program(world, "/bin/sh").args(["-c", script, env!("CARGO_BIN_EXE_carrick")])
}

async fn in_room(world: &World) -> Terminal {
    let terminal = shell(world).spawn().unwrap();
    terminal.wait_for_text("No change waits", PATIENCE).await.unwrap();
    assert!(terminal.is_taken() && !terminal.screen().contains("before"));
    terminal
}

async fn is_as_it_was(world: &World, terminal: &Terminal, code: &str) {
    terminal.wait_for_text("after", PATIENCE).await.unwrap();
    let screen = terminal.screen();
    assert!(screen.contains("before") && screen.contains(code), "{screen}");
    assert!(screen.contains("icanon echo after") || screen.contains("echo icanon after"), "{screen}");
    assert!(!terminal.is_taken(), "{screen}");
    assert!(world.locks().is_empty() && world.runtime_files().is_empty());
}

fn carrick(world: &World) -> Pid {
    let pid = world.lock()["pid"].as_i64().unwrap().try_into().unwrap();
    Pid::from_raw(pid).unwrap()
}

#[tokio::test]
async fn after_quitting() {
    let world = World::new();
    let mut terminal = in_room(&world).await;
    terminal.type_text("q").unwrap();
    is_as_it_was(&world, &terminal, "code 0").await;
}

#[tokio::test]
async fn after_ctrl_c() {
    let world = World::new();
    let mut terminal = in_room(&world).await;
    terminal.press(Key::Ctrl('c')).unwrap();
    is_as_it_was(&world, &terminal, "code 0").await;
}

#[tokio::test]
async fn after_every_signal_that_can_be_caught() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let world = World::new();
        let terminal = in_room(&world).await;
        kill_process(carrick(&world), signal).unwrap();
        is_as_it_was(&world, &terminal, "code 0").await;
    }
}

#[tokio::test]
async fn after_a_panic() {
    let world = World::new();
    let terminal = shell(&world).env("CARRICK_TEST_PANIC", "1").spawn().unwrap();
    is_as_it_was(&world, &terminal, "code 101").await;
    assert!(terminal.screen().contains("asked to panic"), "{}", terminal.screen());
}

#[tokio::test]
async fn a_room_that_panics_does_not_take_the_server_along() {
    let world = World::new();
    let terminal = shell(&world).env("CARRICK_TEST_PANIC", "room").spawn().unwrap();
    terminal.wait_for_text("prints lines", PATIENCE).await.unwrap();
    assert!(!terminal.is_taken());
    assert_eq!(world.json(&["status", "--json"]).await["waiting"], 0);
    kill_process(carrick(&world), Signal::TERM).unwrap();
    is_as_it_was(&world, &terminal, "code 0").await;
}
