//! `doctor`: what is there, what is missing, what is wrong; and nothing is started or made.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::world::{World, finish};

async fn findings(world: &World) -> (i32, Vec<Value>) {
    let mut command = world.command(&["doctor", "--json"]);
    command.env("PATH", world.path("bin"));
    let done = finish(command).await;
    let printed: Value = serde_json::from_str(&done.out).unwrap();
    (done.code, printed["findings"].as_array().unwrap().clone())
}

fn named<'a>(findings: &'a [Value], name: &str) -> &'a Value {
    findings
        .iter()
        .find(|finding| finding["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {findings:#?}"))
}

fn install(world: &World, name: &str) {
    std::fs::create_dir_all(world.path("bin")).unwrap();
    let file = world.path("bin").join(name);
    // Whoever runs it is found out.
    std::fs::write(&file, "#!/bin/sh\ntouch started\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn everything_is_looked_at_and_nothing_is_started() {
    let world = World::new();
    install(&world, "claude");
    install(&world, "ruff");
    let (code, found) = findings(&world).await;
    assert_eq!(code, 0, "what is not installed is no fault: {found:#?}");
    assert_eq!(named(&found, "ruff")["state"], "good");
    let missing = named(&found, "rust-analyzer");
    assert_eq!(missing["state"], "missing");
    assert_eq!(missing["advice"], "rustup component add rust-analyzer");
    assert_eq!(named(&found, "claude")["state"], "good");
    assert_eq!(named(&found, "of this directory")["state"], "missing");
    assert_eq!(named(&found, "kernel")["state"], "missing");
    assert!(!world.work().join("started").exists() && world.runtime_files().is_empty());
    assert!(!world.path("home/.claude").exists(), "nothing is made");
    let _server = world.serve().await;
    let (_, found) = findings(&world).await;
    assert_eq!(named(&found, "of this directory")["state"], "good");
}

#[tokio::test]
async fn what_will_not_work_is_told_with_what_to_do() {
    let world = World::new();
    world.write("carrick.toml", "prot = 1\n");
    let (code, found) = findings(&world).await;
    assert_eq!(code, 1);
    let configuration = named(&found, "configuration");
    assert_eq!(
        (&configuration["state"], &configuration["advice"]),
        (&"problem".into(), &"did you mean `port`?".into())
    );
    let text = world.carrick(&["doctor"]).await;
    assert_eq!(text.code, 1);
    assert!(text.out.contains("there is no key `prot`"), "{}", text.out);
}
