//! `getLatestSelection`: the last text that was selected, also when the cursor has moved on since.

use super::super::answer::ToolAnswer;
use super::super::params::arguments;
use super::super::wire;
use super::{NO_ARGUMENTS, Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "getLatestSelection",
    description: "Get the most recent text selection, even if it is no longer in the active editor",
    schema: NO_ARGUMENTS,
    offered: always,
    start: |context, raw| {
        let _: serde::de::IgnoredAny = arguments(raw)?;
        let found = context.desk.latest_selection();
        Ok(ToolAnswer::json(&wire::selection(context, found.as_ref(), "No selection available")).into())
    },
};
