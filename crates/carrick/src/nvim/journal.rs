//! The last things that happened, for `:Carrick log`.

use std::collections::VecDeque;
use std::path::Path;

use carrick_editors::link::protocol::Note;
use rmpv::Value;

/// Lines that are kept; the oldest goes first.
const LINES: usize = 200;

#[derive(Debug, Default)]
pub(super) struct Journal {
    lines: VecDeque<String>,
}

impl Journal {
    pub(super) fn line(&mut self, line: String) {
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    pub(super) fn note(&mut self, note: &Note) {
        if let Some(line) = words(note) {
            self.line(line);
        }
    }

    /// The oldest first.
    pub(super) fn lines(&self) -> Value {
        Value::Array(self.lines.iter().map(|line| line.as_str().into()).collect())
    }
}

/// Selections are too many to be worth a line.
fn words(note: &Note) -> Option<String> {
    match note {
        Note::ClientReady { client } => Some(format!("{} connected (client {})", client.name, client.id)),
        Note::ClientLeft { id, name } => Some(format!("{name} left (client {id})")),
        Note::ClientResponsive { client } if client.responsive => {
            Some(format!("{} answers again", client.name))
        }
        Note::ClientResponsive { client } => Some(format!("{} does not answer", client.name)),
        Note::Mentioned { path, .. } => Some(format!("mentioned {}", path.display())),
        Note::FoldersChanged { folders } => {
            let all: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            Some(format!("folders: {}", all.join(", ")))
        }
        Note::ReviewOpened { review } => {
            Some(format!("review {} waits: {}", review.id, review.path.display()))
        }
        Note::ReviewSettled { id, review } => {
            let end = review.as_ref().and_then(|review| review.outcome).map_or("settled", |end| end.words());
            let path = review.as_ref().map_or(Path::new(""), |review| &review.path);
            Some(format!("review {id}: {end} {}", path.display()))
        }
        Note::Remarked { words } => Some(words.clone()),
        Note::Missed { count } => Some(format!("{count} events were lost")),
        Note::ClientJoined { .. }
        | Note::SelectionChanged { .. }
        | Note::DiagnosticsChanged { .. }
        | Note::TabsChanged
        | Note::AbilitiesChanged => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_bounded() {
        let mut journal = Journal::default();
        (0..300).for_each(|number| journal.line(number.to_string()));
        let lines = journal.lines();
        assert_eq!(lines.as_array().map(Vec::len), Some(200));
        assert_eq!(lines[0].as_str(), Some("100"));
    }
}
