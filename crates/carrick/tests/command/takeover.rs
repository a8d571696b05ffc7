//! A desk survives its host: whoever watches takes over port, token and lock file.

use std::time::{Duration, Instant};

use carrick_testkit::ide_client::IdeClient;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::world::{Server, World, until};

async fn took_over(viewer: &mut Server) -> Value {
    viewer.event("took_over").await
}

#[tokio::test]
async fn a_viewer_takes_over_from_a_killed_host() {
    let world = World::new();
    let mut host = world.serve().await;
    let mut viewer = world.serve().await;
    let token = world.lock()["authToken"].clone();
    let other = world.path("home/other");
    std::fs::create_dir(&other).unwrap();
    world.json(&["folder", "add", other.to_str().unwrap(), "--json"]).await;
    viewer.event("folders_changed").await;
    let killed = Instant::now();
    host.signal(Signal::KILL);
    host.ended().await;
    let took = took_over(&mut viewer).await;
    assert!(killed.elapsed() < Duration::from_secs(2), "{:?}", killed.elapsed());
    assert_eq!(took["port"], host.ready["port"]);
    assert_eq!(world.lock()["authToken"], token);
    assert_eq!(world.lock()["pid"], json!(viewer.child.id()));
    assert_eq!(world.lock()["workspaceFolders"], json!([world.work(), other]));
    let client = IdeClient::connect(host.port(), token.as_str().unwrap()).await.unwrap();
    client.handshake().await.unwrap();
    assert_eq!(world.json(&["status", "--json"]).await["clients"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_viewer_takes_over_from_a_host_that_ends() {
    let world = World::new();
    let mut host = world.serve().await;
    let mut viewer = world.serve().await;
    host.signal(Signal::INT);
    assert_eq!(host.ended().await.code(), Some(0));
    assert_eq!(took_over(&mut viewer).await["port"], host.ready["port"]);
    assert_eq!(world.lock()["pid"], json!(viewer.child.id()));
}

#[tokio::test]
async fn of_three_viewers_one_wins_and_the_others_join_it() {
    let world = World::new();
    let mut host = world.serve().await;
    let mut viewers = [world.serve().await, world.serve().await, world.serve().await];
    for viewer in &mut viewers {
        viewer.event("joined").await;
    }
    host.signal(Signal::KILL);
    host.ended().await;
    let mut kinds = Vec::new();
    let mut hosts = Vec::new();
    for viewer in &mut viewers {
        let line = viewer.line().await;
        kinds.push(line["kind"].as_str().unwrap().to_owned());
        hosts.push(line["pid"].clone());
    }
    kinds.sort();
    assert_eq!(kinds, ["joined", "joined", "took_over"]);
    assert!(hosts.iter().all(|host| *host == hosts[0]), "{hosts:?}");
    assert_eq!(world.locks().len(), 1);
}

#[tokio::test]
async fn six_at_once_open_one_desk() {
    let world = World::new();
    let commands: Vec<_> =
        (0..6).map(|_| tokio::spawn(Server::start(world.command(&["serve", "--json"])))).collect();
    let mut servers = Vec::new();
    for command in commands {
        servers.push(command.await.unwrap());
    }
    assert!(servers.iter().all(|server| server.ready["port"] == servers[0].ready["port"]));
    assert_eq!(world.locks().len(), 1);
}

#[tokio::test]
async fn run_takes_over_from_the_host_it_joined() {
    let world = World::new();
    let mut host = world.serve().await;
    let mut run =
        world.command(&["run", "--", "sh", "-c", "touch started; while [ ! -e end ]; do sleep 0.05; done"]);
    let mut run = run.spawn().unwrap();
    until("the command runs", || world.work().join("started").exists()).await;
    host.signal(Signal::KILL);
    host.ended().await;
    until("it took over", || {
        let locks = world.locks();
        locks.len() == 1 && world.lock()["pid"] == json!(run.id())
    })
    .await;
    world.write("end", "");
    assert_eq!(run.wait().await.unwrap().code(), Some(0));
    assert!(world.locks().is_empty());
}

#[tokio::test]
async fn a_desk_around_is_no_reason_to_give_up_the_port_and_the_name() {
    let world = World::new();
    world.write("in/x", "");
    let inner = |arguments: &[&str]| {
        let mut command = world.command(arguments);
        command.current_dir(world.work().join("in"));
        Server::start(command)
    };
    let mut host = inner(&["serve", "--json", "--name", "inner"]).await;
    let mut viewer = inner(&["serve", "--json"]).await;
    let _outer = world.serve().await;
    host.signal(Signal::KILL);
    host.ended().await;
    assert_eq!(took_over(&mut viewer).await["port"], host.ready["port"]);
    let lock = std::fs::read(host.ready["lock"].as_str().unwrap()).unwrap();
    let lock: Value = serde_json::from_slice(&lock).unwrap();
    assert_eq!((&lock["ideName"], &lock["pid"]), (&json!("inner"), &json!(viewer.child.id())));
}
