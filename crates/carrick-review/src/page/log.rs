//! The conversation with agents, for a person who wants to see it: told while they listen, contents when they open one.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use carrick_core::{Direction, Exchange};
use serde::Serialize;

use super::Room;
use super::view::millis;

/// Messages whose contents can still be opened, for one listener: so many …
const MESSAGES: usize = 500;
/// … and so many bytes. Older contents are gone; the line about them stays on the page.
const BYTES: usize = 8 << 20;

/// One message, without its contents.
#[derive(Serialize)]
pub(super) struct Line {
    number: u64,
    client: u64,
    sent: bool,
    what: String,
    at: u64,
    bytes: usize,
}

/// What each listener can open. A listener is one page with its log open.
#[derive(Default)]
pub(super) struct Logs {
    listeners: Mutex<Listeners>,
}

#[derive(Default)]
struct Listeners {
    last: u64,
    kept: BTreeMap<u64, Kept>,
}

#[derive(Default)]
struct Kept {
    last: u64,
    bytes: usize,
    contents: VecDeque<(u64, Arc<str>)>,
}

/// A listener's place; dropping it forgets what was kept.
pub(super) struct Listener {
    room: Arc<Room>,
    pub(super) stream: u64,
}

impl Logs {
    fn listeners(&self) -> MutexGuard<'_, Listeners> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener {
    pub(super) fn new(room: &Arc<Room>) -> Self {
        let mut listeners = room.logs.listeners();
        listeners.last += 1;
        let stream = listeners.last;
        listeners.kept.insert(stream, Kept::default());
        Self { room: Arc::clone(room), stream }
    }

    /// Keeps a message and gives its line.
    pub(super) fn note(&self, exchange: Exchange) -> Option<Line> {
        let mut listeners = self.room.logs.listeners();
        let number = listeners.kept.get_mut(&self.stream)?.keep(exchange.contents.clone());
        Some(Line {
            number,
            client: exchange.client.0,
            sent: exchange.direction == Direction::Out,
            what: exchange.what,
            at: millis(exchange.at),
            bytes: exchange.contents.len(),
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.room.logs.listeners().kept.remove(&self.stream);
    }
}

impl Kept {
    fn keep(&mut self, contents: Arc<str>) -> u64 {
        self.last += 1;
        self.bytes += contents.len();
        self.contents.push_back((self.last, contents));
        while self.contents.len() > MESSAGES || (self.bytes > BYTES && self.contents.len() > 1) {
            self.bytes -= self.contents.pop_front().map_or(0, |(_, gone)| gone.len());
        }
        self.last
    }
}

pub(super) async fn message(
    State(room): State<Arc<Room>>,
    Path((stream, number)): Path<(u64, u64)>,
) -> Response {
    let listeners = room.logs.listeners();
    let kept = listeners.kept.get(&stream).into_iter().flat_map(|kept| &kept.contents);
    let found =
        kept.into_iter().find(|(known, _)| *known == number).map(|(_, contents)| contents.to_string());
    match found {
        Some(contents) => ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], contents).into_response(),
        None => (StatusCode::NOT_FOUND, "this message is no longer kept").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_contents_go_first_and_the_newest_always_stays() {
        let mut kept = Kept::default();
        for _ in 0..=MESSAGES {
            kept.keep("x".into());
        }
        assert_eq!((kept.contents.len(), kept.contents[0].0), (MESSAGES, 2));
        let number = kept.keep("y".repeat(BYTES + 1).into());
        assert_eq!((kept.contents.len(), kept.contents[0].0), (1, number));
        kept.keep("z".into());
        assert_eq!((kept.contents.len(), kept.bytes), (1, 1));
    }
}
