//! The control requests that wait for an answer: each is answered exactly once, also when the CLI dies.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::{Notify, oneshot};

use crate::error::{Error, Result};
use crate::frame::Response;
use crate::json::Raw;

#[derive(Debug, Default)]
pub(super) struct Pending {
    waiting: Mutex<HashMap<String, Waiter>>,
    next: AtomicU64,
    /// Told when a request begins to wait: the reader may have to go on for its sake.
    pub(super) began: Notify,
}

#[derive(Debug)]
struct Waiter {
    subtype: String,
    answer: oneshot::Sender<Result<Raw>>,
}

/// A request under way; forgotten when dropped, so an answer that comes too late finds nobody.
pub(super) struct Ticket<'a> {
    pub(super) id: String,
    pub(super) answer: oneshot::Receiver<Result<Raw>>,
    pending: &'a Pending,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.pending.take(&self.id);
    }
}

impl Pending {
    pub(super) fn begin(&self, subtype: &str) -> Ticket<'_> {
        let id = format!("req_{}", self.next.fetch_add(1, Ordering::Relaxed) + 1);
        let (answer, receiver) = oneshot::channel();
        let waiter = Waiter { subtype: subtype.to_owned(), answer };
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), waiter);
        self.began.notify_one();
        Ticket { id, answer: receiver, pending: self }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn take(&self, id: &str) -> Option<Waiter> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(id)
    }

    /// An answer arrived. One to a question nobody asked is an echo of our own and ignored.
    pub(super) fn settle(&self, response: Response) {
        let (id, result) = match response {
            Response::Success(success) => (success.request_id, Ok(success.response.unwrap_or_default())),
            Response::Error(failure) => (failure.request_id, Err((failure.error, failure.error_code))),
            Response::Unknown(_) => return,
        };
        let Some(Waiter { subtype, answer }) = self.take(&id) else { return };
        let _ = answer.send(result.map_err(|(message, code)| Error::Refused { subtype, message, code }));
    }

    /// Nothing will be answered any more, or not until somebody reads.
    pub(super) fn fail_all(&self, why: impl Fn(String) -> Error) {
        let all = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        for waiter in all.into_values() {
            let _ = waiter.answer.send(Err(why(waiter.subtype)));
        }
    }
}
