//! The files that servers have been told about, as they were when somebody last looked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use carrick_core::EditorError;

use super::super::inside::{Place, Workspace};
use super::super::language::language;
use super::super::look::{Stamp, bytes_of};

/// Files that are kept open at once. The one that was asked about longest ago is closed for the next.
const MOST_OPEN: usize = 64;

/// The largest file that is shown to a server; larger ones make servers slow and are seldom written by hand.
const MOST_TEXT: u64 = 4 << 20;

/// Two writes within a tick of the file system's clock look the same. A file that was written just before it was
/// read is read again the next time.
const TICK: Duration = Duration::from_millis(50);

/// A file as it is now, ready to be shown to servers.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    /// With all links resolved: what servers are told.
    pub(super) real: PathBuf,
    /// As it was asked for: what is answered.
    pub(super) shown: PathBuf,
    /// Grows with every change.
    pub(super) version: i64,
    pub(super) text: Arc<str>,
    /// It was known, and is not as it was.
    pub(super) changed: bool,
    pub(super) language: &'static str,
}

#[derive(Debug)]
struct Document {
    sheet: Sheet,
    stamp: Stamp,
    trusted: bool,
    used: u64,
}

/// What is known of a file before it is looked at.
pub(super) type Known = Option<(Stamp, bool)>;

/// What the disk says about a file.
pub(super) enum Seen {
    /// It is as it was.
    Same,
    /// It has these contents.
    Text { stamp: Stamp, trusted: bool, text: Arc<str> },
    /// It is not there, or nothing for a server.
    Nothing,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Documents {
    all: BTreeMap<PathBuf, Document>,
    version: i64,
    clock: u64,
}

impl Documents {
    /// What is known of a file, to be compared with the disk.
    pub(super) fn known(&self, real: &Path) -> Known {
        self.all.get(real).map(|document| (document.stamp, document.trusted))
    }

    /// The names under which the open files were asked for.
    pub(super) fn shown(&self) -> Vec<PathBuf> {
        self.all.values().map(|document| document.sheet.shown.clone()).collect()
    }

    pub(super) fn has(&self, real: &Path) -> bool {
        self.all.contains_key(real)
    }

    /// The version that was shown last.
    pub(super) fn version(&self, real: &Path) -> Option<i64> {
        self.all.get(real).map(|document| document.sheet.version)
    }

    /// The name under which it was asked for.
    pub(super) fn name(&self, real: &Path) -> PathBuf {
        self.all.get(real).map_or_else(|| real.into(), |document| document.sheet.shown.clone())
    }

    /// Takes in what was seen. Gives the file as it is now and those that are to be closed.
    pub(super) fn learn(&mut self, place: &Place, seen: Seen) -> (Option<Sheet>, Vec<PathBuf>) {
        self.clock += 1;
        let before = self.version(&place.real);
        match seen {
            Seen::Same => {}
            Seen::Nothing => {
                let closed = self.all.remove(&place.real).map(|_| place.real.clone());
                return (None, closed.into_iter().collect());
            }
            Seen::Text { stamp, trusted, text } => self.write_down(place, stamp, trusted, text),
        }
        let used = self.clock;
        let sheet = self.all.get_mut(&place.real).map(|document| {
            document.used = used;
            document.sheet.shown = place.path.clone();
            document.sheet.changed = before.is_some_and(|before| before != document.sheet.version);
            document.sheet.clone()
        });
        (sheet, self.oldest_beyond())
    }

    fn write_down(&mut self, place: &Place, stamp: Stamp, trusted: bool, text: Arc<str>) {
        if let Some(document) = self.all.get_mut(&place.real) {
            (document.stamp, document.trusted) = (stamp, trusted);
            if document.sheet.text != text {
                self.version += 1;
                (document.sheet.text, document.sheet.version) = (text, self.version);
            }
            return;
        }
        self.version += 1;
        let sheet = Sheet {
            real: place.real.clone(),
            shown: place.path.clone(),
            version: self.version,
            text,
            changed: false,
            language: language(&place.real),
        };
        self.all.insert(place.real.clone(), Document { sheet, stamp, trusted, used: 0 });
    }

    fn oldest_beyond(&mut self) -> Vec<PathBuf> {
        let mut closed = Vec::new();
        while self.all.len() > MOST_OPEN {
            let oldest =
                self.all.iter().min_by_key(|(_, document)| document.used).map(|(path, _)| path.clone());
            let Some(oldest) = oldest else { break };
            self.all.remove(&oldest);
            closed.push(oldest);
        }
        closed
    }
}

/// Looks at a file that an agent may see; this reads the disk.
pub(super) fn look(place: &Place, known: Known) -> Seen {
    let Ok(stamp) = Stamp::at(&place.real) else { return Seen::Nothing };
    if known == Some((stamp, true)) {
        return Seen::Same;
    }
    let trusted = stamp.is_older_than(SystemTime::now(), TICK);
    let text = bytes_of(place, MOST_TEXT).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.map_or(Seen::Nothing, |text| Seen::Text { stamp, trusted, text: text.into() })
}

/// Where an agent's path leads, if it leads to a file of the workspace that is not private.
pub(super) fn place_of(workspace: &Workspace, path: &Path) -> Result<Place, EditorError> {
    workspace.for_agent(path)
}
