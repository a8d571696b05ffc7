//! `getCurrentFile`: the path of the file that has the focus, or `null`.

use super::super::answer::{Payload, Running};
use super::super::handler::Method;
use super::super::wire;
use super::failure;

pub(super) const METHOD: Method = Method {
    name: "getCurrentFile",
    start: |context, _| {
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            let tabs =
                editor.tabs().await.map_err(|error| failure("failed to find the current file", &error))?;
            let active = tabs.iter().find(|tab| tab.is_active);
            Ok(Payload::Json(active.map(|tab| wire::path_text(&context, &tab.path)).into()))
        }))
    },
};
