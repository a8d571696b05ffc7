//! What a configuration file may say, and how a mistake is reported.

use super::*;

pub(super) fn load(text: &str) -> Result<Config, ConfigError> {
    let scratch = tempfile::tempdir().unwrap();
    std::fs::write(scratch.path().join("carrick.toml"), text).unwrap();
    Config::load(scratch.path(), &Flags::default())
}

fn words(text: &str) -> (String, Option<String>) {
    let error = load(text).unwrap_err();
    let message = error.to_string();
    (message.split_once("carrick.toml").map_or(message.clone(), |(_, rest)| rest.into()), error.hint())
}

#[test]
fn every_default_is_valid_and_documented() {
    for key in KEYS {
        assert_eq!(key.check(&key.default_value()), Ok(()), "{}", key.name);
    }
    let config = load(&documented()).unwrap();
    assert_eq!((config.name(), config.port(), config.log_filter()), ("carrick", None, None));
    assert_eq!(config.dialect(), Dialect::default());
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_nearest() {
    let (message, hint) = words("name = \"x\"\n\ndialekt = \"vscode\"\n");
    assert_eq!(message, ":3: there is no key `dialekt`");
    assert_eq!(hint.as_deref(), Some("did you mean `dialect`?"));
    let (message, hint) = words("[dialect_shapes]\nfolder = \"strings\"\n");
    assert_eq!(message, ":2: there is no key `folder`");
    assert_eq!(hint.as_deref(), Some("did you mean `folders`?"));
    let (_, hint) = words("zzzzzzzzzzzzzzz = 1\n");
    assert!(hint.unwrap().contains("--defaults"));
}

#[test]
fn a_bad_value_says_what_the_key_takes() {
    assert_eq!(words("\nport = 70000\n").0, ":2: `port` takes a port number, 0 to 65535");
    assert_eq!(words("dialect = \"emacs\"\n").0, ":1: `dialect` takes one of vscode, jetbrains, obsidian");
    assert!(words("private = [\"a[b\"]\n").0.contains("a[b"));
    assert!(words("private = 3\n").0.contains("takes a list of globs"));
    assert!(words("dialect_shapes = 3\n").0.contains("is a table"));
    assert!(words("[dialect_shapes]\nfolders = \"x\"\n").0.contains("objects, strings"));
    assert!(words("name = [\n").0.starts_with(":"));
    assert!(words("port = 1.5\n").0.contains("port"));
}

#[test]
fn values_know_where_they_come_from() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("carrick.toml");
    std::fs::write(&file, "# mine\ndialect = \"jetbrains\"\nname = \"file\"\n").unwrap();
    let flags = Flags { name: Some("flag".into()), ..Flags::default() };
    let config = Config::load(scratch.path(), &flags).unwrap();
    let origin = |key: &str| config.settings()[key].origin.clone();
    assert_eq!(origin("dialect"), Origin::File(file, 2));
    assert_eq!(origin("name"), Origin::Flag("--name"));
    assert_eq!(origin("port"), Origin::Default);
    assert_eq!(config.name(), "flag");
}

#[test]
fn the_person_has_the_last_word_about_private_files() {
    let mut config = Config { settings: BTreeMap::new(), private: Vec::new() };
    let patterns = |one: &str| Value::Array(vec![Value::String(one.into())]);
    config.put("private", patterns("*.sql"), Origin::Default);
    config.put("private", patterns("!*.sql"), Origin::Default);
    assert!(config.private().covers(Path::new("/w/a.sql")));
}
