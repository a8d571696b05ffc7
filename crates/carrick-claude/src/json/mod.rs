//! JSON that is kept as it came: what lets a frame of next year's CLI pass through a program of today.

mod lenient;
mod record;
mod tagged;
mod words;

use std::fmt;

use serde::de::DeserializeOwned;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

pub(crate) use lenient::Lenient;
pub(crate) use record::{FromMap, ObjectVisitor, Record, Text, lenient as lenient_field, object, record};
pub(crate) use tagged::{Unread, rest, tagged};
pub(crate) use words::words;

/// A piece of JSON that is not looked into: large tool inputs cost no tree, unknown parts lose nothing.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Raw(Box<RawValue>);

impl Raw {
    /// The text as it came.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// As a tree.
    pub fn value(&self) -> Value {
        serde_json::from_str(self.get()).unwrap_or(Value::Null)
    }

    /// As a type of the caller's.
    pub fn parse<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.get())
    }

    pub(crate) fn null() -> Self {
        Self::from(&Value::Null)
    }
}

impl From<&Value> for Raw {
    fn from(value: &Value) -> Self {
        // A tree is always valid JSON; the default stands in for an allocation that cannot fail here.
        Self(serde_json::value::to_raw_value(value).unwrap_or_default())
    }
}

impl From<Value> for Raw {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.get())
    }
}

/// Equal when they mean the same, whatever the blanks and the order of keys.
impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get() || self.value() == other.value()
    }
}

/// The fields a type has no name for, in the order they came.
#[derive(Debug, Clone, Default)]
pub struct Extra(Vec<(Box<str>, Raw)>);

impl Extra {
    /// A field by its name on the wire.
    pub fn get(&self, key: &str) -> Option<&Raw> {
        self.0.iter().find(|(name, _)| &**name == key).map(|(_, raw)| raw)
    }

    /// Name and value of every field.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Raw)> {
        self.0.iter().map(|(name, raw)| (&**name, raw))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, key: &str, raw: Raw) {
        self.0.push((key.into(), raw));
    }

    /// A known field that said `null`: the typed slot stays empty, the difference to an absent one is kept here.
    pub(crate) fn push_null(&mut self, key: &str) {
        self.push(key, Raw::null());
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<Raw> {
        let at = self.0.iter().position(|(name, _)| &**name == key)?;
        Some(self.0.remove(at).1)
    }

    pub(crate) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.0.iter().try_for_each(|(key, raw)| map.serialize_entry(&**key, raw))
    }
}

impl PartialEq for Extra {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.iter().all(|(key, raw)| other.get(key) == Some(raw))
    }
}

impl IntoIterator for Extra {
    type Item = (Box<str>, Raw);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Something whose tag this crate does not know: kept whole.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Unknown {
    /// What the tag said; none when there was no tag, or none that is a word.
    pub tag: Option<String>,
    /// Everything beside the tag.
    pub fields: Extra,
}
