//! The pieces that several answers share: paths, positions and selections as they are written on the wire.

use std::path::{Path, PathBuf};

use carrick_core::{Position, Range, Selection, paths, paths::WirePath};
use serde_json::{Value, json};

use super::answer::Context;
use super::dialect::PathForm;
use super::rpc::RpcError;

/// A path that a client wrote, in any of the forms of the protocol, as this machine has it.
pub(crate) fn read_path(context: &Context, name: &str, text: &str) -> Result<PathBuf, RpcError> {
    let path = WirePath::parse(text, context.host).map(|path| path.native(context.host));
    path.ok_or_else(|| {
        RpcError::params(format!("Invalid params: argument `{name}`: not an absolute path: {text:?}"))
    })
}

/// A path in an answer, as the dialect writes it.
pub(crate) fn path_text(context: &Context, path: &Path) -> String {
    if context.dialect.paths == PathForm::Relative {
        let folders = context.desk.folders();
        if let Some(inside) = folders.iter().find_map(|folder| path.strip_prefix(folder).ok()) {
            return inside.to_string_lossy().replace('\\', "/");
        }
    }
    paths::on_the_wire(path, context.host)
}

/// The raw `file://` address of a path.
pub(crate) fn uri(context: &Context, path: &Path) -> String {
    paths::raw_uri(path, context.host)
}

/// True when an address that a client wrote, raw or percent-encoded, names this file.
pub(crate) fn is_uri_of(context: &Context, asked: &str, path: &Path) -> bool {
    asked == paths::raw_uri(path, context.host) || asked == paths::encoded_uri(path, context.host)
}

pub(crate) fn position(position: Position) -> Value {
    json!({ "line": position.line, "character": position.character })
}

pub(crate) fn range(range: Range) -> Value {
    json!({ "start": position(range.start), "end": position(range.end) })
}

/// A range with the flag that selections carry.
pub(crate) fn selected(range: Range) -> Value {
    json!({ "start": position(range.start), "end": position(range.end), "isEmpty": range.is_empty() })
}

/// The answer of the two selection tools.
pub(crate) fn selection(context: &Context, found: Option<&Selection>, none: &str) -> Value {
    let Some(selection) = found else { return json!({ "success": false, "message": none }) };
    json!({
        "success": true,
        "text": &*selection.text,
        "filePath": path_text(context, &selection.path),
        "fileUrl": uri(context, &selection.path),
        "selection": selected(selection.range),
    })
}
