//! The configuration: defaults, the person's file, the workspace's file, the environment and the flags, in layers,
//! with every value knowing where it comes from.

mod file;
mod keys;
mod languages;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use carrick_agents::claude::Dialect;
use carrick_core::PrivateList;
use carrick_editors::headless::{Choice as Kernel, Consent};
use toml::Value;

use crate::env;
use crate::review::choice::Choice;
use crate::review::unasked::Unasked;
pub(crate) use file::ConfigError;
pub(crate) use keys::documented;
use keys::{KEYS, SHAPES};

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Nobody said anything else.
    Default,
    /// A file, and the line.
    File(PathBuf, usize),
    /// A variable.
    Environment(&'static str),
    /// The command line.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path, line) => write!(f, "{}:{line}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag(flag) => write!(f, "flag {flag}"),
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

/// What the command line says about keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    pub(crate) name: Option<String>,
    pub(crate) dialect: Option<String>,
    pub(crate) log_filter: Option<String>,
}

impl Flags {
    fn given(&self) -> impl Iterator<Item = (&'static str, &'static str, &String)> {
        let all = [
            ("name", "--name", &self.name),
            ("dialect", "--dialect", &self.dialect),
            ("log_filter", "--log-filter", &self.log_filter),
        ];
        all.into_iter().filter_map(|(key, flag, value)| value.as_ref().map(|value| (key, flag, value)))
    }
}

/// The configuration in effect.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    settings: BTreeMap<String, Setting>,
    private: Vec<String>,
}

fn check(key: &str, value: &Value) -> Result<(), String> {
    match key.strip_prefix(SHAPES).and_then(|rest| rest.strip_prefix('.')) {
        Some(shape) => {
            let text = value.as_str().ok_or("takes a text")?;
            Dialect::default().set(shape, text).map_err(|why| format!("cannot be so: {why}"))
        }
        None => languages::check(key, value)
            .or_else(|| keys::key(key).map(|key| key.check(value)))
            .unwrap_or_else(|| Err("is a table".into())),
    }
}

/// The two files: the person's own and the workspace's.
pub(crate) fn files(root: &Path) -> Vec<PathBuf> {
    let own = env::xdg(env::XDG_CONFIG_HOME, ".config").map(|folder| folder.join("carrick/config.toml"));
    own.into_iter().chain([root.join("carrick.toml")]).collect()
}

fn own_only(root: &Path, path: &Path, entry: &file::Entry) -> Result<(), ConfigError> {
    let why = keys::refused_in_workspace(&entry.key, &entry.value).filter(|_| path.starts_with(root));
    why.map_or(Ok(()), |why| {
        let place = format!("{}:{}", path.display(), entry.line);
        Err(ConfigError::BadValue { place, key: entry.key.clone(), why: why.into() })
    })
}

impl Config {
    /// Reads all layers for a workspace.
    pub(crate) fn load(root: &Path, flags: &Flags) -> Result<Self, ConfigError> {
        let mut config = Self { settings: BTreeMap::new(), private: Vec::new() };
        for key in KEYS {
            config.put(key.name, key.default_value(), Origin::Default);
        }
        for path in files(root) {
            for entry in file::read(&path)? {
                own_only(root, &path, &entry)?;
                config.put(&entry.key, entry.value, Origin::File(path.clone(), entry.line));
            }
        }
        config.read_environment()?;
        for (key, flag, value) in flags.given() {
            config.put_text(key, value, Origin::Flag(flag))?;
        }
        Ok(config)
    }

    fn put(&mut self, key: &str, value: Value, origin: Origin) {
        if self.settings.get(key).is_some_and(|before| languages::is_off(key, &before.value)) {
            return;
        }
        let value = if key == "private" { self.add_patterns(&value) } else { value };
        self.settings.insert(key.into(), Setting { value, origin });
    }

    /// Files are read from the person's to the workspace's: each goes before those that are there.
    fn add_patterns(&mut self, value: &Value) -> Value {
        let more = value.as_array().into_iter().flatten().filter_map(Value::as_str).map(String::from);
        self.private.splice(0..0, more);
        Value::Array(self.private.iter().cloned().map(Value::String).collect())
    }

    fn read_environment(&mut self) -> Result<(), ConfigError> {
        for key in KEYS {
            if let Some((variable, value)) =
                key.variable.and_then(|name| env::get(name).map(|value| (name, value)))
            {
                self.put_text(key.name, &value.to_string_lossy(), Origin::Environment(variable))?;
            }
        }
        Ok(())
    }

    fn put_text(&mut self, key: &'static str, text: &str, origin: Origin) -> Result<(), ConfigError> {
        let number = text.parse().ok().filter(|_| key == "port").map(Value::Integer);
        let value = number.unwrap_or_else(|| Value::String(text.into()));
        check(key, &value).map_err(|why| ConfigError::BadValue {
            place: origin.to_string(),
            key: key.into(),
            why,
        })?;
        self.put(key, value, origin);
        Ok(())
    }

    /// All values, by key.
    pub(crate) fn settings(&self) -> &BTreeMap<String, Setting> {
        &self.settings
    }

    fn text(&self, key: &str) -> &str {
        self.settings.get(key).and_then(|setting| setting.value.as_str()).unwrap_or_default()
    }

    /// The name under which agents see the workspace.
    pub(crate) fn name(&self) -> &str {
        self.text("name")
    }

    /// Where changes are reviewed. It was checked when it was read.
    pub(crate) fn review(&self) -> Choice {
        Choice::parse(self.text("review")).unwrap_or_default()
    }

    /// What is accepted without asking. It was checked when it was read.
    pub(crate) fn unasked(&self) -> Unasked {
        let patterns = self.settings.get("auto_accept").and_then(|setting| setting.value.as_array());
        let texts: Vec<&str> = patterns.into_iter().flatten().filter_map(Value::as_str).collect();
        Unasked::new(&texts).unwrap_or_default()
    }

    /// Whether agents may run code, and where; `None` when they may not.
    pub(crate) fn kernels(&self) -> Option<(Consent, Kernel)> {
        let consent = match self.text("execute_code") {
            "never" => return None,
            "allow" => Consent::Allow,
            _ => Consent::Ask,
        };
        Some((consent, Kernel::of(self.text("kernel"))))
    }

    /// What is logged; `None` when nobody said.
    pub(crate) fn log_filter(&self) -> Option<&str> {
        Some(self.text("log_filter")).filter(|filter| !filter.is_empty())
    }

    /// The port that was asked for.
    pub(crate) fn port(&self) -> Option<u16> {
        let port = self.settings.get("port")?.value.as_integer()?;
        u16::try_from(port).ok().filter(|port| *port != 0)
    }

    /// The dialect with its changed shapes. Everything was checked when it was read.
    pub(crate) fn dialect(&self) -> Dialect {
        let mut dialect = Dialect::named(self.text("dialect")).unwrap_or_default();
        for (key, setting) in &self.settings {
            let shape = key.strip_prefix(SHAPES).and_then(|rest| rest.strip_prefix('.'));
            if let (Some(shape), Some(value)) = (shape, setting.value.as_str()) {
                let _ = dialect.set(shape, value);
            }
        }
        dialect
    }

    /// The private list. Everything was checked when it was read.
    pub(crate) fn private(&self) -> PrivateList {
        PrivateList::new(&self.private).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
