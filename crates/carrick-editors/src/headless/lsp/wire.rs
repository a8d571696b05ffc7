//! The words of the Language Server Protocol that are used here, and no others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use carrick_core::paths::{self, Host, WirePath};
use carrick_core::{Position, Range, Severity};
use serde::Deserialize;
use serde_json::{Value, json};

/// One message of a server, read.
#[derive(Debug, Deserialize)]
pub(super) struct Incoming {
    pub(super) id: Option<Value>,
    pub(super) method: Option<String>,
    #[serde(default)]
    pub(super) params: Value,
    #[serde(default)]
    pub(super) result: Value,
    pub(super) error: Option<WireError>,
}

/// Why a server would not.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct WireError {
    pub(super) code: i64,
    #[serde(default)]
    pub(super) message: String,
}

/// The server was disturbed and wants to be asked again.
pub(super) const ASK_AGAIN: [i64; 2] = [-32801, -32802];

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct WirePosition {
    line: u32,
    character: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct WireRange {
    start: WirePosition,
    end: WirePosition,
}

impl From<WireRange> for Range {
    fn from(range: WireRange) -> Self {
        let place = |at: WirePosition| Position::new(at.line, at.character);
        Self::new(place(range.start), place(range.end))
    }
}

pub(super) fn position(at: Position) -> Value {
    json!({ "line": at.line, "character": at.character })
}

/// The address of a file as servers want it.
pub(super) fn address(path: &Path) -> String {
    paths::encoded_uri(path, Host::Posix)
}

/// The file that a server means; `None` for what is no file, such as a page of its own.
pub(super) fn file(address: &str) -> Option<PathBuf> {
    let is_file = address.starts_with("file://");
    is_file
        .then(|| WirePath::parse_encoded(address, Host::Posix))
        .flatten()
        .map(|path| path.native(Host::Posix))
}

#[derive(Debug, Deserialize)]
pub(super) struct WireDiagnostic {
    pub(super) range: WireRange,
    pub(super) severity: Option<u8>,
    pub(super) code: Option<Value>,
    pub(super) source: Option<String>,
    #[serde(default)]
    pub(super) message: Value,
}

impl WireDiagnostic {
    pub(super) fn severity(&self) -> Severity {
        match self.severity {
            Some(2) => Severity::Warning,
            Some(3) => Severity::Info,
            Some(4) => Severity::Hint,
            _ => Severity::Error,
        }
    }

    pub(super) fn code(&self) -> Option<String> {
        match self.code.as_ref()? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

/// `textDocument/publishDiagnostics`.
#[derive(Debug, Deserialize)]
pub(super) struct Published {
    pub(super) uri: String,
    pub(super) version: Option<i64>,
    pub(super) diagnostics: Vec<WireDiagnostic>,
}

/// The answer to `textDocument/diagnostic`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pulled {
    pub(super) kind: String,
    pub(super) result_id: Option<String>,
    #[serde(default)]
    pub(super) items: Vec<WireDiagnostic>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextEdit {
    pub(super) range: WireRange,
    pub(super) new_text: String,
}

/// A change of many files, in the older or the newer form.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WorkspaceEdit {
    #[serde(default)]
    changes: BTreeMap<String, Vec<TextEdit>>,
    #[serde(default)]
    document_changes: Vec<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DocumentEdit {
    text_document: Named,
    edits: Vec<TextEdit>,
}

#[derive(Debug, Deserialize)]
struct Named {
    uri: String,
}

impl WorkspaceEdit {
    /// The edits by address. `None` when files would be made, moved or deleted, which we never said we can do.
    pub(super) fn by_file(self) -> Option<BTreeMap<String, Vec<TextEdit>>> {
        let mut all = self.changes;
        if !self.document_changes.is_empty() {
            all.clear();
        }
        for change in self.document_changes {
            let edit: DocumentEdit = serde_json::from_value(change).ok()?;
            all.entry(edit.text_document.uri).or_default().extend(edit.edits);
        }
        Some(all)
    }
}

/// A place, or a link to one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum WireLocation {
    #[serde(rename_all = "camelCase")]
    Link {
        target_uri: String,
        target_selection_range: WireRange,
    },
    Plain {
        uri: String,
        range: WireRange,
    },
}

impl WireLocation {
    pub(super) fn parts(&self) -> (&str, Range) {
        match self {
            Self::Link { target_uri, target_selection_range } => {
                (target_uri, (*target_selection_range).into())
            }
            Self::Plain { uri, range } => (uri, (*range).into()),
        }
    }
}

/// Nothing, one or many.
pub(super) fn one_or_many<T: serde::de::DeserializeOwned>(value: Value) -> Vec<T> {
    match value {
        Value::Array(all) => all.into_iter().filter_map(|one| serde_json::from_value(one).ok()).collect(),
        one => serde_json::from_value(one).into_iter().collect(),
    }
}

/// The text of a hover, whichever of its four forms it has.
pub(super) fn marked(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(marked).collect::<Vec<_>>().join("\n\n"),
        Value::Object(object) => object.get("value").map(marked).unwrap_or_default(),
        _ => String::new(),
    }
}

/// The protocol's numbers for kinds of names.
pub(super) fn kind(number: u64) -> &'static str {
    const KINDS: [&str; 26] = [
        "file",
        "module",
        "namespace",
        "package",
        "class",
        "method",
        "property",
        "field",
        "constructor",
        "enum",
        "interface",
        "function",
        "variable",
        "constant",
        "string",
        "number",
        "boolean",
        "array",
        "object",
        "key",
        "null",
        "enum member",
        "struct",
        "event",
        "operator",
        "type parameter",
    ];
    usize::try_from(number)
        .ok()
        .and_then(|number| KINDS.get(number.checked_sub(1)?))
        .copied()
        .unwrap_or("symbol")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_go_both_ways() {
        let path = Path::new("/home/me/a b/größe%20.py");
        assert_eq!(file(&address(path)).as_deref(), Some(path));
        assert_eq!(file("untitled:1"), None);
    }

    #[test]
    fn an_edit_that_makes_files_is_refused_and_both_forms_are_read() {
        let edit = json!({"range": {"start": {"line":0,"character":0}, "end": {"line":0,"character":1}}, "newText": "x"});
        let read = |value: Value| serde_json::from_value::<WorkspaceEdit>(value).unwrap().by_file();
        let old = read(json!({"changes": {"file:///a": [edit]}})).unwrap();
        let new = read(
            json!({"documentChanges": [{"textDocument": {"uri": "file:///a", "version": 1}, "edits": [edit]}]}),
        );
        assert_eq!((old.len(), new.unwrap().len()), (1, 1));
        assert!(read(json!({"documentChanges": [{"kind": "create", "uri": "file:///b"}]})).is_none());
    }
}
