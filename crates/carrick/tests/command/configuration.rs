//! `config`, and what a mistake in a file looks like.

use crate::world::{World, finish};

#[tokio::test]
async fn every_value_says_where_it_comes_from() {
    let world = World::new();
    let file = world.write("carrick.toml", "\ndialect = \"obsidian\"\n");
    std::fs::create_dir_all(world.path("home/.config/carrick")).unwrap();
    std::fs::write(world.path("home/.config/carrick/config.toml"), "dialect = \"jetbrains\"\nport = 4711\n")
        .unwrap();
    let mut command = world.command(&["config", "--json"]);
    command.env("CARRICK_NAME", "mine");
    let done = finish(command).await;
    let config: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(config["dialect"]["value"], "obsidian");
    assert_eq!(config["dialect"]["origin"], format!("{}:2", file.display()));
    assert!(config["port"]["origin"].as_str().unwrap().ends_with("config.toml:2"));
    assert_eq!(config["name"]["origin"], "environment CARRICK_NAME");
    assert_eq!(config["log_filter"]["origin"], "default");
}

#[tokio::test]
async fn an_unknown_key_is_an_error_everywhere() {
    let world = World::new();
    let file = world.write("carrick.toml", "# mine\nprot = 4711\n");
    for arguments in [&["config"][..], &["serve"], &["run", "--", "true"]] {
        let done = world.carrick(arguments).await;
        assert_eq!(done.code, 2, "{arguments:?}");
        let expected =
            format!("error: {}:2: there is no key `prot`\nhint: did you mean `port`?\n", file.display());
        assert_eq!(done.err, expected);
    }
    assert!(world.locks().is_empty());
}

#[tokio::test]
async fn the_defaults_are_a_valid_file() {
    let world = World::new();
    let defaults = world.carrick(&["config", "--defaults"]).await.out;
    world.write("carrick.toml", &defaults);
    assert_eq!(world.carrick(&["config"]).await.code, 0);
}

#[tokio::test]
async fn a_fixed_port_is_used_or_refused() {
    let world = World::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    world.write("carrick.toml", &format!("port = {port}\n"));
    let done = world.carrick(&["serve"]).await;
    assert_eq!(done.code, 1);
    assert!(
        done.err.contains(&format!("127.0.0.1:{port}")) && done.err.contains("hint: the key `port`"),
        "{}",
        done.err
    );
    assert!(world.runtime_files().is_empty());
    drop(taken);
    assert_eq!(world.serve().await.port(), port);
}
