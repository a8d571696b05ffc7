//! `closeAllDiffTabs`: closes the reviews of the client that asks. The CLI calls it at every prompt, so those of
//! another client must not notice.

use super::super::answer::ToolAnswer;
use super::super::params::arguments;
use super::{NO_ARGUMENTS, Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "closeAllDiffTabs",
    description: "Close every change that waits for review",
    schema: NO_ARGUMENTS,
    offered: always,
    start: |context, raw| {
        let _: serde::de::IgnoredAny = arguments(raw)?;
        let closed = context.desk.close_reviews_of(context.client);
        Ok(ToolAnswer::text(format!("CLOSED_{closed}_DIFF_TABS")).into())
    },
};
