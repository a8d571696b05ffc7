//! The lines of stream-json as types. A frame that is not known yet is kept whole and never an error.

mod block;
mod control;
mod event;
mod message;
mod notice;
mod result;
mod system;
mod task;

use serde_json::Value;

pub use block::*;
pub use control::*;
pub use event::*;
pub use message::*;
pub use notice::*;
pub use result::*;
pub use system::*;
pub use task::*;

use crate::json::{Lenient, tagged};

tagged! {
    /// One line of stream-json.
    Frame by "type" {
        System(System) = "system",
        User(Box<User>) = "user",
        Assistant(Box<Assistant>) = "assistant",
        StreamEvent(Box<StreamEvent>) = "stream_event",
        Result(Box<TurnResult>) = "result",
        ControlRequest(Box<ControlRequest>) = "control_request",
        ControlResponse(Box<ControlResponse>) = "control_response",
        ControlCancelRequest(ControlCancelRequest) = "control_cancel_request",
        KeepAlive(KeepAlive) = "keep_alive",
        RateLimitEvent(Box<RateLimitEvent>) = "rate_limit_event",
        PromptSuggestion(PromptSuggestion) = "prompt_suggestion",
        ConversationReset(Box<ConversationReset>) = "conversation_reset",
        ToolProgress(Box<ToolProgress>) = "tool_progress",
        ToolUseSummary(ToolUseSummary) = "tool_use_summary",
        AuthStatus(AuthStatus) = "auth_status",
        ActiveGoal(ActiveGoal) = "active_goal",
        CommandLifecycle(Box<CommandLifecycle>) = "command_lifecycle",
        TranscriptMirror(TranscriptMirror) = "transcript_mirror",
    }
}

impl Frame {
    /// Reads one line. The only errors are text that is not JSON and JSON that is not an object; a field of an
    /// unexpected kind is kept raw in the `extra` of what it stands in.
    pub fn parse(line: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(line).or_else(|strict| {
            // Only odd frames come here, so a tree is cheap enough.
            let value: Value = serde_json::from_slice(line)?;
            Self::lenient(&value).ok_or(strict)
        })
    }

    /// The line, without its newline.
    pub fn to_line(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}
