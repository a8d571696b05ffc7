//! A long session as the CLI writes it: mostly deltas by number, mostly tool results by size, as in life.

use serde_json::{Value, json};

const SESSION: &str = "7a566676-91cc-4d04-8413-a1f85a978f97";
const UUID: &str = "5ac47dd9-0b23-446f-bad3-4093d6e164fa";
const LINE: &str = "    let answer = self.inbox.pop().await; // \"quoted\", then a\ttab\n";

/// At least so many bytes of whole turns.
pub(super) fn stream(bytes: usize) -> Vec<u8> {
    let turn: String = turn().iter().map(|frame| tag_first(frame) + "\n").collect();
    turn.repeat(bytes / turn.len() + 1).into_bytes()
}

/// One piece of an answer.
pub(super) fn delta(text: &str) -> Value {
    let delta = json!({"type": "text_delta", "text": text});
    around("stream_event", "event", json!({"type": "content_block_delta", "index": 0, "delta": delta}))
}

fn turn() -> Vec<Value> {
    let input = json!({"file_path": "/home/user/project/src/main.rs", "old_string": LINE.repeat(5),
        "new_string": LINE.repeat(6)});
    let mut turn: Vec<Value> =
        LINE.repeat(8).as_bytes().chunks(16).map(|piece| delta(&String::from_utf8_lossy(piece))).collect();
    turn.push(assistant(&json!({"type": "text", "text": LINE.repeat(8)})));
    turn.push(assistant(&json!({"type": "tool_use", "id": "t", "name": "Edit", "input": input})));
    turn.push(tool_result());
    turn.push(json!({"duration_api_ms": 75, "stop_reason": "end_turn", "session_id": SESSION,
        "total_cost_usd": 0.00014, "usage": {"input_tokens": 10, "output_tokens": 5}, "is_error": false,
        "num_turns": 1, "subtype": "success", "result": LINE.repeat(4), "type": "result", "duration_ms": 95,
        "uuid": UUID}));
    turn
}

fn around(kind: &str, key: &str, inner: Value) -> Value {
    let mut frame = json!({"type": kind, "session_id": SESSION, "parent_tool_use_id": null, "uuid": UUID});
    if let Some(frame) = frame.as_object_mut() {
        frame.insert(key.into(), inner);
    }
    frame
}

fn assistant(block: &Value) -> Value {
    let usage = json!({"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": 1});
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-5-5",
        "content": [block], "stop_reason": null, "stop_sequence": null, "usage": usage});
    around("assistant", "message", message)
}

fn tool_result() -> Value {
    let block =
        json!({"tool_use_id": "t", "type": "tool_result", "content": LINE.repeat(100), "is_error": false});
    let mut user = around("user", "message", json!({"role": "user", "content": [block]}));
    if let Some(user) = user.as_object_mut() {
        let told = json!({"stdout": LINE.repeat(60), "stderr": "", "interrupted": false});
        user.insert("tool_use_result".into(), told);
    }
    user
}

/// As the CLI writes objects: the tag first, except in results, where it stands at the end.
fn tag_first(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(tag_first).collect::<Vec<_>>().join(",")),
        Value::Object(object) => {
            let (tag, mut fields): (Vec<_>, Vec<_>) = object.iter().partition(|(key, _)| *key == "type");
            let at = if tag.first().is_some_and(|(_, kind)| *kind == "result") { fields.len() } else { 0 };
            fields.splice(at..at, tag);
            let field = |(key, value): &(&String, &Value)| format!("{}:{}", json!(key), tag_first(value));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_known_frame_with_its_tag_where_the_cli_puts_it() {
        let text = String::from_utf8(stream(1)).unwrap();
        for line in text.lines() {
            let frame = carrick_claude::Frame::parse(line.as_bytes()).unwrap();
            assert!(!matches!(frame, carrick_claude::Frame::Unknown(_)), "{line}");
        }
        assert!(text.starts_with("{\"type\":\"stream_event\","));
        assert!(text.ends_with("\"type\":\"result\"}\n"));
    }
}
