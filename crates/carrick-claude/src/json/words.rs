//! Closed lists of words that are not closed for ever: a new word is kept as it came.

/// Declares an enum of words with `Other` for the next one.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $( $variant:ident = $word:literal ),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( #[doc = concat!("`", $word, "`")] $variant, )*
            /// A word this crate does not know yet.
            Other(String),
        }

        impl $name {
            /// Every word this crate knows.
            pub const KNOWN: &'static [&'static str] = &[$($word),*];

            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $( Self::$variant => $word, )*
                    Self::Other(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $( $word => Self::$variant, )*
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let $crate::json::Text(word) = serde::Deserialize::deserialize(deserializer)?;
                Ok(Self::from(&*word))
            }
        }

        impl $crate::json::Lenient for $name {
            fn lenient(value: &serde_json::Value) -> Option<Self> {
                value.as_str().map(Self::from)
            }
        }
    };
}
pub(crate) use words;
