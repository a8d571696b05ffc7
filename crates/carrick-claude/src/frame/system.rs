//! What the CLI says about itself: `system` frames, told apart by `subtype`.

use serde_json::Number;

use super::task::{BackgroundTasksChanged, TaskNotification, TaskProgress, TaskStarted, TaskUpdated};
use crate::json::{Raw, record, tagged, words};
use crate::options::PermissionMode;

tagged! {
    /// A `system` frame.
    System by "subtype" {
        Init(Box<Init>) = "init",
        Status(Box<Status>) = "status",
        CompactBoundary(CompactBoundary) = "compact_boundary",
        ApiRetry(Box<ApiRetry>) = "api_retry",
        HookStarted(Box<HookRun>) = "hook_started",
        HookProgress(Box<HookRun>) = "hook_progress",
        HookResponse(Box<HookRun>) = "hook_response",
        TaskStarted(Box<TaskStarted>) = "task_started",
        TaskProgress(Box<TaskProgress>) = "task_progress",
        TaskUpdated(Box<TaskUpdated>) = "task_updated",
        TaskNotification(Box<TaskNotification>) = "task_notification",
        BackgroundTasksChanged(BackgroundTasksChanged) = "background_tasks_changed",
        SessionStateChanged(Box<SessionStateChanged>) = "session_state_changed",
        SessionTitleChanged(SessionTitleChanged) = "session_title_changed",
        SessionWritesLost(Box<SessionWritesLost>) = "session_writes_lost",
        CommandsChanged(CommandsChanged) = "commands_changed",
        LocalCommandOutput(LocalCommandOutput) = "local_command_output",
        Informational(Box<Informational>) = "informational",
        Notification(Box<Notification>) = "notification",
        MemoryRecall(Box<MemoryRecall>) = "memory_recall",
        PermissionDenied(Box<PermissionDenied>) = "permission_denied",
        PluginInstall(Box<PluginInstall>) = "plugin_install",
        FilesPersisted(Box<FilesPersisted>) = "files_persisted",
        ElicitationComplete(Box<ElicitationComplete>) = "elicitation_complete",
        MirrorError(MirrorError) = "mirror_error",
        ModelRefusalFallback(Box<ModelRefusal>) = "model_refusal_fallback",
        ModelRefusalNoFallback(Box<ModelRefusal>) = "model_refusal_no_fallback",
        ThinkingTokens(Box<ThinkingTokens>) = "thinking_tokens",
        WorkerShuttingDown(WorkerShuttingDown) = "worker_shutting_down",
        ControlRequestProgress(Box<ControlRequestProgress>) = "control_request_progress",
    }
}

record! {
    /// The session as a turn begins; it comes again with every turn.
    Init {
        /// The older shape, where everything stood in here.
        may data: Raw = "data",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
        may cwd: String = "cwd",
        may model: String = "model",
        may permission_mode: PermissionMode = "permissionMode",
        may tools: Vec<String> = "tools",
        may mcp_servers: Vec<McpServerState> = "mcp_servers",
        may slash_commands: Vec<String> = "slash_commands",
        may terminal_slash_commands: Vec<String> = "terminal_slash_commands",
        may api_key_source: String = "apiKeySource",
        may claude_code_version: String = "claude_code_version",
        may output_style: String = "output_style",
        may agents: Vec<String> = "agents",
        may skills: Vec<String> = "skills",
        may plugins: Vec<Plugin> = "plugins",
        may plugin_errors: Raw = "plugin_errors",
        may betas: Vec<String> = "betas",
        may capabilities: Vec<String> = "capabilities",
        may effort: String = "effort",
        may fast_mode_state: String = "fast_mode_state",
    }
}

impl Init {
    /// The session's id, in either shape.
    pub fn session_id(&self) -> Option<String> {
        self.session_id.clone().or_else(|| self.in_data("session_id"))
    }

    /// The CLI's version, in either shape.
    pub fn version(&self) -> Option<String> {
        self.claude_code_version.clone().or_else(|| self.in_data("version"))
    }

    fn in_data(&self, key: &str) -> Option<String> {
        self.data.as_ref()?.value().get(key)?.as_str().map(str::to_owned)
    }
}

record! {
    /// An MCP server as a turn begins.
    McpServerState {
        may name: String = "name",
        may status: String = "status",
        may source: String = "source",
    }
}

record! {
    /// A plug-in that is loaded.
    Plugin {
        may name: String = "name",
        may path: String = "path",
        may source: String = "source",
        may version: String = "version",
    }
}

record! {
    /// What the CLI is busy with, and changes of the permission mode.
    Status {
        may status: String = "status",
        may permission_mode: PermissionMode = "permissionMode",
        may compact_result: String = "compact_result",
        may compact_error: String = "compact_error",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// The conversation was shortened here.
    CompactBoundary {
        may compact_metadata: Raw = "compact_metadata",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// The API is asked again.
    ApiRetry {
        may attempt: u64 = "attempt",
        may max_retries: u64 = "max_retries",
        may retry_delay_ms: Number = "retry_delay_ms",
        may error_status: u64 = "error_status",
        may error: String = "error",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A hook of the settings runs; told with `--include-hook-events`.
    HookRun {
        may hook_id: String = "hook_id",
        may hook_name: String = "hook_name",
        may hook_event: String = "hook_event",
        may output: String = "output",
        may stdout: String = "stdout",
        may stderr: String = "stderr",
        may exit_code: i64 = "exit_code",
        may outcome: String = "outcome",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

words! {
    /// Whether the session works, waits for somebody, or is done.
    SessionState { Idle = "idle", Running = "running", RequiresAction = "requires_action" }
}

record! {
    /// The session's state changed. `idle` means that no further turn is owed.
    SessionStateChanged {
        must state: SessionState = "state",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
        /// Meant for this crate, which asked for it to know when a run is over.
        may sdk_host_only: bool = "sdk_host_only",
    }
}

record! {
    /// The session has another title.
    SessionTitleChanged {
        may title: String = "title",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// The disk is full and something was not written.
    SessionWritesLost {
        may error_code: String = "error_code",
        may lost: Vec<String> = "lost",
        may transcript_session_ids: Vec<String> = "transcript_session_ids",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// The slash commands changed.
    CommandsChanged {
        may commands: Vec<crate::reply::SlashCommand> = "commands",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// What a slash command printed.
    LocalCommandOutput {
        may content: String = "content",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// Something worth telling the person.
    Informational {
        may content: String = "content",
        may level: String = "level",
        may tool_use_id: String = "tool_use_id",
        may prevent_continuation: bool = "prevent_continuation",
        may label: String = "tag",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A notice for a moment.
    Notification {
        may key: String = "key",
        may text: String = "text",
        may priority: String = "priority",
        may color: String = "color",
        may timeout_ms: Number = "timeout_ms",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// Memories that were used.
    MemoryRecall {
        may mode: String = "mode",
        may memories: Vec<Memory> = "memories",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A memory.
    Memory {
        may path: String = "path",
        may scope: String = "scope",
        may content: String = "content",
    }
}

record! {
    /// A tool use was refused without anybody being asked.
    PermissionDenied {
        may tool_name: String = "tool_name",
        may tool_use_id: String = "tool_use_id",
        may agent_id: String = "agent_id",
        may decision_reason_type: String = "decision_reason_type",
        may decision_reason: String = "decision_reason",
        may message: String = "message",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A plug-in is installed at the start.
    PluginInstall {
        may status: String = "status",
        may name: String = "name",
        may error: String = "error",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// Files were kept for the session.
    FilesPersisted {
        may files: Raw = "files",
        may failed: Raw = "failed",
        may processed_at: String = "processed_at",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A question of an MCP server is settled.
    ElicitationComplete {
        may mcp_server_name: String = "mcp_server_name",
        may elicitation_id: String = "elicitation_id",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A copy of the transcript could not be kept.
    MirrorError {
        may error: String = "error",
        may key: Raw = "key",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A model refused; with a fallback, another one goes on.
    ModelRefusal {
        may trigger: String = "trigger",
        may direction: String = "direction",
        may scope: String = "scope",
        may original_model: String = "original_model",
        may fallback_model: String = "fallback_model",
        may request_id: String = "request_id",
        may api_refusal_category: String = "api_refusal_category",
        may api_refusal_explanation: String = "api_refusal_explanation",
        may retracted_message_uuids: Vec<String> = "retracted_message_uuids",
        may refused_user_message_uuid: String = "refused_user_message_uuid",
        may content: String = "content",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// How much the model has thought.
    ThinkingTokens {
        may estimated_tokens: u64 = "estimated_tokens",
        may estimated_tokens_delta: u64 = "estimated_tokens_delta",
        may user_message_uuid: String = "user_message_uuid",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// The process is about to end.
    WorkerShuttingDown {
        may reason: String = "reason",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A control request takes its time.
    ControlRequestProgress {
        may request_id: String = "request_id",
        may status: String = "status",
        may attempt: u64 = "attempt",
        may max_retries: u64 = "max_retries",
        may retry_delay_ms: Number = "retry_delay_ms",
        may error_status: u64 = "error_status",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}
