//! `reformat_file`: formats a file with the editor's formatter. Listed only when the editor has one.
//!
//! The file is written at once, unless a change of it waits for a person: then this is one more for them to see.

use std::path::PathBuf;
use std::sync::Arc;

use carrick_core::{Editor, EditorError};
use serde::Deserialize;

use super::super::answer::{Context, Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::propose::{self, Fate};
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
        let context = Arc::clone(context);
        Ok(Running::later(async move {
            Ok(Payload::Tool(match reformat(&context, &*editor, path).await {
                Ok(answer) => answer,
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

async fn reformat(context: &Context, editor: &dyn Editor, path: PathBuf) -> Result<ToolAnswer, EditorError> {
    let Some(able) = editor.format() else { return Ok(ToolAnswer::error("The formatter is gone")) };
    let Some(change) = able.reformat(path).await? else { return Ok(ToolAnswer::text("OK")) };
    if !propose::is_waited_for(context, &change) {
        return propose::write(editor, change).await.map(|()| ToolAnswer::text("OK"));
    }
    if !context.desk.has_rooms() {
        return Ok(ToolAnswer::error("A change of this file waits for a person: format it after that"));
    }
    Ok(match propose::review(context, editor, change, "format").await? {
        Fate::Accepted | Fate::Changed => ToolAnswer::text("OK"),
        Fate::Rejected => ToolAnswer::error("The person does not want it formatted: the file is as it was"),
    })
}
