//! `getCurrentSelection`: what is selected in the editor of this client.

use super::super::answer::ToolAnswer;
use super::super::params::arguments;
use super::super::wire;
use super::{NO_ARGUMENTS, Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "getCurrentSelection",
    description: "Get the current text selection in the active editor",
    schema: NO_ARGUMENTS,
    offered: always,
    start: |context, raw| {
        let _: serde::de::IgnoredAny = arguments(raw)?;
        let found = context.desk.selection_for(context.client);
        Ok(ToolAnswer::json(&wire::selection(context, found.as_deref(), "No active editor found")).into())
    },
};
