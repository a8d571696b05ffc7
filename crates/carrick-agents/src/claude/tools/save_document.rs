//! `saveDocument`: saves an open file.

use serde::Deserialize;
use serde_json::json;

use super::super::answer::{Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::wire;
use super::{Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "saveDocument",
    description: "Save an open file that has unsaved changes",
    schema: r#"{"type":"object","properties":{
        "filePath":{"type":"string","description":"Absolute path of the file"}
        },"required":["filePath"],"additionalProperties":false}"#,
    offered: always,
    start: |context, raw| {
        let args: Args = arguments(raw)?;
        let path = wire::read_path(context, "filePath", &args.file_path)?;
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            let text = wire::path_text(&context, &path);
            Ok(Payload::Tool(match editor.save(path).await {
                Ok(true) => ToolAnswer::json(&json!({
                    "success": true, "filePath": text, "saved": true, "message": "Document saved successfully",
                })),
                Ok(false) => ToolAnswer::json(
                    &json!({"success": false, "message": format!("Document not open: {text}")}),
                ),
                Err(error) => error.into(),
            }))
        }))
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    file_path: String,
}
