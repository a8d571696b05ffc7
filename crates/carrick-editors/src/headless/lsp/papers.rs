//! What one server has been shown and what it said about it. What it said about anything older than what it was
//! shown last is dropped here, and nowhere else.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use carrick_core::Diagnostic;
use tokio::time::Instant;

use super::super::look::Stamp;
use super::encoding::{Encoding, Lines};
use super::wire::{Published, WireDiagnostic, file};

/// Files that nobody opened and that a server still speaks of. More than so many are not remembered.
const MOST_LOOSE: usize = 1000;

/// A server that names no versions may speak twice, and first of what it knew before. It has spoken when it has been
/// quiet for so long.
const QUIET: Duration = Duration::from_millis(150);

/// What a server said by itself.
#[derive(Debug)]
struct Pushed {
    about: i64,
    quiet_at: Instant,
    list: Vec<Diagnostic>,
}

/// What it answered.
#[derive(Debug)]
struct Answered {
    about: i64,
    id: Option<String>,
    list: Vec<Diagnostic>,
}

/// One file that the server has been shown.
#[derive(Debug)]
struct Paper {
    version: i64,
    text: Arc<str>,
    /// Everything that the server says without a version is about this one or a newer one.
    fenced: i64,
    pushed: Option<Pushed>,
    answered: Option<Answered>,
}

/// What is to be told to the server, so that it has seen a file as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    Nothing,
    Open,
    Change,
}

/// Whether the server has spoken about a file as it is.
#[derive(Debug, PartialEq)]
pub(super) enum Word {
    /// This is what it says.
    Final(Vec<Diagnostic>),
    /// This is what it says, if it is quiet until then.
    Perhaps(Instant),
    /// Not yet.
    None,
}

/// All that one server has been shown.
#[derive(Debug, Default)]
pub(super) struct Papers {
    shown: HashMap<PathBuf, Paper>,
    loose: HashMap<PathBuf, (Option<Stamp>, Vec<Diagnostic>)>,
}

impl Papers {
    /// The server is about to be shown this version.
    pub(super) fn show(&mut self, path: &Path, version: i64, text: &Arc<str>) -> Telling {
        self.loose.remove(path);
        match self.shown.get_mut(path) {
            Some(paper) if paper.version >= version => Telling::Nothing,
            Some(paper) => {
                (paper.version, paper.text) = (version, Arc::clone(text));
                Telling::Change
            }
            None => {
                // Nothing that was said before can be about a file that was not open.
                let paper =
                    Paper { version, text: Arc::clone(text), fenced: version, pushed: None, answered: None };
                self.shown.insert(path.into(), paper);
                Telling::Open
            }
        }
    }

    /// The file is closed; true when it was open.
    pub(super) fn close(&mut self, path: &Path) -> bool {
        self.shown.remove(path).is_some()
    }

    /// The server has heard everything up to this version.
    pub(super) fn fence(&mut self, path: &Path, version: i64) {
        if let Some(paper) = self.shown.get_mut(path) {
            paper.fenced = paper.fenced.max(version);
        }
    }

    /// The server says something by itself. Gives back the file it is about, if it counts.
    pub(super) fn publish(&mut self, published: &Published, encoding: Encoding) -> Option<PathBuf> {
        let path = file(&published.uri)?;
        let Some(paper) = self.shown.get_mut(&path) else {
            return self.publish_loose(path, &published.diagnostics);
        };
        let about = published.version.unwrap_or(paper.fenced);
        if about != paper.version {
            return None;
        }
        let list = read(&published.diagnostics, &paper.text, encoding);
        let wait = if published.version.is_some() { Duration::ZERO } else { QUIET };
        paper.pushed = Some(Pushed { about, quiet_at: Instant::now() + wait, list });
        Some(path)
    }

    /// Of a file that is not open only the lines are certain, because it is not at hand to count characters in; they
    /// are taken as they come.
    fn publish_loose(&mut self, path: PathBuf, list: &[WireDiagnostic]) -> Option<PathBuf> {
        if list.is_empty() {
            return self.loose.remove(&path).map(|_| path);
        }
        if self.loose.len() >= MOST_LOOSE && !self.loose.contains_key(&path) {
            return None;
        }
        let stamp = Stamp::at(&path).ok();
        self.loose.insert(path.clone(), (stamp, read(list, "", Encoding::Utf16)));
        Some(path)
    }

    /// The server answers about a version of a file.
    pub(super) fn answer(
        &mut self,
        path: &Path,
        about: i64,
        id: Option<String>,
        list: &[WireDiagnostic],
        encoding: Encoding,
    ) {
        if let Some(paper) = self.shown.get_mut(path).filter(|paper| paper.version == about) {
            let list = read(list, &paper.text, encoding);
            paper.answered = Some(Answered { about, id, list });
        }
    }

    /// The server answers that all is as it said before.
    pub(super) fn answer_same(&mut self, path: &Path, about: i64) {
        if let Some(paper) = self.shown.get_mut(path).filter(|paper| paper.version == about)
            && let Some(answered) = &mut paper.answered
        {
            answered.about = about;
        }
    }

    /// The name of the last answer, by which the server knows what we know.
    pub(super) fn answer_id(&self, path: &Path) -> Option<&str> {
        self.shown.get(path)?.answered.as_ref()?.id.as_deref()
    }

    /// What the server says about this version by itself.
    pub(super) fn word(&self, path: &Path, version: i64) -> Word {
        let pushed = self.shown.get(path).and_then(|paper| paper.pushed.as_ref());
        match pushed.filter(|pushed| pushed.about == version) {
            Some(pushed) if pushed.quiet_at <= Instant::now() => Word::Final(pushed.list.clone()),
            Some(pushed) => Word::Perhaps(pushed.quiet_at),
            None => Word::None,
        }
    }

    /// All that is known about this version, however it came to be known.
    pub(super) fn all(&self, path: &Path, version: i64) -> Option<Vec<Diagnostic>> {
        let paper = self.shown.get(path)?;
        let answered = paper.answered.as_ref().filter(|answered| answered.about == version);
        let pushed = paper.pushed.as_ref().filter(|pushed| pushed.about == version);
        if answered.is_none() && pushed.is_none() {
            return None;
        }
        let lists = [answered.map(|answered| &answered.list), pushed.map(|pushed| &pushed.list)];
        Some(lists.into_iter().flatten().flatten().cloned().collect())
    }

    /// Files that were never opened and what was said about them, with what they were like at that moment.
    pub(super) fn loose(&self) -> impl Iterator<Item = (&PathBuf, Option<Stamp>, &Vec<Diagnostic>)> {
        self.loose.iter().map(|(path, (stamp, list))| (path, *stamp, list))
    }
}

fn read(list: &[WireDiagnostic], text: &str, encoding: Encoding) -> Vec<Diagnostic> {
    let lines = Lines::of(if encoding == Encoding::Utf16 { "" } else { text });
    let one = |raw: &WireDiagnostic| Diagnostic {
        message: super::wire::marked(&raw.message),
        severity: raw.severity(),
        range: lines.range(raw.range.into(), encoding),
        source: raw.source.clone(),
        code: raw.code(),
    };
    list.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PATH: &str = "/w/a.py";

    fn published(version: Option<i64>, message: &str) -> Published {
        let place = json!({"line": 0, "character": 4});
        serde_json::from_value(json!({
            "uri": format!("file://{PATH}"), "version": version,
            "diagnostics": [{"range": {"start": place, "end": place}, "message": message}],
        }))
        .unwrap()
    }

    fn shown(versions: &[i64]) -> Papers {
        let mut papers = Papers::default();
        for version in versions {
            papers.show(Path::new(PATH), *version, &"😀 x".into());
        }
        papers
    }

    fn message(word: &Word) -> &str {
        if let Word::Final(list) = word { &list[0].message } else { "" }
    }

    #[tokio::test]
    async fn what_is_said_about_an_older_version_is_not_heard() {
        let mut papers = shown(&[1, 2]);
        let path = Path::new(PATH);
        assert_eq!(papers.publish(&published(Some(1), "old"), Encoding::Utf16), None);
        assert_eq!(papers.word(path, 2), Word::None);
        assert!(papers.publish(&published(Some(2), "new"), Encoding::Utf16).is_some());
        assert_eq!(papers.publish(&published(Some(1), "late"), Encoding::Utf16), None);
        assert_eq!(message(&papers.word(path, 2)), "new");
        assert_eq!(papers.show(path, 3, &"y".into()), Telling::Change);
        assert_eq!((papers.word(path, 3), papers.all(path, 3)), (Word::None, None));
    }

    #[tokio::test(start_paused = true)]
    async fn without_versions_only_what_comes_after_the_fence_counts_and_when_it_is_quiet() {
        let mut papers = shown(&[1, 2]);
        let path = Path::new(PATH);
        papers.publish(&published(None, "from before"), Encoding::Utf16);
        assert_eq!(papers.word(path, 2), Word::None);
        papers.fence(path, 2);
        papers.publish(&published(None, "after"), Encoding::Utf16);
        assert!(matches!(papers.word(path, 2), Word::Perhaps(_)));
        tokio::time::advance(QUIET).await;
        assert_eq!(message(&papers.word(path, 2)), "after");
    }

    #[tokio::test]
    async fn places_are_counted_in_the_text_that_they_are_about() {
        let mut papers = shown(&[1]);
        papers.publish(&published(Some(1), "m"), Encoding::Utf8);
        let list = papers.all(Path::new(PATH), 1).unwrap();
        assert_eq!(list[0].range.start.character, 2, "four bytes are two units");
    }

    #[test]
    fn files_that_nobody_opened_are_remembered_until_they_are_clean() {
        let mut papers = Papers::default();
        papers.publish(&published(None, "m"), Encoding::Utf16);
        assert_eq!(papers.loose().count(), 1);
        let clean = Published { uri: format!("file://{PATH}"), version: None, diagnostics: Vec::new() };
        papers.publish(&clean, Encoding::Utf16);
        assert_eq!(papers.loose().count(), 0);
    }
}
