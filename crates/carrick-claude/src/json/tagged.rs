//! Objects told apart by a tag that may stand anywhere among their fields.

use serde::de::{Error as _, MapAccess};
use serde_json::{Map, Value};

use super::{Extra, Text};

/// The tag and what was read before it.
pub(crate) struct Unread {
    pub(crate) tag: Option<String>,
    pub(crate) before: Extra,
}

impl Unread {
    /// Reads up to the tag: one step for nearly every frame, since the CLI writes it first.
    pub(crate) fn find<'de, A: MapAccess<'de>>(
        name: &str,
        mut before: Extra,
        map: &mut A,
    ) -> Result<Self, A::Error> {
        if let Some(raw) = before.remove(name) {
            let tag = raw.parse::<String>().map_err(A::Error::custom)?;
            return Ok(Self { tag: Some(tag), before });
        }
        while let Some(Text(key)) = map.next_key::<Text<'de>>()? {
            if key == name {
                let Text(tag) = map.next_value()?;
                return Ok(Self { tag: Some(tag.into_owned()), before });
            }
            before.push(&key, map.next_value()?);
        }
        Ok(Self { tag: None, before })
    }
}

/// Every field, except a tag that was understood.
pub(crate) fn rest(object: &Map<String, Value>, but: Option<&str>) -> Extra {
    let mut fields = Extra::default();
    for (key, value) in object.iter().filter(|(key, _)| Some(key.as_str()) != but) {
        fields.push(key, value.into());
    }
    fields
}

/// Declares an enum by its tag's values; anything else is `Unknown` and kept whole.
macro_rules! tagged {
    (
        $(#[$meta:meta])*
        $name:ident by $tag:literal { $( $variant:ident($type:ty) = $value:literal ),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $( #[doc = concat!("`", $value, "`")] $variant($type), )*
            /// A kind this crate does not know yet.
            Unknown($crate::json::Unknown),
        }

        /// Nothing yet: what a field holds before it was read.
        impl Default for $name {
            fn default() -> Self {
                Self::Unknown($crate::json::Unknown::default())
            }
        }

        impl $name {
            /// The tag's value; none when there was no tag.
            pub fn tag(&self) -> Option<&str> {
                match self {
                    $( Self::$variant(_) => Some($value), )*
                    Self::Unknown(unknown) => unknown.tag.as_deref(),
                }
            }
        }

        impl $crate::json::FromMap for $name {
            fn from_map<'de, A: serde::de::MapAccess<'de>>(
                before: $crate::json::Extra, mut map: A,
            ) -> Result<Self, A::Error> {
                let unread = $crate::json::Unread::find($tag, before, &mut map)?;
                match unread.tag.as_deref() {
                    $( Some($value) => $crate::json::FromMap::from_map(unread.before, map).map(Self::$variant), )*
                    _ => {
                        let mut fields = unread.before;
                        while let Some($crate::json::Text(key)) = map.next_key::<$crate::json::Text<'de>>()? {
                            fields.push(&key, map.next_value()?);
                        }
                        Ok(Self::Unknown($crate::json::Unknown { tag: unread.tag, fields }))
                    }
                }
            }

            fn from_object(object: &serde_json::Map<String, serde_json::Value>) -> Option<Self> {
                let tag = object.get($tag).and_then(serde_json::Value::as_str);
                let known = match tag {
                    $( Some($value) => {
                        let mut inner = object.clone();
                        inner.remove($tag);
                        $crate::json::FromMap::from_object(&inner).map(Self::$variant)
                    } )*
                    _ => None,
                };
                let fields = || $crate::json::rest(object, tag.map(|_| $tag));
                Some(known.unwrap_or_else(|| {
                    Self::Unknown($crate::json::Unknown { tag: tag.map(str::to_owned), fields: fields() })
                }))
            }

            fn write<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                if let Some(tag) = self.tag() {
                    map.serialize_entry($tag, tag)?;
                }
                match self {
                    $( Self::$variant(inner) => $crate::json::FromMap::write(inner, map), )*
                    Self::Unknown(unknown) => unknown.fields.write(map),
                }
            }
        }

        $crate::json::object!($name);
    };
}
pub(crate) use tagged;
