//! A review that waits is not lost, not even by `kill -9`.

use rustix::process::Signal;
use serde_json::json;

use crate::world::{World, until};

#[tokio::test]
async fn a_waiting_review_survives_the_death_of_the_host() {
    let world = World::new();
    let mut server = world.serve().await;
    let client = world.client(&server).await;
    let path = world.work().join("a.txt");
    let arguments = json!({"old_file_path": path, "new_file_path": path, "new_file_contents": "precious\n", "tab_name": "t"});
    client.begin_call("openDiff", arguments).await.unwrap();
    server.event("review_opened").await;
    let state = world.path("home/.local/state/carrick");
    let kept = || {
        let folders = std::fs::read_dir(&state).unwrap().flatten().map(|entry| entry.path());
        let reviews = folders.filter(|path| path.extension().is_some_and(|ending| ending == "reviews"));
        reviews
            .flat_map(|folder| std::fs::read_dir(folder).unwrap().flatten())
            .filter(|file| file.path().extension().is_some_and(|ending| ending == "json"))
            .count()
    };
    until("the review is on disk", || kept() == 1).await;
    server.signal(Signal::KILL);
    server.ended().await;

    let mut server = world.serve().await;
    let told = server.event("review_settled").await;
    assert_eq!((&told["id"], &told["review"]["outcome"]), (&json!(1), &json!("gone")));
    assert_eq!(world.json(&["status", "--json"]).await["leftBehind"], 1);
    assert_eq!(world.json(&["review", "list", "--json"]).await, json!({"reviews": []}));
    let all = world.json(&["review", "list", "--all", "--json"]).await;
    assert_eq!(all["reviews"][0]["outcome"], "gone");
    assert!(world.carrick(&["review", "list", "--all"]).await.out.contains("the connection went away"));
    assert_eq!(world.carrick(&["review", "show", "1", "--proposed"]).await.out, "precious\n");
    let done = world.carrick(&["review", "accept", "1"]).await;
    assert!(done.err.contains("settled already: the connection went away"), "{}", done.err);
    assert_eq!(world.carrick(&["review", "forget", "1"]).await.code, 0);
    until("it is forgotten on disk too", || kept() == 0).await;
}

#[tokio::test]
async fn an_orderly_end_keeps_it_too_and_a_decision_does_not() {
    let world = World::new();
    let mut server = world.serve().await;
    let client = world.client(&server).await;
    for name in ["x.txt", "y.txt"] {
        let path = world.work().join(name);
        let arguments = json!({"old_file_path": path, "new_file_path": path, "new_file_contents": name, "tab_name": name});
        client.begin_call("openDiff", arguments).await.unwrap();
        server.event("review_opened").await;
    }
    assert_eq!(world.carrick(&["review", "reject", "1"]).await.code, 0);
    server.signal(Signal::TERM);
    server.ended().await;
    let _server = world.serve().await;
    let all = world.json(&["review", "list", "--all", "--json"]).await;
    let paths: Vec<_> =
        all["reviews"].as_array().unwrap().iter().map(|review| review["tabName"].clone()).collect();
    assert_eq!(paths, [json!("y.txt")]);
}
