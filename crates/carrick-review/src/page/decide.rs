//! Decisions. Each carries a word of its own, so that one that is sent twice (the first answer was lost) counts once
//! and is answered the same; and the name of the run, so that one made for an earlier run decides nothing in this.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use carrick_core::{Decision, DeskError, ReviewId};
use serde::{Deserialize, Serialize};

use super::Room;
use super::view::end;

/// Answers that are remembered. An older one is forgotten: then a repetition finds the review settled.
const REMEMBERED: usize = 256;

/// The longest word of a decision.
const WORD_LIMIT: usize = 64;

/// What the page sends.
#[derive(Deserialize)]
pub(super) struct Ask {
    run: String,
    word: String,
    accept: bool,
    /// What to accept instead of the proposal; left out when nothing was changed.
    contents: Option<Arc<str>>,
}

/// What it hears.
#[derive(Clone, Serialize)]
struct Answer {
    /// This decision counted.
    counted: bool,
    /// How the review ended, by this decision or before it.
    outcome: Option<&'static str>,
    /// Why it did not count.
    why: Option<String>,
}

/// The answers to the last decisions.
#[derive(Default)]
pub(super) struct Decisions(Mutex<VecDeque<(String, u64, u16, Answer)>>);

pub(super) async fn decision(
    State(room): State<Arc<Room>>,
    Path(id): Path<u64>,
    Json(ask): Json<Ask>,
) -> Response {
    if ask.word.len() > WORD_LIMIT {
        return (StatusCode::BAD_REQUEST, "the word of a decision is too long").into_response();
    }
    if ask.run != room.run {
        let why = "carrick was started again since; the review of before is in the history".to_owned();
        return reply(409, &Answer { counted: false, outcome: Some("gone"), why: Some(why) });
    }
    // Held while deciding: of two equal ones at once, the second waits for the first one's answer.
    let mut answers = room.decisions.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, _, status, answer)) =
        answers.iter().find(|(word, of, _, _)| *word == ask.word && *of == id)
    {
        return reply(*status, answer);
    }
    let word = ask.word.clone();
    let (status, answer) = decide(&room, ReviewId(id), ask);
    if answers.len() == REMEMBERED {
        answers.pop_front();
    }
    answers.push_back((word, id, status, answer.clone()));
    reply(status, &answer)
}

fn decide(room: &Room, id: ReviewId, ask: Ask) -> (u16, Answer) {
    let decision = match (ask.accept, ask.contents) {
        (true, None) => Decision::Accept,
        (true, Some(contents)) => Decision::AcceptWith(contents),
        (false, _) => Decision::Reject,
    };
    let error = room.desk.decide(id, decision).err();
    let outcome = room.desk.review(id).and_then(|record| record.outcome.as_ref().map(end));
    let status = match error {
        None => 200,
        Some(DeskError::NoReview(_)) => 404,
        Some(_) => 409,
    };
    (status, Answer { counted: error.is_none(), outcome, why: error.map(|error| error.to_string()) })
}

fn reply(status: u16, answer: &Answer) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, Json(answer.clone())).into_response()
}
