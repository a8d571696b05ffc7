//! A proposed change and what the person makes of it.

use carrick_testkit::api::Script;
use carrick_testkit::terminal::Key;
use serde_json::json;

use crate::stage::{SOON, Stage};

const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";

#[tokio::test]
async fn accepted_as_proposed() {
    let (stage, file, mut server, mut session) = Stage::connected("a.txt", OLD).await;
    stage.script_edit("change it", &file, "two", "TWO");
    session.submit("change it").await.unwrap();
    let id = stage.proposed(&mut server).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), OLD, "carrick never writes the file");
    let shown = stage.carrick(&["review", "show", &id]).await;
    assert!(shown.contains("-two") && shown.contains("+TWO"), "{shown}");
    stage.carrick(&["review", "accept", &id]).await;
    session.wait_for_text("Done.", SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\nTWO\nthree\nfour\nfive\n");
    let asked_again = stage.api.conversation().into_iter().any(|request| request.contains("user modified"));
    assert!(!asked_again, "what comes back unchanged must not count as changed");
}

#[tokio::test]
async fn accepted_with_changes() {
    let (stage, file, mut server, mut session) = Stage::connected("a.txt", OLD).await;
    stage.script_edit("change it", &file, "two", "TWO");
    session.submit("change it").await.unwrap();
    let id = stage.proposed(&mut server).await;
    let editor = stage.home.root().join("edit.sh");
    std::fs::write(&editor, "#!/bin/sh\nsed -i s/TWO/2/ \"$1\"\n").unwrap();
    let terminal = stage.terminal(&["review", "edit", &id]).env("EDITOR", format!("sh {}", editor.display()));
    let mut terminal = terminal.spawn().unwrap();
    assert!(terminal.wait_for_exit(SOON).await.unwrap().success(), "{}", terminal.screen());
    session.wait_for_text("Done.", SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\n2\nthree\nfour\nfive\n");
    stage.api.wait_for_request(|request| request.contains("user modified"), SOON).await.unwrap();
}

#[tokio::test]
async fn accepted_by_hunk() {
    let (stage, file, mut server, mut session) = Stage::connected("a.txt", OLD).await;
    let write = json!({"file_path": file, "content": "ONE\ntwo\nthree\nfour\nFIVE\n"});
    stage.api.add(
        Script::when("change it").uses("Read", json!({"file_path": file})).uses("Write", write).says("Done."),
    );
    session.submit("change it").await.unwrap();
    let id = stage.proposed(&mut server).await;
    stage.carrick(&["review", "accept", &id, "--hunks", "1"]).await;
    session.wait_for_text("Done.", SOON).await.unwrap();
    // The CLI itself drops one final newline of a Write that the IDE accepted.
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(written.trim_end(), "ONE\ntwo\nthree\nfour\nfive");
}

#[tokio::test]
async fn rejected() {
    let (stage, file, mut server, mut session) = Stage::connected("a.txt", OLD).await;
    stage.script_edit("change it", &file, "two", "TWO");
    session.submit("change it").await.unwrap();
    stage.proposed(&mut server).await;
    stage.carrick(&["review", "reject"]).await;
    session
        .wait_until(
            |screen| {
                screen.contains("rejected")
                    || screen.contains("Interrupted")
                    || screen.contains("User rejected")
            },
            SOON,
        )
        .await
        .unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), OLD);
}

#[tokio::test]
async fn answered_in_the_terminal_first() {
    let (stage, file, mut server, mut session) = Stage::connected("a.txt", OLD).await;
    stage.script_edit("change it", &file, "two", "TWO");
    session.submit("change it").await.unwrap();
    let id = stage.proposed(&mut server).await;
    session.wait_for_text("Do you want", SOON).await.unwrap();
    session.press_until(Key::Enter, |screen| screen.contains("Done."), SOON).await.unwrap();
    let settled = server.event("review_settled").await;
    assert_eq!(settled["review"]["outcome"], "closed", "{settled}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\nTWO\nthree\nfour\nfive\n");
    let listed = stage.json(&["review", "list", "--json"]).await;
    assert_eq!(listed["reviews"], json!([]), "nothing waits, and review {id} cannot be answered twice");
}
