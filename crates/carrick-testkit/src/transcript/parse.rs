//! The file format: what each line of a transcript means.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// A conversation read from a file, with the values of its `${names}`.
#[derive(Debug, Clone)]
pub struct Transcript {
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
    pub(super) names: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    /// 1-based, where the step starts.
    pub(super) line: usize,
    pub(super) what: What,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    Send(Value),
    SendRaw(String),
    Act(String),
    Expect(Value),
    ExpectSomewhere(Value),
    ExpectNothing,
    ExpectClosed,
}

impl Transcript {
    /// Reads one file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        Self::parse(&path.display().to_string(), &text)
    }

    /// Reads every `*.txt` in a folder, by name. An empty folder is an error: it would test nothing.
    pub fn read_folder(folder: impl AsRef<Path>) -> Result<Vec<Self>> {
        let folder = folder.as_ref();
        let entries = folder.read_dir().with_context(|| format!("reading {}", folder.display()))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        paths.sort();
        ensure!(!paths.is_empty(), "no transcript (*.txt) in {}", folder.display());
        paths.iter().map(Self::read).collect()
    }

    /// Parses text; `name` is shown before line numbers.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let mut steps = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let end = at + 1 + lines[at + 1..].iter().take_while(|line| continues(line)).count();
            let whole = lines[at..end].join("\n");
            let what = step(&whole).with_context(|| format!("{name}:{}", at + 1))?;
            steps.extend(what.map(|what| Step { line: at + 1, what }));
            at = end;
        }
        Ok(Self { name: name.to_owned(), steps, names: BTreeMap::new() })
    }

    /// Gives `${name}` its value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.names.insert(name.into(), value.into());
        self
    }

    /// The name it was read under.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// An indented line goes on with the JSON above it; an indented `$` is an action.
fn continues(line: &str) -> bool {
    let indented = line.starts_with(char::is_whitespace);
    indented && !line.trim().is_empty() && !line.trim_start().starts_with('$')
}

fn step(text: &str) -> Result<Option<What>> {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return Ok(None);
    }
    let Some((mark, rest)) = split_mark(trimmed) else {
        bail!(
            "a line starts with -->, -->!, <--, <~~, $ or #, or is indented to go on with the one above: {text:?}"
        );
    };
    let what = match (mark, rest) {
        ("$", action) => What::Act(action.into()),
        ("-->!", raw) => What::SendRaw(raw.into()),
        ("-->", message) => What::Send(json(message)?),
        ("<--", "none") => What::ExpectNothing,
        ("<--", "closed") => What::ExpectClosed,
        ("<--", message) => What::Expect(json(message)?),
        (_, message) => What::ExpectSomewhere(json(message)?),
    };
    Ok(Some(what))
}

fn split_mark(text: &str) -> Option<(&'static str, &str)> {
    // The longer mark first: it starts with the shorter one.
    let marks = ["-->!", "-->", "<--", "<~~", "$"];
    marks.into_iter().find_map(|mark| Some((mark, text.strip_prefix(mark)?.trim())))
}

fn json(text: &str) -> Result<Value> {
    serde_json::from_str(text).with_context(|| format!("not JSON: {text}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_line_is_understood() {
        let text = "# title\n\n--> {\"id\": 1,\n     \"method\": \"m\"}\n $  review accept\n<-- {\"id\": 1}\n\
                    <~~ {\"method\": \"n\"}\n-->! {broken\n<-- none\n<-- closed\n";
        let transcript = Transcript::parse("a.txt", text).unwrap();
        let expected = [
            (3, What::Send(json!({"id": 1, "method": "m"}))),
            (5, What::Act("review accept".into())),
            (6, What::Expect(json!({"id": 1}))),
            (7, What::ExpectSomewhere(json!({"method": "n"}))),
            (8, What::SendRaw("{broken".into())),
            (9, What::ExpectNothing),
            (10, What::ExpectClosed),
        ];
        assert_eq!(transcript.steps, expected.map(|(line, what)| Step { line, what }));
    }

    #[test]
    fn a_mistake_is_found_by_file_and_line() {
        let error = Transcript::parse("a.txt", "# ok\n--> {\"id\": }\n").unwrap_err();
        assert!(format!("{error:#}").starts_with("a.txt:2: not JSON"), "{error:#}");
        let error = Transcript::parse("a.txt", "hello\n").unwrap_err();
        assert!(format!("{error:#}").starts_with("a.txt:1: a line starts with"), "{error:#}");
    }
}
