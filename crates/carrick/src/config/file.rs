//! Reading one configuration file: every value with the line it stands on, every mistake with its place.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Value;
use toml::de::{DeTable, DeValue};

use super::keys::{self, SHAPES};
use super::languages;

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is not TOML.
    #[error("{place}: {why}")]
    NotToml {
        /// File and line.
        place: String,
        /// Why.
        why: String,
    },
    /// There is no such key.
    #[error("{place}: there is no key `{key}`")]
    UnknownKey {
        /// File and line.
        place: String,
        /// The key.
        key: String,
        /// The one that was probably meant.
        nearest: Option<&'static str>,
    },
    /// The key does not take this value.
    #[error("{place}: `{key}` {why}")]
    BadValue {
        /// File and line, variable or flag.
        place: String,
        /// The key.
        key: String,
        /// What it takes.
        why: String,
    },
}

impl ConfigError {
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownKey { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            Self::UnknownKey { .. } | Self::BadValue { .. } => {
                Some("`carrick config --defaults` prints every key".into())
            }
            Self::Unreadable { .. } | Self::NotToml { .. } => None,
        }
    }
}

/// One value of a file.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) line: usize,
}

/// A name with its place in the file.
type Name<'a> = toml::Spanned<std::borrow::Cow<'a, str>>;

struct Source<'a> {
    path: &'a Path,
    text: &'a str,
}

/// The entries of a file; none when there is no file.
pub(super) fn read(path: &Path) -> Result<Vec<Entry>, ConfigError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Source { path, text: &text }.entries(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(ConfigError::Unreadable { path: path.into(), error }),
    }
}

impl Source<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        1 + self.text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
    }

    fn place(&self, span: &Range<usize>) -> String {
        format!("{}:{}", self.path.display(), self.line(span))
    }

    fn entries(&self) -> Result<Vec<Entry>, ConfigError> {
        let table = DeTable::parse(self.text).map_err(|error| ConfigError::NotToml {
            place: self.place(&error.span().unwrap_or_default()),
            why: error.message().into(),
        })?;
        let mut entries = Vec::new();
        for (name, value) in table.get_ref() {
            match value.get_ref() {
                DeValue::Table(shapes) if name.get_ref() == SHAPES => {
                    for (shape, value) in shapes {
                        self.known(&shape.span(), shape.get_ref(), keys::shapes())?;
                        let key = format!("{SHAPES}.{}", shape.get_ref());
                        entries.push(self.entry(key, &shape.span(), value.get_ref())?);
                    }
                }
                DeValue::Table(all) if languages::is_table(name.get_ref()) => {
                    for (one, about) in all {
                        entries.extend(self.nested(name.get_ref(), one, about.get_ref())?);
                    }
                }
                other => {
                    self.known(&name.span(), name.get_ref(), keys::names())?;
                    entries.push(self.entry(name.get_ref().to_string(), &name.span(), other)?);
                }
            }
        }
        Ok(entries)
    }

    /// A table in a table, such as that of one language server.
    fn nested(&self, table: &str, name: &Name<'_>, about: &DeValue<'_>) -> Result<Vec<Entry>, ConfigError> {
        let whole = format!("{table}.{}", name.get_ref());
        let DeValue::Table(about) = about else {
            return self.entry(whole, &name.span(), about).map(|entry| vec![entry]);
        };
        let mut entries = Vec::new();
        for (key, value) in about {
            self.known(&key.span(), key.get_ref(), languages::about())?;
            entries.push(self.entry(format!("{whole}.{}", key.get_ref()), &key.span(), value.get_ref())?);
        }
        Ok(entries)
    }

    fn known(&self, span: &Range<usize>, key: &str, all: Vec<&'static str>) -> Result<(), ConfigError> {
        if all.contains(&key) {
            return Ok(());
        }
        let distance = |known: &&'static str| strsim::damerau_levenshtein(known, key);
        let nearest =
            all.into_iter().min_by_key(distance).filter(|known| distance(known) <= 1 + key.len() / 3);
        Err(ConfigError::UnknownKey { place: self.place(span), key: key.into(), nearest })
    }

    fn entry(&self, key: String, span: &Range<usize>, value: &DeValue<'_>) -> Result<Entry, ConfigError> {
        let bad =
            |key: &str, why: String| ConfigError::BadValue { place: self.place(span), key: key.into(), why };
        let value = plain(value).ok_or_else(|| bad(&key, "takes no value of this kind".into()))?;
        super::check(&key, &value).map_err(|why| bad(&key, why))?;
        Ok(Entry { key, value, line: self.line(span) })
    }
}

/// The value without its spans. Tables, dates and fractions are no values of any key.
fn plain(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::String(text) => Some(Value::String(text.to_string())),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(Value::Integer)
        }
        DeValue::Boolean(yes) => Some(Value::Boolean(*yes)),
        DeValue::Array(values) => {
            values.iter().map(|value| plain(value.get_ref())).collect::<Option<_>>().map(Value::Array)
        }
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}
