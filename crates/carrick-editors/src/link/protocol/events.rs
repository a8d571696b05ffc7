//! What a subscriber hears: one [`Note`] for each thing that happens on the desk.

use std::collections::BTreeMap;
use std::path::PathBuf;

use carrick_core::{Client, ClientId, Desk, Event, ReviewId, Selection};
use serde::{Deserialize, Serialize};

use super::{ClientLine, ReviewLine, SelectionLine, Span, since_1970};

/// Contents up to this size are compared at once to say how many lines change. Comparing more could hold up the
/// desk for something that may be settled before anyone reads it.
const COUNTED_BYTES: usize = 128 << 10;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Note {
    /// An agent connected.
    ClientJoined {
        /// Who.
        client: ClientLine,
    },
    /// An agent hears what is pushed from now on.
    ClientReady {
        /// Who.
        client: ClientLine,
    },
    /// An agent answers again, or has stopped answering.
    ClientResponsive {
        /// Who.
        client: ClientLine,
    },
    /// An agent went away.
    ClientLeft {
        /// Its number.
        id: u64,
        /// What it called itself.
        name: String,
    },
    /// Another selection.
    SelectionChanged {
        /// What is selected in the editor with the focus; null for nothing.
        selection: Option<SelectionLine>,
    },
    /// The person mentioned something.
    Mentioned {
        /// The file or folder.
        path: PathBuf,
        /// First and last line, from 0, both included.
        lines: Option<(u32, u32)>,
        /// Only to this client.
        client: Option<u64>,
    },
    /// What is wrong with a file changed.
    DiagnosticsChanged {
        /// The file.
        path: PathBuf,
        /// How many there are now.
        count: usize,
    },
    /// Files were opened or closed.
    TabsChanged,
    /// The workspace has other folders.
    FoldersChanged {
        /// All of them.
        folders: Vec<PathBuf>,
    },
    /// Another set of tools may be listed.
    AbilitiesChanged,
    /// A change waits for a person.
    ReviewOpened {
        /// Which.
        review: ReviewLine,
    },
    /// A review ended.
    ReviewSettled {
        /// Its number.
        id: u64,
        /// The review; null when it is too old to be kept.
        review: Option<ReviewLine>,
    },
    /// Something a person should know and would not see.
    Remarked {
        /// In words.
        words: String,
    },
    /// The listener was too slow: so many events are lost, and it should look at the desk anew.
    Missed {
        /// How many.
        count: u64,
    },
}

/// Turns events into notes. It remembers the names of clients, because an event of leaving comes after the leaving.
#[derive(Debug, Default)]
pub struct Notes {
    names: BTreeMap<ClientId, String>,
}

impl Notes {
    /// The note of an event; none when it is about something that is no longer there.
    pub fn note(&mut self, desk: &Desk, event: &Event) -> Option<Note> {
        match event {
            Event::ClientJoined(id) => Some(Note::ClientJoined { client: self.client(desk, *id)? }),
            Event::ClientReady(id) => Some(Note::ClientReady { client: self.client(desk, *id)? }),
            Event::ClientResponsive(id, _) => {
                Some(Note::ClientResponsive { client: self.client(desk, *id)? })
            }
            Event::ClientLeft(id) => {
                Some(Note::ClientLeft { id: id.0, name: self.names.remove(id).unwrap_or_default() })
            }
            Event::SelectionChanged(_) => {
                Some(Note::SelectionChanged { selection: desk.selection().as_ref().map(selection_line) })
            }
            Event::Mentioned(mention, to) => Some(Note::Mentioned {
                path: mention.path.clone(),
                lines: mention.lines,
                client: to.map(|client| client.0),
            }),
            Event::DiagnosticsChanged(file) => {
                Some(Note::DiagnosticsChanged { path: file.path.clone(), count: file.diagnostics.len() })
            }
            Event::TabsChanged(_) => Some(Note::TabsChanged),
            Event::FoldersChanged => Some(Note::FoldersChanged { folders: desk.folders() }),
            Event::AbilitiesChanged => Some(Note::AbilitiesChanged),
            Event::ReviewOpened(id) => Some(Note::ReviewOpened { review: review_line(desk, *id)? }),
            Event::ReviewSettled(id) => {
                Some(Note::ReviewSettled { id: id.0, review: review_line(desk, *id) })
            }
            Event::Remarked(words) => Some(Note::Remarked { words: words.to_string() }),
        }
    }

    fn client(&mut self, desk: &Desk, id: ClientId) -> Option<ClientLine> {
        let line = client_line(&desk.client(id)?);
        self.names.insert(id, line.name.clone());
        Some(line)
    }
}

fn review_line(desk: &Desk, id: ReviewId) -> Option<ReviewLine> {
    let record = desk.review(id)?;
    let before = record.review.before().map_or(0, |before| before.len());
    let small = before + record.review.proposed.len() <= COUNTED_BYTES;
    Some(if small { ReviewLine::counted(&record) } else { ReviewLine::uncounted(&record) })
}

/// A client in one line.
#[must_use]
pub fn client_line(client: &Client) -> ClientLine {
    ClientLine {
        id: client.id.0,
        name: client.name.clone(),
        pid: client.pid,
        since: since_1970(client.since),
        ready: client.ready,
        responsive: client.responsive,
    }
}

/// A selection without its text.
#[must_use]
pub fn selection_line(selection: &Selection) -> SelectionLine {
    SelectionLine { path: selection.path.clone(), range: Span::from(selection.range) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carrick_core::PrivateList;

    #[test]
    fn a_client_that_left_keeps_its_name() {
        let desk = Desk::new(vec!["/w".into()], PrivateList::default());
        let (mut events, mut notes) = (desk.events(), Notes::default());
        let seat = desk.join();
        desk.introduce(seat.id(), Some("claude-code 2".into()), None);
        notes.note(&desk, &events.try_recv().unwrap()).unwrap();
        let id = seat.id().0;
        drop(seat);
        let left = notes.note(&desk, &events.try_recv().unwrap()).unwrap();
        assert_eq!(left, Note::ClientLeft { id, name: "claude-code 2".into() });
    }

    #[test]
    fn the_kind_comes_as_a_word() {
        let note = Note::Missed { count: 3 };
        assert_eq!(serde_json::to_string(&note).unwrap(), r#"{"kind":"missed","count":3}"#);
    }
}
