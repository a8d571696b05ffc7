//! The real CLI proposes, and a person decides in the terminal room.

use carrick_testkit::api::Script;
use carrick_testkit::claude::{ASK_FIRST, Session};
use carrick_testkit::terminal::Terminal;
use serde_json::json;

use crate::stage::{SOON, Stage};

const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";

/// `serve` on a terminal and a CLI that is connected to it.
async fn connected(stage: &Stage) -> (Terminal, Session) {
    let room = stage.terminal(&["serve"]).size(100, 30).spawn().unwrap();
    room.wait_for_text("No change waits", SOON).await.unwrap();
    let session = stage.home.interactive(["--ide"].into_iter().chain(ASK_FIRST)).start().await.unwrap();
    room.wait_for_text("· claude-code", SOON).await.unwrap();
    (room, session)
}

async fn decided(keys: &str, old: &str) -> (Stage, std::path::PathBuf, Terminal, Session) {
    let stage = Stage::set();
    let file = stage.home.write("a.txt", old).unwrap();
    let (mut room, mut session) = connected(&stage).await;
    let write = json!({"file_path": file, "content": "ONE\ntwo\nthree\nfour\nFIVE\n"});
    stage.api.add(
        Script::when("change it").uses("Read", json!({"file_path": file})).uses("Write", write).says("Done."),
    );
    session.submit("change it").await.unwrap();
    room.wait_for_text("a accept", SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), old, "carrick never writes the file");
    room.type_text(keys).unwrap();
    (stage, file, room, session)
}

#[tokio::test]
async fn accepted_in_the_room() {
    let (_stage, file, room, session) = decided("a", OLD).await;
    session.wait_for_text("Done.", SOON).await.unwrap();
    room.wait_for_text("Last: accepted a.txt", SOON).await.unwrap();
    // The CLI itself drops one final newline of a Write that the IDE accepted.
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim_end(), "ONE\ntwo\nthree\nfour\nFIVE");
}

#[tokio::test]
async fn accepted_by_hunk_in_the_room() {
    let (_stage, file, room, session) = decided("n a", OLD).await;
    session.wait_for_text("Done.", SOON).await.unwrap();
    room.wait_for_text("accepted 1 of 2 hunks of a.txt", SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim_end(), "ONE\ntwo\nthree\nfour\nfive");
}

#[tokio::test]
async fn rejected_in_the_room() {
    let (_stage, file, room, session) = decided("r", OLD).await;
    let refused = |screen: &str| screen.contains("rejected") || screen.contains("Interrupted");
    session.wait_until(refused, SOON).await.unwrap();
    room.wait_for_text("Last: rejected a.txt", SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), OLD);
}

#[tokio::test]
async fn with_no_room_the_cli_asks_in_its_own_terminal() {
    let stage = Stage::set();
    let file = stage.home.write("a.txt", OLD).unwrap();
    std::fs::write(stage.home.project().join("carrick.toml"), "review = \"none\"\n").unwrap();
    let mut server = stage.serve().await;
    let mut session = stage.claude(&mut server).await;
    stage.script_edit("change it", &file, "two", "TWO");
    session.submit("change it").await.unwrap();
    session.wait_for_text("Do you want", SOON).await.unwrap();
    let enter = carrick_testkit::terminal::Key::Enter;
    session.press_until(enter, |screen| screen.contains("Done."), SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), OLD.replace("two", "TWO"));
    let listed = stage.json(&["review", "list", "--all", "--json"]).await;
    assert_eq!(listed["reviews"], json!([]));
}
