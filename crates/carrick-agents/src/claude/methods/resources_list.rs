//! `resources/list`: the open files, as MCP resources.

use serde_json::{Value, json};

use super::super::answer::{Payload, Running};
use super::super::handler::Method;
use super::super::wire;
use super::failure;

pub(super) const METHOD: Method = Method {
    name: "resources/list",
    start: |context, _| {
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            let tabs =
                editor.tabs().await.map_err(|error| failure("failed to list the open files", &error))?;
            let resources = tabs.iter().map(|tab| {
                json!({ "uri": wire::uri(&context, &tab.path), "name": tab.label, "mimeType": "text/plain" })
            });
            Ok(Payload::Json(json!({ "resources": resources.collect::<Vec<Value>>() })))
        }))
    },
};
