//! `open_files`: shows several files at once.

use std::path::PathBuf;

use carrick_core::{OpenRequest, Who};
use serde::Deserialize;
use serde_json::json;

use super::super::answer::{Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::wire;
use super::{Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "open_files",
    description: "Open several files in the editor",
    schema: r#"{"type":"object","properties":{
        "file_paths":{"type":"array","items":{"type":"string"},"description":"Absolute paths of the files"}
        },"required":["file_paths"],"additionalProperties":false}"#,
    offered: always,
    start: |context, raw| {
        let args: Args = arguments(raw)?;
        let read = |text: &String| wire::read_path(context, "file_paths", text);
        let paths = args.file_paths.iter().map(read).collect::<Result<Vec<PathBuf>, _>>()?;
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            let mut opened = Vec::new();
            let mut failed = Vec::new();
            for path in paths {
                match editor.open(OpenRequest::new(path, Who::Agent)).await {
                    Ok(file) => opened.push(wire::path_text(&context, &file.path)),
                    Err(error) => failed.push(error.to_string()),
                }
            }
            // What did open is told even when something did not: the caller sees both.
            let answer = if failed.is_empty() {
                ToolAnswer::json(&json!({ "opened_files": opened }))
            } else {
                ToolAnswer::json(&json!({ "opened_files": opened, "errors": failed })).into_error()
            };
            Ok(Payload::Tool(answer))
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    file_paths: Vec<String>,
}
