//! The shapes of the contract (docs/neovim-rpc.md), as the plug-in sends them.

use std::path::PathBuf;

use rmpv::Value;
use serde::Deserialize;

/// A place: line from 0, column in bytes from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Spot {
    #[serde(default)]
    pub(super) line: u32,
    #[serde(default)]
    pub(super) byte: u32,
}

/// A span with the text of its first and its last line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Stretch {
    pub(super) start: Spot,
    pub(super) end: Spot,
    #[serde(default, alias = "start_line_text")]
    pub(super) start_text_of_line: String,
    #[serde(default, alias = "end_line_text")]
    pub(super) end_text_of_line: String,
}

/// The answer to `hello`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Hello {
    #[serde(default)]
    pub(super) version: String,
    #[serde(default)]
    pub(super) contract: Option<u32>,
    pub(super) nvim: String,
    pub(super) pid: u32,
    pub(super) cwd: PathBuf,
    #[serde(default)]
    pub(super) folders: Vec<PathBuf>,
}

/// The answer to `open`.
#[derive(Debug, Deserialize)]
pub(super) struct Opened {
    pub(super) path: PathBuf,
    #[serde(default)]
    pub(super) language: String,
    #[serde(default)]
    pub(super) line_count: u32,
    #[serde(default)]
    pub(super) selected: Option<Stretch>,
    #[serde(default)]
    pub(super) start_missing: bool,
    #[serde(default)]
    pub(super) end_missing: bool,
}

/// One of the answer to `tabs`.
#[derive(Debug, Deserialize)]
pub(super) struct Tab {
    pub(super) path: PathBuf,
    #[serde(default)]
    pub(super) label: String,
    #[serde(default)]
    pub(super) language: String,
    #[serde(default)]
    pub(super) line_count: u32,
    #[serde(default)]
    pub(super) is_active: bool,
    #[serde(default)]
    pub(super) is_dirty: bool,
    #[serde(default)]
    pub(super) is_pinned: bool,
    #[serde(default)]
    pub(super) is_preview: bool,
    #[serde(default)]
    pub(super) is_untitled: bool,
    #[serde(default)]
    pub(super) group: u32,
    #[serde(default)]
    pub(super) is_group_active: bool,
    #[serde(default)]
    pub(super) selection: Option<Stretch>,
}

/// The answer to `dirty`.
#[derive(Debug, Deserialize)]
pub(super) struct Dirty {
    pub(super) is_dirty: bool,
    #[serde(default)]
    pub(super) is_untitled: bool,
}

/// The answer to `content`.
#[derive(Debug, Deserialize)]
pub(super) struct Content {
    pub(super) kind: Kind,
    #[serde(default)]
    pub(super) text: Option<String>,
}

/// What stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum Kind {
    Text,
    Missing,
    Binary,
}

// By hand: msgpack's own way to write an enum is a number.
impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        match word.as_str() {
            "text" => Ok(Self::Text),
            "missing" => Ok(Self::Missing),
            "binary" => Ok(Self::Binary),
            _ => Err(format!("there is no kind `{word}`")),
        }
    }
}

/// One of the answer to `diagnostics`.
#[derive(Debug, Deserialize)]
pub(super) struct File {
    pub(super) path: PathBuf,
    #[serde(default)]
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// One thing that is wrong.
#[derive(Debug, Deserialize)]
pub(super) struct Diagnostic {
    pub(super) message: String,
    #[serde(default)]
    pub(super) severity: Option<u8>,
    pub(super) line: u32,
    #[serde(default)]
    pub(super) byte: u32,
    #[serde(default)]
    pub(super) end_line: Option<u32>,
    #[serde(default)]
    pub(super) end_byte: Option<u32>,
    #[serde(default)]
    pub(super) line_text: String,
    #[serde(default)]
    pub(super) end_line_text: String,
    #[serde(default)]
    pub(super) source: Option<String>,
    /// A number or a word.
    #[serde(default)]
    pub(super) code: Option<Code>,
}

/// A rule's name or number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Code {
    Word(String),
    Number(i64),
    Fraction(f64),
}

/// The answer to `format`.
#[derive(Debug, Deserialize)]
pub(super) struct Formatted {
    #[serde(default)]
    pub(super) text: Option<String>,
    #[serde(default)]
    pub(super) error: Option<String>,
}

/// The answer to `can`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Can {
    #[serde(default)]
    pub(super) format: bool,
}

/// Arguments, by name. What is `None` is left out.
pub(super) fn args<const N: usize>(pairs: [(&str, Option<Value>); N]) -> Value {
    let given = pairs.into_iter().filter_map(|(name, value)| value.map(|value| (Value::from(name), value)));
    Value::Map(given.collect())
}

/// A path as Lua's strings have it: bytes.
pub(super) fn path(path: &std::path::Path) -> Value {
    use std::os::unix::ffi::OsStrExt;
    match path.to_str() {
        Some(text) => text.into(),
        None => Value::Binary(path.as_os_str().as_bytes().to_vec()),
    }
}
