//! `reformat_file`: formats a file with the editor's formatter. Listed only when the editor has one.

use carrick_core::EditorError;
use serde::Deserialize;

use super::super::answer::{Payload, Running, ToolAnswer, arguments};
use super::super::rpc::{Code, RpcError};
use super::super::wire;
use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "reformat_file",
    description: "Format a file with the editor's formatter",
    schema: r#"{"type":"object","properties":{
        "file_path":{"type":"string","description":"Absolute path of the file"}
        },"required":["file_path"],"additionalProperties":false}"#,
    offered: |editor| editor.format().is_some(),
    start: |context, raw| {
        let args: Args = arguments(raw)?;
        let path = wire::read_path(context, "file_path", &args.file_path)?;
        let editor = context.editor()?;
        if editor.format().is_none() {
            return Err(RpcError::new(Code::MethodNotFound, "This editor has no formatter"));
        }
        Ok(Running::later(async move {
            let Some(able) = editor.format() else {
                return Ok(Payload::Tool(ToolAnswer::error("The formatter is gone")));
            };
            Ok(Payload::Tool(match able.reformat(path).await {
                Ok(()) => ToolAnswer::text("OK"),
                Err(EditorError::NotFound(_)) => ToolAnswer::error("File not found"),
                Err(error) => error.into(),
            }))
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    file_path: String,
}
