//! `getSymbols`: the names that are defined in a file, or anywhere in the workspace.

use std::sync::Arc;

use carrick_core::{Skill, Symbol, SymbolsOf};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::answer::{Context, Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::rpc::RpcError;
use super::super::{spot, wire};
use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "getSymbols",
    description: "List the functions, classes and other names that a file defines, or search the workspace for one",
    schema: r#"{"type":"object","properties":{
        "filePath":{"type":"string","description":"Absolute path of a file, to list what it defines"},
        "query":{"type":"string","description":"Letters of a name, to search the workspace when there is no filePath"}
        },"additionalProperties":false}"#,
    offered: |editor| spot::offered(editor, Skill::Symbols),
    start: |context, raw| {
        let asked = asked(context, arguments(raw)?)?;
        let (editor, context) = (spot::editor(context, Skill::Symbols)?, Arc::clone(context));
        Ok(Running::later(async move {
            let Some(able) = editor.navigate() else { return Ok(Payload::Tool(spot::gone())) };
            let found = able.symbols(asked).await;
            Ok(Payload::Tool(found.map_or_else(ToolAnswer::from, |found| list(&context, &found))))
        }))
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    file_path: Option<String>,
    query: Option<String>,
}

fn asked(context: &Context, args: Args) -> Result<SymbolsOf, RpcError> {
    match (args.file_path, args.query) {
        (Some(path), _) => wire::read_path(context, "filePath", &path).map(SymbolsOf::File),
        (None, Some(query)) => Ok(SymbolsOf::Workspace(query)),
        (None, None) => Err(RpcError::params("Invalid params: name a `filePath` or a `query`")),
    }
}

fn list(context: &Context, found: &[Symbol]) -> ToolAnswer {
    let public = found.iter().filter(|symbol| !context.desk.private().covers(&symbol.location.path));
    ToolAnswer::json(&public.map(|symbol| written(context, symbol)).collect::<Vec<_>>())
}

fn written(context: &Context, symbol: &Symbol) -> Value {
    let mut value = spot::location(context, &symbol.location);
    if let Some(object) = value.as_object_mut() {
        object.insert("name".into(), symbol.name.as_str().into());
        object.insert("kind".into(), symbol.kind.into());
        object.extend(symbol.container.as_ref().map(|name| ("container".into(), json!(name))));
    }
    value
}
