//! Notebook code, with the person's yes, in the real ipykernel of the workspace's own virtual environment.

use std::time::Duration;

use carrick_testkit::ide_client::IdeClient;
use carrick_testkit::jupyter::environment;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::world::{Server, World, until, until_within};

/// A kernel takes seconds to start, and the machine may be busy.
const SOON: Duration = Duration::from_secs(90);

/// A world whose workspace has a virtual environment with ipykernel.
fn world() -> World {
    let world = World::new();
    std::os::unix::fs::symlink(environment().unwrap(), world.work().join(".venv")).unwrap();
    world
}

/// What the person wrote into their own configuration.
fn configure(world: &World, text: &str) {
    let folder = world.path("home/.config/carrick");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), text).unwrap();
}

async fn begin(client: &IdeClient, code: &str) -> Value {
    client.begin_call("executeCode", json!({"code": code})).await.unwrap()
}

async fn answer(client: &IdeClient, call: &Value) -> Value {
    client.reply(call, SOON).await.unwrap()["result"].take()
}

async fn run(client: &IdeClient, code: &str) -> Value {
    let call = begin(client, code).await;
    answer(client, &call).await
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

/// The number of the review by which the person is asked.
async fn question(server: &mut Server) -> String {
    let opened = server.event("review_opened").await;
    assert!(opened["review"]["path"].as_str().unwrap().ends_with(".carrick/run-code.py"), "{opened}");
    opened["review"]["id"].to_string()
}

async fn offered(world: &World, server: &Server) -> bool {
    let token = world.lock()["authToken"].as_str().unwrap().to_owned();
    let client = IdeClient::connect(server.port(), &token).await.unwrap();
    client.handshake().await.unwrap().tools.iter().any(|tool| tool["name"] == "executeCode")
}

#[tokio::test]
async fn the_first_code_waits_for_a_yes_that_counts_from_then_on() {
    let world = world();
    let mut server = world.serve().await;
    let client = world.client(&server).await;
    let call = begin(&client, "x = 20\nx + 1").await;
    let id = question(&mut server).await;
    assert_eq!(world.processes(), 1, "nothing runs before the yes");
    let shown = world.carrick(&["review", "show", &id]).await.out;
    assert!(shown.contains("+x = 20") && shown.contains("run-code.py"), "{shown}");
    assert_eq!(world.json(&["status", "--json"]).await["waiting"], 1);
    assert_eq!(world.carrick(&["review", "accept", &id]).await.code, 0);
    assert_eq!(text(&answer(&client, &call).await), "21");
    assert_eq!(text(&run(&client, "x * 2").await), "40", "no second question, and the same kernel");
    assert!(!world.work().join(".carrick").exists(), "there is no such file");
    let status = world.json(&["status", "--json"]).await;
    let kernel = &status["services"][0];
    assert!(kernel["name"].as_str().is_some_and(|name| name.contains("ipykernel")), "{status}");
    assert_eq!(kernel["state"], "running", "{status}");
    assert!(kernel["pid"].is_u64() && kernel["memory"].is_u64(), "{status}");
    let failed = run(&client, "1/0").await;
    assert_eq!(failed["isError"], true);
    assert!(text(&failed).contains("ZeroDivisionError"), "{failed}");
    server.signal(Signal::TERM);
    server.ended().await;
    assert_eq!(world.processes(), 0, "the kernel ends with carrick");
    let left = std::fs::read_dir(world.path("home/.local/share/jupyter/runtime")).unwrap().count();
    assert_eq!(left, 0, "and leaves nothing behind");
}

#[tokio::test]
async fn a_no_is_told_and_the_next_code_asks_again() {
    let world = world();
    let mut server = world.serve().await;
    let client = world.client(&server).await;
    let call = begin(&client, "1").await;
    let id = question(&mut server).await;
    world.carrick(&["review", "reject", &id]).await;
    let refused = answer(&client, &call).await;
    assert_eq!(refused["isError"], true);
    assert!(text(&refused).contains("did not allow code to run"), "{refused}");
    let call = begin(&client, "1").await;
    let id = question(&mut server).await;
    client.notify("notifications/cancelled", json!({"requestId": call})).await.unwrap();
    assert_eq!(server.event("review_settled").await["review"]["outcome"], "gone");
    assert_eq!(world.carrick(&["review", "accept", &id]).await.code, 1, "a question that was taken back");
    assert_eq!(world.processes(), 1, "nothing was started");
}

#[tokio::test]
async fn the_person_may_change_the_code_first() {
    let world = world();
    let mut server = world.serve().await;
    let client = world.client(&server).await;
    let call = begin(&client, "print('rude')\n").await;
    let id = question(&mut server).await;
    let mut edit = world.command(&["review", "edit", &id]);
    edit.env("EDITOR", "sed -i s/rude/kind/");
    assert_eq!(crate::world::finish(edit).await.code, 0);
    let result = answer(&client, &call).await;
    assert!(text(&result).contains("the person changed the code to:"), "{result}");
    assert_eq!(result["content"][1]["text"], "kind\n", "{result}");
}

#[tokio::test]
async fn allowed_in_the_persons_own_file_only() {
    let world = world();
    world.write("carrick.toml", "execute_code = \"allow\"\n");
    let done = world.carrick(&["config"]).await;
    assert_eq!(done.code, 2, "{}", done.out);
    assert!(
        done.err.contains("carrick.toml:1") && done.err.contains("only in your own file"),
        "{}",
        done.err
    );
    std::fs::remove_file(world.work().join("carrick.toml")).unwrap();
    configure(&world, "execute_code = \"allow\"\n");
    let server = world.serve().await;
    let client = world.client(&server).await;
    assert_eq!(text(&run(&client, "40 + 2").await), "42");
}

#[tokio::test]
async fn listed_only_when_it_could_work() {
    let world = world();
    {
        let server = world.serve().await;
        assert!(offered(&world, &server).await);
        assert_eq!(world.processes(), 1, "finding out starts nothing");
    }
    until("the server is gone", || world.processes() == 0).await;
    configure(&world, "execute_code = \"never\"\n");
    {
        let server = world.serve().await;
        assert!(!offered(&world, &server).await);
    }
    until("the server is gone", || world.processes() == 0).await;
    configure(&world, "kernel = \"no-such-kernel\"\n");
    let server = world.serve().await;
    assert!(!offered(&world, &server).await);
}

#[tokio::test]
async fn cancelling_interrupts_and_the_next_call_works() {
    let world = world();
    configure(&world, "execute_code = \"allow\"\n");
    let server = world.serve().await;
    let client = world.client(&server).await;
    let begun = world.work().join("begun");
    let call = begin(&client, "open('begun', 'w').close()\nimport time\ntime.sleep(600)\nleft = 1").await;
    until_within(SOON, "the code runs", || begun.exists()).await;
    let progress = client.expect_notification("notifications/progress", SOON).await.unwrap();
    assert_eq!(progress["progressToken"], call, "{progress}");
    client.notify("notifications/cancelled", json!({"requestId": call})).await.unwrap();
    let result = run(&client, "'left' in globals()").await;
    assert_eq!(text(&result), "False");
    // A client that goes is as good as one that cancels.
    std::fs::remove_file(&begun).unwrap();
    begin(&client, "open('begun', 'w').close()\ntime.sleep(600)").await;
    until_within(SOON, "the code runs again", || begun.exists()).await;
    drop(client);
    let client = world.client(&server).await;
    assert_eq!(text(&run(&client, "5").await), "5");
}

#[tokio::test]
async fn no_kernel_is_left_by_a_carrick_that_was_killed() {
    let world = world();
    configure(&world, "execute_code = \"allow\"\n");
    let mut server = world.serve().await;
    let client = world.client(&server).await;
    run(&client, "1").await;
    // Busy or not: it must go.
    begin(&client, "open('begun', 'w').close()\nwhile True: pass").await;
    let begun = world.work().join("begun");
    until_within(SOON, "the code runs", || begun.exists()).await;
    assert_eq!(world.processes(), 2);
    server.signal(Signal::KILL);
    server.ended().await;
    until("the kernel notices and ends", || world.processes() == 0).await;
    let server = world.serve().await;
    let client = world.client(&server).await;
    assert_eq!(text(&run(&client, "2").await), "2");
    let runtime = world.path("home/.local/share/jupyter/runtime");
    let files = std::fs::read_dir(runtime).unwrap().flatten();
    let connections = files.filter(|file| file.path().extension().is_some_and(|ending| ending == "json"));
    assert_eq!(connections.count(), 1, "what the killed one left was swept");
}
