//! The commands that ask and leave.

use std::time::Duration;

use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn without_a_server_the_code_is_3_with_advice() {
    let world = World::new();
    for arguments in
        [&["status"][..], &["open", "a.txt"], &["select", "a.txt:1"], &["review"], &["folder", "add", "."]]
    {
        let done = world.carrick(arguments).await;
        assert_eq!(done.code, 3, "{arguments:?}: {}", done.err);
        assert!(done.err.contains("no carrick runs for"), "{}", done.err);
        assert!(done.err.contains("hint: start one"), "{}", done.err);
        assert!(done.out.is_empty());
    }
    assert_eq!(world.carrick(&["no-such-command"]).await.code, 2);
}

#[tokio::test]
async fn a_selection_reaches_the_client_in_utf16() {
    let world = World::new();
    let server = world.serve().await;
    let client = world.client(&server).await;
    world.write("sub/b.txt", "äöü 😀x\nzwei\n");
    let done = world.carrick(&["select", "sub/b.txt:1:5-1:6"]).await;
    assert_eq!((done.code, done.out.as_str()), (0, "selected sub/b.txt:1\n"));
    let pushed = client.expect_notification("selection_changed", Duration::from_secs(5)).await.unwrap();
    assert_eq!(pushed["text"], "😀x");
    assert_eq!(pushed["selection"]["start"], json!({"line": 0, "character": 4}));
    assert_eq!(pushed["selection"]["end"], json!({"line": 0, "character": 7}));
}

#[tokio::test]
async fn a_mention_reaches_the_client() {
    let world = World::new();
    let mut server = world.serve().await;
    let early = world.carrick(&["mention", "a.txt:1"]).await;
    assert_eq!(early.out, "mentioned a.txt:1; no agent listens yet, it waits for 30 seconds\n");
    let client = world.client(&server).await;
    server.event("client_ready").await;
    let told = client.expect_notification("at_mentioned", Duration::from_secs(5)).await.unwrap();
    assert_eq!(told["lineStart"], 0);
    assert_eq!(
        world.carrick(&["mention", "a.txt:2-3", "a.txt"]).await.out,
        "mentioned a.txt:2-3\nmentioned a.txt\n"
    );
    let told = client.expect_notification("at_mentioned", Duration::from_secs(5)).await.unwrap();
    assert_eq!((&told["lineStart"], &told["lineEnd"]), (&json!(1), &json!(2)));
    let told = client.expect_notification("at_mentioned", Duration::from_secs(5)).await.unwrap();
    assert_eq!(told["filePath"], json!(world.work().join("a.txt")));
    let done = world.carrick(&["mention", "a.txt", "--client", "99"]).await;
    assert_eq!(done.code, 1);
    assert!(done.err.contains("no client 99"), "{}", done.err);
}

#[tokio::test]
async fn private_files_are_refused_in_words() {
    let world = World::new();
    let _server = world.serve().await;
    world.write(".env", "KEY=1\n");
    std::os::unix::fs::symlink(world.work().join(".env"), world.work().join("harmless.txt")).unwrap();
    for name in [".env", "harmless.txt"] {
        let done = world.carrick(&["select", name]).await;
        assert_eq!(done.code, 1);
        assert!(done.err.contains("private"), "{}", done.err);
        assert_eq!(world.carrick(&["mention", name]).await.code, 1);
    }
}

#[tokio::test]
async fn places_that_make_no_sense_are_refused() {
    let world = World::new();
    let _server = world.serve().await;
    assert_eq!(world.carrick(&["select", "a.txt:0"]).await.code, 2);
    assert_eq!(world.carrick(&["select", "a.txt:9"]).await.code, 1);
    assert_eq!(world.carrick(&["open", "nowhere.txt"]).await.code, 1);
    let opened = world.json(&["open", "a.txt:2:2", "--json"]).await;
    assert_eq!(opened["range"]["start"], json!({"line": 1, "character": 1}));
    let status = world.carrick(&["status"]).await;
    assert!(status.out.contains("open      a.txt"), "{}", status.out);
}
