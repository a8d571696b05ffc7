//! `close_tab`: closes a view by the name that the agent gave it, or an open file by its label or path.
//!
//! On a waiting review it means "answered elsewhere": the CLI sends it when the person decided in the terminal.

use serde::Deserialize;

use super::super::answer::{Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::{Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "close_tab",
    description: "Close a tab by its name",
    schema: r#"{"type":"object","properties":{
        "tab_name":{"type":"string","description":"The name given to openDiff, or the label or path of an open file"}
        },"required":["tab_name"],"additionalProperties":false}"#,
    offered: always,
    start: |context, raw| {
        let args: Args = arguments(raw)?;
        let words = (context.dialect.tab_closed, context.dialect.tab_missing);
        if context.desk.close_review(context.client, &args.tab_name) {
            return Ok(ToolAnswer::text(words.0).into());
        }
        let editor = context.editor()?;
        Ok(Running::later(async move {
            Ok(Payload::Tool(match editor.close_tab(args.tab_name).await {
                Ok(true) => ToolAnswer::text(words.0),
                Ok(false) => ToolAnswer::text(words.1),
                Err(error) => error.into(),
            }))
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    tab_name: String,
}
