//! What the plug-in tells by itself.

use std::path::PathBuf;

use carrick_core::{Decision, Mention, ReviewId, Selection};
use rmpv::Value;
use serde::Deserialize;

use super::channel::read;
use super::column;
use super::words::Stretch;

/// The method of every notification of the plug-in.
pub const METHOD: &str = "carrick";

/// One thing that happened in Neovim.
#[derive(Debug)]
pub enum News {
    /// This is selected, or the cursor is there.
    Selection(Selection),
    /// The person is in something that is no file.
    NoFile,
    /// The person is here.
    Focus,
    /// Neovim works in these folders, the first one first.
    Folders(Vec<PathBuf>),
    /// Buffers came, went or changed their state.
    Tabs,
    /// The person wants this in the prompt; only of the agent in or under this process, if one is given.
    Mention(Mention, Option<u32>),
    /// The person decided.
    Decided(ReviewId, Decision),
}

impl News {
    /// Reads the parameters of a notification; the error says what does not fit the contract.
    ///
    /// # Errors
    /// It is not in the contract.
    pub fn read(params: Vec<Value>) -> Result<Self, String> {
        let mut params = params.into_iter();
        let kind = params.next().and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default();
        let payload = params.next().unwrap_or(Value::Map(Vec::new()));
        let news = match kind.as_str() {
            "selection" => read(payload).map(selection),
            "no_file" => Ok(Self::NoFile),
            "focus" => Ok(Self::Focus),
            "folders" => read(payload).map(|Folders { list }| Self::Folders(list)),
            "tabs" => Ok(Self::Tabs),
            "mention" => read(payload).map(mention),
            "review" => read(payload).and_then(decided),
            _ => Err("there is no such kind".into()),
        };
        news.map_err(|error| format!("`{kind}` of the plug-in cannot be read: {error}"))
    }
}

#[derive(Deserialize)]
struct Selected {
    path: PathBuf,
    #[serde(default)]
    text: String,
    #[serde(flatten)]
    stretch: Stretch,
}

fn selection(selected: Selected) -> News {
    let range = column::range(&selected.stretch);
    News::Selection(Selection { path: selected.path, text: selected.text.into(), range })
}

#[derive(Deserialize)]
struct Folders {
    #[serde(default)]
    list: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Mentioned {
    path: PathBuf,
    #[serde(default)]
    line_start: Option<u32>,
    #[serde(default)]
    line_end: Option<u32>,
    #[serde(default)]
    pid: Option<u32>,
}

fn mention(said: Mentioned) -> News {
    let lines = said.line_start.map(|start| (start, said.line_end.unwrap_or(start).max(start)));
    News::Mention(Mention { path: said.path, lines }, said.pid)
}

#[derive(Deserialize)]
struct Decided {
    id: u64,
    decision: String,
    #[serde(default)]
    contents: Option<String>,
}

fn decided(said: Decided) -> Result<News, String> {
    let decision = match (said.decision.as_str(), said.contents) {
        ("accept", _) => Decision::Accept,
        ("reject", _) => Decision::Reject,
        ("accept_with", Some(contents)) => Decision::AcceptWith(contents.into()),
        ("accept_with", None) => return Err("`accept_with` without `contents`".into()),
        (other, _) => return Err(format!("there is no decision `{other}`")),
    };
    Ok(News::Decided(ReviewId(said.id), decision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carrick_core::{Position, Range};

    fn map(pairs: Vec<(&str, Value)>) -> Value {
        Value::Map(pairs.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    fn spot(line: u32, byte: u32) -> Value {
        map(vec![("line", line.into()), ("byte", byte.into())])
    }

    #[test]
    fn a_selection_is_counted_in_utf16() {
        let payload = map(vec![
            ("path", "/w/a".into()),
            ("start", spot(1, 2)),
            ("end", spot(2, 5)),
            ("start_line_text", "ä b".into()),
            ("end_line_text", "😀x".into()),
            ("text", " b\n😀x".into()),
        ]);
        let Ok(News::Selection(selection)) = News::read(vec!["selection".into(), payload]) else {
            panic!("no selection")
        };
        assert_eq!(selection.range, Range::new(Position::new(1, 1), Position::new(2, 3)));
        assert_eq!(&*selection.text, " b\n😀x");
    }

    #[test]
    fn nil_counts_as_left_out_and_an_empty_table_as_nothing() {
        let payload = map(vec![("path", "/w/a".into()), ("line_start", Value::Nil)]);
        let Ok(News::Mention(mention, None)) = News::read(vec!["mention".into(), payload]) else {
            panic!("no mention")
        };
        assert_eq!(mention.lines, None);
        assert!(
            matches!(News::read(vec!["folders".into(), Value::Array(vec![])]), Ok(News::Folders(list)) if list.is_empty())
        );
    }

    #[test]
    fn what_is_not_in_the_contract_is_named() {
        let error = News::read(vec!["party".into()]).unwrap_err();
        assert!(error.contains("`party`"), "{error}");
        let payload = map(vec![("id", 1.into()), ("decision", "accept_with".into())]);
        assert!(News::read(vec!["review".into(), payload]).unwrap_err().contains("contents"));
    }

    #[test]
    fn bytes_that_are_no_text_do_not_hide_a_selection() {
        let odd = Value::Binary(vec![b'a', 0xff]);
        let payload =
            map(vec![("path", "/w/a".into()), ("start", spot(0, 0)), ("end", spot(0, 1)), ("text", odd)]);
        assert!(matches!(News::read(vec!["selection".into(), payload]), Ok(News::Selection(_))));
    }
}
