//! Looking into a file that is being opened: how many lines, and what of it is to be selected.
//!
//! A file is read at most once, and when nothing is to be selected it is never held whole.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use carrick_core::{EditorError, OpenRequest, Range};

use super::find_text::{self, Found, Words};
use super::inside::{Place, not_done};

/// How much is read at a time while lines are counted …
const STEP: usize = 64 << 10;
/// … and how far. A sparse file of a terabyte has no lines worth waiting for.
const COUNTED: u64 = 1 << 30;

/// The most that is held of one file to select in it or to compare with it.
pub(super) const MOST_HELD: u64 = 512 << 20;

/// What tells that a file is no longer the one that was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    /// Two writes within one tick of the file system's clock differ in this alone.
    inode: u64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self { modified: metadata.modified().ok(), length: metadata.len(), inode }
    }

    /// True when the file was last written well before this moment.
    pub(super) fn is_older_than(self, moment: SystemTime, by: Duration) -> bool {
        self.modified.is_some_and(|modified| modified + by <= moment)
    }

    /// The stamp of a file as it is now.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        path.metadata().map(|metadata| Self::of(&metadata))
    }
}

/// What is to be selected.
#[derive(Clone, Debug)]
pub(super) enum Wish {
    Nothing,
    Range(Range, bool),
    Words(Words),
}

impl Wish {
    pub(super) fn of(request: OpenRequest) -> Self {
        let OpenRequest { range, start_text: start, end_text: end, to_end_of_line, .. } = request;
        match (range, &start) {
            (Some(range), _) => Self::Range(range, to_end_of_line),
            (None, Some(words)) if !words.is_empty() => Self::Words(Words { start, end, to_end_of_line }),
            _ => Self::Nothing,
        }
    }
}

/// A file that was looked into.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) place: Place,
    pub(super) stamp: Stamp,
    pub(super) line_count: u32,
    pub(super) selected: Option<(Range, Arc<str>)>,
    pub(super) start_missing: bool,
    pub(super) end_missing: bool,
}

/// Looks into the file; this reads the disk.
pub(super) fn look(place: Place, wish: &Wish) -> Result<Look, EditorError> {
    let failed = |error: &io::Error| not_done("read", &place.path, error);
    let stamp = Stamp::at(&place.real).map_err(|error| failed(&error))?;
    if matches!(wish, Wish::Nothing) {
        let line_count = line_count(&place.real).map_err(|error| failed(&error))?;
        return Ok(plain(place, stamp, line_count));
    }
    let bytes = bytes_of(&place, MOST_HELD)?;
    let look = plain(place, stamp, lines_in(&bytes).saturating_add(1));
    Ok(match String::from_utf8(bytes) {
        Ok(text) => with_selection(look, &text, wish),
        // Words cannot be found in what is not text.
        Err(_) => Look { start_missing: matches!(wish, Wish::Words(_)), ..look },
    })
}

/// The whole of a file that has no more than `most` bytes.
pub(super) fn bytes_of(place: &Place, most: u64) -> Result<Vec<u8>, EditorError> {
    let failed = |error| not_done("read", &place.path, &error);
    let file = File::open(&place.real).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    // A sparse file can claim any length: its claim must not decide how much memory is asked for.
    let likely = if length > most { 0 } else { usize::try_from(length + 1).unwrap_or_default() };
    let mut bytes = Vec::with_capacity(likely);
    if length <= most {
        // One byte more than allowed tells a file that grew while it was read.
        file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if length > most || bytes.len() as u64 > most {
        let (shown, limit) = (place.path.display(), most >> 20);
        return Err(EditorError::Failed(format!(
            "{shown} is larger than {limit} MiB, the most that carrick reads here: take a part of it by other means"
        )));
    }
    Ok(bytes)
}

/// How many lines a file has, counted as editors do: one more than it has line feeds.
pub(super) fn line_count(path: &Path) -> io::Result<u32> {
    let mut file = File::open(path)?.take(COUNTED);
    let mut step = vec![0; STEP];
    let mut lines = 1_u32;
    loop {
        match file.read(&mut step) {
            Ok(0) => return Ok(lines),
            Ok(read) => lines = lines.saturating_add(lines_in(step.get(..read).unwrap_or_default())),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn plain(place: Place, stamp: Stamp, line_count: u32) -> Look {
    Look { place, stamp, line_count, selected: None, start_missing: false, end_missing: false }
}

fn with_selection(look: Look, text: &str, wish: &Wish) -> Look {
    let found = match wish {
        Wish::Nothing => Found::default(),
        Wish::Range(range, to_end_of_line) => {
            Found { bytes: Some(find_text::clamp(text, *range, *to_end_of_line)), ..Found::default() }
        }
        Wish::Words(words) => find_text::find(text, words),
    };
    let part = |(from, to)| {
        let words = text.get(from..to).unwrap_or_default();
        (Range::of_bytes(text, from, to), Arc::from(words))
    };
    let Found { bytes, start_missing, end_missing } = found;
    Look { selected: bytes.map(part), start_missing, end_missing, ..look }
}

fn lines_in(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(u32::MAX)
}
