//! What happens when somebody dies.

use carrick_testkit::terminal::Key;
use rustix::process::Signal;
use serde_json::json;

use crate::stage::{SOON, Stage};

const OLD: &str = "one\ntwo\nthree\n";

#[tokio::test]
async fn a_killed_server_comes_back_to_the_same_cli_and_loses_no_review() {
    let (stage, file, mut server, mut session) = Stage::connected("a.txt", OLD).await;
    stage.script_edit("change it", &file, "two", "TWO");
    session.submit("change it").await.unwrap();
    let id = stage.proposed(&mut server).await;
    // A review is written down once it has waited a second.
    let state = stage.home.home().join(".local/state/carrick");
    crate::world::until("the review is written down", || journalled(&state)).await;
    server.signal(Signal::KILL);
    server.ended().await;

    let mut again = stage.serve().await;
    assert_eq!(again.ready["port"], server.ready["port"]);
    again.event("client_ready").await;
    let listed = stage.json(&["review", "list", "--all", "--json"]).await;
    let record = &listed["reviews"][0];
    assert_eq!(record["outcome"], "gone", "{listed}");
    let kept = record["id"].to_string();
    let copied = stage.carrick(&["review", "show", &kept, "--proposed"]).await;
    assert_eq!(copied, "one\nTWO\nthree\n", "review {id} can still be copied out");

    // The question in the terminal is still open, and the answer there counts.
    session.press_until(Key::Enter, |screen| screen.contains("Done."), SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\nTWO\nthree\n");

    // And the connection is as good as new.
    stage.script_edit("once more", &file, "three", "THREE");
    session.submit("once more").await.unwrap();
    let id = stage.proposed(&mut again).await;
    stage.carrick(&["review", "accept", &id]).await;
    crate::world::until("the second change is written", || {
        std::fs::read_to_string(&file).is_ok_and(|text| text == "one\nTWO\nTHREE\n")
    })
    .await;
}

fn journalled(state: &std::path::Path) -> bool {
    let folders = std::fs::read_dir(state).into_iter().flatten().flatten();
    folders
        .filter(|entry| entry.path().is_dir())
        .any(|entry| std::fs::read_dir(entry.path()).is_ok_and(|mut files| files.next().is_some()))
}

#[tokio::test]
async fn a_cli_that_dies_leaves_its_review_to_be_copied() {
    let (stage, file, mut server, mut session) = Stage::connected("a.txt", OLD).await;
    stage.script_edit("change it", &file, "two", "TWO");
    session.submit("change it").await.unwrap();
    let id = stage.proposed(&mut server).await;
    session.kill();
    let settled = server.event("review_settled").await;
    assert_eq!(settled["review"]["outcome"], "gone", "{settled}");
    server.event("client_left").await;
    assert_eq!(stage.carrick(&["review", "show", &id, "--proposed"]).await, "one\nTWO\nthree\n");
    assert_eq!(stage.json(&["status", "--json"]).await["clients"], json!([]));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), OLD);
}

#[tokio::test]
async fn two_clis_do_not_touch_each_others_reviews() {
    let (stage, file, mut server, mut one) = Stage::connected("a.txt", OLD).await;
    let mut other = stage.claude(&mut server).await;
    stage.script_edit("change it", &file, "two", "TWO");
    stage.api.add(carrick_testkit::api::Script::when("hello there").says("General greeting."));
    one.submit("change it").await.unwrap();
    let id = stage.proposed(&mut server).await;
    // Every prompt closes all diffs, of its own client.
    other.submit("hello there").await.unwrap();
    other.wait_for_text("General greeting.", SOON).await.unwrap();
    let listed = stage.json(&["review", "list", "--json"]).await;
    assert_eq!(listed["reviews"].as_array().unwrap().len(), 1, "{listed}");
    stage.carrick(&["review", "accept", &id]).await;
    one.wait_for_text("Done.", SOON).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\nTWO\nthree\n");
}
