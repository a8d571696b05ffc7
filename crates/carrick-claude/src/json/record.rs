//! Objects with known fields: read in one pass, unknown fields kept, written back to the same value.
//!
//! `#[serde(flatten)]` would do the same at a third of the speed, because it buffers the whole object first.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde_json::{Map, Value};

use super::{Extra, Lenient};

/// What can be read from an object whose first fields may have been read already.
pub(crate) trait FromMap: Sized {
    /// Strictly: a field of the wrong kind is an error, and the caller tries again with [`FromMap::from_object`].
    fn from_map<'de, A: MapAccess<'de>>(before: Extra, map: A) -> Result<Self, A::Error>;
    /// Leniently: a field of the wrong kind is kept raw; none when a field that must be there is not.
    fn from_object(object: &Map<String, Value>) -> Option<Self>;
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// The part of a record that depends on its fields; made by [`record!`].
pub(crate) trait Record: Default {
    /// How many fields must be there.
    const MUST: usize;
    /// Reads one field; says how many of those that must be there it was.
    fn take<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<usize, A::Error>;
    fn take_value(&mut self, key: &str, value: &Value) -> usize;
    fn put<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

pub(crate) fn read_record<'de, R: Record, A: MapAccess<'de>>(
    before: Extra,
    mut map: A,
) -> Result<R, A::Error> {
    let mut record = R::default();
    let mut found = 0;
    for (key, raw) in before {
        found += record.take_value(&key, &raw.value());
    }
    while let Some(Text(key)) = map.next_key::<Text<'de>>()? {
        found += record.take(&key, &mut map)?;
    }
    if found < R::MUST { Err(A::Error::custom("a field that must be there is missing")) } else { Ok(record) }
}

impl<R: Record> FromMap for R {
    fn from_map<'de, A: MapAccess<'de>>(before: Extra, map: A) -> Result<Self, A::Error> {
        read_record(before, map)
    }

    fn from_object(object: &Map<String, Value>) -> Option<Self> {
        let mut record = R::default();
        let found: usize = object.iter().map(|(key, value)| record.take_value(key, value)).sum();
        (found >= R::MUST).then_some(record)
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.put(map)
    }
}

impl<R: Record> Record for Box<R> {
    const MUST: usize = R::MUST;

    fn take<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<usize, A::Error> {
        (**self).take(key, map)
    }

    fn take_value(&mut self, key: &str, value: &Value) -> usize {
        (**self).take_value(key, value)
    }

    fn put<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        (**self).put(map)
    }
}

/// A string that is borrowed when the input allows it: keys and tags cost no allocation.
pub(crate) struct Text<'de>(pub(crate) Cow<'de, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

/// Reads one value for a field, or keeps it raw.
pub(crate) fn lenient<T: Lenient>(extra: &mut Extra, key: &str, value: &Value) -> Option<T> {
    let read = T::lenient(value);
    if read.is_none() {
        extra.push(key, value.into());
    }
    read
}

/// Declares a record: `may` fields are optional, a record without one of its `must` fields is not that record.
macro_rules! record {
    (@type must $type:ty) => { $type };
    (@type may $type:ty) => { Option<$type> };
    (@count must) => { 1 };
    (@count may) => { 0 };
    (@fill must $slot:expr, $value:expr) => { $slot = $value };
    (@fill may $slot:expr, $value:expr) => { $slot = Some($value) };
    (@put must $slot:expr, $key:literal, $map:expr) => { $map.serialize_entry($key, &$slot)? };
    (@put may $slot:expr, $key:literal, $map:expr) => {
        if let Some(value) = &$slot { $map.serialize_entry($key, value)? }
    };
    (
        $(#[$meta:meta])*
        $name:ident { $( $(#[$doc:meta])* $how:ident $field:ident : $type:ty = $key:literal ),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $(
                #[doc = concat!("`", $key, "` on the wire.")]
                $(#[$doc])*
                pub $field: $crate::json::record!(@type $how $type),
            )*
            /// The fields this crate has no name for, and known ones that said `null` or something unexpected.
            pub extra: $crate::json::Extra,
        }

        #[allow(unused_variables, reason = "a record may have no fields of its own")]
        impl $crate::json::Record for $name {
            const MUST: usize = 0 $( + $crate::json::record!(@count $how) )*;

            fn take<'de, A: serde::de::MapAccess<'de>>(
                &mut self, key: &str, map: &mut A,
            ) -> Result<usize, A::Error> {
                match key {
                    $( $key => match map.next_value::<Option<$type>>()? {
                        Some(value) => {
                            $crate::json::record!(@fill $how self.$field, value);
                            return Ok($crate::json::record!(@count $how));
                        }
                        None => self.extra.push_null($key),
                    }, )*
                    _ => self.extra.push(key, map.next_value()?),
                }
                Ok(0)
            }

            fn take_value(&mut self, key: &str, value: &serde_json::Value) -> usize {
                match key {
                    $( $key => match $crate::json::lenient_field::<$type>(&mut self.extra, key, value) {
                        Some(value) => {
                            $crate::json::record!(@fill $how self.$field, value);
                            return $crate::json::record!(@count $how);
                        }
                        None => 0,
                    }, )*
                    _ => { self.extra.push(key, value.into()); 0 }
                }
            }

            fn put<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $( $crate::json::record!(@put $how self.$field, $key, map); )*
                self.extra.write(map)
            }
        }

        $crate::json::object!($name);
    };
}
pub(crate) use record;

/// Serde and [`Lenient`] for whatever reads itself from an object.
macro_rules! object {
    ($name:ident) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_map($crate::json::ObjectVisitor::<Self>::default())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                $crate::json::FromMap::write(self, &mut map)?;
                serde::ser::SerializeMap::end(map)
            }
        }

        impl $crate::json::Lenient for $name {
            fn lenient(value: &serde_json::Value) -> Option<Self> {
                $crate::json::FromMap::from_object(value.as_object()?)
            }
        }
    };
}
pub(crate) use object;

pub(crate) struct ObjectVisitor<T>(std::marker::PhantomData<T>);

impl<T> Default for ObjectVisitor<T> {
    fn default() -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<'de, T: FromMap> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::from_map(Extra::default(), map)
    }
}
