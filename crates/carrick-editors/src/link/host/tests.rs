//! The link as a peer sees it, over streams in memory.

use carrick_core::{NewReview, Original, PrivateList, Seat, WaitingReview};
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, DuplexStream, duplex};

use super::*;
use crate::link::framing::{FrameReader, write_frame};
use crate::link::guest::{Guest, GuestError};
use crate::link::protocol::{
    Empty, Mention, MentionParams, Note, ReviewAccept, ReviewAcceptParams, ReviewForget, ReviewForgetParams,
    ReviewList, ReviewListParams, ReviewReject, ReviewRejectParams, ReviewShow, ReviewShowParams, Role,
    Select, SelectParams, Span, Status, Subscribe,
};

fn desk() -> Arc<Desk> {
    Desk::new(vec!["/w".into()], PrivateList::default())
}

pub(super) fn facts() -> Facts {
    Facts {
        carrick: "0.0.0".into(),
        root: "/w".into(),
        port: 7,
        lock_files: vec!["/l/7.lock".into()],
        dialect: "vscode".into(),
        name: "carrick".into(),
        page: None,
    }
}

fn stream(desk: &Arc<Desk>) -> DuplexStream {
    let (ours, theirs) = duplex(64 << 10);
    tokio::spawn(serve_one(theirs, Arc::clone(desk), facts()));
    ours
}

async fn guest(desk: &Arc<Desk>) -> Guest<DuplexStream> {
    Guest::greet(stream(desk), Role::Shell, "test").await.unwrap()
}

fn propose(seat: &Seat, path: &str, new: &str) -> WaitingReview {
    seat.desk().open_review(NewReview {
        client: seat.id(),
        path: path.into(),
        tab_name: path.into(),
        original: Original::Text("a\nb\nc\n".into()),
        proposed: new.into(),
    })
}

fn refusal<T: std::fmt::Debug>(result: Result<T, GuestError>) -> RpcErrorParts {
    match result.unwrap_err() {
        GuestError::Refused(error) => (error.code, error.message, error.data.map(|data| data.hint)),
        other => panic!("{other}"),
    }
}

type RpcErrorParts = (i64, String, Option<String>);

#[tokio::test]
async fn the_greeting_tells_about_the_desk() {
    let desk = desk();
    let mut guest = guest(&desk).await;
    assert_eq!((guest.host().port, guest.host().dialect.as_str()), (7, "vscode"));
    let status = guest.ask::<Status>(&Empty {}).await.unwrap();
    assert_eq!(status.peers.len(), 1);
    assert_eq!(status.desk.folders, [PathBuf::from("/w")]);
}

/// Sends raw bodies and returns the raw answers.
async fn raw(bodies: &[&str]) -> Vec<Value> {
    let (input, mut output) = tokio::io::split(stream(&desk()));
    let mut reader = FrameReader::new(input);
    let mut answers = Vec::new();
    for body in bodies {
        write_frame(&mut output, body.as_bytes()).await.unwrap();
        answers.push(serde_json::from_slice(&reader.next().await.unwrap().unwrap()).unwrap());
    }
    answers
}

#[tokio::test]
async fn bad_input_is_answered_and_the_talk_goes_on() {
    let hello = r#"{"jsonrpc":"2.0","id":"h","method":"hello","params":{"version":1,"role":"shell","name":"t","pid":1}}"#;
    let answers = raw(&[
        "{",
        "[]",
        r#"{"jsonrpc":"2.0","id":1,"method":"status"}"#,
        hello,
        r#"{"jsonrpc":"2.0","id":2,"method":"no/such"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"open","params":{"path":5}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"status"}"#,
    ])
    .await;
    let codes: Vec<Option<i64>> = answers.iter().map(|answer| answer["error"]["code"].as_i64()).collect();
    assert_eq!(codes, [Some(-32700), Some(-32600), Some(-32002), None, Some(-32601), Some(-32602), None]);
    assert_eq!(answers[0]["id"], Value::Null);
    assert_eq!(answers[3]["id"], json!("h"));
}

#[tokio::test]
async fn another_version_is_refused_with_the_older_side_named() {
    for (version, words) in [(0, "you are the older side"), (2, "the running desk is the older side")] {
        let hello = json!({"jsonrpc":"2.0","id":1,"method":"hello",
            "params":{"version":version,"role":"viewer","name":"t","pid":1}});
        let answers = raw(&[&hello.to_string()]).await;
        assert_eq!(answers[0]["error"]["code"], -32001);
        let message = answers[0]["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{message}");
    }
}

#[tokio::test]
async fn a_broken_header_is_answered_and_ends_the_talk() {
    let (input, mut output) = tokio::io::split(stream(&desk()));
    output.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let mut reader = FrameReader::new(input);
    let answer: Value = serde_json::from_slice(&reader.next().await.unwrap().unwrap()).unwrap();
    assert_eq!(answer["error"]["code"], -32700);
    assert!(reader.next().await.unwrap().is_none());
}

#[tokio::test]
async fn the_only_waiting_review_needs_no_number() {
    let desk = desk();
    let seat = desk.join();
    let mut guest = guest(&desk).await;
    let (code, words, _) = refusal(guest.ask::<ReviewReject>(&ReviewRejectParams::default()).await);
    assert_eq!((code, words.as_str()), (-32000, "no review waits"));
    let one = propose(&seat, "/w/one", "A\nb\nC\n");
    let two = propose(&seat, "/w/two", "a\n");
    let (_, words, hint) = refusal(guest.ask::<ReviewReject>(&ReviewRejectParams::default()).await);
    assert_eq!(words, "2 reviews wait: 1 (/w/one), 2 (/w/two)");
    assert!(hint.is_some());
    guest.ask::<ReviewReject>(&ReviewRejectParams { id: Some(2) }).await.unwrap();
    assert_eq!(two.outcome().await, carrick_core::Outcome::Rejected);
    let accept = ReviewAcceptParams { hunks: Some(vec![2]), ..ReviewAcceptParams::default() };
    guest.ask::<ReviewAccept>(&accept).await.unwrap();
    assert_eq!(one.outcome().await, carrick_core::Outcome::Accepted("a\nb\nC\n".into()));
}

#[tokio::test]
async fn a_review_is_listed_shown_and_forgotten() {
    let desk = desk();
    let seat = desk.join();
    let review = propose(&seat, "/w/one", "a\nB\nc\n");
    let mut guest = guest(&desk).await;
    let shown = guest.ask::<ReviewShow>(&ReviewShowParams { id: None, context: Some(1) }).await.unwrap();
    assert_eq!((shown.proposed.as_str(), shown.original.as_deref()), ("a\nB\nc\n", Some("a\nb\nc\n")));
    assert_eq!((shown.hunks.len(), shown.hunks[0].lines.len()), (1, 4));
    let (_, words, _) = refusal(guest.ask::<ReviewForget>(&ReviewForgetParams { id: 1 }).await);
    assert!(words.contains("still waits"));
    drop(review);
    assert!(guest.ask::<ReviewList>(&ReviewListParams { all: false }).await.unwrap().reviews.is_empty());
    assert_eq!(guest.ask::<ReviewList>(&ReviewListParams { all: true }).await.unwrap().reviews.len(), 1);
    guest.ask::<ReviewForget>(&ReviewForgetParams { id: 1 }).await.unwrap();
    assert!(guest.ask::<ReviewList>(&ReviewListParams { all: true }).await.unwrap().reviews.is_empty());
}

#[tokio::test]
async fn private_files_and_unknown_clients_are_refused() {
    let desk = desk();
    let mut guest = guest(&desk).await;
    let select = SelectParams { path: "/w/.env".into(), range: Span::default() };
    assert!(refusal(guest.ask::<Select>(&select).await).1.contains("private"));
    let mention =
        |path: &str, client| MentionParams { path: path.into(), line_start: None, line_end: None, client };
    assert!(refusal(guest.ask::<Mention>(&mention("/w/.env", None)).await).1.contains("private"));
    assert!(refusal(guest.ask::<Mention>(&mention("/w/a", Some(9))).await).1.contains("no client 9"));
    assert!(guest.ask::<Mention>(&mention("/w/a", None)).await.unwrap().waits);
    assert_eq!(refusal(guest.ask::<Mention>(&mention("a", None)).await).0, -32602);
}

#[tokio::test]
async fn a_subscriber_hears_what_happens_also_while_it_asks() {
    let desk = desk();
    let mut guest = guest(&desk).await;
    guest.ask::<Subscribe>(&Empty {}).await.unwrap();
    let seat = desk.join();
    guest.ask::<Status>(&Empty {}).await.unwrap();
    let _review = propose(&seat, "/w/one", "a\n");
    assert!(matches!(guest.next_note().await, Some(Note::ClientJoined { .. })));
    let Some(Note::ReviewOpened { review }) = guest.next_note().await else { panic!("no review") };
    assert_eq!((review.added, review.removed), (Some(0), Some(2)));
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_does_not_read_is_dropped() {
    let desk = desk();
    let (ours, theirs) = duplex(1 << 10);
    let served = tokio::spawn(serve_one(theirs, Arc::clone(&desk), facts()));
    let mut guest = Guest::greet(ours, Role::Viewer, "slow").await.unwrap();
    guest.ask::<Subscribe>(&Empty {}).await.unwrap();
    for number in 0..100 {
        desk.add_folder(format!("/w/{number}").into());
    }
    served.await.unwrap();
}
