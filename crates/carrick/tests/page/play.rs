//! Plays a scene: starts it with Node.js, and answers what it asks of the stagehand, one JSON line each.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

/// A browser takes seconds to start on a busy machine; a scene that takes longer than this is stuck.
const PATIENCE: Duration = Duration::from_secs(180);

/// Who answers a scene.
pub(crate) trait Stagehand {
    async fn answer(&mut self, ask: &str, with: &Value) -> Value;
}

/// Plays the scene of this name to its end, in the environment of `like`; it must succeed.
pub(crate) async fn play(name: &str, like: &Command, stagehand: &mut impl Stagehand) {
    let mut node = node(name, like);
    let mut child = node.spawn().unwrap_or_else(|error| panic!("the scenes need Node.js on PATH: {error}"));
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let played = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            let Ok(ask) = serde_json::from_str::<Value>(&line) else {
                eprintln!("{name}: {line}");
                continue;
            };
            let answer = stagehand.answer(ask["ask"].as_str().unwrap_or_default(), &ask["with"]).await;
            let line = json!({"id": ask["id"], "answer": answer}).to_string() + "\n";
            // A scene that has failed no longer listens; its exit code says so below.
            let _ = input.write_all(line.as_bytes()).await;
        }
        child.wait().await.unwrap()
    };
    let status = timeout(PATIENCE, played).await.unwrap_or_else(|_| panic!("the scene {name} is stuck"));
    assert!(status.success(), "the scene {name} failed: its own words are above");
}

fn node(name: &str, like: &Command) -> Command {
    let page = page_folder();
    let modules = page.join("node_modules/playwright-core");
    assert!(
        modules.is_dir(),
        "no Playwright in {}; run `cargo xtask test`, which installs it",
        page.display()
    );
    let mut node = Command::new("node");
    node.arg(page.join("tests/play.mjs")).arg(name).env_clear();
    for (key, value) in like.as_std().get_envs() {
        if let Some(value) = value {
            node.env(key, value);
        }
    }
    for key in ["PATH", "CARRICK_TEST_CHROMIUM", "CARRICK_SCREENSHOTS"] {
        if let Some(value) = std::env::var_os(key) {
            node.env(key, value);
        }
    }
    node.current_dir(page).kill_on_drop(true).stdin(Stdio::piped()).stdout(Stdio::piped());
    node
}

fn page_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../page").canonicalize().expect("the folder of the page")
}
