//! The tables of language servers and formatters: what a person may change about them and add to them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use carrick_editors::headless::{Formatter, LanguageServer, Table};
use globset::Glob;
use toml::Value;

use super::Config;

/// The table of language servers; its keys are tables of their own, one for each server.
pub(super) const LANGUAGES: &str = "languages";
/// The table of formatters, likewise.
pub(super) const FORMATTERS: &str = "formatters";

/// What may be said about one of them: the key, what it takes, what it means.
const ABOUT: &[(&str, Takes, &str)] = &[
    ("files", Takes::Globs, "Names of the files it is for."),
    ("roots", Takes::Texts, "Files that mark the top of what it works on. Only of language servers."),
    (
        "command",
        Takes::Texts,
        "The program and its arguments. A formatter reads the file on its standard input and writes it, formatted, to \
         its standard output; {file} stands for the path. Counts only in your own file.",
    ),
    ("install", Takes::Text, "The command that would install it. Only of language servers."),
    ("enabled", Takes::Truth, "false: it is never started."),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Globs,
    Texts,
    Text,
    Truth,
}

/// The tables that have tables in them.
pub(super) fn is_table(name: &str) -> bool {
    [LANGUAGES, FORMATTERS].contains(&name)
}

/// The keys of one server or formatter.
pub(super) fn about() -> Vec<&'static str> {
    ABOUT.iter().map(|(key, ..)| *key).collect()
}

/// The last part of a key in one of these tables; `None` for any other key.
fn part(key: &str) -> Option<&str> {
    let (table, rest) = key.split_once('.')?;
    is_table(table).then_some(rest)?.rsplit_once('.').map(|(_, part)| part)
}

/// True for a key that names a program: the file of a workspace may not.
pub(super) fn is_command(key: &str) -> bool {
    part(key) == Some("command")
}

/// True for a value that switches programs off. The file of a workspace, which is read after the person's own, may
/// do that too, but it cannot switch them on again.
pub(super) fn is_off(key: &str, value: &Value) -> bool {
    (key == "language_servers" && value.as_str() == Some("off"))
        || (part(key) == Some("enabled") && value.as_bool() == Some(false))
}

/// Checks a value; `None` when the key is not one of ours.
pub(super) fn check(key: &str, value: &Value) -> Option<Result<(), String>> {
    let (_, takes, _) = ABOUT.iter().find(|(name, ..)| Some(*name) == part(key))?;
    Some(takes.check(value))
}

impl Takes {
    fn check(self, value: &Value) -> Result<(), String> {
        match (self, value) {
            (Self::Truth, Value::Boolean(_)) => Ok(()),
            (Self::Truth, _) => Err("takes true or false".into()),
            (Self::Text, Value::String(text)) if !text.trim().is_empty() => Ok(()),
            (Self::Text, _) => Err("takes a text".into()),
            (Self::Texts, _) => texts(value).map(|_| ()).ok_or_else(|| "takes a list of texts".into()),
            (Self::Globs, _) => {
                let globs = texts(value).ok_or("takes a list of globs, each a text")?;
                globs
                    .iter()
                    .try_for_each(|glob| Glob::new(glob).map(|_| ()).map_err(|error| error.to_string()))
            }
        }
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|one| one.as_str().map(String::from)).collect()
}

/// What the configuration says about one name.
type Said<'a> = BTreeMap<&'a str, &'a Value>;

impl Config {
    fn said(&self, table: &str) -> BTreeMap<&str, Said<'_>> {
        let mut all: BTreeMap<&str, Said<'_>> = BTreeMap::new();
        for (key, setting) in self.settings() {
            let inside = key.strip_prefix(table).and_then(|rest| rest.strip_prefix('.'));
            if let Some((name, part)) = inside.and_then(|rest| rest.rsplit_once('.')) {
                all.entry(name).or_default().insert(part, &setting.value);
            }
        }
        all
    }

    /// The language servers and formatters, for programs on this search path.
    pub(crate) fn languages(&self, path: Vec<PathBuf>) -> Table {
        if self.text("language_servers") == "off" {
            return Table { path, ..Table::default() };
        }
        let mut table = Table::built_in(path);
        for (name, said) in self.said(LANGUAGES) {
            let known = table.servers.iter().position(|server| server.name == name);
            let before = known.map_or_else(|| blank(name), |at| table.servers.remove(at));
            if said.get("enabled") != Some(&&Value::Boolean(false)) {
                table.servers.insert(known.unwrap_or(table.servers.len()), changed(before, &said));
            }
        }
        table.formatters = self.said(FORMATTERS).into_iter().filter_map(formatter).collect();
        table
    }
}

fn blank(name: &str) -> LanguageServer {
    LanguageServer {
        name: name.into(),
        files: Vec::new(),
        roots: Vec::new(),
        commands: Vec::new(),
        install: "see its own documents".into(),
        navigates: true,
        formats: true,
    }
}

fn changed(mut server: LanguageServer, said: &Said<'_>) -> LanguageServer {
    let list = |key: &str| said.get(key).and_then(|value| texts(value));
    server.files = list("files").unwrap_or(server.files);
    server.roots = list("roots").unwrap_or(server.roots);
    server.commands = list("command").map_or(server.commands, |command| vec![command]);
    let install = said.get("install").and_then(|value| value.as_str()).map(String::from);
    LanguageServer { install: install.unwrap_or(server.install), ..server }
}

fn formatter((name, said): (&str, Said<'_>)) -> Option<Formatter> {
    let enabled = said.get("enabled") != Some(&&Value::Boolean(false));
    let list = |key: &str| said.get(key).and_then(|value| texts(value)).unwrap_or_default();
    enabled.then(|| Formatter { name: name.into(), files: list("files"), command: list("command") })
}

/// The part of the file to start from.
pub(super) fn documented(comment: fn(&str) -> String) -> String {
    let mut text = String::from("\n");
    text.push_str(&comment(
        "Language servers, one table each: a name of the built-in list changes what is said there.",
    ));
    let names: Vec<String> =
        Table::built_in(Vec::new()).servers.into_iter().map(|server| server.name).collect();
    text.push_str(&comment(&format!("Built in: {}.", names.join(", "))));
    text.push_str(&format!("# [{LANGUAGES}.NAME]\n"));
    for (key, takes, meaning) in ABOUT {
        let example = match takes {
            Takes::Globs => "[\"*.x\"]",
            Takes::Texts => "[\"…\"]",
            Takes::Text => "\"…\"",
            Takes::Truth => "true",
        };
        text.push_str(&comment(meaning));
        text.push_str(&format!("# {key} = {example}\n"));
    }
    text.push_str(&format!("\n{}# [{FORMATTERS}.NAME]\n", comment("Formatters go before language servers.")));
    text + "# files = [\"*.x\"]\n# command = [\"…\"]\n"
}

#[cfg(test)]
mod tests {
    use super::super::tests::load;
    use super::super::{Origin, Value};

    #[test]
    fn servers_are_changed_added_and_switched_off() {
        let config = load(
            "[languages.ruff]\nenabled = false\n[languages.gopls]\nroots = [\"x\"]\n[languages.mine]\nfiles = [\"*.m\"]\n",
        )
        .unwrap();
        let table = config.languages(Vec::new());
        let named = |name: &str| table.servers.iter().find(|server| server.name == name);
        assert!(named("ruff").is_none());
        assert_eq!(named("gopls").unwrap().roots, ["x"]);
        assert_eq!(named("gopls").unwrap().commands, [["gopls"]]);
        assert_eq!(named("mine").unwrap().files, ["*.m"]);
        let off = load("language_servers = \"off\"\n").unwrap();
        assert!(off.languages(Vec::new()).servers.is_empty());
    }

    #[test]
    fn what_the_person_switched_off_stays_off() {
        let mut config = load("").unwrap();
        let own = |line| Origin::File("/home/me/.config/carrick/config.toml".into(), line);
        let theirs = Origin::File("/w/carrick.toml".into(), 1);
        config.put("language_servers", Value::String("off".into()), own(1));
        config.put("languages.ruff.enabled", Value::Boolean(false), own(2));
        config.put("language_servers", Value::String("auto".into()), theirs.clone());
        config.put("languages.ruff.enabled", Value::Boolean(true), theirs);
        assert!(config.languages(Vec::new()).servers.is_empty());
        assert_eq!(config.settings()["languages.ruff.enabled"].value, Value::Boolean(false));
    }

    #[test]
    fn a_workspace_names_no_programs_and_mistakes_are_told() {
        let words = |text: &str| load(text).unwrap_err().to_string();
        assert!(words("[languages.x]\ncommand = [\"sh\"]\n").contains("only in your own file"));
        assert!(words("[formatters.x]\ncommand = [\"sh\"]\n").contains("only in your own file"));
        assert!(words("[languages.x]\nfiles = [\"a[\"]\n").contains("languages.x.files"));
        assert!(words("[languages.x]\nfile = []\n").contains("there is no key `file`"));
        assert!(words("languages = 3\n").contains("is a table"));
        assert!(words("[languages]\nx = 3\n").contains("is a table"));
    }
}
