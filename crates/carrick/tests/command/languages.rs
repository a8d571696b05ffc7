//! Language servers behind the built command: nothing before it is needed, and nothing left when it is gone.

use std::path::PathBuf;

use carrick_testkit::tools;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::world::{Server, World, until};

/// `serve` with these tools on its path.
fn command(world: &World, tools: &[PathBuf]) -> Command {
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let folders = tools.iter().cloned().chain(std::env::split_paths(&inherited));
    let mut command = world.command(&["serve", "--json"]);
    command.env("PATH", std::env::join_paths(folders).unwrap());
    command
}

async fn diagnostics(world: &World, server: &Server, name: &str) -> Value {
    let client = world.client(server).await;
    let uri = format!("file://{}", world.work().join(name).display());
    let result = client.call("getDiagnostics", json!({"uri": uri})).await.unwrap();
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

/// Asks about a Python and a TypeScript file until real servers have answered.
async fn with_servers(world: &World) -> Server {
    let tools = ["ruff", "pyright", "typescript-language-server"].map(|tool| tools::folder(tool).unwrap());
    world.write("a.py", "import os\nx: int = 'text'\n");
    world.write("b.ts", "const b: number = 'text';\n");
    let server = Server::start(command(world, &tools)).await;
    assert_eq!(world.processes(), 1, "nothing is started before it is needed");
    for (name, count) in [("a.py", 2), ("b.ts", 1)] {
        let began = std::time::Instant::now();
        while diagnostics(world, &server, name).await[0]["diagnostics"].as_array().unwrap().len() < count {
            assert!(began.elapsed() < crate::world::PATIENCE * 3, "{name}");
        }
    }
    server
}

#[tokio::test]
async fn real_servers_end_with_carrick_in_order() {
    let world = World::new();
    let mut server = with_servers(&world).await;
    let status = world.json(&["status", "--json"]).await;
    let services = status["services"].as_array().unwrap().clone();
    let running = services.iter().filter(|service| service["state"] == "running").count();
    assert_eq!(running, 3, "{services:#?}");
    let shown = world.carrick(&["status"]).await.out;
    assert!(shown.contains("ruff, process") && shown.contains(" MB"), "{shown}");
    server.signal(Signal::TERM);
    server.ended().await;
    until("all processes are gone", || world.processes() == 0).await;
}

#[tokio::test]
async fn none_is_orphaned_when_carrick_is_killed() {
    let world = World::new();
    let mut server = with_servers(&world).await;
    assert!(world.processes() > 4);
    server.signal(Signal::KILL);
    server.ended().await;
    until("all processes are gone", || world.processes() == 0).await;
}

#[tokio::test]
async fn a_hanging_server_is_not_orphaned_either() {
    let world = World::new();
    std::fs::create_dir_all(world.path("home/.config/carrick")).unwrap();
    // Neither reads its input nor cares for its end, and has a child that does not either.
    let config =
        "[languages.deaf]\nfiles = [\"*.txt\"]\ncommand = [\"/bin/sh\", \"-c\", \"sleep 600 & sleep 600\"]\n";
    std::fs::write(world.path("home/.config/carrick/config.toml"), config).unwrap();
    let mut server = Server::start(command(&world, &[])).await;
    assert_eq!(diagnostics(&world, &server, "a.txt").await[0]["diagnostics"], json!([]));
    assert!(world.processes() >= 4, "the server, its child, its watcher and carrick");
    server.signal(Signal::KILL);
    server.ended().await;
    until("all processes are gone", || world.processes() == 0).await;
}
