//! How a turn ended. It is the turn's end, not the run's: background work may start another one.

use std::collections::BTreeMap;

use serde_json::Number;

use super::message::{ModelUsage, Usage};
use crate::json::{Raw, record, words};

words! {
    /// The kinds of end.
    ResultKind {
        Success = "success",
        ErrorDuringExecution = "error_during_execution",
        ErrorMaxTurns = "error_max_turns",
        ErrorMaxBudgetUsd = "error_max_budget_usd",
        ErrorMaxStructuredOutputRetries = "error_max_structured_output_retries",
    }
}

record! {
    /// The end of a turn. An API failure is a `success` with [`TurnResult::is_error`].
    TurnResult {
        must subtype: ResultKind = "subtype",
        may is_error: bool = "is_error",
        may result: String = "result",
        may errors: Vec<String> = "errors",
        may structured_output: Raw = "structured_output",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
        may num_turns: u64 = "num_turns",
        may duration_ms: Number = "duration_ms",
        may duration_api_ms: Number = "duration_api_ms",
        may ttft_ms: Number = "ttft_ms",
        may total_cost_usd: Number = "total_cost_usd",
        may usage: Usage = "usage",
        may model_usage: BTreeMap<String, ModelUsage> = "modelUsage",
        may stop_reason: String = "stop_reason",
        may terminal_reason: String = "terminal_reason",
        may api_error_status: u64 = "api_error_status",
        may permission_denials: Vec<PermissionDenial> = "permission_denials",
        may deferred_tool_use: Raw = "deferred_tool_use",
        may startup_failure_reason: String = "startup_failure_reason",
        may queued_turn_count: u64 = "queued_turn_count",
        may result_index: u64 = "result_index",
        may user_message_uuid: String = "user_message_uuid",
        may user_message_uuids: Vec<String> = "user_message_uuids",
        may resume_reason: String = "resume_reason",
        may local_command: String = "local_command",
        may fast_mode_state: String = "fast_mode_state",
        may fast_mode_disabled_reason: String = "fast_mode_disabled_reason",
        may origin: Raw = "origin",
        may subagent_stats: Raw = "subagent_stats",
    }
}

record! {
    /// A tool use that was not allowed.
    PermissionDenial {
        may tool_name: String = "tool_name",
        may tool_use_id: String = "tool_use_id",
        may tool_input: Raw = "tool_input",
    }
}

impl TurnResult {
    /// Whether the turn did what it was asked to.
    pub fn is_success(&self) -> bool {
        self.subtype == ResultKind::Success && self.is_error != Some(true)
    }

    /// The answer, or what went wrong.
    pub fn text(&self) -> String {
        match (&self.result, &self.errors) {
            (Some(text), _) => text.clone(),
            (None, Some(errors)) if !errors.is_empty() => errors.join("; "),
            _ => self.subtype.to_string(),
        }
    }

    /// The cost so far, in dollars.
    pub fn cost_usd(&self) -> Option<f64> {
        self.total_cost_usd.as_ref().and_then(Number::as_f64)
    }
}
