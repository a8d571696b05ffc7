//! `getDefinition`: where a name is defined, as a language server knows it.

use std::sync::Arc;

use carrick_core::Skill;

use super::super::answer::{Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::spot::{self, SpotArgs, spot_properties};
use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "getDefinition",
    description: "Find where a name in the code is defined, with the line that defines it",
    schema: concat!(
        r#"{"type":"object","properties":{"#,
        spot_properties!(),
        r#"},"required":["filePath"],"additionalProperties":false}"#
    ),
    offered: |editor| spot::offered(editor, Skill::Definition),
    start: |context, raw| {
        let asked = arguments::<SpotArgs>(raw)?.read(context)?;
        let (editor, context) = (spot::editor(context, Skill::Definition)?, Arc::clone(context));
        Ok(Running::later(async move {
            let Some(able) = editor.navigate() else { return Ok(Payload::Tool(spot::gone())) };
            let found = able.definition(asked).await;
            Ok(Payload::Tool(found.map_or_else(ToolAnswer::from, |found| spot::locations(&context, &found))))
        }))
    },
};
