//! `writeFile`: replaces or creates a file of the workspace, all or nothing.

use std::path::Path;

use serde::Deserialize;
use serde_json::json;

use super::super::answer::{Payload, Running};
use super::super::handler::Method;
use super::{failure, files, filing_editor};

pub(super) const METHOD: Method = Method {
    name: "writeFile",
    start: |context, params| {
        let args: Args = params.read()?;
        let editor = filing_editor(context)?;
        Ok(Running::later(async move {
            let written = files(&*editor)?.write(Path::new(&args.path), args.content).await;
            written.map_err(|error| failure("failed to write file", &error))?;
            Ok(Payload::Json(json!({ "success": true })))
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    path: String,
    content: String,
}
