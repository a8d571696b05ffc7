//! The methods about reviews.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use carrick_core::{Original, Outcome, Review, ReviewRecord, hunks};
use serde::{Deserialize, Serialize};

/// Which reviews to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewListParams {
    /// Also those that have ended.
    #[serde(default)]
    pub all: bool,
}

/// The reviews, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewListReply {
    /// One line each.
    pub reviews: Vec<ReviewLine>,
}

/// What stood in the file before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Before {
    /// There was no file.
    Missing,
    /// Text.
    Text,
    /// Something else: no hunks.
    Binary,
}

/// How a review ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The person took it, perhaps changed.
    Accepted,
    /// The person did not want it.
    Rejected,
    /// The agent closed it.
    Closed,
    /// The connection went away before there was an answer.
    Gone,
}

/// A review in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewLine {
    /// Its number.
    pub id: u64,
    /// The file it would change.
    pub path: PathBuf,
    /// The client that proposes it.
    pub client: u64,
    /// What that client calls itself.
    pub client_name: String,
    /// The agent's own name for the view.
    pub tab_name: String,
    /// When it was proposed, in milliseconds since 1970.
    pub opened: u64,
    /// What stood in the file.
    pub before: Before,
    /// How many lines come; not counted in the event of a large change.
    pub added: Option<usize>,
    /// How many lines go.
    pub removed: Option<usize>,
    /// How it ended; null while it waits.
    pub outcome: Option<End>,
}

/// Which review to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewShowParams {
    /// Its number; may be left out when exactly one waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// How many unchanged lines stand around a hunk; 3 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<usize>,
}

/// A review with its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewShowReply {
    /// The review.
    pub review: ReviewLine,
    /// The change in pieces.
    pub hunks: Vec<HunkLine>,
    /// The whole new contents.
    pub proposed: String,
    /// The whole old contents; null when there was no file or it is not text.
    pub original: Option<String>,
}

/// A piece of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HunkLine {
    /// Its number, from 1, for `review/accept`.
    pub number: usize,
    /// Its first line in the old contents, from 1.
    pub old_line: usize,
    /// Its first line in the new contents, from 1.
    pub new_line: usize,
    /// Its lines.
    pub lines: Vec<DiffLine>,
}

/// A line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffLine {
    /// What happens to it.
    pub mark: Mark,
    /// The line, with its line end.
    pub text: String,
}

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// It stays.
    Same,
    /// It goes.
    Removed,
    /// It comes.
    Added,
}

/// What to accept. Without hunks and contents: all of it, as proposed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewAcceptParams {
    /// Its number; may be left out when exactly one waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// Only these hunks, numbered from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<usize>>,
    /// These contents instead of the proposed ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<String>,
}

/// What to reject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewRejectParams {
    /// Its number; may be left out when exactly one waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
}

/// What to forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewForgetParams {
    /// Its number.
    pub id: u64,
}

impl ReviewLine {
    /// The line of a record, its changed lines counted.
    #[must_use]
    pub fn counted(record: &ReviewRecord) -> Self {
        let (added, removed) = record.review.counts();
        Self { added: Some(added), removed: Some(removed), ..Self::uncounted(record) }
    }

    /// The line of a record without the work of comparing its contents.
    #[must_use]
    pub fn uncounted(record: &ReviewRecord) -> Self {
        let review: &Review = &record.review;
        Self {
            id: review.id.0,
            path: review.path.clone(),
            client: review.client.0,
            client_name: review.client_name.clone(),
            tab_name: review.tab_name.clone(),
            opened: since_1970(review.opened),
            before: before(&review.original),
            added: None,
            removed: None,
            outcome: record.outcome.as_ref().map(End::from),
        }
    }
}

impl From<&Outcome> for End {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Accepted(_) => Self::Accepted,
            Outcome::Rejected => Self::Rejected,
            Outcome::Closed => Self::Closed,
            Outcome::Gone => Self::Gone,
        }
    }
}

impl End {
    /// In words for a person.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Closed => "closed by the agent",
            Self::Gone => "the connection went away",
        }
    }
}

impl HunkLine {
    /// The hunks of a review, numbered.
    #[must_use]
    pub fn all_of(review: &Review, context: usize) -> Vec<Self> {
        let numbered = review.hunks(context).into_iter().zip(1..);
        numbered
            .map(|(hunk, number)| Self {
                number,
                old_line: hunk.old_line,
                new_line: hunk.new_line,
                lines: hunk.lines.into_iter().map(DiffLine::from).collect(),
            })
            .collect()
    }
}

impl From<hunks::Line> for DiffLine {
    fn from(line: hunks::Line) -> Self {
        let mark = match line.mark {
            hunks::Mark::Same => Mark::Same,
            hunks::Mark::Removed => Mark::Removed,
            hunks::Mark::Added => Mark::Added,
        };
        Self { mark, text: line.text }
    }
}

fn before(original: &Original) -> Before {
    match original {
        Original::Missing => Before::Missing,
        Original::Text(_) => Before::Text,
        Original::NotText => Before::Binary,
    }
}

/// A moment as the wire counts it: milliseconds since 1970.
#[must_use]
pub fn since_1970(moment: SystemTime) -> u64 {
    moment.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
