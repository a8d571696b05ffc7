//! What the page hears: how things stand, in one message, and a review in one line.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use carrick_core::{Client, Original, Outcome, Position, ReviewRecord, Selection};
use serde::Serialize;

use super::Room;

/// How things stand. It is small and sent whole: a page that missed something is right again with the next one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Snapshot {
    run: String,
    version: String,
    root: String,
    folders: Vec<String>,
    lock_file: String,
    pid: u32,
    /// Our clock, for ages.
    now: u64,
    clients: Vec<ClientLine>,
    selection: Option<SelectionLine>,
    trouble: Option<TroubleLine>,
    reviews: Vec<ReviewLine>,
}

#[derive(Serialize)]
struct ClientLine {
    id: u64,
    name: String,
    pid: Option<u32>,
    since: u64,
    ready: bool,
    responsive: bool,
}

#[derive(Serialize)]
struct SelectionLine {
    path: String,
    start: [u32; 2],
    end: [u32; 2],
    characters: usize,
}

#[derive(Serialize)]
struct TroubleLine {
    words: String,
    at: u64,
}

/// A review without its contents.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReviewLine {
    id: u64,
    path: String,
    client: u64,
    client_name: String,
    opened: u64,
    before: &'static str,
    added: usize,
    removed: usize,
    outcome: Option<&'static str>,
    /// Accepted, but not as it was proposed.
    changed: bool,
}

impl Snapshot {
    pub(super) async fn of(room: &Room) -> Self {
        let mut reviews = Vec::new();
        for record in room.desk.reviews() {
            let counts = room.counts.of(&record.review).await;
            reviews.push(ReviewLine::new(&record, counts));
        }
        room.counts.keep_only(&reviews.iter().map(|line| line.id).collect());
        Self {
            run: room.run.clone(),
            version: room.facts.version.clone(),
            root: text(&room.facts.root),
            folders: room.desk.folders().iter().map(|folder| text(folder)).collect(),
            lock_file: text(&room.facts.lock_file),
            pid: std::process::id(),
            now: millis(SystemTime::now()),
            clients: room.desk.clients().into_iter().map(client).collect(),
            selection: room.desk.selection().as_ref().map(selection),
            trouble: (room.trouble)()
                .map(|trouble| TroubleLine { words: trouble.words, at: millis(trouble.at) }),
            reviews,
        }
    }
}

impl ReviewLine {
    pub(super) fn new(record: &ReviewRecord, (added, removed): (usize, usize)) -> Self {
        let review = &record.review;
        let changed = matches!(&record.outcome, Some(Outcome::Accepted(last)) if *last != review.proposed);
        Self {
            id: review.id.0,
            path: text(&review.path),
            client: review.client.0,
            client_name: review.client_name.clone(),
            opened: millis(review.opened),
            before: match review.original {
                Original::Missing => "missing",
                Original::Text(_) => "text",
                Original::NotText => "binary",
            },
            added,
            removed,
            outcome: record.outcome.as_ref().map(end),
            changed,
        }
    }
}

/// How a review ended, in a word for the page's own table.
pub(super) fn end(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted(_) => "accepted",
        Outcome::Rejected => "rejected",
        Outcome::Closed => "closed",
        Outcome::Gone => "gone",
    }
}

fn client(client: Client) -> ClientLine {
    let Client { id, name, pid, since, ready, responsive, .. } = client;
    ClientLine { id: id.0, name, pid, since: millis(since), ready, responsive }
}

fn selection(selection: &Selection) -> SelectionLine {
    let place = |at: Position| [at.line, at.character];
    SelectionLine {
        path: text(&selection.path),
        start: place(selection.range.start),
        end: place(selection.range.end),
        characters: selection.text.chars().count(),
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Milliseconds since 1970.
pub(super) fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
