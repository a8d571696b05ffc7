//! Every frame, recorded, described or odd, is read and written back to the same JSON value.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use carrick_claude::frame::{Request, Response, System};
use carrick_claude::{Block, Content, Frame};
use serde_json::Value;

const RECORDED: &str = include_str!("fixtures/recorded.jsonl");
const DESCRIBED: &str = include_str!("fixtures/described.jsonl");
const ODD: &str = include_str!("fixtures/odd.jsonl");

fn frames(text: &str) -> Vec<(Frame, &str)> {
    text.lines().map(|line| (Frame::parse(line.as_bytes()).unwrap(), line)).collect()
}

#[test]
fn every_frame_comes_back_as_it_was() {
    for text in [RECORDED, DESCRIBED, ODD] {
        for (frame, line) in frames(text) {
            let written: Value = serde_json::from_str(&frame.to_line().unwrap()).unwrap();
            let came: Value = serde_json::from_str(line).unwrap();
            assert_eq!(written, came, "{frame:#?}");
        }
    }
}

#[test]
fn every_kind_that_is_known_has_a_type() {
    for text in [RECORDED, DESCRIBED] {
        for (frame, line) in frames(text) {
            assert!(!has_unknown(&frame), "{line}");
        }
    }
    let subtypes = RECORDED.lines().chain(DESCRIBED.lines()).filter(|line| line.contains("\"system\""));
    assert!(subtypes.count() >= 30, "there is a frame of every subtype");
}

/// Requests a host sends stay unknown on purpose: this crate writes those itself.
fn has_unknown(frame: &Frame) -> bool {
    match frame {
        Frame::Unknown(_) | Frame::System(System::Unknown(_)) => true,
        Frame::Assistant(said) => said.blocks().iter().any(|block| matches!(block, Block::Unknown(_))),
        Frame::ControlResponse(answer) => matches!(answer.response, Response::Unknown(_)),
        Frame::StreamEvent(event) => matches!(event.event, carrick_claude::frame::Event::Unknown(_)),
        _ => false,
    }
}

#[test]
fn the_order_of_keys_does_not_matter() {
    for (frame, line) in frames(RECORDED) {
        let value: Value = serde_json::from_str(line).unwrap();
        let Value::Object(object) = value else { panic!("{line}") };
        let backwards: Vec<String> = object
            .iter()
            .rev()
            .map(|(key, value)| format!("{}:{value}", Value::from(key.as_str())))
            .collect();
        let turned = format!("{{{}}}", backwards.join(","));
        assert_eq!(Frame::parse(turned.as_bytes()).unwrap(), frame, "{turned}");
    }
}

#[test]
fn older_shapes_are_understood() {
    let all = frames(ODD);
    let init = all.iter().find_map(|(frame, _)| match frame {
        Frame::System(System::Init(init)) => Some(init),
        _ => None,
    });
    let init = init.unwrap();
    assert_eq!((init.session_id().as_deref(), init.version().as_deref()), (Some("old"), Some("1.0.0")));
    let said = |wanted: &str| {
        all.iter().any(|(frame, _)| match frame {
            Frame::User(user) => user.content().map(Content::text).as_deref() == Some(wanted),
            Frame::Assistant(said) => said.content().map(Content::text).as_deref() == Some(wanted),
            _ => false,
        })
    };
    assert!(said("User prompt") && said("Response text"));
}

#[test]
fn a_field_of_the_wrong_kind_spoils_only_itself() {
    let line =
        br#"{"type":"assistant","session_id":42,"uuid":"u","message":{"role":"assistant","usage":"none",
        "content":[{"type":"text","text":"kept"}]}}"#;
    let Frame::Assistant(said) = Frame::parse(line).unwrap() else { panic!() };
    assert_eq!(said.content().unwrap().text(), "kept");
    assert_eq!((said.session_id.as_deref(), said.uuid.as_deref()), (None, Some("u")));
    assert_eq!(said.extra.get("session_id").unwrap().get(), "42");
}

#[test]
fn what_is_no_object_is_an_error_and_never_a_panic() {
    for bad in
        ["", "null", "42", "[]", "\"text\"", "{", "{\"type\":\"user\"", "not json", "{\"type\":\"user\"} x"]
    {
        assert!(Frame::parse(bad.as_bytes()).is_err(), "{bad}");
    }
    assert!(Frame::parse(b"{\"type\":\"user\",\"content\":\"\xff\"}").is_err());
}

#[test]
fn a_question_about_a_tool_is_typed() {
    let line = RECORDED.lines().find(|line| line.contains("\"can_use_tool\"")).unwrap();
    let Frame::ControlRequest(asked) = Frame::parse(line.as_bytes()).unwrap() else { panic!() };
    let Request::CanUseTool(asked) = asked.request else { panic!() };
    assert!(asked.suggestions.is_some_and(|suggestions| !suggestions.is_empty()));
}
