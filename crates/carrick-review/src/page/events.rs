//! The stream a page listens to: how things stand, again whenever something changed, and the log if it asked for it.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use carrick_core::{Event as Happened, Exchange};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::Room;
use super::log::Listener;
use super::view::Snapshot;

/// What happens within this time is told at once: a selection that is dragged makes a hundred events a second.
const GATHER: Duration = Duration::from_millis(30);

/// How often a quiet stream says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Remarks that wait to be sent.
const REMARKS: usize = 16;

#[derive(Deserialize)]
pub(super) struct Wish {
    /// The page wants the log, too.
    #[serde(default)]
    log: bool,
}

struct Feed {
    room: Arc<Room>,
    events: Receiver<Happened>,
    wire: Option<(Receiver<Exchange>, Listener)>,
    greeted: bool,
    remarks: VecDeque<Arc<str>>,
}

pub(super) async fn events(
    State(room): State<Arc<Room>>,
    Query(wish): Query<Wish>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = room.desk.events();
    let wire = wish.log.then(|| (room.desk.exchanges(), Listener::new(&room)));
    let feed = Feed { room, events, wire, greeted: false, remarks: VecDeque::new() };
    let stream = unfold(feed, |mut feed| async move {
        let event = feed.next().await?;
        Some((Ok(event), feed))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

impl Feed {
    /// The next message; `None` when the desk is gone.
    async fn next(&mut self) -> Option<Event> {
        if let Some(words) = self.remarks.pop_front() {
            return remark(&words);
        }
        if !self.greeted {
            self.greeted = true;
            return self.snapshot().await;
        }
        tokio::select! {
            event = self.events.recv() => match event {
                Err(RecvError::Closed) => None,
                Ok(Happened::Remarked(words)) => remark(&words),
                // One that was missed is in the snapshot all the same.
                Ok(_) | Err(RecvError::Lagged(_)) => {
                    tokio::time::sleep(GATHER).await;
                    self.gather();
                    self.snapshot().await
                }
            },
            line = overhear(&mut self.wire) => line,
        }
    }

    /// Takes all that happened meanwhile; only what a snapshot does not show is kept.
    fn gather(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            if let Happened::Remarked(words) = event {
                self.remarks.push_back(words);
                // The newest are worth more than the oldest, and a page shows but a few.
                if self.remarks.len() > REMARKS {
                    self.remarks.pop_front();
                }
            }
        }
    }

    async fn snapshot(&self) -> Option<Event> {
        let snapshot = Snapshot::of(&self.room).await;
        let stream = self.wire.as_ref().map(|(_, listener)| listener.stream);
        Event::default().event("state").json_data(json!({ "state": snapshot, "stream": stream })).ok()
    }
}

fn remark(words: &str) -> Option<Event> {
    Event::default().event("remark").json_data(words).ok()
}

async fn overhear(wire: &mut Option<(Receiver<Exchange>, Listener)>) -> Option<Event> {
    let Some((exchanges, listener)) = wire else { return std::future::pending().await };
    match exchanges.recv().await {
        Ok(exchange) => Event::default().event("message").json_data(listener.note(exchange)?).ok(),
        Err(RecvError::Lagged(count)) => Event::default().event("missed").json_data(count).ok(),
        Err(RecvError::Closed) => None,
    }
}
