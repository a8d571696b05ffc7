//! Bodies to JSON-RPC 2.0 messages and back; the error codes of the link stand here and nowhere else.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

/// Why a request failed, as a number that programs compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum Code {
    /// The body is not JSON.
    Parse = -32700,
    /// It is JSON, but not a JSON-RPC message.
    InvalidRequest = -32600,
    /// There is no such method.
    MethodNotFound = -32601,
    /// The method does not take these parameters.
    InvalidParams = -32602,
    /// The host failed.
    Internal = -32603,
    /// The desk or the editor says no; the message is for the person.
    Refused = -32000,
    /// The two sides speak different versions of the link.
    Version = -32001,
    /// Something was asked before `hello`.
    HelloFirst = -32002,
}

/// An error as it goes over the link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct RpcError {
    /// See [`Code`].
    pub code: i64,
    /// What happened, for a person.
    pub message: String,
    /// What to do next, when there is something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Advice>,
}

/// What comes with an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// What to do next, for a person.
    pub hint: String,
}

impl RpcError {
    /// An error with its words.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code: code as i64, message: message.into(), data: None }
    }

    /// The same with advice.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { data: Some(Advice { hint: hint.into() }), ..self }
    }
}

/// One message, read.
#[derive(Debug, PartialEq)]
pub enum Message {
    /// It wants an answer.
    Request {
        /// To be repeated in the answer, as it is.
        id: Value,
        /// What to do.
        method: String,
        /// With what.
        params: Value,
    },
    /// It wants none.
    Notification {
        /// What happened.
        method: String,
        /// The particulars.
        params: Value,
    },
    /// The answer to one of our requests.
    Answer {
        /// Which one.
        id: Value,
        /// What came of it.
        outcome: Result<Value, RpcError>,
    },
}

/// A body that is no message: the id to answer under (null when there is none) and why.
pub type Unreadable = (Value, RpcError);

/// Reads one body.
///
/// # Errors
/// It is not JSON, or not JSON-RPC 2.0. Batches are not part of the link.
pub fn read(body: &[u8]) -> Result<Message, Box<Unreadable>> {
    let refuse = |id, code, words: &str| Box::new((id, RpcError::new(code, words)));
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| refuse(Value::Null, Code::Parse, &format!("not JSON: {error}")))?;
    let Value::Object(mut object) = value else {
        return Err(refuse(Value::Null, Code::InvalidRequest, "a message is one JSON object"));
    };
    let id = object.remove("id").filter(|id| id.is_string() || id.is_number());
    let named = id.clone().unwrap_or(Value::Null);
    if object.get("jsonrpc") != Some(&json!("2.0")) {
        return Err(refuse(named, Code::InvalidRequest, "\"jsonrpc\" must be \"2.0\""));
    }
    let method = object.remove("method");
    match (method, id) {
        (Some(Value::String(method)), Some(id)) => {
            Ok(Message::Request { id, method, params: params(object) })
        }
        (Some(Value::String(method)), None) => Ok(Message::Notification { method, params: params(object) }),
        (None, Some(id)) => answer(id, object),
        _ => Err(refuse(named, Code::InvalidRequest, "\"method\" must be a string")),
    }
}

fn params(mut object: Map<String, Value>) -> Value {
    object.remove("params").unwrap_or_else(|| json!({}))
}

fn answer(id: Value, mut object: Map<String, Value>) -> Result<Message, Box<Unreadable>> {
    let broken = || RpcError::new(Code::InvalidRequest, "neither a request nor an answer");
    let outcome = match (object.remove("result"), object.remove("error")) {
        (Some(result), None) => Ok(result),
        (None, Some(error)) => Err(serde_json::from_value(error).unwrap_or_else(|_| broken())),
        _ => return Err(Box::new((id, broken()))),
    };
    Ok(Message::Answer { id, outcome })
}

/// A request as bytes.
///
/// # Errors
/// The parameters cannot be written as JSON, such as a path that is not UTF-8.
pub fn request(id: u64, method: &str, params: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct Request<'a, P> {
        jsonrpc: &'a str,
        id: u64,
        method: &'a str,
        params: &'a P,
    }
    serde_json::to_vec(&Request { jsonrpc: "2.0", id, method, params })
}

/// A notification as bytes.
///
/// # Errors
/// As for [`request`].
pub fn notification(method: &str, params: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct Notification<'a, P> {
        jsonrpc: &'a str,
        method: &'a str,
        params: &'a P,
    }
    serde_json::to_vec(&Notification { jsonrpc: "2.0", method, params })
}

/// An answer as bytes.
#[must_use]
pub fn reply(id: &Value, outcome: Result<Value, RpcError>) -> Vec<u8> {
    let message = match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(error) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
    };
    // `Display` of a `Value` cannot fail, unlike the general writer.
    message.to_string().into_bytes()
}

/// Reads the parameters of a method; the error names what does not fit.
///
/// # Errors
/// They do not fit.
pub fn parameters<P: DeserializeOwned>(params: Value) -> Result<P, RpcError> {
    serde_json::from_value(params).map_err(|error| RpcError::new(Code::InvalidParams, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn code_of(body: &str) -> (Value, i64) {
        let (id, error) = *read(body.as_bytes()).unwrap_err();
        (id, error.code)
    }

    #[test]
    fn what_is_not_a_message_gets_the_right_code() {
        assert_eq!(code_of("{"), (Value::Null, -32700));
        assert_eq!(code_of("[]"), (Value::Null, -32600));
        assert_eq!(code_of("null"), (Value::Null, -32600));
        assert_eq!(code_of(r#"{"id":3,"method":"x"}"#), (json!(3), -32600));
        assert_eq!(code_of(r#"{"jsonrpc":"2.0","id":"a","method":7}"#), (json!("a"), -32600));
        assert_eq!(code_of(r#"{"jsonrpc":"2.0","id":4}"#), (json!(4), -32600));
        assert_eq!(code_of(&"[".repeat(100_000)), (Value::Null, -32700));
    }

    #[test]
    fn requests_notifications_and_answers_are_told_apart() {
        let request = request(0, "status", &json!({})).unwrap();
        let expected = Message::Request { id: json!(0), method: "status".into(), params: json!({}) };
        assert_eq!(read(&request), Ok(expected));
        let note = notification("event", &json!({"kind": "x"})).unwrap();
        assert!(matches!(read(&note), Ok(Message::Notification { .. })));
        let error = RpcError::new(Code::Refused, "no").with_hint("ask again");
        let answer = reply(&json!("a"), Err(error.clone()));
        assert_eq!(read(&answer), Ok(Message::Answer { id: json!("a"), outcome: Err(error) }));
    }

    proptest! {
        #[test]
        fn no_body_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }
    }
}
