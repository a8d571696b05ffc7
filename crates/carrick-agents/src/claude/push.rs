//! What the editor says by itself: events of the desk become notifications to the clients.
//!
//! A message is written once and the same bytes go into every client's queue. A queue that is full belongs to a
//! client that does not read: it is asked to leave, and nobody waits for it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use carrick_core::{ClientId, Desk, Event, Mention, ReviewId, Selection, paths, paths::Host};
use serde_json::{Value, json};
use tokio::sync::{Notify, broadcast, mpsc};
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::dialect::Dialect;
use super::keepalive;
use super::pulse::Pulse;
use super::rpc;
use super::tools::get_diagnostics;
use super::wire;

/// A selection is sent when it has stood still for so long.
const DEBOUNCE: Duration = Duration::from_millis(50);

/// Messages that may wait for one client. When it is full the client is dropped.
pub(crate) const QUEUE: usize = 128;

/// What a session finds in its queue.
pub(crate) enum Push {
    /// Say this.
    Text(Utf8Bytes),
    /// It is time for a ping.
    Beat,
}

/// Asks a session to end.
#[derive(Default)]
pub(crate) struct Leave {
    code: AtomicU16,
    asked: Notify,
}

impl Leave {
    pub(crate) fn ask(&self, code: u16) {
        self.code.store(code, Ordering::Release);
        self.asked.notify_waiters();
    }

    /// Waits until somebody asks; the close code to leave with.
    pub(crate) async fn asked(&self) -> u16 {
        loop {
            let mut asked = std::pin::pin!(self.asked.notified());
            // Listening before looking: nothing can fall between the two.
            asked.as_mut().enable();
            match self.code.load(Ordering::Acquire) {
                0 => asked.await,
                code => return code,
            }
        }
    }
}

struct Listener {
    queue: mpsc::Sender<Push>,
    leave: Arc<Leave>,
    ready: bool,
    /// Equal states are not sent again.
    last: Option<Arc<Selection>>,
}

impl Listener {
    fn send(&self, message: &Utf8Bytes) {
        self.put(Push::Text(message.clone()));
    }

    fn put(&self, push: Push) {
        if self.queue.try_send(push).is_err() {
            self.leave.ask(1008);
        }
    }

    /// True when the client knows this state already.
    fn knows(&self, selection: &Arc<Selection>) -> bool {
        self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, selection) || last == selection)
    }
}

/// Everyone who is connected through this door.
#[derive(Default)]
pub(crate) struct Audience {
    listeners: Mutex<BTreeMap<ClientId, Listener>>,
    /// Told when the first one comes.
    somebody: Notify,
}

impl Audience {
    fn listeners(&self) -> MutexGuard<'_, BTreeMap<ClientId, Listener>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, client: ClientId, queue: mpsc::Sender<Push>, leave: Arc<Leave>) {
        self.listeners().insert(client, Listener { queue, leave, ready: false, last: None });
        self.somebody.notify_one();
    }

    /// A beat for everyone; false when nobody is there.
    fn beat(&self) -> bool {
        let listeners = self.listeners();
        listeners.values().for_each(|listener| listener.put(Push::Beat));
        !listeners.is_empty()
    }

    pub(crate) fn remove(&self, client: ClientId) {
        self.listeners().remove(&client);
    }

    /// Everyone has to go.
    pub(crate) fn dismiss(&self, code: u16) {
        self.listeners().values().for_each(|listener| listener.leave.ask(code));
    }

    fn ready(&self, client: ClientId) {
        if let Some(listener) = self.listeners().get_mut(&client) {
            listener.ready = true;
        }
    }

    /// The same bytes to everyone who is ready, or to one.
    fn send(&self, to: Option<ClientId>, message: String) {
        let message = Utf8Bytes::from(message);
        let hears =
            |(id, listener): &(&ClientId, &Listener)| listener.ready && to.is_none_or(|only| only == **id);
        self.listeners().iter().filter(hears).for_each(|(_, listener)| listener.send(&message));
    }

    /// To each client what is selected in its editor; most share one, which is written once.
    fn send_selections(&self, desk: &Desk, host: Host) {
        let mut written: Option<(Arc<Selection>, Utf8Bytes)> = None;
        for (id, listener) in self.listeners().iter_mut().filter(|(_, listener)| listener.ready) {
            let Some(selection) = desk.selection_for(*id).filter(|selection| !listener.knows(selection))
            else {
                continue;
            };
            let (_, message) = match &written {
                Some(known) if Arc::ptr_eq(&known.0, &selection) => known,
                _ => written.insert((selection.clone(), selection_changed(&selection, host).into())),
            };
            listener.send(message);
            listener.last = Some(selection);
        }
    }
}

/// The heart of the keepalive: runs as long as the door is open, and rests while nobody is connected.
pub(crate) async fn beat(audience: Arc<Audience>) {
    loop {
        audience.somebody.notified().await;
        let Ok(mut pulse) =
            Pulse::new(keepalive::EVERY).inspect_err(|error| tracing::warn!(%error, "no clock for pings"))
        else {
            continue;
        };
        while pulse.beat().await.is_ok() && audience.beat() {}
    }
}

/// Runs as long as the door is open.
pub(crate) async fn push(desk: Arc<Desk>, audience: Arc<Audience>, dialect: Arc<Dialect>, host: Host) {
    let mut events = desk.events();
    let mut due: Option<Instant> = None;
    loop {
        let debounced = async { sleep_until(due.unwrap_or_else(Instant::now)).await };
        tokio::select! {
            event = events.recv() => match event {
                Ok(Event::SelectionChanged(_)) => due = Some(Instant::now() + DEBOUNCE),
                Ok(event) => pass_on(&desk, &audience, &dialect, host, event),
                // So far behind that events were lost: what counts is the state, and that is still there.
                Err(broadcast::error::RecvError::Lagged(_)) => due = Some(Instant::now()),
                Err(broadcast::error::RecvError::Closed) => return,
            },
            () = debounced, if due.is_some() => {
                due = None;
                audience.send_selections(&desk, host);
            }
        }
    }
}

fn pass_on(desk: &Desk, audience: &Audience, dialect: &Dialect, host: Host, event: Event) {
    match event {
        Event::ClientReady(client) => {
            audience.ready(client);
            audience.send_selections(desk, host);
        }
        Event::Mentioned(mention, to) => audience.send(to, at_mentioned(&mention, host)),
        Event::DiagnosticsChanged(file) => {
            let params = json!({"uri": paths::raw_uri(&file.path, host), "diagnostics": get_diagnostics::list(dialect, &file)});
            audience.send(None, rpc::notification("diagnostics_changed", params));
        }
        Event::AbilitiesChanged => {
            audience.send(None, rpc::notification("notifications/tools/list_changed", json!({})))
        }
        Event::ReviewOpened(id) => log_event(desk, audience, "review_opened", id),
        Event::ReviewSettled(id) => log_event(desk, audience, "review_settled", id),
        Event::ClientJoined(_)
        | Event::ClientLeft(_)
        | Event::ClientResponsive(..)
        | Event::SelectionChanged(_)
        | Event::TabsChanged(_)
        | Event::FoldersChanged
        | Event::Remarked(_) => {}
    }
}

/// Paths here are absolute in every dialect: the CLI resolves them against its own folder, not against ours.
fn selection_changed(selection: &Selection, host: Host) -> String {
    let params = json!({
        "text": &*selection.text,
        "filePath": paths::on_the_wire(&selection.path, host),
        "fileUrl": paths::raw_uri(&selection.path, host),
        "selection": wire::selected(selection.range),
    });
    rpc::notification("selection_changed", params)
}

/// Lines are left out for a whole file: a null would make the CLI ignore the message.
fn at_mentioned(mention: &Mention, host: Host) -> String {
    let path = paths::on_the_wire(&mention.path, host);
    let params = match mention.lines {
        Some((start, end)) => json!({ "filePath": path, "lineStart": start, "lineEnd": end }),
        None => json!({ "filePath": path }),
    };
    rpc::notification("at_mentioned", params)
}

/// A client hears what became of its own reviews, and of nobody else's.
fn log_event(desk: &Desk, audience: &Audience, name: &str, id: ReviewId) {
    let Some(record) = desk.review(id) else { return };
    let data: Value = json!({
        "tabName": record.review.tab_name,
        "filePath": record.review.path.to_string_lossy(),
        "outcome": record.outcome.map(|outcome| outcome.word()),
    });
    audience.send(
        Some(record.review.client),
        rpc::notification("log_event", json!({"eventName": name, "eventData": data})),
    );
}
