//! The frames that wait for the caller, bounded by bytes.
//!
//! When the caller reads slowly, the reading task waits and the CLI's pipe fills: nothing is lost and nothing
//! grows. But an answer to a control request stands behind those frames in the same pipe. While one is awaited,
//! reading goes on up to a larger bound; beyond that the request fails with an error that says why.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::error::{Error, Result};
use crate::frame::Frame;

/// Beyond this the CLI waits for the caller.
const ENOUGH: usize = 1024 * 1024;

/// Beyond this even an awaited answer has to wait for the caller.
const TOO_MUCH: usize = 64 * 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    came: Notify,
    left: Notify,
}

#[derive(Debug, Default)]
struct State {
    frames: VecDeque<(Frame, usize)>,
    bytes: usize,
    end: Option<Option<Error>>,
}

/// Whether there is room for more.
#[derive(Debug, PartialEq)]
pub(super) enum Room {
    Yes,
    /// Only if somebody waits for an answer behind it.
    IfNeeded,
    No,
}

impl Inbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn room(&self) -> Room {
        match self.state().bytes {
            ..ENOUGH => Room::Yes,
            ENOUGH..TOO_MUCH => Room::IfNeeded,
            _ => Room::No,
        }
    }

    /// Never waits: the reader asks for room first, so one frame of overdraft is the most there can be.
    pub(super) fn push(&self, frame: Frame, bytes: usize) {
        let mut state = self.state();
        state.bytes += bytes;
        state.frames.push_back((frame, bytes));
        drop(state);
        self.came.notify_one();
    }

    /// No more frames; the error, if there is one, is told once.
    pub(super) fn end(&self, error: Option<Error>) {
        let mut state = self.state();
        if state.end.is_none() {
            state.end = Some(error);
        }
        drop(state);
        self.came.notify_waiters();
        self.came.notify_one();
    }

    /// Waits until something was taken out.
    pub(super) async fn taken(&self) {
        self.left.notified().await;
    }

    pub(super) async fn pop(&self) -> Option<Result<Frame>> {
        loop {
            let came = self.came.notified();
            if let Some(next) = self.try_pop() {
                return next;
            }
            came.await;
        }
    }

    fn try_pop(&self) -> Option<Option<Result<Frame>>> {
        let mut state = self.state();
        if let Some((frame, bytes)) = state.frames.pop_front() {
            state.bytes -= bytes;
            let more = !state.frames.is_empty() || state.end.is_some();
            drop(state);
            self.left.notify_one();
            if more {
                // Another caller may have slept through the same permit.
                self.came.notify_one();
            }
            return Some(Some(Ok(frame)));
        }
        let error = state.end.as_mut()?.take();
        drop(state);
        self.came.notify_one();
        Some(error.map(Err))
    }
}
