//! `getWorkspaceFolders`: the folders of the workspace, the main one first.

use std::path::Path;

use carrick_core::paths;
use serde_json::{Value, json};

use super::super::answer::{Context, ToolAnswer};
use super::super::dialect::Folders;
use super::super::params::arguments;
use super::super::wire;
use super::{NO_ARGUMENTS, Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "getWorkspaceFolders",
    description: "List the folders of the workspace",
    schema: NO_ARGUMENTS,
    offered: always,
    start: |context, raw| {
        let _: serde::de::IgnoredAny = arguments(raw)?;
        let folders = context.desk.folders();
        let root = folders.first().map(|folder| paths::on_the_wire(folder, context.host));
        Ok(match context.dialect.folders {
            Folders::Objects => {
                let folders: Vec<Value> = folders.iter().map(|folder| object(context, folder)).collect();
                ToolAnswer::json(&json!({ "success": true, "folders": folders, "rootPath": root }))
            }
            Folders::Strings => {
                let folders: Vec<String> =
                    folders.iter().map(|folder| paths::on_the_wire(folder, context.host)).collect();
                ToolAnswer::json(&json!({ "folders": folders, "rootPath": root }))
            }
        }
        .into())
    },
};

fn object(context: &Context, folder: &Path) -> Value {
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
    json!({ "name": name, "uri": wire::uri(context, folder), "path": paths::on_the_wire(folder, context.host) })
}
