//! The control protocol on the wire: requests, answers and cancellations, in both directions.

use crate::json::{Raw, record, tagged, words};
use crate::permission::PermissionUpdate;

record! {
    /// A request; the other side answers with the same id.
    ControlRequest {
        must request_id: String = "request_id",
        must request: Request = "request",
    }
}

record! {
    /// An answer.
    ControlResponse { must response: Response = "response" }
}

record! {
    /// The asker no longer wants an answer.
    ControlCancelRequest { must request_id: String = "request_id" }
}

tagged! {
    /// What the CLI asks its host. What a host asks the CLI stays `Unknown` here: this crate writes those itself.
    Request by "subtype" {
        CanUseTool(Box<CanUseTool>) = "can_use_tool",
        HookCallback(Box<HookCallback>) = "hook_callback",
        McpMessage(McpMessage) = "mcp_message",
        Elicitation(Box<Elicitation>) = "elicitation",
        RequestUserDialog(Box<UserDialog>) = "request_user_dialog",
    }
}

tagged! {
    /// How a request was answered.
    Response by "subtype" {
        Success(Success) = "success",
        Error(Failure) = "error",
    }
}

record! {
    /// It worked.
    Success { must request_id: String = "request_id", may response: Raw = "response" }
}

record! {
    /// It did not.
    Failure {
        must request_id: String = "request_id",
        must error: String = "error",
        may error_code: String = "error_code",
        may pending_permission_requests: Raw = "pending_permission_requests",
    }
}

record! {
    /// May this tool be used like this?
    CanUseTool {
        must tool_name: String = "tool_name",
        must input: Raw = "input",
        may tool_use_id: String = "tool_use_id",
        may display_name: String = "display_name",
        may title: String = "title",
        may description: String = "description",
        /// What would spare this question next time.
        may suggestions: Vec<PermissionUpdate> = "permission_suggestions",
        may blocked_path: String = "blocked_path",
        may decision_reason: String = "decision_reason",
        may decision_reason_type: String = "decision_reason_type",
        may default_to_no: bool = "default_to_no",
        may requires_user_interaction: bool = "requires_user_interaction",
        may suppress_always_allow_rule: bool = "suppress_always_allow_rule",
        may agent_id: String = "agent_id",
        may mcp_server: Raw = "mcp_server",
        may matched_ask_rule: Raw = "matched_ask_rule",
    }
}

words! {
    /// The moments a hook can be called at.
    HookEvent {
        PreToolUse = "PreToolUse",
        PostToolUse = "PostToolUse",
        PostToolUseFailure = "PostToolUseFailure",
        PostToolBatch = "PostToolBatch",
        Notification = "Notification",
        UserPromptSubmit = "UserPromptSubmit",
        UserPromptExpansion = "UserPromptExpansion",
        SessionStart = "SessionStart",
        SessionEnd = "SessionEnd",
        Stop = "Stop",
        StopFailure = "StopFailure",
        SubagentStart = "SubagentStart",
        SubagentStop = "SubagentStop",
        PreCompact = "PreCompact",
        PostCompact = "PostCompact",
        PreModelSwitch = "PreModelSwitch",
        PostModelSwitch = "PostModelSwitch",
        PermissionRequest = "PermissionRequest",
        PermissionDenied = "PermissionDenied",
        Setup = "Setup",
        TeammateIdle = "TeammateIdle",
        TaskCreated = "TaskCreated",
        TaskCompleted = "TaskCompleted",
        Elicitation = "Elicitation",
        ElicitationResult = "ElicitationResult",
        ConfigChange = "ConfigChange",
        WorktreeCreate = "WorktreeCreate",
        WorktreeRemove = "WorktreeRemove",
        InstructionsLoaded = "InstructionsLoaded",
        CwdChanged = "CwdChanged",
        FileChanged = "FileChanged",
        DirectoryAdded = "DirectoryAdded",
        MessageDisplay = "MessageDisplay",
    }
}

record! {
    /// A hook is called.
    HookCallback {
        must callback_id: String = "callback_id",
        must input: HookInput = "input",
        may tool_use_id: String = "tool_use_id",
    }
}

record! {
    /// What a hook is told; which fields there are depends on the event.
    HookInput {
        must event: HookEvent = "hook_event_name",
        may session_id: String = "session_id",
        may transcript_path: String = "transcript_path",
        may cwd: String = "cwd",
        may prompt_id: String = "prompt_id",
        may permission_mode: String = "permission_mode",
        may agent_id: String = "agent_id",
        may agent_type: String = "agent_type",
        may tool_name: String = "tool_name",
        may tool_input: Raw = "tool_input",
        may tool_response: Raw = "tool_response",
        may tool_use_id: String = "tool_use_id",
        may duration_ms: serde_json::Number = "duration_ms",
        may error: String = "error",
        may is_interrupt: bool = "is_interrupt",
        may prompt: String = "prompt",
        may message: String = "message",
        may title: String = "title",
        may notification_type: String = "notification_type",
        may source: String = "source",
        may reason: String = "reason",
        may trigger: String = "trigger",
        may custom_instructions: String = "custom_instructions",
        may stop_hook_active: bool = "stop_hook_active",
        may last_assistant_message: String = "last_assistant_message",
        may file_path: String = "file_path",
        may model: String = "model",
    }
}

record! {
    /// A message for an MCP server that lives in this process.
    McpMessage {
        must server_name: String = "server_name",
        must message: Raw = "message",
    }
}

record! {
    /// An MCP server asks the person something.
    Elicitation {
        must mcp_server_name: String = "mcp_server_name",
        must message: String = "message",
        may mode: String = "mode",
        may url: String = "url",
        may elicitation_id: String = "elicitation_id",
        may requested_schema: Raw = "requested_schema",
        may property_order: Vec<String> = "property_order",
        may title: String = "title",
        may display_name: String = "display_name",
        may description: String = "description",
    }
}

record! {
    /// The CLI would like to show a dialog of its own kind.
    UserDialog {
        must dialog_kind: String = "dialog_kind",
        may payload: Raw = "payload",
        may tool_use_id: String = "tool_use_id",
    }
}
