//! Every key of the configuration, once: its name, what it takes, its default and what it means. The check of a file,
//! `carrick config --defaults` and the documents all read this table.

use carrick_agents::claude::Dialect;
use carrick_core::PrivateList;
use toml::Value;

use super::languages;
use crate::env;
use crate::review::choice::Choice;
use crate::review::unasked::Unasked;

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Any text that is not empty.
    Text,
    /// One of these.
    OneOf(fn() -> Vec<&'static str>),
    /// A port number; 0 for any.
    Port,
    /// A list of globs of files that stay private.
    Patterns,
    /// A list of globs of files that are not asked about.
    Unasked,
    /// A place to review in.
    Review,
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
        name: "review",
        kind: Kind::Review,
        default: "\"editor\"",
        variable: Some(env::CARRICK_REVIEW),
        meaning: "Where a proposed change is shown. `editor`: in the editor's own diff view, else in the page and the \
                  terminal room. `page`, `terminal`: only there. `command:nvim -d` or any other diff program: it gets \
                  the old and the new file (in place of {old} and {new}, or last); saving the new one accepts it, \
                  a failure rejects it, anything else lets it wait as for `editor`. `none`: nowhere, the agent asks in \
                  its own terminal. A command counts only in your own file.",
    },
    Key {
        name: "auto_accept",
        kind: Kind::Unasked,
        default: "[]",
        variable: None,
        meaning: "Files whose changes are accepted without asking, as globs below the workspace. Private files and \
                  files outside are always asked about. Counts only in your own file.",
    },
    Key {
        name: "execute_code",
        kind: Kind::OneOf(|| vec!["ask", "allow", "never"]),
        default: "\"ask\"",
        variable: Some(env::CARRICK_EXECUTE_CODE),
        meaning: "Whether agents may run code in a notebook kernel. `ask`: the first piece waits in the review room, and \
                  accepting it allows more until carrick ends. `allow` counts only in your own file.",
    },
    Key {
        name: "kernel",
        kind: Kind::Text,
        default: "\"auto\"",
        variable: Some(env::CARRICK_KERNEL),
        meaning: "Where notebook code runs. `auto`: in the kernel of a notebook of this workspace that is open in Jupyter, \
                  else in a new one, that of the workspace's own virtual environment first. Or the name of a kernelspec, \
                  or the path of a connection file.",
    },
    Key {
        name: "language_servers",
        kind: Kind::OneOf(|| vec!["auto", "off"]),
        default: "\"auto\"",
        variable: None,
        meaning: "Language servers tell what is wrong with files after a change. `auto`: those that are installed are \
                  started when a file of theirs is asked about. `off`: none is.",
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
    KEYS.iter().map(|key| key.name).chain([SHAPES, languages::LANGUAGES, languages::FORMATTERS]).collect()
}

/// The names in the table of shapes.
pub(crate) fn shapes() -> Vec<&'static str> {
    Dialect::SHAPES.iter().map(|(name, _)| *name).collect()
}

impl Key {
    /// The default as a value.
    pub(crate) fn default_value(&self) -> Value {
        match self.kind {
            Kind::Patterns | Kind::Unasked => Value::Array(Vec::new()),
            Kind::Port => Value::Integer(0),
            Kind::Text | Kind::OneOf(_) | Kind::Filter | Kind::Review => {
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
            (Kind::Unasked, Value::Array(patterns)) => {
                Unasked::new(&texts(patterns)?).map(|_| ()).map_err(|why| format!("cannot be so: {why}"))
            }
            (Kind::Unasked, _) => Err("takes a list of globs".into()),
            (Kind::Review, Value::String(text)) => Choice::parse(text).map(|_| ()),
            (Kind::Review, _) => Err("takes a text".into()),
            (Kind::Filter, Value::String(filter)) => crate::log::check(filter),
            (Kind::Filter, _) => Err("takes a log filter, a text".into()),
        }
    }
}

fn check_patterns(patterns: &[Value]) -> Result<(), String> {
    PrivateList::new(&texts(patterns)?).map(|_| ()).map_err(|error| error.to_string())
}

fn texts(patterns: &[Value]) -> Result<Vec<&str>, String> {
    let texts: Option<Vec<&str>> = patterns.iter().map(Value::as_str).collect();
    texts.ok_or_else(|| "takes a list of globs, each a text".into())
}

/// Why the file of a workspace may not say this. That file comes with the code of others: it must not start programs, nor
/// take decisions.
pub(super) fn refused_in_workspace(key: &str, value: &Value) -> Option<&'static str> {
    match (key, value) {
        (key, _) if languages::is_command(key) => {
            Some("names a program and counts only in your own file, not in that of a workspace")
        }
        ("auto_accept", Value::Array(patterns)) if !patterns.is_empty() => {
            Some("counts only in your own file, not in that of a workspace")
        }
        ("review", Value::String(text)) if matches!(Choice::parse(text), Ok(Choice::Command(_))) => {
            Some("takes a command only in your own file, not in that of a workspace")
        }
        ("execute_code", Value::String(text)) if text == "allow" => {
            Some("takes \"allow\" only in your own file, not in that of a workspace")
        }
        _ => None,
    }
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
    text + &languages::documented(comment)
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
