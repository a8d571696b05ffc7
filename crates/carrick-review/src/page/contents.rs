//! A review with its contents and where they differ. The comparison is made here, so that a browser shows megabytes
//! without stopping to think.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use carrick_core::hunks::{Hunk, Mark};
use carrick_core::{Outcome, ReviewId, ReviewRecord};
use serde::Serialize;

use super::Room;
use super::view::ReviewLine;

#[derive(Serialize)]
struct Contents<'a> {
    run: &'a str,
    review: ReviewLine,
    /// In the line ends of the proposal; null when it is not text.
    original: Option<&'a str>,
    proposed: &'a str,
    /// What was accepted.
    accepted: Option<&'a str>,
    /// First line and number of lines, in the original and in the proposal, counted from 0.
    hunks: Vec<[usize; 4]>,
}

pub(super) async fn contents(State(room): State<Arc<Room>>, Path(id): Path<u64>) -> Response {
    let Some(record) = room.desk.review(ReviewId(id)) else {
        return (StatusCode::NOT_FOUND, "there is no such review").into_response();
    };
    let counts = room.counts.of(&record.review).await;
    let run = room.run.clone();
    // Comparing and writing JSON of megabytes would hold up everyone on the one thread of the server.
    let made = tokio::task::spawn_blocking(move || serialise(&run, &record, counts)).await;
    made.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

fn serialise(run: &str, record: &ReviewRecord, counts: (usize, usize)) -> Response {
    let review = &record.review;
    let before = review.before();
    let accepted = match &record.outcome {
        Some(Outcome::Accepted(contents)) => Some(&**contents),
        _ => None,
    };
    Json(Contents {
        run,
        review: ReviewLine::new(record, counts),
        original: before.as_deref(),
        proposed: &review.proposed,
        accepted,
        hunks: review.hunks(0).iter().map(place).collect(),
    })
    .into_response()
}

fn place(hunk: &Hunk) -> [usize; 4] {
    let lines = |mark| hunk.lines.iter().filter(|line| line.mark == mark).count();
    [hunk.old_line - 1, lines(Mark::Removed), hunk.new_line - 1, lines(Mark::Added)]
}
