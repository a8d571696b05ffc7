//! The runner with a peer in memory.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::*;

/// Answers pings and echoes; `later` is put off until the next message; `bye` ends it; others get silence.
async fn echo(mut end: ChannelPeer) {
    let mut put_off = Vec::new();
    while let Some(text) = end.from.recv().await {
        let asked: Value = serde_json::from_str(&text).unwrap_or_default();
        let answer = json!({"id": asked["id"], "result": asked["params"]});
        match asked["method"].as_str() {
            Some("later") => put_off.push(answer),
            Some("bye") => return,
            Some("ping" | "echo") => {
                for message in put_off.drain(..).chain([answer]) {
                    end.to.send(message.to_string()).await.unwrap();
                }
            }
            _ => {}
        }
    }
}

async fn play(text: &str, actions: &mut impl Actions) -> anyhow::Result<()> {
    let (mut ours, theirs) = ChannelPeer::pair(8);
    tokio::spawn(echo(theirs));
    let transcript = Transcript::parse("t.txt", text).unwrap().with("workspace", "/w");
    run(&transcript, &mut ours, actions).await
}

#[tokio::test]
async fn a_conversation_runs_with_names_actions_and_captures() {
    let done = Arc::new(Mutex::new(Vec::new()));
    let mut actions = |line: String| {
        done.lock().unwrap().push(line);
        async { Ok(()) }
    };
    let text = r#"
# a title
--> {"id": 1, "method": "echo",
     "params": {"path": "${workspace}/a", "n": 5}}
<-- {"id": 1, "result": {"n": "<number as n>",
                         "path": "${workspace}/a"}}
 $  open ${workspace}/a ${n}
--> {"method": "silent"}
<-- none
-->! {not json
<-- none
--> {"id": "x", "method": "later", "params": "first"}
--> {"id": "y", "method": "echo", "params": "second"}
<~~ {"id": "y", "result": "second"}
<-- {"id": "x", "result": "first"}
--> {"method": "bye"}
<-- closed
"#;
    play(text, &mut actions).await.unwrap();
    assert_eq!(*done.lock().unwrap(), ["open /w/a 5"]);
}

async fn failure(text: &str) -> String {
    format!("{:#}", play(text, &mut NoActions).await.unwrap_err())
}

#[tokio::test]
async fn a_mismatch_names_the_line_and_shows_the_difference() {
    let error =
        failure("--> {\"id\": 1, \"method\": \"echo\", \"params\": 2}\n<-- {\"id\": 1, \"result\": 3}\n")
            .await;
    assert!(error.starts_with("t.txt:2: another message came"), "{error}");
    assert!(error.contains("\"result\": 3") && error.contains("\"result\": 2"), "{error}");
}

#[tokio::test]
async fn what_is_not_expected_is_an_error() {
    let loud = "--> {\"id\": 1, \"method\": \"echo\"}\n";
    assert!(failure(&format!("{loud}<-- none\n")).await.starts_with("t.txt:2: nothing was expected"));
    assert!(failure(loud).await.starts_with("t.txt: after the last line"));
    assert!(failure("--> {\"method\": \"bye\"}\n<-- {}\n").await.contains("has gone"));
    assert!(failure(" $ wave\n").await.contains("nobody is there to do \"wave\""));
}
