//! The smaller frames that stand beside the conversation.

use serde_json::Number;

use crate::json::{Raw, record};

record! {
    /// A sign of life.
    KeepAlive {}
}

record! {
    /// How much of the plan's limits is used.
    RateLimitEvent {
        may rate_limit_info: RateLimit = "rate_limit_info",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A limit of the plan.
    RateLimit {
        may status: String = "status",
        may resets_at: Number = "resetsAt",
        may kind: String = "rateLimitType",
        may utilization: Number = "utilization",
        may is_using_overage: bool = "isUsingOverage",
        may overage_status: String = "overageStatus",
        may overage_resets_at: Number = "overageResetsAt",
        may overage_disabled_reason: String = "overageDisabledReason",
        may surpassed_threshold: Number = "surpassedThreshold",
    }
}

record! {
    /// What the person may want to say next.
    PromptSuggestion {
        may suggestion: String = "suggestion",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// The conversation begins anew under another id.
    ConversationReset {
        may new_conversation_id: String = "new_conversation_id",
        may trigger: String = "trigger",
        may user_message_uuid: String = "user_message_uuid",
        may timestamp: String = "timestamp",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A tool is still running.
    ToolProgress {
        may tool_use_id: String = "tool_use_id",
        may tool_name: String = "tool_name",
        may parent_tool_use_id: String = "parent_tool_use_id",
        may elapsed_time_seconds: Number = "elapsed_time_seconds",
        may task_id: String = "task_id",
        may heartbeat: bool = "heartbeat",
        may subagent_type: String = "subagent_type",
        may subagent_retry: Raw = "subagent_retry",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// Several tool uses in one line.
    ToolUseSummary {
        may summary: String = "summary",
        may preceding_tool_use_ids: Vec<String> = "preceding_tool_use_ids",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A login goes on.
    AuthStatus {
        may is_authenticating: bool = "isAuthenticating",
        may output: Vec<String> = "output",
        may error: String = "error",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// The goal the session works towards.
    ActiveGoal {
        may value: Raw = "value",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// What becomes of a message that was sent with an id: queued, started, completed, discarded, cancelled, refused.
    CommandLifecycle {
        may command_uuid: String = "command_uuid",
        may state: String = "state",
        may status: String = "status",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// Lines of the transcript, for whoever keeps a copy.
    TranscriptMirror {
        may file_path: String = "filePath",
        may entries: Raw = "entries",
        may session_id: String = "session_id",
    }
}
