//! The methods about reviews.

use carrick_core::{Decision, DeskError, Original, ReviewId, ReviewRecord};

use super::Room;
use crate::link::protocol::{
    Empty, HunkLine, ReviewAcceptParams, ReviewForgetParams, ReviewLine, ReviewListParams, ReviewListReply,
    ReviewRejectParams, ReviewShowParams, ReviewShowReply,
};
use crate::link::rpc::{Code, RpcError};

/// Unchanged lines around a hunk, as everywhere else.
const CONTEXT: usize = 3;

pub(super) async fn list(room: &Room, params: ReviewListParams) -> Result<ReviewListReply, RpcError> {
    let mut records = room.desk.reviews();
    records.retain(|record| params.all || record.outcome.is_none());
    compare(move || ReviewListReply { reviews: records.iter().map(ReviewLine::counted).collect() }).await
}

pub(super) async fn show(room: &Room, params: ReviewShowParams) -> Result<ReviewShowReply, RpcError> {
    let record = find(room, params.id)?;
    let context = params.context.unwrap_or(CONTEXT);
    compare(move || ReviewShowReply {
        review: ReviewLine::counted(&record),
        hunks: HunkLine::all_of(&record.review, context),
        proposed: record.review.proposed.to_string(),
        original: match &record.review.original {
            Original::Text(text) => Some(text.to_string()),
            Original::Missing | Original::NotText => None,
        },
    })
    .await
}

/// Comparing a large change takes a while: the door must not wait for it.
async fn compare<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, RpcError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| RpcError::new(Code::Internal, "comparing the contents failed"))
}

pub(super) fn accept(room: &Room, params: ReviewAcceptParams) -> Result<ReviewLine, RpcError> {
    let decision = match (params.hunks, params.contents) {
        (None, None) => Decision::Accept,
        (Some(hunks), None) => Decision::AcceptHunks(hunks),
        (None, Some(contents)) => Decision::AcceptWith(contents.into()),
        (Some(_), Some(_)) => {
            return Err(RpcError::new(Code::InvalidParams, "`hunks` and `contents` exclude each other"));
        }
    };
    decide(room, params.id, decision)
}

pub(super) fn reject(room: &Room, params: ReviewRejectParams) -> Result<ReviewLine, RpcError> {
    decide(room, params.id, Decision::Reject)
}

fn decide(room: &Room, id: Option<u64>, decision: Decision) -> Result<ReviewLine, RpcError> {
    let mut record = find(room, id)?;
    room.desk.decide(record.review.id, decision)?;
    // A large one may be out of the history already: then the record from before is all there is.
    if let Some(settled) = room.desk.review(record.review.id) {
        record = settled;
    }
    Ok(ReviewLine::uncounted(&record))
}

pub(super) fn forget(room: &Room, params: ReviewForgetParams) -> Result<Empty, RpcError> {
    let record = find(room, Some(params.id))?;
    if room.desk.forget_review(record.review.id) {
        room.forgotten.notify_one();
        return Ok(Empty {});
    }
    let words = format!("review {} still waits: accept or reject it", params.id);
    Err(RpcError::new(Code::Refused, words))
}

fn find(room: &Room, id: Option<u64>) -> Result<ReviewRecord, RpcError> {
    match id {
        Some(id) => Ok(room.desk.review(ReviewId(id)).ok_or(DeskError::NoReview(id))?),
        None => only_one(room),
    }
}

fn only_one(room: &Room) -> Result<ReviewRecord, RpcError> {
    let mut waiting = room.desk.reviews();
    waiting.retain(|record| record.outcome.is_none());
    match waiting.len() {
        0 => Err(RpcError::new(Code::Refused, "no review waits")
            .with_hint("`carrick review list --all` shows those that have ended")),
        1 => waiting.pop().ok_or_else(|| RpcError::new(Code::Internal, "the review is gone")),
        count => {
            let line =
                |record: &ReviewRecord| format!("{} ({})", record.review.id.0, record.review.path.display());
            let all: Vec<String> = waiting.iter().map(line).collect();
            let words = format!("{count} reviews wait: {}", all.join(", "));
            Err(RpcError::new(Code::Refused, words).with_hint("say which one by its number"))
        }
    }
}
