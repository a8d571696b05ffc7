//! Behaviour at the protocol's edges, played with the crate's own double: what the real CLI does too rarely.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use carrick_claude::{DialogReply, ElicitationReply, Error, Frame, Options, testing};
use serde_json::json;

#[tokio::test]
async fn questions_of_mcp_servers_and_dialogs_are_answered() {
    let transcript = r#"
        < {"type":"control_request","request_id":"e1","request":{"subtype":"elicitation","mcp_server_name":"m","message":"Name?"}}
        > {"type":"control_response","response":{"subtype":"success","request_id":"e1","response":{"action":"accept","content":{"name":"Ada"}}}}
        < {"type":"control_request","request_id":"d1","request":{"subtype":"request_user_dialog","dialog_kind":"pick","payload":{"a":1}}}
        > {"type":"control_response","response":{"request_id":"d1","response":{"behavior":"completed","result":{"a":1}}}}
        < {"type":"control_request","request_id":"x1","request":{"subtype":"of_next_year"}}
        > {"type":"control_response","response":{"subtype":"error","request_id":"x1"}}
    "#;
    let options = Options::new()
        .on_elicitation(|_| async { ElicitationReply::Accept(json!({"name": "Ada"})) })
        .on_dialog(["pick"], |dialog| async move { DialogReply::Completed(dialog.payload.unwrap().value()) });
    let (_client, played) = testing::play(transcript, options).await.unwrap();
    played.finish().await.unwrap();
}

#[tokio::test]
async fn without_anybody_to_ask_the_answer_is_no() {
    let transcript = r#"
        < {"type":"control_request","request_id":"e1","request":{"subtype":"elicitation","mcp_server_name":"m","message":"Name?"}}
        > {"type":"control_response","response":{"response":{"action":"decline"}}}
        < {"type":"control_request","request_id":"d1","request":{"subtype":"request_user_dialog","dialog_kind":"pick"}}
        > {"type":"control_response","response":{"response":{"behavior":"cancelled"}}}
        < {"type":"control_request","request_id":"t1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}
        > {"type":"control_response","response":{"subtype":"error","request_id":"t1"}}
    "#;
    let (_client, played) = testing::play(transcript, Options::new()).await.unwrap();
    played.finish().await.unwrap();
}

#[tokio::test]
async fn echoes_noise_and_keep_alives_are_passed_over() {
    let transcript = r#"
        < {"type":"keep_alive"}
        < {"type":"control_response","response":{"subtype":"success","request_id":"an-echo-of-our-own","response":{}}}
        < this is not a frame
        < {"type":"system","subtype":"session_state_changed","state":"idle","sdk_host_only":true}
        < {"type":"of_next_year","x":1}
        > {"type":"control_request","request":{"subtype":"get_binary_version"}}
        < {"type":"control_response","response":{"subtype":"success","request_id":"$id","response":{"version":"9.9.9"}}}
    "#;
    let (client, played) = testing::play(transcript, Options::new()).await.unwrap();
    let frame = client.receive().await.unwrap().unwrap();
    assert!(
        matches!(&frame, Frame::Unknown(unknown) if unknown.tag.as_deref() == Some("of_next_year")),
        "{frame:?}"
    );
    assert_eq!(client.binary_version().await.unwrap().version.as_deref(), Some("9.9.9"));
    played.finish().await.unwrap();
    assert!(client.receive().await.is_none(), "the end of the pipe is the end of the session");
}

#[tokio::test]
async fn an_answer_behind_many_unread_frames_is_reached() {
    let text = "x".repeat(100_000);
    let frame = format!("< {}\n", json!({"type": "prompt_suggestion", "suggestion": text}));
    let transcript = format!(
        "{}> {{\"type\":\"control_request\"}}\n{}< {}",
        frame.repeat(30),
        frame.repeat(30),
        json!({"type": "control_response", "response": {"subtype": "success", "request_id": "$id", "response": {}}})
    );
    let (client, played) = testing::play(&transcript, Options::new()).await.unwrap();
    client.mcp_status().await.unwrap();
    played.finish().await.unwrap();
    for _ in 0..60 {
        assert!(matches!(client.receive().await, Some(Ok(Frame::PromptSuggestion(_)))));
    }
    assert!(client.receive().await.is_none());
}

#[tokio::test]
async fn an_answer_behind_too_many_unread_frames_is_given_up() {
    let text = "x".repeat(1_000_000);
    let frame = format!("< {}\n", json!({"type": "prompt_suggestion", "suggestion": text}));
    let (client, _played) = testing::play(&frame.repeat(80), Options::new()).await.unwrap();
    let error = client.mcp_status().await.unwrap_err();
    assert!(matches!(error, Error::NotReceiving { .. }), "{error:?}");
}

#[tokio::test]
async fn a_line_beyond_the_limit_ends_the_session_with_a_reason() {
    let long = json!({"type": "prompt_suggestion", "suggestion": "x".repeat(200_000)});
    let options = Options::new().line_limit(70_000);
    let (client, _played) = testing::play(&format!("< {long}"), options).await.unwrap();
    let error = client.receive().await.unwrap().unwrap_err();
    assert!(matches!(&error, Error::Protocol(why) if why.contains("longer than")), "{error:?}");
}

#[tokio::test]
async fn a_transcript_that_is_not_followed_says_where() {
    let (client, played) = testing::play("> {\"type\":\"user\"}", Options::new()).await.unwrap();
    drop(client);
    assert!(played.finish().await.unwrap_err().to_string().contains("ended before"));
    let (client, played) = testing::play("> {\"type\":\"other\"}", Options::new()).await.unwrap();
    client.send("hello").await.unwrap();
    assert!(played.finish().await.unwrap_err().to_string().contains("expected"));
}

#[tokio::test]
async fn a_session_nobody_reads_can_be_closed() {
    let text = "x".repeat(1_000_000);
    let frame = format!("< {}\n", json!({"type": "prompt_suggestion", "suggestion": text}));
    let (client, played) = testing::play(&frame.repeat(10), Options::new()).await.unwrap();
    client.close().await.unwrap();
    played.finish().await.unwrap();
}
