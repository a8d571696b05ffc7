//! The bytes of the load: what the CLI sends, and what an editor makes a server say.

use std::path::Path;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// The method of the pushed message.
pub(crate) const SELECTION_CHANGED: &str = "selection_changed";

/// How many lines of text the pushed selection holds.
const SELECTED_LINES: usize = 8;

/// The file of the pushed selection.
pub(crate) const SELECTED_FILE: &str = "/workspace/src/main.rs";

/// The CLI's opening request.
pub(crate) fn initialize() -> Utf8Bytes {
    request(
        0,
        "initialize",
        &json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "roots": {} },
            "clientInfo": { "name": "claude-code", "version": "2.1.0" },
        }),
    )
}

/// Said when the opening request is answered.
pub(crate) fn initialized() -> Utf8Bytes {
    r#"{"method":"notifications/initialized","jsonrpc":"2.0"}"#.into()
}

/// What the CLI asks next; a server may push from then on.
pub(crate) fn list_tools() -> Utf8Bytes {
    request(1, "tools/list", &json!({}))
}

/// A call that costs the server as little as a call can.
pub(crate) fn small_call(id: usize) -> Utf8Bytes {
    tool_call(id, "getWorkspaceFolders", &json!({}))
}

/// A change of this size to this file.
pub(crate) fn open_diff(file: &Path, bytes: usize) -> Utf8Bytes {
    let path = file.to_string_lossy();
    tool_call(
        7,
        "openDiff",
        &json!({
            "old_file_path": path,
            "new_file_path": path,
            "new_file_contents": source_text(bytes),
            "tab_name": "✻ [Claude Code] main.rs (a1b2c3) ⧉",
        }),
    )
}

/// Text as programs are: lines, indentation, quotes, here and there a letter beyond ASCII.
pub(crate) fn source_text(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 80);
    let mut line = 0;
    while text.len() < bytes {
        text.push_str(&format!("    let line_{line} = \"text of line {line}\"; // größer\n"));
        line += 1;
    }
    text
}

/// The text of a push. Equal ones in a row would not be sent again.
pub(crate) fn selected_text(number: u64) -> String {
    format!("{number:08}\n{}", "    let word = words.next();\n".repeat(SELECTED_LINES))
}

/// The parameters of a push, as carrick writes them.
pub(crate) fn selection_params(number: u64) -> Value {
    let position = |line: usize| json!({ "line": line, "character": 0 });
    json!({
        "text": selected_text(number),
        "filePath": SELECTED_FILE,
        "fileUrl": format!("file://{SELECTED_FILE}"),
        "selection": { "start": position(0), "end": position(SELECTED_LINES), "isEmpty": false },
    })
}

/// The last line of a push's selection.
pub(crate) fn selected_end() -> u32 {
    SELECTED_LINES as u32
}

/// A whole push, in the order in which carrick writes it.
pub(crate) fn selection_changed(number: u64) -> Utf8Bytes {
    let params = selection_params(number);
    format!(r#"{{"jsonrpc":"2.0","method":"{SELECTION_CHANGED}","params":{params}}}"#).into()
}

/// The CLI repeats the id of a call as its progress token.
fn tool_call(id: usize, name: &str, arguments: &Value) -> Utf8Bytes {
    let params = json!({ "name": name, "arguments": arguments, "_meta": { "progressToken": id } });
    request(id, "tools/call", &params)
}

/// Keys in the CLI's order.
fn request(id: usize, method: &str, params: &Value) -> Utf8Bytes {
    format!(r#"{{"method":"{method}","params":{params},"jsonrpc":"2.0","id":{id}}}"#).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_json() {
        for text in [initialize(), initialized(), list_tools(), small_call(1), selection_changed(3)] {
            let value: Value = serde_json::from_str(text.as_str()).unwrap();
            assert_eq!(value["jsonrpc"], "2.0");
        }
    }

    #[test]
    fn a_change_has_the_size_asked_for() {
        let message = open_diff(Path::new("/f"), 100_000);
        let value: Value = serde_json::from_str(message.as_str()).unwrap();
        let contents = value["params"]["arguments"]["new_file_contents"].as_str().unwrap();
        assert!((100_000..100_100).contains(&contents.len()));
    }
}
