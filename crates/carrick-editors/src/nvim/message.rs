//! msgpack-rpc: requests, answers and notifications as arrays, read from and written to bytes.

use std::io::Read;

use rmpv::Value;
use rmpv::decode::Error;

/// One message of Neovim.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// It wants an answer.
    Request {
        /// To be repeated in the answer.
        id: u32,
        /// What to do.
        method: String,
        /// With what.
        params: Vec<Value>,
    },
    /// The answer to one of our requests.
    Answer {
        /// Which one.
        id: u32,
        /// What came of it; an error as Neovim words it.
        outcome: Result<Value, String>,
    },
    /// It wants no answer.
    Notification {
        /// What happened.
        method: String,
        /// The particulars.
        params: Vec<Value>,
    },
}

/// Reads the next message; `None` at the end of the stream. What is no message is passed over: Neovim would do the
/// same with ours.
pub fn read(from: &mut impl Read) -> Option<Message> {
    loop {
        match rmpv::decode::read_value(from) {
            Ok(value) => match parse(value) {
                Some(message) => return Some(message),
                None => tracing::warn!("Neovim sent something that is no msgpack-rpc message"),
            },
            Err(Error::InvalidMarkerRead(error) | Error::InvalidDataRead(error)) => {
                tracing::debug!(%error, "the channel to Neovim ended");
                return None;
            }
            Err(error) => {
                tracing::warn!(%error, "what Neovim sends cannot be read");
                return None;
            }
        }
    }
}

fn parse(value: Value) -> Option<Message> {
    let Value::Array(parts) = value else { return None };
    let mut parts = parts.into_iter();
    match parts.next()?.as_u64()? {
        0 => {
            let id = id(&parts.next()?)?;
            Some(Message::Request { id, method: text(&parts.next()?), params: list(parts.next()?) })
        }
        1 => {
            let (id, error, result) = (id(&parts.next()?)?, parts.next()?, parts.next()?);
            let outcome = if error.is_nil() { Ok(result) } else { Err(words(&error)) };
            Some(Message::Answer { id, outcome })
        }
        2 => Some(Message::Notification { method: text(&parts.next()?), params: list(parts.next()?) }),
        _ => None,
    }
}

fn id(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|id| u32::try_from(id).ok())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: Value) -> Vec<Value> {
    if let Value::Array(items) = value { items } else { Vec::new() }
}

/// An error's own words. Neovim says `[kind, words]`, and around what a plug-in throws it puts its own: where it was
/// thrown and everything that was called.
fn words(error: &Value) -> String {
    let said = error.as_array().and_then(|parts| parts.get(1)).unwrap_or(error);
    let said = said.as_str().map_or_else(|| said.to_string(), str::to_owned);
    let said = said.split("\nstack traceback:").next().unwrap_or_default();
    let mut said = said.trim();
    for prefix in ["Error executing lua: ", "Lua: ", "Vim:"] {
        said = said.strip_prefix(prefix).unwrap_or(said);
    }
    said.to_owned()
}

/// A request as bytes.
#[must_use]
pub fn request(id: u32, method: &str, params: Vec<Value>) -> Vec<u8> {
    bytes(vec![0.into(), id.into(), method.into(), Value::Array(params)])
}

/// An answer as bytes.
#[must_use]
pub fn answer(id: u32, outcome: Result<Value, String>) -> Vec<u8> {
    let (error, result) = match outcome {
        Ok(result) => (Value::Nil, result),
        Err(words) => (words.into(), Value::Nil),
    };
    bytes(vec![1.into(), id.into(), error, result])
}

fn bytes(parts: Vec<Value>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing into memory fails only for want of it.
    let _ = rmpv::encode::write_value(&mut bytes, &Value::Array(parts));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_survive_the_wire() {
        let asked = request(7, "nvim_eval", vec!["1".into()]);
        let expected = Message::Request { id: 7, method: "nvim_eval".into(), params: vec!["1".into()] };
        assert_eq!(read(&mut asked.as_slice()), Some(expected));
        let failed = answer(8, Err("no".into()));
        assert_eq!(read(&mut failed.as_slice()), Some(Message::Answer { id: 8, outcome: Err("no".into()) }));
    }

    #[test]
    fn what_is_no_message_is_passed_over() {
        let mut both = bytes(vec![9.into()]);
        both.extend(answer(1, Ok(true.into())));
        assert_eq!(read(&mut both.as_slice()), Some(Message::Answer { id: 1, outcome: Ok(true.into()) }));
    }

    #[test]
    fn an_error_is_told_in_its_own_words() {
        let thrown = "Lua: no such window\nstack traceback:\n\t[C]: in function 'error'";
        let error = Value::Array(vec![0.into(), thrown.into()]);
        assert_eq!(words(&error), "no such window");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&mut bytes.as_slice());
        }
    }
}
