//! A request that waits for an editor or a person: it can be cancelled, and the client can be told that it still
//! waits.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context as Task, Poll};

use futures_util::future::{AbortHandle, Abortable, FutureExt};
use serde_json::{json, value::RawValue};
use tokio::time::Instant;

use super::answer::{Later, Payload};
use super::rpc::{self, Code, Id, RpcError};

/// The work: comes out with the id that it answers, finished or cancelled, exactly once.
pub(crate) struct Call {
    id: Id,
    work: Abortable<Later>,
}

/// The other end of a [`Call`], by which the session reaches it.
pub(crate) struct InFlight {
    cancel: AbortHandle,
    progress: Option<Box<RawValue>>,
    since: Instant,
}

/// Both ends of a request that starts now.
pub(crate) fn take_off(id: Id, work: Later, progress: Option<Box<RawValue>>) -> (Call, InFlight) {
    let (cancel, registration) = AbortHandle::new_pair();
    let call = Call { id, work: Abortable::new(work, registration) };
    (call, InFlight { cancel, progress, since: Instant::now() })
}

impl Call {
    pub(crate) fn id(&self) -> &Id {
        &self.id
    }
}

impl Future for Call {
    type Output = (Id, Result<Payload, RpcError>);

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        let outcome = std::task::ready!(self.work.poll_unpin(task));
        let outcome = outcome.unwrap_or_else(|_| Err(RpcError::new(Code::Cancelled, "Request cancelled")));
        Poll::Ready((self.id.clone(), outcome))
    }
}

impl InFlight {
    /// The client no longer wants it. It is answered all the same.
    pub(crate) fn cancel(&self) {
        self.cancel.abort();
    }

    /// A sign of life for a client that asked for one.
    pub(crate) fn progress(&self) -> Option<String> {
        let token = self.progress.as_ref()?;
        let seconds = self.since.elapsed().as_secs().max(1);
        let params = json!({ "progressToken": token, "progress": seconds, "message": "still waiting" });
        Some(rpc::notification("notifications/progress", params))
    }
}
