//! `getReferences`: where a name is used, in every file that a language server knows.

use std::sync::Arc;

use carrick_core::Skill;
use serde::Deserialize;

use super::super::answer::{Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::spot::{self, SpotArgs, spot_properties};
use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "getReferences",
    description: "Find every place where a name in the code is used, each with its line",
    schema: concat!(
        r#"{"type":"object","properties":{"#,
        spot_properties!(),
        r#","includeDeclaration":{"type":"boolean","description":"Also the place where it is defined; true when left out"}
        },"required":["filePath"],"additionalProperties":false}"#
    ),
    offered: |editor| spot::offered(editor, Skill::References),
    start: |context, raw| {
        let more: More = arguments(raw)?;
        let asked = arguments::<SpotArgs>(raw)?.read(context)?;
        let (editor, context) = (spot::editor(context, Skill::References)?, Arc::clone(context));
        Ok(Running::later(async move {
            let Some(able) = editor.navigate() else { return Ok(Payload::Tool(spot::gone())) };
            let found = able.references(asked, more.include_declaration.unwrap_or(true)).await;
            Ok(Payload::Tool(found.map_or_else(ToolAnswer::from, |found| spot::locations(&context, &found))))
        }))
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct More {
    include_declaration: Option<bool>,
}
