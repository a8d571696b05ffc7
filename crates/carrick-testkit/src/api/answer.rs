//! A turn put in the words of the Messages API: one JSON message, or the events of a stream.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::http::Connection;
use super::request::Request;
use super::script::{Failure, Step, Turn};

/// Short enough that a sentence takes several deltas, as it does in life.
const DELTA_CHARS: usize = 24;

/// Sends `turn` the way `request` asks for it. An error ends the connection: the client left, or the script
/// said to break off.
pub(super) async fn send(turn: &Turn, request: &Request, connection: &mut Connection) -> Result<()> {
    if let Some(failure) = turn.failures.as_ref().and_then(|failures| failures.take()) {
        return connection.answer(failure.status, &error_body(failure)).await;
    }
    if request.body["stream"] == true {
        stream(turn, request, connection).await
    } else {
        whole(turn, request, connection).await
    }
}

pub(super) fn error_body(failure: &Failure) -> Value {
    json!({"type": "error", "error": {"type": failure.kind, "message": failure.message}})
}

async fn whole(turn: &Turn, request: &Request, connection: &mut Connection) -> Result<()> {
    let mut content = Vec::new();
    for step in &turn.steps {
        pause(step).await?;
        content.extend(block(step));
    }
    let mut message = message(request, &stop_reason(turn));
    message["content"] = content.into();
    connection.answer(200, &message).await
}

async fn stream(turn: &Turn, request: &Request, connection: &mut Connection) -> Result<()> {
    connection.start_events().await?;
    let start = json!({"type": "message_start", "message": message(request, &Value::Null)});
    connection.event(&start).await?;
    let mut index = 0;
    for step in &turn.steps {
        pause(step).await?;
        if let Some(block) = block(step) {
            stream_block(&block, index, connection).await?;
            index += 1;
        }
    }
    let delta = json!({"stop_reason": stop_reason(turn), "stop_sequence": null});
    let usage = json!({"output_tokens": 10});
    connection.event(&json!({"type": "message_delta", "delta": delta, "usage": usage})).await?;
    connection.event(&json!({"type": "message_stop"})).await?;
    connection.end_events().await
}

async fn stream_block(block: &Value, index: usize, connection: &mut Connection) -> Result<()> {
    let start = json!({"type": "content_block_start", "index": index, "content_block": emptied(block)});
    connection.event(&start).await?;
    for delta in deltas(block) {
        let event = json!({"type": "content_block_delta", "index": index, "delta": delta});
        connection.event(&event).await?;
    }
    connection.event(&json!({"type": "content_block_stop", "index": index})).await
}

async fn pause(step: &Step) -> Result<()> {
    match step {
        // waits: the script asks for a slow model
        Step::Delay(time) => tokio::time::sleep(*time).await,
        Step::Hold(gate) => gate.passed().await,
        Step::Break => bail!("the script breaks the stream here"),
        Step::Text(_) | Step::Thinking(_) | Step::ToolUse { .. } => {}
    }
    Ok(())
}

fn block(step: &Step) -> Option<Value> {
    match step {
        Step::Text(text) => Some(json!({"type": "text", "text": text})),
        Step::Thinking(text) => Some(json!({"type": "thinking", "thinking": text, "signature": "c2NyaXB0"})),
        Step::ToolUse { name, input } => {
            Some(json!({"type": "tool_use", "id": unique("toolu"), "name": name, "input": input}))
        }
        Step::Delay(_) | Step::Hold(_) | Step::Break => None,
    }
}

/// A block as a stream first shows it: without what its deltas bring.
fn emptied(block: &Value) -> Value {
    let mut block = block.clone();
    match block["type"].as_str() {
        Some("text") => block["text"] = "".into(),
        Some("thinking") => {
            block["thinking"] = "".into();
            block["signature"] = "".into();
        }
        _ => block["input"] = json!({}),
    }
    block
}

fn deltas(block: &Value) -> Vec<Value> {
    match block["type"].as_str() {
        Some("text") => {
            pieces(&block["text"]).map(|text| json!({"type": "text_delta", "text": text})).collect()
        }
        Some("thinking") => {
            let thought =
                pieces(&block["thinking"]).map(|text| json!({"type": "thinking_delta", "thinking": text}));
            thought.chain([json!({"type": "signature_delta", "signature": block["signature"]})]).collect()
        }
        _ => {
            let input = Value::String(block["input"].to_string());
            pieces(&input).map(|part| json!({"type": "input_json_delta", "partial_json": part})).collect()
        }
    }
}

fn pieces(text: &Value) -> impl Iterator<Item = String> {
    let chars: Vec<char> = text.as_str().unwrap_or_default().chars().collect();
    let parts: Vec<String> = chars.chunks(DELTA_CHARS).map(|part| part.iter().collect()).collect();
    parts.into_iter()
}

fn message(request: &Request, stop_reason: &Value) -> Value {
    let model = request.body["model"].as_str().unwrap_or("claude-testkit");
    json!({
        "id": unique("msg"), "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    })
}

fn stop_reason(turn: &Turn) -> Value {
    let uses_tools = turn.steps.iter().any(|step| matches!(step, Step::ToolUse { .. }));
    let usual = if uses_tools { "tool_use" } else { "end_turn" };
    turn.stop_reason.as_deref().unwrap_or(usual).into()
}

/// The CLI pairs results with uses by id for a whole session, so no two may ever be the same.
fn unique(kind: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{kind}_testkit{:08}", NEXT.fetch_add(1, Ordering::Relaxed))
}
