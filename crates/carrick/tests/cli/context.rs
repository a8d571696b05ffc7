//! What the person shows: selections, mentions, and what stays private.

use carrick_testkit::api::Script;

use crate::stage::{SOON, Stage};

#[tokio::test]
async fn a_selection_is_in_the_next_request_and_an_empty_one_says_opened() {
    let (stage, file, _server, mut session) = Stage::connected("a.txt", "first\nsecond line\nthird\n").await;
    stage.api.add(Script::when("look at this").says("Seen."));
    stage.api.add(Script::when("and now").says("Seen again."));
    stage.carrick(&["select", "a.txt:2"]).await;
    session.wait_for_text("1 line selected", SOON).await.unwrap();
    session.submit("look at this").await.unwrap();
    let request = stage.request_for("look at this").await;
    assert!(request.contains("second line"), "{}", request.raw);
    assert!(request.contains(&format!("lines 2 to 2 from {}", file.display())), "{}", request.raw);
    session.wait_for_text("Seen.", SOON).await.unwrap();

    stage.carrick(&["open", "a.txt"]).await;
    session.wait_for_text("In a.txt", SOON).await.unwrap();
    session.submit("and now").await.unwrap();
    let request = stage.request_for("and now").await;
    assert!(request.contains(&format!("opened the file {}", file.display())), "{}", request.raw);
}

#[tokio::test]
async fn a_mention_lands_in_the_prompt_also_one_made_before_the_cli_came() {
    let stage = Stage::set();
    stage.home.write("src/a b.txt", "x\n").unwrap();
    stage.home.write("a.txt", "one\ntwo\nthree\n").unwrap();
    let mut server = stage.serve().await;
    stage.carrick(&["mention", "a.txt:2-3"]).await;
    let session = stage.claude(&mut server).await;
    session.wait_until(|screen| screen.contains("@a.txt#L2-3"), SOON).await.unwrap();
    stage.carrick(&["mention", "src"]).await;
    session.wait_until(|screen| screen.contains("@src"), SOON).await.unwrap();
}

#[tokio::test]
async fn a_private_file_is_nowhere_in_the_request() {
    let (stage, _, _server, mut session) = Stage::connected("a.txt", "harmless\n").await;
    stage.home.write("deploy/.env.production", "TOPSECRET=swordfish\n").unwrap();
    std::os::unix::fs::symlink("deploy/.env.production", stage.home.project().join("innocent.txt")).unwrap();
    stage.api.add(Script::when("what do you see").says("Nothing special."));
    // A person may open it; nobody else hears of it, also not through a link or a mention.
    stage.carrick(&["open", "deploy/.env.production"]).await;
    for words in [
        ["select", "deploy/.env.production:1"],
        ["select", "innocent.txt:1"],
        ["mention", "innocent.txt"],
        ["mention", "deploy/.env.production"],
    ] {
        let refused = stage.refused(&words).await;
        assert!(refused.contains("private"), "{words:?}: {refused}");
    }
    session.submit("what do you see").await.unwrap();
    session.wait_for_text("Nothing special.", SOON).await.unwrap();
    for request in stage.api.requests() {
        for secret in ["swordfish", "TOPSECRET", "env.production", "innocent.txt"] {
            assert!(!request.contains(secret), "{secret} is in {}", request.raw);
        }
    }
    assert!(!session.screen().contains("env.production"));
}
