//! A server's life: the ready line, the files it leaves while it runs, and that none is left after any end.

use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use serde_json::json;

use crate::world::{Server, World, until};

fn mode(path: &std::path::Path) -> u32 {
    std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn the_first_line_says_where_everything_is() {
    let world = World::new();
    let server = world.serve().await;
    let lock = world.locks().remove(0);
    let socket = server.ready["socket"].as_str().unwrap().to_owned();
    let page = server.ready["page"].as_str().unwrap();
    assert!(page.starts_with("http://127.0.0.1:") && page.contains("/enter/"), "{page}");
    assert_eq!(
        server.ready,
        json!({"port": server.port(), "lock": lock, "socket": socket, "pid": server.child.id(), "page": page})
    );
    assert_eq!((mode(&lock), mode(socket.as_ref()), mode(&world.path("run/carrick"))), (0o600, 0o600, 0o700));
    assert_eq!(world.lock()["workspaceFolders"], json!([world.work()]));
    assert_eq!(world.lock()["pid"], json!(server.child.id()));
}

#[tokio::test]
async fn every_orderly_end_exits_with_0_and_leaves_nothing() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let world = World::new();
        let mut server = world.serve().await;
        let client = world.client(&server).await;
        server.signal(signal);
        assert_eq!(server.ended().await.code(), Some(0), "{signal:?}");
        assert_eq!(client.closed(crate::world::PATIENCE).await.unwrap().code, Some(1001));
        assert!(world.locks().is_empty(), "{signal:?}");
        assert!(world.runtime_files().is_empty(), "{signal:?}: {:?}", world.runtime_files());
    }
}

#[tokio::test]
async fn a_restart_takes_port_and_token_back() {
    let world = World::new();
    let mut server = world.serve().await;
    let (port, token) = (server.port(), world.lock()["authToken"].clone());
    server.signal(Signal::TERM);
    server.ended().await;
    let mut server = world.serve().await;
    assert_eq!((server.port(), world.lock()["authToken"].clone()), (port, token.clone()));
    server.signal(Signal::KILL);
    server.ended().await;
    let server = world.serve().await;
    assert_eq!((server.port(), world.lock()["authToken"].clone()), (port, token));
    let state = world.path("home/.local/state/carrick");
    assert_eq!(mode(&state), 0o700);
    for entry in std::fs::read_dir(&state).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
}

#[tokio::test]
async fn a_second_serve_joins_also_from_a_subfolder() {
    let world = World::new();
    let server = world.serve().await;
    world.write("deep/er/x", "");
    let mut command = world.command(&["serve", "--json"]);
    command.current_dir(world.work().join("deep/er"));
    let mut viewer = Server::start(command).await;
    let mut ready = server.ready.clone();
    ready["page"] = json!(null);
    assert_eq!(viewer.ready, ready, "an address works once: a viewer gets its own from `review --open`");
    assert_eq!(viewer.line().await, json!({"kind": "joined", "pid": server.child.id()}));
    assert_eq!(world.locks().len(), 1);
    let _client = world.client(&server).await;
    assert_eq!(viewer.event("client_ready").await["client"]["ready"], true);
    viewer.signal(Signal::TERM);
    assert_eq!(viewer.ended().await.code(), Some(0));
    assert_eq!(world.locks().len(), 1);
}

#[tokio::test]
async fn a_new_folder_is_in_the_lock_file_and_finds_the_desk() {
    let world = World::new();
    let mut server = world.serve().await;
    let other = world.path("home/other");
    std::fs::create_dir(&other).unwrap();
    let folder = other.to_str().unwrap();
    let reply = world.json(&["folder", "add", folder, "--json"]).await;
    assert_eq!(reply, json!({"folders": [world.work(), other], "changed": true}));
    server.event("folders_changed").await;
    until("the lock file follows", || world.lock()["workspaceFolders"] == json!([world.work(), other])).await;
    let mut status = world.command(&["status", "--json"]);
    status.current_dir(&other);
    assert_eq!(crate::world::finish(status).await.code, 0);
    assert_eq!(world.json(&["folder", "add", folder, "--json"]).await["changed"], false);
    world.json(&["folder", "remove", folder, "--json"]).await;
    until("the lock file follows", || world.lock()["workspaceFolders"] == json!([world.work()])).await;
    assert_eq!(world.carrick(&["folder", "remove", "."]).await.code, 1);
}

#[tokio::test]
async fn flags_and_files_reach_the_door() {
    let world = World::new();
    world.write("carrick.toml", "name = \"from the file\"\n");
    let mut server = Server::start(world.command(&["serve", "--json", "--dialect", "jetbrains"])).await;
    assert_eq!(world.lock()["ideName"], "from the file");
    assert_eq!(world.json(&["status", "--json"]).await["desk"]["dialect"], "jetbrains");
    server.signal(Signal::INT);
    server.ended().await;
    let _server = Server::start(world.command(&["serve", "--json", "--name", "from the flag"])).await;
    assert_eq!(world.lock()["ideName"], "from the flag");
}

#[tokio::test]
async fn the_log_goes_to_a_private_file_without_tokens() {
    let world = World::new();
    let mut server = Server::start(world.command(&["serve", "--json", "--log-file", "../log", "-vvv"])).await;
    let token = world.lock()["authToken"].as_str().unwrap().to_owned();
    let _client = world.client(&server).await;
    world.json(&["select", "a.txt:2", "--json"]).await;
    server.signal(Signal::TERM);
    server.ended().await;
    let log = std::fs::read_to_string(world.path("log")).unwrap();
    assert!(log.contains("connected"), "{log}");
    assert!(!log.contains(&token) && !log.contains("two"), "{log}");
    assert_eq!(mode(&world.path("log")), 0o600);
}

#[tokio::test]
async fn a_runtime_folder_of_others_is_refused() {
    let world = World::new();
    std::fs::create_dir(world.path("run/carrick")).unwrap();
    std::fs::set_permissions(world.path("run/carrick"), std::fs::Permissions::from_mode(0o777)).unwrap();
    let done = world.carrick(&["serve"]).await;
    assert_eq!(done.code, 1);
    assert!(done.err.contains("not private") && done.err.contains("hint: "), "{}", done.err);
    assert!(world.locks().is_empty());
}

#[tokio::test]
async fn a_server_whose_output_nobody_reads_still_serves() {
    let world = World::new();
    world.write("b.txt", "b\n");
    let server = world.serve().await;
    let client = world.client(&server).await;
    // Far more lines than a pipe and the queue before it hold.
    for number in 0..2500 {
        let path = world.work().join(if number % 2 == 0 { "a.txt" } else { "b.txt" });
        client.call("openFile", json!({"filePath": path})).await.unwrap();
    }
    assert_eq!(world.json(&["status", "--json"]).await["waiting"], 0);
}

#[tokio::test]
async fn a_desk_around_another_is_remarked_on() {
    let world = World::new();
    world.write("in/x", "");
    let mut inner = world.command(&["serve", "--json"]);
    inner.current_dir(world.work().join("in"));
    let _inner = Server::start(inner).await;
    let mut outer = world.serve().await;
    outer.signal(Signal::TERM);
    let mut stderr = String::new();
    let mut pipe = outer.child.stderr.take().unwrap();
    tokio::io::AsyncReadExt::read_to_string(&mut pipe, &mut stderr).await.unwrap();
    assert!(stderr.starts_with(&format!("note: {}", world.work().join("in").display())), "{stderr}");
}
