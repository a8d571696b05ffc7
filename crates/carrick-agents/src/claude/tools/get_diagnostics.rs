//! `getDiagnostics`: what is wrong with one file, or with all that are known.
//!
//! The CLI compares addresses letter by letter, so a file that was asked for is answered under the address as it
//! was asked, percent signs and all.

use std::path::PathBuf;

use carrick_core::{Editor, FileDiagnostics, paths::WirePath};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::answer::{Context, Payload, Running, ToolAnswer};
use super::super::dialect::{Dialect, Grouping, NoUri};
use super::super::params::arguments;
use super::super::rpc::RpcError;
use super::super::wire;
use super::{Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "getDiagnostics",
    description: "Get language diagnostics (errors and warnings) from the editor",
    schema: r#"{"type":"object","properties":{
        "uri":{"type":"string","description":"Address of a file; left out: every file that is known"}
        },"additionalProperties":false}"#,
    offered: always,
    start: |context, raw| {
        let args: Args = arguments(raw)?;
        let asked = asked(context, args.uri)?;
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            let path = asked.as_ref().map(|(_, path)| path.clone());
            let files = match collect(&*editor, path).await {
                Ok(files) => files,
                Err(answer) => return Ok(Payload::Tool(answer)),
            };
            Ok(Payload::Tool(answer(&context, asked.map(|(uri, _)| uri), files)))
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    uri: Option<String>,
}

/// The address as it was asked and the file it means.
fn asked(context: &Context, uri: Option<String>) -> Result<Option<(String, PathBuf)>, RpcError> {
    let Some(uri) = uri else {
        let current = (context.dialect.no_uri == NoUri::CurrentFile)
            .then(|| context.desk.selection_for(context.client));
        return Ok(current
            .flatten()
            .map(|selection| (wire::uri(context, &selection.path), selection.path.clone())));
    };
    let path = read_uri(context, &uri)?;
    Ok(Some((uri, path)))
}

/// The CLI writes addresses raw, others encode them: a percent sign is taken as it stands when such a tab or path
/// can exist, which only the editor knows; here the raw reading wins unless it is plainly an encoded one.
fn read_uri(context: &Context, uri: &str) -> Result<PathBuf, RpcError> {
    let looks_encoded = uri.starts_with("file://") && uri.contains("%20") && !uri.contains(' ');
    let decoded = looks_encoded.then(|| WirePath::parse_encoded(uri, context.host)).flatten();
    match decoded {
        Some(path) => Ok(path.native(context.host)),
        None => wire::read_path(context, "uri", uri),
    }
}

async fn collect(editor: &dyn Editor, path: Option<PathBuf>) -> Result<Vec<FileDiagnostics>, ToolAnswer> {
    match editor.diagnose() {
        Some(able) => able.diagnostics(path).await.map_err(ToolAnswer::from),
        None => Ok(Vec::new()),
    }
}

fn answer(context: &Context, asked: Option<String>, files: Vec<FileDiagnostics>) -> ToolAnswer {
    let mut files: Vec<FileDiagnostics> =
        files.into_iter().filter(|file| !context.desk.private().covers(&file.path)).collect();
    let groups: Vec<(String, FileDiagnostics)> = match asked {
        // Exactly one group, empty when all is well: the CLI needs it as its baseline.
        Some(uri) => {
            let file = files
                .pop()
                .unwrap_or_else(|| FileDiagnostics { path: PathBuf::new(), diagnostics: Vec::new() });
            vec![(uri, file)]
        }
        None => files.into_iter().map(|file| (wire::uri(context, &file.path), file)).collect(),
    };
    ToolAnswer::json(&match context.dialect.diagnostics {
        Grouping::ByFile => groups
            .iter()
            .map(|(uri, file)| json!({"uri": uri, "diagnostics": list(&context.dialect, file)}))
            .collect(),
        Grouping::Flat => {
            groups.iter().flat_map(|(_, file)| list(&context.dialect, file)).collect::<Vec<Value>>()
        }
    })
}

/// The diagnostics of one file as they are written.
pub(crate) fn list(dialect: &Dialect, file: &FileDiagnostics) -> Vec<Value> {
    let written = file.diagnostics.iter().map(|diagnostic| {
        let mut value = json!({
            "message": diagnostic.message,
            "severity": dialect.severity(diagnostic.severity),
            "range": wire::range(diagnostic.range),
        });
        for (key, text) in [("source", &diagnostic.source), ("code", &diagnostic.code)] {
            if let (Some(text), Some(object)) = (text, value.as_object_mut()) {
                object.insert(key.into(), text.clone().into());
            }
        }
        value
    });
    written.collect()
}
