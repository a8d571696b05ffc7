//! The lines of a session's file: as much of each as a question needs.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use super::at;
use crate::error::Result;
use crate::frame::Message;
use crate::json::{Raw, record};

record! {
    /// A message as it is kept.
    StoredMessage {
        /// `user` or `assistant`.
        may kind: String = "type",
        may uuid: String = "uuid",
        may parent_uuid: String = "parentUuid",
        may session_id: String = "sessionId",
        may timestamp: String = "timestamp",
        may message: Message = "message",
        may cwd: String = "cwd",
        may git_branch: String = "gitBranch",
        may is_compact_summary: bool = "isCompactSummary",
        may tool_use_result: Raw = "toolUseResult",
    }
}

/// What the order of a conversation depends on; everything else in the line is skipped, not kept.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Link {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) uuid: Option<String>,
    pub(super) parent_uuid: Option<String>,
    pub(super) is_sidechain: bool,
    pub(super) is_meta: bool,
    pub(super) team_name: Option<String>,
    pub(super) message: Option<MessageId>,
    /// Present when the line brings what a tool gave back.
    pub(super) tool_use_result: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageId {
    pub(super) id: Option<String>,
}

impl Link {
    pub(super) fn is_message(&self) -> bool {
        matches!(self.kind.as_str(), "user" | "assistant")
    }
}

/// Goes over the lines of a file with one buffer; `see` says whether to go on.
pub(super) fn each_line(path: &Path, mut see: impl FnMut(&[u8]) -> Result<bool>) -> Result<()> {
    let mut from = BufReader::new(File::open(path).map_err(at(path))?);
    let mut line = Vec::new();
    loop {
        line.clear();
        if from.read_until(b'\n', &mut line).map_err(at(path))? == 0 {
            return Ok(());
        }
        if !see(line.trim_ascii_end())? {
            return Ok(());
        }
    }
}
