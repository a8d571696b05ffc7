//! `getWorkspaceInfo`: what the workspace is called, where it is and how large.

use carrick_core::paths;
use serde_json::json;

use super::super::answer::{Payload, Running};
use super::super::handler::Method;
use super::{failure, files, filing_editor};

pub(super) const METHOD: Method = Method {
    name: "getWorkspaceInfo",
    start: |context, _| {
        let (editor, context) = (filing_editor(context)?, context.clone());
        Ok(Running::later(async move {
            let asked = files(&*editor)?.info().await;
            let info = asked.map_err(|error| failure("failed to read the workspace", &error))?;
            let kind = if info.is_vault { "obsidian-vault" } else { context.dialect.workspace_type };
            let path = paths::on_the_wire(&info.path, context.host);
            Ok(Payload::Json(
                json!({ "name": info.name, "path": path, "fileCount": info.file_count, "type": kind }),
            ))
        }))
    },
};
