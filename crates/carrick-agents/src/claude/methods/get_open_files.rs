//! `getOpenFiles`: the paths of the open files.

use super::super::answer::{Payload, Running};
use super::super::handler::Method;
use super::super::wire;
use super::failure;

pub(super) const METHOD: Method = Method {
    name: "getOpenFiles",
    start: |context, _| {
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            let tabs =
                editor.tabs().await.map_err(|error| failure("failed to list the open files", &error))?;
            let paths: Vec<String> = tabs.iter().map(|tab| wire::path_text(&context, &tab.path)).collect();
            Ok(Payload::Json(paths.into()))
        }))
    },
};
