//! What somebody would write by hand with `derive`: typed, but what it does not know is lost.
#![allow(dead_code, reason = "only parsed")]

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Derived {
    Assistant {
        message: Message,
        parent_tool_use_id: Option<String>,
        session_id: String,
        uuid: String,
    },
    User {
        message: Message,
        parent_tool_use_id: Option<String>,
        session_id: String,
        uuid: String,
        tool_use_result: Option<Value>,
    },
    StreamEvent {
        event: Value,
        session_id: String,
        uuid: String,
    },
    Result {
        subtype: String,
        is_error: bool,
        result: String,
        total_cost_usd: f64,
        session_id: String,
        usage: Value,
    },
}

#[derive(Deserialize)]
pub(super) struct Message {
    id: Option<String>,
    role: String,
    model: Option<String>,
    content: Vec<Block>,
    usage: Option<Value>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block {
    Text { text: String },
    ToolUse { id: String, name: String, input: Value },
    ToolResult { tool_use_id: String, content: Value, is_error: Option<bool> },
}
