//! `listFiles`: the files of the workspace, or those that match a glob.

use serde::Deserialize;

use super::super::answer::{Payload, Running};
use super::super::handler::Method;
use super::{failure, files, filing_editor};

pub(super) const METHOD: Method = Method {
    name: "listFiles",
    start: |context, params| {
        let args: Args = params.read()?;
        let editor = filing_editor(context)?;
        Ok(Running::later(async move {
            let listed = files(&*editor)?.list(args.pattern).await;
            let paths = listed.map_err(|error| failure("failed to list files", &error))?;
            Ok(Payload::Json(paths.into()))
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    pattern: Option<String>,
}
