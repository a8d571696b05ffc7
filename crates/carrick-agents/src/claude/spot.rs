//! What the tools about names share: how a place in code is asked for, and how one is answered.

use std::sync::Arc;

use carrick_core::{Editor, Location, Skill, Spot};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::{Context, ToolAnswer};
use super::rpc::{Code, RpcError};
use super::wire;

/// The properties of every tool that asks about a name.
macro_rules! spot_properties {
    () => {
        r#""filePath":{"type":"string","description":"Absolute path of the file the name stands in"},
        "symbol":{"type":"string","description":"The name; its first appearance as a whole word is meant"},
        "line":{"type":"integer","minimum":0,"description":"The line it stands on, counted from 0 as in getDiagnostics"},
        "character":{"type":"integer","minimum":0,"description":"Where in the line, in UTF-16 units, when there is no symbol"}"#
    };
}
pub(crate) use spot_properties;

/// The arguments that name a place.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SpotArgs {
    file_path: String,
    symbol: Option<String>,
    line: Option<u32>,
    character: Option<u32>,
}

impl SpotArgs {
    /// The place that is meant.
    pub(crate) fn read(self, context: &Context) -> Result<Spot, RpcError> {
        if self.symbol.is_none() && self.line.is_none() {
            return Err(RpcError::params("Invalid params: name a `symbol`, a `line`, or both"));
        }
        let path = wire::read_path(context, "filePath", &self.file_path)?;
        Ok(Spot { path, line: self.line, character: self.character, symbol: self.symbol })
    }
}

/// Whether the editor can be asked for this.
pub(crate) fn offered(editor: &dyn Editor, skill: Skill) -> bool {
    editor.navigate().is_some_and(|able| able.can(skill))
}

/// The editor, if it can be asked for this.
pub(crate) fn editor(context: &Context, skill: Skill) -> Result<Arc<dyn Editor>, RpcError> {
    let editor = context.editor()?;
    if offered(&*editor, skill) {
        return Ok(editor);
    }
    Err(RpcError::new(Code::MethodNotFound, "This editor has no language server that can do that"))
}

/// A place as it is written.
pub(crate) fn location(context: &Context, location: &Location) -> Value {
    let mut value = json!({
        "filePath": wire::path_text(context, &location.path),
        "range": wire::range(location.range),
    });
    if let (Some(text), Some(object)) = (&location.text, value.as_object_mut()) {
        object.insert("text".into(), text.as_str().into());
    }
    value
}

/// Places that an agent may hear of.
pub(crate) fn locations(context: &Context, found: &[Location]) -> ToolAnswer {
    let public = found.iter().filter(|location| !context.desk.private().covers(&location.path));
    ToolAnswer::json(&public.map(|found| location(context, found)).collect::<Vec<_>>())
}

/// The editor lost its ability while it was asked.
pub(crate) fn gone() -> ToolAnswer {
    ToolAnswer::error("The language server is gone")
}
