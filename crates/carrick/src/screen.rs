//! What `serve` shows: first where the desk is and what to type next, then one line for each thing that happens.

use std::path::{Path, PathBuf};

use carrick_editors::link::protocol::{Before, End, Note, ReviewLine, SelectionLine};
use serde_json::json;

use crate::desk::Part;
use crate::join::short;
use crate::print::{Line, Stream, Tone};

/// Standard output of `serve`.
pub(crate) struct Screen {
    out: Stream,
    json: bool,
    root: PathBuf,
}

impl Screen {
    /// A screen for the desk of this folder.
    pub(crate) fn new(json: bool, root: &Path) -> Self {
        Self { out: Stream::new(), json, root: root.into() }
    }

    /// The desk is ready.
    pub(crate) fn begin(&self, part: &Part) {
        if self.json {
            self.out.json(&part.ready());
        }
        match part {
            Part::Viewer(_) if self.json => {
                self.out.json(&json!({ "kind": "joined", "pid": part.ready().pid }))
            }
            Part::Viewer(_) => self.joined(part),
            Part::Host(_) if self.json => {}
            Part::Host(_) => self.opened(part),
        }
    }

    /// The host ended; somebody, perhaps we, took over.
    pub(crate) fn again(&self, part: &Part) {
        let ready = part.ready();
        if self.json {
            let kind = if matches!(part, Part::Host(_)) { "took_over" } else { "joined" };
            let (port, lock, socket) = (ready.port, ready.lock, ready.socket);
            self.out.json(
                &json!({ "kind": kind, "port": port, "lock": lock, "socket": socket, "pid": ready.pid }),
            );
        } else if matches!(part, Part::Host(_)) {
            let words = format!("the host ended; this carrick took over port {}", ready.port);
            self.out.line(&Line::of(Tone::Note, words));
        } else {
            self.joined(part);
        }
    }

    fn opened(&self, part: &Part) {
        let ready = part.ready();
        self.out.line(
            &Line::of(Tone::Strong, "carrick").and(Tone::Plain, format!(" serves {}", self.root.display())),
        );
        self.out.line(&Line::of(
            Tone::Dim,
            format!("port {} · process {} · {}", ready.port, ready.pid, ready.lock.display()),
        ));
        if let Some(page) = &ready.page {
            self.out.line(&Line::of(Tone::Dim, "review page: ").and(Tone::Plain, page.clone()));
        }
        if self.out.is_terminal() {
            for (command, meaning) in [
                ("claude --ide", "in another terminal here: connects the agent"),
                ("carrick select FILE:3-9", "shows the agent what you mean"),
                ("carrick review", "lists the changes that wait for you"),
                ("Ctrl-C", "ends it"),
            ] {
                self.out.line(&Line::of(Tone::Good, format!("  {command:<26}")).and(Tone::Plain, meaning));
            }
        }
    }

    fn joined(&self, part: &Part) {
        let words = format!(" joined the desk of {}", part.root().display());
        self.out.line(&Line::of(Tone::Strong, "carrick").and(Tone::Plain, words));
        let host = part.ready();
        let words =
            format!("held by process {} on port {}; takes over when that one ends", host.pid, host.port);
        self.out.line(&Line::of(Tone::Dim, words));
    }

    /// Something happened.
    pub(crate) fn note(&self, note: &Note) {
        if self.json {
            self.out.json(note);
        } else if let Some(line) = self.words(note) {
            self.out.line(&line);
        }
    }

    fn words(&self, note: &Note) -> Option<Line> {
        match note {
            Note::ClientReady { client } => Some(
                Line::of(Tone::Good, "connected")
                    .and(Tone::Plain, format!("  {} (client {})", client.name, client.id)),
            ),
            Note::ClientResponsive { client } => {
                let (tone, word) = if client.responsive {
                    (Tone::Good, "answers again")
                } else {
                    (Tone::Note, "does not answer")
                };
                Some(Line::plain(format!("{} (client {}) ", client.name, client.id)).and(tone, word))
            }
            Note::ClientLeft { id, name } => {
                Some(Line::of(Tone::Note, "left").and(Tone::Plain, format!("       {name} (client {id})")))
            }
            Note::SelectionChanged { selection: Some(selection) } => Some(self.selected(selection)),
            Note::Mentioned { path, lines, .. } => {
                let lines = lines.map_or_else(String::new, |(first, last)| numbers(first + 1, last + 1));
                Some(Line::of(Tone::Dim, format!("mentioned  {}{lines}", self.short(path))))
            }
            Note::FoldersChanged { folders } => {
                let all: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
                Some(Line::of(Tone::Dim, format!("folders    {}", all.join(", "))))
            }
            Note::ReviewOpened { review } => Some(self.waits(review)),
            Note::ReviewSettled { id, review } => Some(self.settled(*id, review.as_ref())),
            Note::Remarked { words } => Some(Line::of(Tone::Note, format!("note       {words}"))),
            Note::Missed { count } => {
                Some(Line::of(Tone::Note, format!("{count} events were lost; see `carrick status`")))
            }
            Note::ClientJoined { .. }
            | Note::SelectionChanged { selection: None }
            | Note::DiagnosticsChanged { .. }
            | Note::TabsChanged
            | Note::AbilitiesChanged => None,
        }
    }

    fn short(&self, path: &Path) -> String {
        short(path, &self.root)
    }

    fn selected(&self, selection: &SelectionLine) -> Line {
        let (first, last) = (selection.range.start.line + 1, selection.range.end.line + 1);
        Line::of(Tone::Dim, format!("selected   {}{}", self.short(&selection.path), numbers(first, last)))
    }

    fn waits(&self, review: &ReviewLine) -> Line {
        let line =
            Line::of(Tone::Note, "waits").and(Tone::Plain, format!("      {} ", self.short(&review.path)));
        let id = review.id;
        counts(line, review).and(Tone::Dim, format!("  carrick review accept {id}  (or show, edit, reject)"))
    }

    fn settled(&self, id: u64, review: Option<&ReviewLine>) -> Line {
        let outcome = review.and_then(|review| review.outcome);
        let (tone, word) = match outcome {
            Some(End::Accepted) => (Tone::Good, "accepted"),
            Some(End::Rejected) => (Tone::Bad, "rejected"),
            Some(end) => (Tone::Note, end.words()),
            None => (Tone::Plain, "settled"),
        };
        let path = review.map_or_else(String::new, |review| self.short(&review.path));
        let line = Line::of(tone, word).and(Tone::Plain, format!("   {path} (review {id})"));
        match outcome {
            Some(End::Gone) => line.and(Tone::Dim, format!("  carrick review show {id}  (or forget)")),
            _ => line,
        }
    }
}

/// `:3` or `:3-5`.
pub(crate) fn numbers(first: u32, last: u32) -> String {
    if first == last { format!(":{first}") } else { format!(":{first}-{last}") }
}

/// The line with the numbers of added and removed lines, in their colours.
pub(crate) fn counts(line: Line, review: &ReviewLine) -> Line {
    match (review.before, review.added, review.removed) {
        (Before::Binary, ..) => line.and(Tone::Dim, "not text"),
        (Before::Missing, Some(added), _) => {
            line.and(Tone::Good, format!("+{added}")).and(Tone::Dim, " new file")
        }
        (_, Some(added), Some(removed)) => {
            line.and(Tone::Good, format!("+{added}")).and(Tone::Bad, format!(" -{removed}"))
        }
        _ => line.and(Tone::Dim, "a large change"),
    }
}
