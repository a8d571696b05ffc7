//! `renameSymbol`: a name is changed wherever it stands, if a person agrees.
//!
//! Every file that would change is a review of its own, all shown at once. What is accepted is written by carrick: the
//! new contents come from a language server, and the agent, which writes what it proposes itself, never has them.

use std::sync::Arc;

use carrick_core::{Change, Editor, EditorError, Skill};
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::answer::{Context, Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::propose::{self, NOWHERE};
use super::super::spot::{self, SpotArgs, spot_properties};
use super::super::wire;
use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "renameSymbol",
    description: "Rename a name in the code wherever it stands; a person is asked about every file that changes",
    schema: concat!(
        r#"{"type":"object","properties":{"#,
        spot_properties!(),
        r#","newName":{"type":"string","description":"What it is to be called"}
        },"required":["filePath","newName"],"additionalProperties":false}"#
    ),
    offered: |editor| spot::offered(editor, Skill::Rename),
    start: |context, raw| {
        let more: More = arguments(raw)?;
        let asked = arguments::<SpotArgs>(raw)?.read(context)?;
        let editor = spot::editor(context, Skill::Rename)?;
        if !context.desk.has_rooms() {
            return Ok(ToolAnswer::error(NOWHERE).into());
        }
        let context = Arc::clone(context);
        Ok(Running::later(async move {
            let Some(able) = editor.navigate() else { return Ok(Payload::Tool(spot::gone())) };
            Ok(Payload::Tool(match able.rename(asked, more.new_name).await {
                Ok(changes) => decide(&context, &*editor, changes).await,
                Err(error) => error.into(),
            }))
        }))
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct More {
    new_name: String,
}

/// Shows all files at once and waits for the last decision.
async fn decide(context: &Context, editor: &dyn Editor, changes: Vec<Change>) -> ToolAnswer {
    if changes.iter().any(|change| context.desk.private().covers(&change.path)) {
        return EditorError::Private.into();
    }
    let files = join_all(changes.into_iter().map(|change| one(context, editor, change))).await;
    let failed = files.iter().any(|file| file.get("error").is_some());
    let answer = ToolAnswer::json(&json!({ "files": files }));
    if failed { answer.into_error() } else { answer }
}

async fn one(context: &Context, editor: &dyn Editor, change: Change) -> Value {
    let path = wire::path_text(context, &change.path);
    match propose::review(context, editor, change, "rename").await {
        Ok(fate) => json!({ "filePath": path, "outcome": fate.word() }),
        Err(error) => json!({ "filePath": path, "error": error.to_string() }),
    }
}
