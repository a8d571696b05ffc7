//! The key `review = "command:…"`: a diff program of the person's own is started for every change, one after the other.
//!
//! With a room on the terminal the program gets the terminal. Without one it gets none, and must bring a window of its
//! own; a failure is then no decision, because a program that wanted a terminal fails too.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::Arc;

use carrick_core::{Decision, Desk, ReviewId, ReviewRecord};
use carrick_review::program::{Files, Verdict};
use carrick_review::terminal::{Lender, Status};
use tokio::process::Command;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinHandle;

/// Programs are started until this is dropped.
pub(crate) struct Programs {
    task: JoinHandle<()>,
}

impl Programs {
    /// Starts `program` for every review of the desk, those that wait already included.
    pub(crate) fn start(desk: Arc<Desk>, program: String, lender: Option<Lender>) -> Self {
        let show = Show { desk, program, lender };
        Self { task: tokio::spawn(show.all()) }
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Show {
    desk: Arc<Desk>,
    program: String,
    lender: Option<Lender>,
}

impl Show {
    async fn all(self) {
        let mut events = self.desk.events();
        let mut seen = BTreeSet::new();
        loop {
            while let Some(record) = self.next_unseen(&seen) {
                seen.insert(record.review.id);
                self.one(record).await;
            }
            seen.retain(|id| self.desk.review(*id).is_some_and(|record| record.outcome.is_none()));
            if matches!(events.recv().await, Err(RecvError::Closed)) {
                return;
            }
        }
    }

    fn next_unseen(&self, seen: &BTreeSet<ReviewId>) -> Option<ReviewRecord> {
        let unseen = |record: &ReviewRecord| record.outcome.is_none() && !seen.contains(&record.review.id);
        self.desk.reviews().into_iter().find(unseen)
    }

    async fn one(&self, record: ReviewRecord) {
        let review = &record.review;
        let files = match Files::lay_out(&std::env::temp_dir(), review) {
            Ok(files) => files,
            Err(error) => {
                return self.waits(review.id, &format!("cannot write the files to compare: {error}"));
            }
        };
        let verdict = match self.run(files.command(&self.program)).await {
            Some(status) => files.verdict(&self.program, &status),
            None => Verdict::Waits("the terminal is in use".into()),
        };
        match verdict {
            Verdict::Decided(Decision::Reject) if self.lender.is_none() => {
                self.waits(review.id, "the program failed, perhaps for want of a terminal");
            }
            Verdict::Decided(decision) => self.decide(review.id, decision, files),
            Verdict::Waits(why) => self.waits(review.id, &why),
        }
    }

    async fn run(&self, command: Vec<std::ffi::OsString>) -> Option<Status> {
        if let Some(lender) = &self.lender {
            return lender.lend(command).await;
        }
        let mut words = command.into_iter();
        let mut program = Command::new(words.next()?);
        program.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Some(Status::of(program.kill_on_drop(true).status().await))
    }

    /// What was decided elsewhere meanwhile stays decided, and the person's work is kept.
    fn decide(&self, id: ReviewId, decision: Decision, files: Files) {
        if let Err(error) = self.desk.decide(id, decision) {
            let kept = files.keep_if_changed();
            let kept = kept
                .map_or_else(String::new, |file| format!("; your changes are kept in {}", file.display()));
            self.desk.remark(format!("{error}{kept}"));
        }
    }

    fn waits(&self, id: ReviewId, why: &str) {
        tracing::warn!(review = id.0, why, "a diff program decided nothing");
        self.desk.remark(format!("{why}: review {} waits here", id.0));
    }
}
