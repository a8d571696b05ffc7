//! Every key of the configuration, once: its name, what it takes, its default and what it means. The check of a file,
//! `carrick config --defaults` and the documents all read this table.

use carrick_agents::claude::Dialect;
use carrick_core::PrivateList;
use toml::Value;

use crate::env;

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Any text that is not empty.
    Text,
    /// One of these.
    OneOf(fn() -> Vec<&'static str>),
    /// A port number; 0 for any.
    Port,
    /// A list of globs.
    Patterns,
    /// A log filter.
    Filter,
}

/// One key.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its name, with a dot inside a table.
    pub(crate) name: &'static str,
    /// What it takes.
    pub(crate) kind: Kind,
    /// Its default, as TOML.
    pub(crate) default: &'static str,
    /// The variable that sets it too.
    pub(crate) variable: Option<&'static str>,
    /// What it means.
    pub(crate) meaning: &'static str,
}

/// All keys outside of tables.
pub(crate) const KEYS: &[Key] = &[
    Key {
        name: "name",
        kind: Kind::Text,
        default: "\"carrick\"",
        variable: Some(env::CARRICK_NAME),
        meaning: "The name under which agents see this workspace.",
    },
    Key {
        name: "dialect",
        kind: Kind::OneOf(Dialect::names),
        default: "\"vscode\"",
        variable: Some(env::CARRICK_DIALECT),
        meaning: "The words in which agents are answered.",
    },
    Key {
        name: "private",
        kind: Kind::Patterns,
        default: "[]",
        variable: None,
        meaning: "Files that never leave the editor, as globs, in addition to the built-in list. A pattern that begins \
                  with `!` makes files public again; the last one that matches decides. The patterns of the workspace \
                  come first and those of the person after them, so that the person has the last word.",
    },
    Key {
        name: "port",
        kind: Kind::Port,
        default: "0",
        variable: Some(env::CARRICK_PORT),
        meaning: "The port of the door. 0: the one of the last run if it is free, else any.",
    },
    Key {
        name: "log_filter",
        kind: Kind::Filter,
        default: "\"\"",
        variable: Some(env::CARRICK_LOG_FILTER),
        meaning: "What is logged, such as `warn,carrick_agents=debug`. Empty: as many as -v asks for.",
    },
];

/// The table whose keys change single answers of the dialect.
pub(crate) const SHAPES: &str = "dialect_shapes";

const SHAPES_MEANING: &str = "Single answers of the dialect, said in another form.";

/// The key of this name.
pub(crate) fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// Every name that a file may have at its top.
pub(crate) fn names() -> Vec<&'static str> {
    KEYS.iter().map(|key| key.name).chain([SHAPES]).collect()
}

/// The names in the table of shapes.
pub(crate) fn shapes() -> Vec<&'static str> {
    Dialect::SHAPES.iter().map(|(name, _)| *name).collect()
}

impl Key {
    /// The default as a value.
    pub(crate) fn default_value(&self) -> Value {
        match self.kind {
            Kind::Patterns => Value::Array(Vec::new()),
            Kind::Port => Value::Integer(0),
            Kind::Text | Kind::OneOf(_) | Kind::Filter => {
                Value::String(self.default.trim_matches('"').into())
            }
        }
    }

    /// Checks a value; the error says what the key takes.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        match (self.kind, value) {
            (Kind::Text, Value::String(text)) if !text.trim().is_empty() => Ok(()),
            (Kind::Text, _) => Err("takes a text".into()),
            (Kind::OneOf(all), Value::String(text)) if all().contains(&text.as_str()) => Ok(()),
            (Kind::OneOf(all), _) => Err(format!("takes one of {}", all().join(", "))),
            (Kind::Port, Value::Integer(port)) if u16::try_from(*port).is_ok() => Ok(()),
            (Kind::Port, _) => Err("takes a port number, 0 to 65535".into()),
            (Kind::Patterns, Value::Array(patterns)) => check_patterns(patterns),
            (Kind::Patterns, _) => Err("takes a list of globs".into()),
            (Kind::Filter, Value::String(filter)) => crate::log::check(filter),
            (Kind::Filter, _) => Err("takes a log filter, a text".into()),
        }
    }
}

fn check_patterns(patterns: &[Value]) -> Result<(), String> {
    let texts: Option<Vec<&str>> = patterns.iter().map(Value::as_str).collect();
    let texts = texts.ok_or("takes a list of globs, each a text")?;
    PrivateList::new(&texts).map(|_| ()).map_err(|error| error.to_string())
}

/// The file to start from: every key with its meaning, its default commented out.
pub(crate) fn documented() -> String {
    let mut text = String::from("# The configuration of carrick. Every line shows a default.\n");
    for key in KEYS {
        text.push_str(&format!("\n{}", comment(key.meaning)));
        if let Kind::OneOf(all) = key.kind {
            text.push_str(&comment(&format!("One of: {}.", all().join(", "))));
        }
        if matches!(key.kind, Kind::Patterns) {
            text.push_str(&comment(&format!("Built in: {}.", PrivateList::built_in().join(" "))));
        }
        if let Some(variable) = key.variable {
            text.push_str(&comment(&format!("In the environment: {variable}.")));
        }
        text.push_str(&format!("{} = {}\n", key.name, key.default));
    }
    text.push_str(&format!("\n{}[{SHAPES}]\n", comment(SHAPES_MEANING)));
    for (name, values) in Dialect::SHAPES {
        text.push_str(&format!("# {name} = \"{}\"\n", values.join("\" | \"")));
    }
    text
}

fn comment(text: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < 100 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("# {word}")),
        }
    }
    lines.join("\n") + "\n"
}
