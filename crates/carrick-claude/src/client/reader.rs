//! The one task that reads the CLI's output and sends every frame where it belongs.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncRead;

use super::Shared;
use super::inbox::Room;
use crate::error::Error;
use crate::frame::{ControlResponse, Frame, System};
use crate::lines::{LIMIT, Lines};
use crate::process::{self, LastWords};

/// How long stderr may stay open after the end; something the CLI started may hold it.
const LAST_WORDS: Duration = Duration::from_millis(500);

pub(super) async fn read<R>(stdout: R, shared: Arc<Shared>, last_words: LastWords)
where
    R: AsyncRead + Unpin + Send,
{
    let mut lines = Lines::with_limit(stdout, shared.line_limit.unwrap_or(LIMIT));
    let broken = loop {
        wait_for_room(&shared).await;
        match lines.next().await {
            Ok(Some(line)) if line.iter().all(u8::is_ascii_whitespace) => {}
            Ok(Some(line)) => match Frame::parse(line) {
                Ok(frame) => route(frame, line.len(), &shared),
                // Something in the CLI's process printed a line of its own; frames go on after it.
                Err(_) => last_words.add(&String::from_utf8_lossy(line)),
            },
            Ok(None) => break None,
            Err(error) => break Some(Error::Protocol(error.to_string())),
        }
    };
    shared.service.cancel_all();
    let error = match broken {
        Some(error) => Some(error),
        None => how_it_ended(&shared, &last_words).await,
    };
    shared.over.send_replace(true);
    shared.pending.fail_all(|_| Error::Closed);
    shared.inbox.end(error);
}

async fn wait_for_room(shared: &Shared) {
    loop {
        match shared.inbox.room() {
            Room::Yes => return,
            // What the CLI still says while it ends must not keep it from ending.
            _ if shared.run.is_ending() => return,
            Room::IfNeeded if !shared.pending.is_empty() => return,
            Room::IfNeeded => tokio::select! {
                () = shared.inbox.taken() => {}
                () = shared.pending.began.notified() => {}
            },
            Room::No => {
                shared.pending.fail_all(|subtype| Error::NotReceiving { subtype });
                tokio::select! {
                    () = shared.inbox.taken() => {}
                    () = shared.pending.began.notified() => {}
                }
            }
        }
    }
}

fn route(frame: Frame, bytes: usize, shared: &Shared) {
    match frame {
        Frame::ControlResponse(answer) => {
            let ControlResponse { response, .. } = *answer;
            shared.pending.settle(response);
        }
        Frame::ControlRequest(asked) => shared.service.begin(*asked),
        Frame::ControlCancelRequest(cancel) => shared.service.cancel(&cancel.request_id),
        Frame::KeepAlive(_) => {}
        frame => {
            shared.run.see(&frame);
            // Sent because this crate asked for it; a caller who wants them asks for himself.
            let unwanted = shared.run.is_ending() && shared.inbox.room() != Room::Yes;
            if !is_for_us(&frame) && !unwanted {
                shared.inbox.push(frame, bytes);
            }
        }
    }
}

fn is_for_us(frame: &Frame) -> bool {
    matches!(frame, Frame::System(System::SessionStateChanged(state)) if state.sdk_host_only == Some(true))
}

/// An end that the last frame has explained already is no error of its own.
async fn how_it_ended(shared: &Shared, last_words: &LastWords) -> Option<Error> {
    let mut exit = shared.exit.subscribe();
    let (code, signal) = (*exit.wait_for(Option::is_some).await.ok()?)?;
    if code == Some(0) || shared.run.explained() || shared.run.is_ending() {
        return None;
    }
    let stderr = last_words.all(LAST_WORDS).await;
    if let Some(complaint) = stderr.iter().find(|line| line.contains("unknown option")) {
        let version = process::version(shared.service.options()).await;
        return Some(Error::TooOld { version, complaint: complaint.clone() });
    }
    Some(Error::Exited { code, signal, stderr })
}
