//! One connection, from the upgrade to the last byte: reads messages, starts requests, writes answers.
//!
//! Everything of a connection lives in one task, so exactly one answer per request is a matter of structure: a
//! request is answered at once, or stands in `running` until it comes out of it, finished or cancelled. When the
//! connection ends the task ends, and what was running is dropped, which settles its reviews.

use std::collections::BTreeMap;
use std::future::Future;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use carrick_core::{Direction, Exchange, Seat};
use futures_util::future::FutureExt;
use futures_util::stream::FuturesUnordered;
use futures_util::{SinkExt, StreamExt};
use serde_json::{json, value::RawValue};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, Sleep, sleep, sleep_until};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, frame::coding::CloseCode};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use super::answer::{Context, Later, Payload, Running};
use super::handler;
use super::in_flight::{self, Call, InFlight};
use super::keepalive::{Due, Keepalive};
use super::params::Params;
use super::push::{Leave, Push};
use super::rpc::{self, Code, Id, Incoming, RpcError};

/// Notifications that come sooner after `tools/list` are lost by the CLI.
const GREETING: Duration = Duration::from_millis(300);
/// A client that never lists tools is greeted this long after it said `initialized`.
const LATE_GREETING: Duration = Duration::from_secs(1);
/// A client that takes nothing for so long is dropped.
const WRITE_PATIENCE: Duration = Duration::from_secs(30);
/// How long a closing handshake may take.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);
/// Requests of one client that may wait at once; the next one is refused.
const IN_FLIGHT: usize = 256;
/// Messages taken in one go before answers are flushed.
const BURST: usize = 64;

/// How a session ended.
enum End {
    /// The client closed, or is simply gone.
    Gone,
    /// We close, with this code.
    Close(u16),
}

pub(crate) struct Session {
    socket: WebSocketStream<TcpStream>,
    seat: Seat,
    context: Arc<Context>,
    queue: mpsc::Receiver<Push>,
    leave: Arc<Leave>,
    running: FuturesUnordered<Call>,
    in_flight: BTreeMap<Id, InFlight>,
    keepalive: Option<Keepalive>,
    greet_at: Option<Instant>,
    greeted: bool,
    pings: u64,
}

impl Session {
    pub(crate) fn new(
        socket: WebSocketStream<TcpStream>,
        seat: Seat,
        context: Arc<Context>,
        queue: mpsc::Receiver<Push>,
        leave: Arc<Leave>,
    ) -> Self {
        let (running, in_flight) = (FuturesUnordered::new(), BTreeMap::new());
        let (keepalive, greet_at, greeted, pings) = (None, None, false, 0);
        Self { socket, seat, context, queue, leave, running, in_flight, keepalive, greet_at, greeted, pings }
    }

    /// Runs until the connection ends.
    pub(crate) async fn run(mut self) {
        let end = self.talk().await;
        // What was running is dropped first: its reviews are settled even if the goodbye takes a while.
        self.running.clear();
        if let End::Close(code) = end {
            tracing::debug!(client = self.seat.id().0, code, "closing a connection");
            let _ = tokio::time::timeout(CLOSE_PATIENCE, self.say_goodbye(code)).await;
        }
    }

    async fn talk(&mut self) -> End {
        let leave = Arc::clone(&self.leave);
        let mut asked = std::pin::pin!(leave.asked());
        let mut alarm = std::pin::pin!(None);
        let mut set_for = None;
        loop {
            if set_for != self.alarm_time() {
                set_for = self.alarm_time();
                alarm.set(set_for.map(sleep_until));
            }
            // What is small and rare comes first; the socket, which costs a look even when it is silent, last.
            let step = tokio::select! {
                biased;
                code = &mut asked => ControlFlow::Break(End::Close(code)),
                () = ring(alarm.as_mut()), if set_for.is_some() => {
                    set_for = None;
                    self.look().await
                }
                Some(push) = self.queue.recv() => self.pass_on(push).await,
                Some((id, outcome)) = self.running.next(), if !self.running.is_empty() => self.finish(id, outcome).await,
                message = self.socket.next() => self.take_burst(message).await,
            };
            let step = match step {
                ControlFlow::Continue(()) => self.flush().await,
                end => end,
            };
            if let ControlFlow::Break(end) = step {
                return end;
            }
        }
    }

    async fn pass_on(&mut self, push: Push) -> ControlFlow<End> {
        match push {
            Push::Text(text) => self.send(text).await,
            Push::Beat => {
                let due = self
                    .keepalive
                    .as_mut()
                    .map(|keepalive| keepalive.beat(std::time::Instant::now(), SystemTime::now()));
                self.act_on(due.unwrap_or(Due::Nothing)).await
            }
        }
    }

    /// One message and those that are there already: many answers, one write.
    async fn take_burst(&mut self, first: Option<Result<Message, Error>>) -> ControlFlow<End> {
        let mut next = Some(first);
        for _ in 0..BURST {
            let Some(message) = next else { break };
            self.take(message).await?;
            next = self.socket.next().now_or_never();
        }
        match next {
            Some(last) => self.take(last).await,
            None => ControlFlow::Continue(()),
        }
    }

    async fn take(&mut self, message: Option<Result<Message, Error>>) -> ControlFlow<End> {
        if let Some(keepalive) = &mut self.keepalive {
            keepalive.heard(std::time::Instant::now());
        }
        match message {
            Some(Ok(Message::Text(text))) => self.read(&text).await,
            // Some clients send their JSON as bytes.
            Some(Ok(Message::Binary(bytes))) => match std::str::from_utf8(&bytes) {
                Ok(text) => self.read(text).await,
                Err(_) => {
                    self.reply(&Id::null(), Err(RpcError::new(Code::ParseError, "Parse error: not UTF-8")))
                        .await
                }
            },
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_) | Message::Close(_))) => {
                ControlFlow::Continue(())
            }
            Some(Err(error)) => ControlFlow::Break(end_after(&error)),
            None => ControlFlow::Break(End::Gone),
        }
    }

    async fn read(&mut self, text: &str) -> ControlFlow<End> {
        let message = rpc::read(text);
        self.overheard(Direction::In, text, || message.what());
        match message {
            Incoming::Request { id, method, params } => {
                tracing::debug!(client = self.seat.id().0, %method, bytes = text.len(), "request");
                self.start(id, &method, &params).await
            }
            Incoming::Notification { method, params } => {
                tracing::debug!(client = self.seat.id().0, %method, bytes = text.len(), "notification");
                self.note(&method, &params);
                ControlFlow::Continue(())
            }
            Incoming::Response { id } => {
                self.answered(&id);
                ControlFlow::Continue(())
            }
            Incoming::Invalid { id, error } => self.reply(&id, Err(error)).await,
        }
    }

    async fn start(&mut self, id: Id, method: &str, params: &Params<'_>) -> ControlFlow<End> {
        if self.in_flight.contains_key(&id) {
            let error = RpcError::new(
                Code::InvalidRequest,
                "Invalid request: a request with this id is still running",
            );
            return self.reply(&id, Err(error)).await;
        }
        if method == "tools/list" && !self.greeted {
            self.greet_at = Some(Instant::now() + GREETING);
        }
        match handler::start(&self.context, method, params) {
            Ok(Running::Now(payload)) => self.reply(&id, Ok(payload)).await,
            Ok(Running::Later(work, progress)) => self.wait_for(id, work, progress).await,
            Err(error) => self.reply(&id, Err(error)).await,
        }
    }

    /// Most of what an editor is asked is there at once; only what is not is kept.
    async fn wait_for(&mut self, id: Id, work: Later, progress: Option<Box<RawValue>>) -> ControlFlow<End> {
        let (mut call, flight) = in_flight::take_off(id, work, progress);
        if let Some((id, outcome)) = (&mut call).now_or_never() {
            return self.reply(&id, outcome).await;
        }
        if self.in_flight.len() >= IN_FLIGHT {
            let error = RpcError::new(Code::Internal, "Too many requests are waiting on this connection");
            return self.reply(call.id(), Err(error)).await;
        }
        self.in_flight.insert(call.id().clone(), flight);
        self.running.push(call);
        ControlFlow::Continue(())
    }

    async fn finish(&mut self, id: Id, outcome: Result<Payload, RpcError>) -> ControlFlow<End> {
        self.in_flight.remove(&id);
        self.reply(&id, outcome).await
    }

    fn note(&mut self, method: &str, params: &Params<'_>) {
        match method {
            "initialized" | "notifications/initialized" => self.initialized(),
            "ide_connected" => {
                let pid = params.get("pid").and_then(|raw| serde_json::from_str(raw.get()).ok());
                self.context.desk.introduce(self.context.client, None, pid);
            }
            "notifications/cancelled" => {
                let id = params.get("requestId").map(|raw| Id::from_json(raw.get()));
                if let Some(flight) = id.and_then(|id| self.in_flight.get(&id)) {
                    flight.cancel();
                }
            }
            // Whatever else a client wants to say, nobody is harmed by it.
            _ => {}
        }
    }

    fn initialized(&mut self) {
        if self.keepalive.is_none() {
            self.keepalive = Some(Keepalive::new(std::time::Instant::now(), SystemTime::now()));
        }
        if !self.greeted && self.greet_at.is_none() {
            self.greet_at = Some(Instant::now() + LATE_GREETING);
        }
    }

    fn answered(&mut self, id: &Id) {
        let ours = id.json().starts_with("\"carrick-");
        if let Some(keepalive) = self.keepalive.as_mut().filter(|_| ours)
            && keepalive.answered(std::time::Instant::now())
        {
            self.seat.responsive(true);
        }
    }

    fn alarm_time(&self) -> Option<Instant> {
        let verdict = self.keepalive.as_ref().and_then(Keepalive::deadline).map(Instant::from_std);
        verdict.into_iter().chain(self.greet_at).min()
    }

    /// Something is due: the greeting, or a verdict.
    async fn look(&mut self) -> ControlFlow<End> {
        if self.greet_at.is_some_and(|at| at <= Instant::now()) {
            (self.greet_at, self.greeted) = (None, true);
            self.seat.ready();
        }
        let due = self
            .keepalive
            .as_mut()
            .map(|keepalive| keepalive.look(std::time::Instant::now(), SystemTime::now()));
        self.act_on(due.unwrap_or(Due::Nothing)).await
    }

    async fn act_on(&mut self, due: Due) -> ControlFlow<End> {
        match due {
            Due::Nothing => ControlFlow::Continue(()),
            Due::SendPing => self.ping().await,
            Due::MarkUnresponsive => {
                self.seat.responsive(false);
                ControlFlow::Continue(())
            }
            Due::Drop => ControlFlow::Break(End::Close(1001)),
        }
    }

    /// A ping, and for every request that still waits a sign that it does.
    async fn ping(&mut self) -> ControlFlow<End> {
        self.pings += 1;
        let ping = json!({ "jsonrpc": "2.0", "id": format!("carrick-{}", self.pings), "method": "ping" });
        self.send(ping.to_string().into()).await?;
        let waiting: Vec<String> = self.in_flight.values().filter_map(InFlight::progress).collect();
        for message in waiting {
            self.send(message.into()).await?;
        }
        ControlFlow::Continue(())
    }

    async fn reply(&mut self, id: &Id, outcome: Result<Payload, RpcError>) -> ControlFlow<End> {
        self.send(rpc::reply(id, outcome).into()).await
    }

    /// For a person who listens to the wire; costs nothing while nobody does.
    fn overheard(&self, direction: Direction, text: &str, what: impl FnOnce() -> String) {
        let client = self.context.client;
        self.context.desk.overheard(|| Exchange {
            client,
            direction,
            what: what(),
            at: SystemTime::now(),
            contents: text.into(),
        });
    }

    async fn send(&mut self, text: Utf8Bytes) -> ControlFlow<End> {
        self.overheard(Direction::Out, &text, || rpc::read(&text).what());
        let leave = Arc::clone(&self.leave);
        patiently(self.socket.feed(Message::Text(text)), &leave).await
    }

    async fn flush(&mut self) -> ControlFlow<End> {
        let leave = Arc::clone(&self.leave);
        patiently(self.socket.flush(), &leave).await
    }

    /// The close frame is flushed and the peer's answer awaited: a task that ends at once takes the frame with it.
    async fn say_goodbye(&mut self, code: u16) {
        let frame = CloseFrame { code: CloseCode::from(code), reason: Utf8Bytes::default() };
        if self.socket.close(Some(frame)).await.is_err() {
            return;
        }
        if matches!(code, 1002 | 1007 | 1009) {
            // Not through the WebSocket: after a broken frame there is nothing to understand any more.
            let mut rest = vec![0; 64 * 1024];
            while matches!(self.socket.get_mut().read(&mut rest).await, Ok(count) if count > 0) {}
        } else {
            while matches!(self.socket.next().await, Some(Ok(_))) {}
        }
    }
}

async fn ring(alarm: Pin<&mut Option<Sleep>>) {
    if let Some(sleep) = alarm.as_pin_mut() {
        sleep.await;
    }
}

/// Writes while the client reads. While it does not, nothing else of this client is taken: that is the limit on
/// what can pile up here.
async fn patiently(write: impl Future<Output = Result<(), Error>>, leave: &Leave) -> ControlFlow<End> {
    let mut write = std::pin::pin!(write);
    // Nearly always the socket takes it at once, and no clock is needed.
    let written = match write.as_mut().now_or_never() {
        Some(written) => written,
        None => tokio::select! {
            biased;
            written = write => written,
            code = leave.asked() => return ControlFlow::Break(End::Close(code)),
            () = sleep(WRITE_PATIENCE) => return ControlFlow::Break(End::Close(1008)),
        },
    };
    match written {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(End::Gone),
    }
}

fn end_after(error: &Error) -> End {
    match error {
        Error::Capacity(_) => End::Close(1009),
        Error::Utf8(_) => End::Close(1007),
        Error::Protocol(_) => End::Close(1002),
        _ => End::Gone,
    }
}
