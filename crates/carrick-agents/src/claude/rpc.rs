//! JSON-RPC 2.0 as it comes and goes: one message in, at most one answer out.
//!
//! Reading borrows from the message and copies nothing; ids stay the JSON that they were, so that 0, strings and
//! numbers beyond 2^53 come back as they went. Nothing a peer sends can make this panic or recurse.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::params::Params;

/// Nesting beyond which a message is refused unread. No message of the protocol comes near it.
const MAX_DEPTH: usize = 64;

/// Every error code that this door can answer with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Not JSON.
    ParseError = -32700,
    /// JSON, but not a request.
    InvalidRequest = -32600,
    /// No such method, or one that the editor behind cannot do.
    MethodNotFound = -32601,
    /// The method is right and the arguments are not.
    InvalidParams = -32602,
    /// It should have worked.
    Internal = -32603,
    /// The client asked and then cancelled.
    Cancelled = -32800,
    /// There is no such resource (MCP).
    NoResource = -32002,
}

/// An error answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RpcError {
    pub(crate) code: Code,
    pub(crate) message: Cow<'static, str>,
}

impl RpcError {
    pub(crate) fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into() }
    }

    pub(crate) fn params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidParams, message)
    }
}

/// A message that was understood, or the error to answer with and the id to answer to (`null` when unknown).
#[derive(Debug)]
pub(crate) enum Incoming<'a> {
    Request {
        id: Id,
        method: Cow<'a, str>,
        params: Params<'a>,
    },
    Notification {
        method: Cow<'a, str>,
        params: Params<'a>,
    },
    /// An answer to something that we asked; only the id matters.
    Response {
        id: Id,
    },
    Invalid {
        id: Id,
        error: RpcError,
    },
}

impl Incoming<'_> {
    /// A few words for a log: the method, the tool, or what is answered.
    pub(crate) fn what(&self) -> String {
        match self {
            Self::Request { method, params, .. } | Self::Notification { method, params } => {
                let tool = params.get("name").filter(|_| method == "tools/call");
                tool.map_or_else(
                    || method.to_string(),
                    |tool| format!("{method} {}", tool.get().trim_matches('"')),
                )
            }
            Self::Response { id } => format!("answer to {}", id.json()),
            Self::Invalid { error, .. } => error.message.to_string(),
        }
    }
}

/// A request id, as the JSON that it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(Box<str>);

impl Id {
    pub(crate) fn null() -> Self {
        Self("null".into())
    }

    pub(crate) fn from_json(json: &str) -> Self {
        Self(json.into())
    }

    fn read(raw: &RawValue) -> Option<Self> {
        let json = raw.get();
        json.starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
            .then(|| Self(json.into()))
    }

    pub(crate) fn json(&self) -> &str {
        &self.0
    }
}

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Params<'a>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Unlike a plain `Option`, tells `"id": null` from no id at all.
fn present<'de, D: Deserializer<'de>>(field: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(field).map(Some)
}

/// Reads one message.
pub(crate) fn read(text: &str) -> Incoming<'_> {
    let invalid = |code, message: &'static str| Incoming::Invalid {
        id: Id::null(),
        error: RpcError::new(code, message),
    };
    if depth_exceeds(text.as_bytes(), MAX_DEPTH) {
        return invalid(Code::InvalidRequest, "Invalid request: nested too deeply");
    }
    match serde_json::from_str::<Frame<'_>>(text) {
        // serde would also take a list of the fields' values for the object.
        Ok(_) | Err(_) if is_list(text) && serde_json::from_str::<IgnoredAny>(text).is_ok() => {
            invalid(Code::InvalidRequest, "Invalid request: batches are not supported")
        }
        Ok(frame) => classify(frame),
        Err(error) if error.is_data() => {
            invalid(Code::InvalidRequest, "Invalid request: not a JSON-RPC object")
        }
        Err(_) => invalid(Code::ParseError, "Parse error: not JSON"),
    }
}

fn classify(frame: Frame<'_>) -> Incoming<'_> {
    let id = frame.id.map(Id::read);
    let refuse = |message: &'static str| {
        let id = id.clone().flatten().unwrap_or_else(Id::null);
        Incoming::Invalid { id, error: RpcError::new(Code::InvalidRequest, message) }
    };
    if frame.jsonrpc.is_none_or(|version| version.get() != "\"2.0\"") {
        return refuse("Invalid request: jsonrpc must be \"2.0\"");
    }
    if matches!(id, Some(None)) {
        return refuse("Invalid request: id must be a string or a number");
    }
    let Some(method) = frame.method else {
        let answered = frame.result.or(frame.error).is_some();
        return match id.clone().flatten() {
            Some(id) if answered => Incoming::Response { id },
            _ => refuse("Invalid request: no method"),
        };
    };
    let Ok(BorrowedText(method)) = serde_json::from_str(method.get()) else {
        return refuse("Invalid request: method must be a string");
    };
    if matches!(frame.params, Params::Other) {
        return refuse("Invalid request: params must be an object");
    }
    let params = frame.params;
    match id.flatten() {
        Some(id) => Incoming::Request { id, method, params },
        None => Incoming::Notification { method, params },
    }
}

fn is_list(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// Text that is borrowed when it has no escapes: method names never do.
#[derive(Deserialize)]
struct BorrowedText<'a>(#[serde(borrow)] Cow<'a, str>);

/// True when brackets outside strings nest deeper than `limit`. Strings, where the bulk of a large message is, are
/// skipped by `memchr` and not looked at byte by byte.
fn depth_exceeds(json: &[u8], limit: usize) -> bool {
    let mut depth = 0_usize;
    let mut rest = json;
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        match first {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => rest = after_string(rest),
            _ => {}
        }
        if depth > limit {
            return true;
        }
    }
    false
}

fn after_string(mut rest: &[u8]) -> &[u8] {
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        let skip = if rest.get(at) == Some(&b'"') { 1 } else { 2 };
        rest = rest.get(at + skip..).unwrap_or_default();
        if skip == 1 {
            return rest;
        }
    }
    &[]
}

#[derive(Serialize)]
struct Success<'a, R> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: R,
}

#[derive(Serialize)]
struct Failure<'a> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    error: ErrorObject<'a>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    code: i32,
    message: &'a str,
}

#[derive(Serialize)]
struct Outgoing<'a, P> {
    jsonrpc: &'static str,
    method: &'a str,
    params: P,
}

/// The one answer to a request.
pub(crate) fn reply<R: Serialize>(id: &Id, outcome: Result<R, RpcError>) -> String {
    let Ok(raw) = serde_json::from_str::<&RawValue>(id.json()) else { return failure_of_last_resort() };
    let written = match outcome {
        Ok(result) => serde_json::to_string(&Success { jsonrpc: "2.0", id: raw, result }),
        Err(error) => {
            let error = ErrorObject { code: error.code as i32, message: &error.message };
            serde_json::to_string(&Failure { jsonrpc: "2.0", id: raw, error })
        }
    };
    written.unwrap_or_else(|_| failure_of_last_resort())
}

/// A message that wants no answer.
pub(crate) fn notification<P: Serialize>(method: &str, params: P) -> String {
    serde_json::to_string(&Outgoing { jsonrpc: "2.0", method, params })
        .unwrap_or_else(|_| failure_of_last_resort())
}

fn failure_of_last_resort() -> String {
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}"#.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn code(text: &str) -> i32 {
        match read(text) {
            Incoming::Invalid { error, .. } => error.code as i32,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ids_of_any_kind_come_back_as_they_were() {
        for id in ["0", "\"a b\"", "9007199254740993", "-1", "1.5"] {
            let text = format!(r#"{{"method":"ping","jsonrpc":"2.0","id":{id}}}"#);
            let Incoming::Request { id: read_id, method, .. } = read(&text) else { panic!("{text}") };
            assert_eq!(method, "ping");
            assert_eq!(
                reply(&read_id, Ok(serde_json::json!({}))),
                format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
            );
        }
    }

    #[test]
    fn bad_messages_have_their_codes() {
        assert_eq!(code("nonsense"), -32700);
        assert_eq!(code("{\"jsonrpc\":"), -32700);
        assert_eq!(code("[]"), -32600);
        assert_eq!(code("null"), -32600);
        assert_eq!(code("7"), -32600);
        assert_eq!(code(r#"{"id":1,"method":"ping"}"#), -32600);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#), -32600);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#), -32600);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":5}"#), -32600);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"x","params":5}"#), -32600);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1}"#), -32600);
        assert_eq!(code(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000))), -32600);
    }

    #[test]
    fn a_refused_request_keeps_its_id() {
        let Incoming::Invalid { id, .. } = read(r#"{"jsonrpc":"1.0","id":"q","method":"x"}"#) else {
            panic!()
        };
        assert_eq!(id.json(), "\"q\"");
    }

    #[test]
    fn brackets_inside_strings_do_not_nest() {
        let text = format!(r#"{{"jsonrpc":"2.0","method":"x","params":{{"t":"\"{}\\"}}}}"#, "[".repeat(500));
        assert!(matches!(read(&text), Incoming::Notification { .. }), "{text}");
    }

    #[test]
    fn answers_and_null_params_are_recognised() {
        assert!(matches!(read(r#"{"jsonrpc":"2.0","id":"p","result":{}}"#), Incoming::Response { .. }));
        let Incoming::Notification { params, .. } = read(r#"{"jsonrpc":"2.0","method":"x","params":null}"#)
        else {
            panic!()
        };
        assert!(matches!(params, Params::None));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(text in "[\\[\\]{}\",:0-9a-z\\\\ ]{0,80}") {
            let _ = read(&text);
        }

        #[test]
        fn depth_agrees_with_a_slow_count(value in arb_json()) {
            let text = value.to_string();
            let depth = slow_depth(&value);
            prop_assert!(!depth_exceeds(text.as_bytes(), depth));
            prop_assert!(depth == 0 || depth_exceeds(text.as_bytes(), depth - 1));
        }
    }

    fn arb_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            any::<i32>().prop_map(Into::into),
            "[\\[{\\\\\"a]{0,6}".prop_map(serde_json::Value::from)
        ];
        leaf.prop_recursive(5, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
                prop::collection::btree_map("[a-z\"{]{1,3}", inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn slow_depth(value: &serde_json::Value) -> usize {
        match value {
            serde_json::Value::Array(items) => 1 + items.iter().map(slow_depth).max().unwrap_or(0),
            serde_json::Value::Object(map) => 1 + map.values().map(slow_depth).max().unwrap_or(0),
            _ => 0,
        }
    }
}
