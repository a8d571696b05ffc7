//! Files of every kind come through unharmed.

use carrick_testkit::api::Script;
use serde_json::json;

use crate::stage::{SOON, Stage};

async fn accept_one(
    stage: &Stage,
    server: &mut crate::world::Server,
    session: &mut carrick_testkit::claude::Session,
) {
    session.submit("change it").await.unwrap();
    let id = stage.proposed(server).await;
    stage.carrick(&["review", "accept", &id]).await;
    session.wait_for_text("Done.", SOON).await.unwrap();
}

#[tokio::test]
async fn a_new_file_in_a_new_folder() {
    let (stage, _, mut server, mut session) = Stage::connected("a.txt", "x\n").await;
    let file = stage.home.project().join("deep/er/new.txt");
    stage.script_write("change it", &file, "fresh\nand new");
    accept_one(&stage, &mut server, &mut session).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "fresh\nand new");
}

#[tokio::test]
async fn carriage_returns_stay() {
    let (stage, file, mut server, mut session) = Stage::connected("dos.txt", "one\r\ntwo\r\nthree\r\n").await;
    stage.script_edit("change it", &file, "two", "TWO");
    accept_one(&stage, &mut server, &mut session).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\r\nTWO\r\nthree\r\n");
    assert!(!stage.api.conversation().iter().any(|request| request.contains("user modified")));
}

#[tokio::test]
async fn no_final_newline_stays_none() {
    let (stage, file, mut server, mut session) = Stage::connected("a.txt", "one\ntwo").await;
    stage.script_edit("change it", &file, "one", "ONE");
    accept_one(&stage, &mut server, &mut session).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "ONE\ntwo");
}

#[tokio::test]
async fn an_empty_file_is_filled_and_a_full_one_emptied() {
    let (stage, file, mut server, mut session) = Stage::connected("empty.txt", "").await;
    stage.api.add(
        Script::when("change it")
            .uses("Read", json!({"file_path": file}))
            .uses("Write", json!({"file_path": file, "content": "something"}))
            .uses("Edit", json!({"file_path": file, "old_string": "something", "new_string": ""}))
            .says("Done."),
    );
    session.submit("change it").await.unwrap();
    let id = stage.proposed(&mut server).await;
    stage.carrick(&["review", "accept", &id]).await;
    let id = stage.proposed(&mut server).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "something");
    stage.carrick(&["review", "accept", &id]).await;
    session.wait_for_text("Done.", SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "");
}

#[tokio::test]
async fn other_alphabets_in_name_and_contents() {
    let (stage, file, mut server, mut session) =
        Stage::connected("größe 漢字.txt", "naïve 😀\nзвезда\n").await;
    stage.script_edit("change it", &file, "звезда", "星 ☆");
    accept_one(&stage, &mut server, &mut session).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "naïve 😀\n星 ☆\n");
}

#[tokio::test]
async fn five_megabytes() {
    let stage = Stage::set();
    let mut server = stage.serve().await;
    let mut session = stage.claude(&mut server).await;
    let file = stage.home.project().join("big.txt");
    let contents: String = (0..80_000)
        .map(|line| format!("line {line} of a rather large file, to be written whole\n"))
        .collect();
    let contents = format!("{contents}{}", "x".repeat(5_000_000 - contents.len().min(5_000_000)));
    assert!(contents.len() >= 5_000_000 - 1);
    stage.script_write("change it", &file, &contents);
    accept_one(&stage, &mut server, &mut session).await;
    assert!(std::fs::read_to_string(&file).unwrap() == contents, "the contents changed on the way");
}
