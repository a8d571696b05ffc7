//! `getHover`: what a name is, its type and its documentation, as one would see it under the mouse.

use carrick_core::Skill;

use super::super::answer::{Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::spot::{self, SpotArgs, spot_properties};
use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "getHover",
    description: "Show the type and documentation of a name in the code",
    schema: concat!(
        r#"{"type":"object","properties":{"#,
        spot_properties!(),
        r#"},"required":["filePath"],"additionalProperties":false}"#
    ),
    offered: |editor| spot::offered(editor, Skill::Hover),
    start: |context, raw| {
        let asked = arguments::<SpotArgs>(raw)?.read(context)?;
        let editor = spot::editor(context, Skill::Hover)?;
        Ok(Running::later(async move {
            let Some(able) = editor.navigate() else { return Ok(Payload::Tool(spot::gone())) };
            let answer = match able.hover(asked).await {
                Ok(text) => {
                    ToolAnswer::text(text.unwrap_or_else(|| "Nothing is known about that place".into()))
                }
                Err(error) => error.into(),
            };
            Ok(Payload::Tool(answer))
        }))
    },
};
