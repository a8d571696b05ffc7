//! `get_all_opened_file_paths`: the open files, one path a line.

use super::super::answer::{Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::wire;
use super::{NO_ARGUMENTS, Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "get_all_opened_file_paths",
    description: "List the paths of all open files, one a line",
    schema: NO_ARGUMENTS,
    offered: always,
    start: |context, raw| {
        let _: serde::de::IgnoredAny = arguments(raw)?;
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            Ok(Payload::Tool(match editor.tabs().await {
                Ok(tabs) => {
                    let paths: Vec<String> =
                        tabs.iter().map(|tab| wire::path_text(&context, &tab.path)).collect();
                    ToolAnswer::text(paths.join("\n"))
                }
                Err(error) => error.into(),
            }))
        }))
    },
};
