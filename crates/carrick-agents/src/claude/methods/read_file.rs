//! `readFile`: the text of a file of the workspace.

use std::path::Path;

use serde::Deserialize;

use super::super::answer::{Payload, Running};
use super::super::handler::Method;
use super::{failure, files, filing_editor};

pub(super) const METHOD: Method = Method {
    name: "readFile",
    start: |context, params| {
        let args: Args = params.read()?;
        let editor = filing_editor(context)?;
        Ok(Running::later(async move {
            let read = files(&*editor)?.read(Path::new(&args.path)).await;
            let text = read.map_err(|error| failure("failed to read file", &error))?;
            Ok(Payload::Json(text.into()))
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    path: String,
}
