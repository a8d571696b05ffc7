//! `run`: the environment, the exit code and the signals of the child.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::world::{World, finish, until};

#[tokio::test]
async fn the_child_gets_the_environment_and_a_desk_for_as_long_as_it_runs() {
    let world = World::new();
    let script = "echo $CLAUDE_CODE_SSE_PORT $ENABLE_IDE_INTEGRATION $no_proxy $NO_PROXY; ls $HOME/.claude/ide; exit 7";
    let mut command = world.command(&["run", "--", "sh", "-c", script]);
    command.env("no_proxy", "corp");
    let done = finish(command).await;
    assert_eq!(done.code, 7, "{}", done.err);
    let mut lines = done.out.lines();
    let words: Vec<&str> = lines.next().unwrap().split(' ').collect();
    assert_eq!(words[1..], ["true", "corp,127.0.0.1,localhost", "127.0.0.1,localhost"]);
    assert_eq!(lines.next(), Some(format!("{}.lock", words[0]).as_str()));
    assert!(world.locks().is_empty() && world.runtime_files().is_empty());
}

#[tokio::test]
async fn a_desk_that_runs_is_used() {
    let world = World::new();
    let server = world.serve().await;
    let done = world.carrick(&["run", "--", "sh", "-c", "echo $CLAUDE_CODE_SSE_PORT"]).await;
    assert_eq!(done.out.trim(), server.port().to_string());
    assert_eq!(world.lock()["pid"], json!(server.child.id()));
}

#[tokio::test]
async fn claude_gets_its_flag_once() {
    let world = World::new();
    let claude = world.write("bin/claude", "#!/bin/sh\necho \"$@\"\n");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&claude, executable).unwrap();
    let run = |arguments: &'static [&'static str]| {
        let mut command = world.command(arguments);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", world.work().join("bin").display()));
        finish(command)
    };
    assert_eq!(run(&["run"]).await.out, "--ide\n");
    assert_eq!(run(&["run", "--", "claude", "say", "x"]).await.out, "--ide say x\n");
    assert_eq!(run(&["run", "--", "claude", "x", "--ide"]).await.out, "x --ide\n");
}

#[tokio::test]
async fn signals_are_passed_on_and_a_death_by_signal_is_told() {
    let world = World::new();
    let script = "trap 'echo heard; exit 5' TERM HUP; touch started; while :; do sleep 0.05; done";
    for signal in [Signal::TERM, Signal::HUP] {
        let child = world.command(&["run", "--", "sh", "-c", script]).spawn().unwrap();
        until("the child runs", || world.work().join("started").exists()).await;
        kill_process(Pid::from_raw(child.id().unwrap().try_into().unwrap()).unwrap(), signal).unwrap();
        let output = child.wait_with_output().await.unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(5), b"heard\n".as_slice()));
        std::fs::remove_file(world.work().join("started")).unwrap();
    }
    assert_eq!(world.carrick(&["run", "--", "sh", "-c", "kill -9 $$"]).await.code, 128 + 9);
}

#[tokio::test]
async fn an_interrupt_is_left_to_the_child() {
    let world = World::new();
    let script = "touch started; while [ ! -e end ]; do sleep 0.05; done; exit 3";
    let child = world.command(&["run", "--", "sh", "-c", script]).spawn().unwrap();
    until("the child runs", || world.work().join("started").exists()).await;
    kill_process(Pid::from_raw(child.id().unwrap().try_into().unwrap()).unwrap(), Signal::INT).unwrap();
    world.write("end", "");
    assert_eq!(child.wait_with_output().await.unwrap().status.code(), Some(3));
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let world = World::new();
    let done = world.carrick(&["run", "--", "no-such-program"]).await;
    assert_eq!(done.code, 1);
    assert!(done.err.contains("cannot start no-such-program"), "{}", done.err);
    assert!(done.err.contains("hint: "), "{}", done.err);
    assert!(world.locks().is_empty());
}
