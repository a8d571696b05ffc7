//! The table of tools, one file each: arguments, schema, call and exact reply stand together.
//!
//! Adding a tool is a file here, a row in [`TOOLS`], a transcript and a heading in docs/protocol.md;
//! `cargo xtask tidy` notices when one of them is missing.

mod check_document_dirty;
mod close_all_diff_tabs;
mod close_tab;
mod execute_code;
mod get_all_opened_file_paths;
mod get_current_selection;
mod get_definition;
pub(crate) mod get_diagnostics;
mod get_hover;
mod get_latest_selection;
mod get_open_editors;
mod get_references;
mod get_symbols;
mod get_workspace_folders;
mod open_diff;
mod open_file;
mod open_files;
mod reformat_file;
mod rename_symbol;
mod save_document;

use std::sync::Arc;

use carrick_core::Editor;
use serde::Deserialize;
use serde_json::{json, value::RawValue};

use super::answer::{Context, Running};
use super::params::Params;
use super::rpc::RpcError;

/// A tool.
pub(crate) struct Tool {
    /// Its name on the wire.
    pub(crate) name: &'static str,
    /// What the model is told about it.
    pub(crate) description: &'static str,
    /// The JSON schema of its arguments.
    pub(crate) schema: &'static str,
    /// Whether this editor can do it; one that cannot is not listed.
    pub(crate) offered: fn(&dyn Editor) -> bool,
    /// Reads the arguments and starts it.
    pub(crate) start: fn(&Arc<Context>, Option<&RawValue>) -> Result<Running, RpcError>,
}

/// All of them.
const TOOLS: &[Tool] = &[
    open_file::TOOL,
    open_files::TOOL,
    open_diff::TOOL,
    close_tab::TOOL,
    close_all_diff_tabs::TOOL,
    get_diagnostics::TOOL,
    get_current_selection::TOOL,
    get_latest_selection::TOOL,
    get_open_editors::TOOL,
    get_all_opened_file_paths::TOOL,
    get_workspace_folders::TOOL,
    check_document_dirty::TOOL,
    save_document::TOOL,
    reformat_file::TOOL,
    get_definition::TOOL,
    get_references::TOOL,
    get_hover::TOOL,
    get_symbols::TOOL,
    rename_symbol::TOOL,
    execute_code::TOOL,
];

/// The schema of a tool that takes nothing.
const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{},"additionalProperties":false}"#;

fn always(_: &dyn Editor) -> bool {
    true
}

/// The answer to `tools/list`.
pub(crate) fn list(context: &Context) -> Running {
    let editor = context.desk.editor_of(context.client);
    let offered = TOOLS.iter().filter(|tool| editor.as_ref().is_none_or(|editor| (tool.offered)(&**editor)));
    let tools: Vec<_> = offered
        .map(|tool| {
            let schema: Option<&RawValue> = serde_json::from_str(tool.schema).ok();
            json!({ "name": tool.name, "description": tool.description, "inputSchema": schema })
        })
        .collect();
    Running::json(json!({ "tools": tools }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'a> {
    #[serde(borrow)]
    progress_token: Option<&'a RawValue>,
}

/// `tools/call`.
pub(crate) fn call(context: &Arc<Context>, params: &Params<'_>) -> Result<Running, RpcError> {
    let name = params.get("name").and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
    let name = name.ok_or_else(|| RpcError::params("Invalid params: `name` must be the name of a tool"))?;
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| RpcError::params(format!("Unknown tool: {name}")))?;
    let started = (tool.start)(context, params.get("arguments").filter(|raw| raw.get() != "null"))?;
    Ok(match started {
        Running::Later(work, _) => Running::Later(work, progress_token(params)),
        now => now,
    })
}

fn progress_token(params: &Params<'_>) -> Option<Box<RawValue>> {
    let meta: Meta<'_> = serde_json::from_str(params.get("_meta")?.get()).ok()?;
    meta.progress_token.map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_an_object_schema() {
        for tool in TOOLS {
            let schema: serde_json::Value = serde_json::from_str(tool.schema).unwrap();
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert!(schema["properties"].is_object(), "{}", tool.name);
            for required in schema["required"].as_array().into_iter().flatten() {
                assert!(
                    schema["properties"][required.as_str().unwrap()].is_object(),
                    "{}: {required}",
                    tool.name
                );
            }
            assert!(!tool.description.is_empty(), "{}", tool.name);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 20);
    }
}
