//! `carrick review list`.

use std::path::Path;

use carrick_editors::link::protocol::{End, ReviewLine, ReviewList, ReviewListParams};

use crate::exit::{Exit, Failure};
use crate::join::{Shell, short};
use crate::print::{Line, Out, Tone};
use crate::screen::counts;

pub(super) async fn list(all: bool, json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let reply = shell.ask::<ReviewList>(&ReviewListParams { all }).await?;
    let out = Out::new();
    if json {
        out.json(&reply);
    } else if reply.reviews.is_empty() {
        out.line(&Line::plain(if all { "there are no reviews" } else { "no review waits" }));
    } else {
        reply.reviews.iter().for_each(|review| out.line(&line(review, &shell.here)));
    }
    Ok(Exit::Done)
}

fn line(review: &ReviewLine, here: &Path) -> Line {
    let line = Line::of(Tone::Strong, format!("{:>3}", review.id))
        .and(Tone::Plain, format!("  {}  ", short(&review.path, here)));
    let line = counts(line, review).and(Tone::Dim, format!("  {}", review.client_name));
    match review.outcome {
        None => line.and(Tone::Note, "  waits"),
        Some(End::Gone) => line.and(Tone::Note, format!("  {}", End::Gone.words())),
        Some(end) => line.and(Tone::Dim, format!("  {}", end.words())),
    }
}
