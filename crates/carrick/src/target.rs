//! `FILE:LINE:COL` and its relatives, as people type them, turned into files and places.
//!
//! A file name may contain colons, so the longest beginning that is a file wins.

use std::path::{Path, PathBuf};

use carrick_core::{Position, Range};
use unicode_segmentation::UnicodeSegmentation;

/// Why what was typed is no place in a file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TargetError {
    /// There is no such file.
    #[error("there is no file {}", .0.display())]
    NoFile(PathBuf),
    /// It cannot be read.
    #[error("cannot read {}: {why}", .path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The path cannot be sent.
    #[error("the name of {} is not UTF-8", .0.display())]
    NotUtf8(PathBuf),
    /// There are fewer lines.
    #[error("{} has {has} lines, there is no line {asked}", .path.display())]
    NoLine {
        /// In which file.
        path: PathBuf,
        /// How many it has.
        has: usize,
        /// Which was asked for.
        asked: u32,
    },
    /// The place makes no sense here.
    #[error("{text:?} is no place in a file: {why}")]
    BadPlace {
        /// What was typed.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
}

impl TargetError {
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::BadPlace { .. } => {
                Some("write FILE, FILE:LINE or FILE:LINE-LINE; lines count from 1".into())
            }
            _ => None,
        }
    }

    pub(crate) fn is_usage(&self) -> bool {
        matches!(self, Self::BadPlace { .. })
    }
}

/// A line, and perhaps a column in it; both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) line: u32,
    pub(crate) column: Option<u32>,
}

/// A file, and perhaps a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Absolute.
    pub(crate) path: PathBuf,
    /// From here …
    pub(crate) start: Option<Spot>,
    /// … to here, included.
    pub(crate) end: Option<Spot>,
}

impl Target {
    /// Reads what was typed in `directory`.
    pub(crate) fn parse(text: &str, directory: &Path) -> Result<Self, TargetError> {
        let colons = text.match_indices(':').map(|(at, _)| at);
        let cuts: Vec<usize> = colons.chain([text.len()]).collect();
        let split = |at: usize| (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        let mut missing = None;
        for at in cuts.into_iter().rev() {
            let (file, place) = split(at);
            let Some(spots) = spots(place) else { continue };
            let path = directory.join(file);
            if path.exists() {
                return Self::new(text, &path, spots);
            }
            missing = Some(path);
        }
        Err(TargetError::NoFile(missing.unwrap_or_else(|| directory.join(text))))
    }

    fn new(text: &str, path: &Path, (start, end): Spots) -> Result<Self, TargetError> {
        let bad = |why| Err(TargetError::BadPlace { text: text.into(), why });
        let numbers = [start, end].into_iter().flatten().flat_map(|spot| [Some(spot.line), spot.column]);
        if numbers.flatten().any(|number| number == 0) {
            return bad("lines and columns count from 1");
        }
        if let (Some(start), Some(end)) = (start, end) {
            let key = |spot: Spot, missing| (spot.line, spot.column.unwrap_or(missing));
            if key(start, 1) > key(end, u32::MAX) {
                return bad("the end is before the start");
            }
        }
        Ok(Self { path: tidy(path)?, start, end })
    }

    /// The cursor position for `open`.
    pub(crate) fn cursor(&self, text: &str) -> Result<Option<Position>, TargetError> {
        if self.end.is_some() {
            let typed = self.path.display().to_string();
            return Err(TargetError::BadPlace {
                text: typed,
                why: "a cursor has no end; `carrick select` takes ranges",
            });
        }
        self.start.map(|spot| Ok(Position::new(spot.line - 1, self.before(text, spot, 1)?))).transpose()
    }

    /// The lines for `mention`, from 0, both included.
    pub(crate) fn lines(&self) -> Result<Option<(u32, u32)>, TargetError> {
        let Some(start) = self.start else { return Ok(None) };
        let end = self.end.unwrap_or(start);
        if start.column.or(end.column).is_some() {
            let typed = self.path.display().to_string();
            return Err(TargetError::BadPlace { text: typed, why: "a mention has lines, no columns" });
        }
        Ok(Some((start.line - 1, end.line - 1)))
    }

    /// The part for `select`, with its end excluded as the wire has it.
    pub(crate) fn range(&self, text: &str) -> Result<Range, TargetError> {
        let whole = || Range::of_bytes(text, 0, text.len());
        let Some(start) = self.start else { return Ok(whole()) };
        let end = self.end.unwrap_or(start);
        let from = Position::new(start.line - 1, self.before(text, start, 1)?);
        let to = self.before(text, Spot { column: end.column.map(|column| column + 1), ..end }, u32::MAX)?;
        Ok(Range::new(from, Position::new(end.line - 1, to)))
    }

    /// How many UTF-16 units stand in the line before this spot; past its end is its end.
    fn before(&self, text: &str, spot: Spot, default: u32) -> Result<u32, TargetError> {
        let mut lines = text.split('\n');
        let Some(line) = lines.nth(spot.line as usize - 1) else {
            let has = text.lines().count();
            return Err(TargetError::NoLine { path: self.path.clone(), has, asked: spot.line });
        };
        let line = line.strip_suffix('\r').unwrap_or(line);
        let column = spot.column.unwrap_or(default) as usize;
        let seen = line.graphemes(true).take(column - 1);
        Ok(seen.map(|grapheme| grapheme.encode_utf16().count() as u32).sum())
    }

    /// The text of the file.
    pub(crate) fn read(&self) -> Result<String, TargetError> {
        let unreadable = |error: std::io::Error| TargetError::Unreadable {
            path: self.path.clone(),
            why: error.to_string(),
        };
        std::fs::read_to_string(&self.path).map_err(unreadable)
    }
}

/// The folder resolved, the file's own name kept: a link in the workspace is called by its name there.
fn tidy(path: &Path) -> Result<PathBuf, TargetError> {
    let unreadable =
        |error: std::io::Error| TargetError::Unreadable { path: path.into(), why: error.to_string() };
    let tidy = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => parent.canonicalize().map_err(unreadable)?.join(name),
        _ => path.canonicalize().map_err(unreadable)?,
    };
    if tidy.to_str().is_none() { Err(TargetError::NotUtf8(tidy)) } else { Ok(tidy) }
}

type Spots = (Option<Spot>, Option<Spot>);

/// Reads `L`, `L:C`, `L-L`, `L:C-L:C` or nothing.
fn spots(place: &str) -> Option<Spots> {
    if place.is_empty() {
        return Some((None, None));
    }
    match place.split_once('-') {
        Some((start, end)) => Some((Some(spot(start)?), Some(spot(end)?))),
        None => Some((Some(spot(place)?), None)),
    }
}

fn spot(text: &str) -> Option<Spot> {
    let number =
        |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
    let (line, column) = match text.split_once(':') {
        Some((line, column)) => (number(line)?, Some(number(column)?)),
        None => (number(text)?, None),
    };
    // One column further must still be a number.
    Some(Spot { line, column }).filter(|spot| spot.column != Some(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scratch(names: &[&str]) -> tempfile::TempDir {
        let scratch = tempfile::tempdir().unwrap();
        for name in names {
            std::fs::write(scratch.path().join(name), "one\nzwéi 👩‍👩‍👧x\r\ndrei\n").unwrap();
        }
        scratch
    }

    fn parse(scratch: &tempfile::TempDir, text: &str) -> Result<Target, TargetError> {
        Target::parse(text, &scratch.path().canonicalize().unwrap())
    }

    fn range(scratch: &tempfile::TempDir, text: &str) -> ((u32, u32), (u32, u32)) {
        let target = parse(scratch, text).unwrap();
        let range = target.range(&target.read().unwrap()).unwrap();
        ((range.start.line, range.start.character), (range.end.line, range.end.character))
    }

    #[test]
    fn both_ends_are_included() {
        let scratch = scratch(&["a"]);
        assert_eq!(range(&scratch, "a:1"), ((0, 0), (0, 3)));
        assert_eq!(range(&scratch, "a:1-3"), ((0, 0), (2, 4)));
        assert_eq!(range(&scratch, "a:1:2-1:3"), ((0, 1), (0, 3)));
        assert_eq!(range(&scratch, "a:1:2"), ((0, 1), (0, 2)));
        assert_eq!(range(&scratch, "a:1:2-3"), ((0, 1), (2, 4)));
        assert_eq!(range(&scratch, "a:1:99-1:100"), ((0, 3), (0, 3)));
        assert_eq!(range(&scratch, "a"), ((0, 0), (3, 0)));
    }

    #[test]
    fn columns_count_what_is_seen_and_the_wire_counts_units() {
        let scratch = scratch(&["a"]);
        assert_eq!(range(&scratch, "a:2:6"), ((1, 5), (1, 13)), "the family is one character of eight units");
        assert_eq!(range(&scratch, "a:2"), ((1, 0), (1, 14)), "the line ending is not part of the line");
    }

    #[test]
    fn the_longest_name_that_is_a_file_wins() {
        let scratch = scratch(&["a", "a:3", "a:3:4"]);
        let name = |text: &str| {
            let target = parse(&scratch, text).unwrap();
            (
                target.path.file_name().unwrap().to_str().unwrap().to_owned(),
                target.start.map(|spot| spot.line),
            )
        };
        assert_eq!(name("a:3:4"), ("a:3:4".into(), None));
        assert_eq!(name("a:3:1"), ("a:3".into(), Some(1)));
        assert_eq!(name("a:2:1"), ("a".into(), Some(2)));
        assert_eq!(name("a"), ("a".into(), None));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let scratch = scratch(&["a"]);
        assert!(matches!(parse(&scratch, "a:0"), Err(TargetError::BadPlace { .. })));
        assert!(matches!(parse(&scratch, "a:3-2"), Err(TargetError::BadPlace { .. })));
        assert!(matches!(parse(&scratch, "b:3"), Err(TargetError::NoFile(path)) if path.ends_with("b")));
        assert!(matches!(parse(&scratch, "a:x"), Err(TargetError::NoFile(path)) if path.ends_with("a:x")));
        let target = parse(&scratch, "a:9").unwrap();
        assert!(matches!(target.range("x\n"), Err(TargetError::NoLine { has: 1, asked: 9, .. })));
        assert!(parse(&scratch, "a:1-2").unwrap().cursor("x").is_err());
        assert!(parse(&scratch, "a:1:2").unwrap().lines().is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,20}", place in "(:[0-9]{0,12}|-[0-9]{0,12}){0,4}") {
            let scratch = scratch(&["a"]);
            for text in [format!("{text}{place}"), format!("a{place}")] {
                if let Ok(target) = parse(&scratch, &text) {
                    let _ = (target.range("x\ny"), target.cursor("x"), target.lines());
                }
            }
        }
    }
}
