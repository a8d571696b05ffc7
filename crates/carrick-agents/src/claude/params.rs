//! The `params` of a message: its members, found in the same pass that reads the message around them.
//!
//! A proposed file of several megabytes stands in one member. Reading the members apart means that nobody has to
//! walk over it again just to find where it ends.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::rpc::RpcError;

/// What stands under `params`.
#[derive(Debug, Default)]
pub(crate) enum Params<'a> {
    /// Nothing, or `null`.
    #[default]
    None,
    /// An object.
    Members(Vec<(Cow<'a, str>, &'a RawValue)>),
    /// A list: JSON-RPC allows it, no method here takes it.
    List,
    /// Something that JSON-RPC does not allow.
    Other,
}

impl<'a> Params<'a> {
    /// One member, unread.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let Self::Members(members) = self else { return None };
        members.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// All of them, as the arguments of a method.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, RpcError> {
        let members = match self {
            Self::Members(members) => members.as_slice(),
            Self::None => &[],
            Self::List | Self::Other => return Err(not_an_object()),
        };
        let members = members.iter().map(|(key, value)| (key.as_ref(), *value));
        serde_path_to_error::deserialize(MapDeserializer::new(members)).map_err(|error| misfit(&error))
    }
}

/// Reads the arguments of a tool; the error names the argument that does not fit.
pub(crate) fn arguments<T: DeserializeOwned>(raw: Option<&RawValue>) -> Result<T, RpcError> {
    let json = raw.map_or("{}", RawValue::get);
    if !json.starts_with('{') {
        return Err(not_an_object());
    }
    let mut reader = serde_json::Deserializer::from_str(json);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| misfit(&error))
}

fn not_an_object() -> RpcError {
    RpcError::params("Invalid params: the arguments must be an object")
}

fn misfit(error: &serde_path_to_error::Error<serde_json::Error>) -> RpcError {
    let path = error.path().to_string();
    // serde_json adds "at line 1 column 9", which says nothing about a message.
    let reason = error.inner().to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    let named = if path == "." { reason.to_owned() } else { format!("argument `{path}`: {reason}") };
    RpcError::params(format!("Invalid params: {named}"))
}

impl<'de: 'a, 'a> Deserialize<'de> for Params<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Whatever)
    }
}

/// Takes anything, so that a message with odd params still has an id to answer to.
struct Whatever;

impl<'de> Visitor<'de> for Whatever {
    type Value = Params<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("params")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Params<'de>, A::Error> {
        let mut members = Vec::with_capacity(4);
        while let Some(Key(key)) = map.next_key()? {
            members.push((key, map.next_value()?));
        }
        Ok(Params::Members(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Params<'de>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Params::List)
    }

    fn visit_unit<E>(self) -> Result<Params<'de>, E> {
        Ok(Params::None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Params<'de>, E> {
        Ok(Params::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Params<'de>, E> {
        Ok(Params::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Params<'de>, E> {
        Ok(Params::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Params<'de>, E> {
        Ok(Params::Other)
    }

    fn visit_str<E>(self, _: &str) -> Result<Params<'de>, E> {
        Ok(Params::Other)
    }
}

/// A key that is borrowed when it has no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[allow(dead_code)]
    struct Args {
        file_path: String,
        lines: Option<Vec<u32>>,
    }

    fn message(json: &str) -> String {
        let raw: &RawValue = serde_json::from_str(json).unwrap();
        arguments::<Args>(Some(raw)).unwrap_err().message.into_owned()
    }

    #[test]
    fn errors_name_the_argument() {
        assert_eq!(
            message(r#"{"filePath":5}"#),
            "Invalid params: argument `filePath`: invalid type: integer `5`, expected a string"
        );
        assert_eq!(message("{}"), "Invalid params: missing field `filePath`");
        assert!(message(r#"{"filePath":"a","lines":[1,"x"]}"#).contains("argument `lines[1]`"));
        assert!(message("[1]").contains("must be an object"));
    }

    #[test]
    fn members_read_apart_say_the_same() {
        let read = |json: &'static str| serde_json::from_str::<Params<'_>>(json).unwrap();
        let args: Args = read(r#"{"filePath":"a","lines":[1]}"#).read().unwrap();
        assert_eq!((args.file_path.as_str(), args.lines), ("a", Some(vec![1])));
        let wrong = |json| read(json).read::<Args>().unwrap_err().message.into_owned();
        assert_eq!(wrong(r#"{"filePath":5}"#), message(r#"{"filePath":5}"#));
        assert_eq!(wrong("null"), message("{}"));
        assert_eq!(wrong("[1]"), message("[1]"));
        assert_eq!(read(r#"{"a":1,"b":{"c":[2]}}"#).get("b").map(RawValue::get), Some(r#"{"c":[2]}"#));
    }
}
