//! `carrick review accept`, `reject` and `forget`.

use carrick_editors::link::protocol::{
    ReviewAccept, ReviewAcceptParams, ReviewForget, ReviewForgetParams, ReviewLine, ReviewReject,
    ReviewRejectParams,
};

use crate::exit::{Exit, Failure};
use crate::join::{Shell, short};
use crate::print::{Line, Out, Tone};

pub(super) async fn accept(id: Option<u64>, hunks: Option<Vec<usize>>, json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let review = shell.ask::<ReviewAccept>(&ReviewAcceptParams { id, hunks, contents: None }).await?;
    report(&shell, Tone::Good, "accepted", &review, json);
    Ok(Exit::Done)
}

pub(super) async fn reject(id: Option<u64>, json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let review = shell.ask::<ReviewReject>(&ReviewRejectParams { id }).await?;
    report(&shell, Tone::Bad, "rejected", &review, json);
    Ok(Exit::Done)
}

pub(super) async fn forget(id: u64, json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let done = shell.ask::<ReviewForget>(&ReviewForgetParams { id }).await?;
    let out = Out::new();
    if json {
        out.json(&done)
    } else {
        out.line(&Line::plain(format!("forgot review {id}")))
    }
    Ok(Exit::Done)
}

pub(super) fn report(shell: &Shell, tone: Tone, done: &str, review: &ReviewLine, json: bool) {
    let out = Out::new();
    if json {
        return out.json(review);
    }
    let what = format!(" review {}: {}", review.id, short(&review.path, &shell.here));
    out.line(&Line::of(tone, done).and(Tone::Plain, what));
}
