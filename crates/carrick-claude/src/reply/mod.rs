//! What control requests are answered with. Fields this crate has no name for are in `extra`.

use std::collections::BTreeMap;

use serde_json::Number;

use crate::json::{Raw, record};

record! {
    /// What the CLI says about itself when it starts.
    Initialized {
        may commands: Vec<SlashCommand> = "commands",
        may agents: Vec<AgentInfo> = "agents",
        may models: Vec<ModelInfo> = "models",
        may account: Account = "account",
        may output_style: String = "output_style",
        may available_output_styles: Vec<String> = "available_output_styles",
        may claude_code_version: String = "claude_code_version",
        may pid: u64 = "pid",
        may session_state: String = "session_state",
        may current_permission_mode: String = "current_permission_mode",
        may capabilities: Vec<String> = "capabilities",
        may fast_mode_state: String = "fast_mode_state",
        may fast_mode_disabled_reason: String = "fast_mode_disabled_reason",
        may hooks_applied: bool = "hooks_applied",
        may hook_on_failure_supported: bool = "hook_on_failure_supported",
    }
}

record! {
    /// A slash command.
    SlashCommand {
        may name: String = "name",
        may description: String = "description",
        may argument_hint: String = "argumentHint",
        may aliases: Vec<String> = "aliases",
        may builtin: bool = "builtin",
    }
}

record! {
    /// An agent the model may call.
    AgentInfo {
        may name: String = "name",
        may description: String = "description",
        may model: String = "model",
    }
}

record! {
    /// A model to choose.
    ModelInfo {
        may value: String = "value",
        may resolved_model: String = "resolvedModel",
        may display_name: String = "displayName",
        may description: String = "description",
        may supports_effort: bool = "supportsEffort",
        may supported_effort_levels: Vec<String> = "supportedEffortLevels",
        may supports_adaptive_thinking: bool = "supportsAdaptiveThinking",
        may supports_fast_mode: bool = "supportsFastMode",
        may supports_auto_mode: bool = "supportsAutoMode",
    }
}

record! {
    /// Who pays.
    Account {
        may email: String = "email",
        may organization: String = "organization",
        may subscription_type: String = "subscriptionType",
        may token_source: String = "tokenSource",
        may api_key_source: String = "apiKeySource",
        may api_provider: String = "apiProvider",
    }
}

record! {
    /// After an interrupt: what waits, and what was taken back.
    Interrupted {
        may still_queued: Vec<String> = "still_queued",
        may cancelled: Vec<String> = "cancelled",
    }
}

record! {
    /// Whether a waiting message was taken back.
    Cancelled { may cancelled: bool = "cancelled" }
}

record! {
    /// The model from now on.
    ModelSet { may model: String = "model" }
}

record! {
    /// The mode from now on.
    ModeSet { may mode: String = "mode" }
}

record! {
    /// What putting files back changes.
    Rewound {
        may can_rewind: bool = "canRewind",
        may error: String = "error",
        may files_changed: Vec<String> = "filesChanged",
        may insertions: u64 = "insertions",
        may deletions: u64 = "deletions",
    }
}

record! {
    /// Every MCP server.
    McpServers { may servers: Vec<McpServerStatus> = "mcpServers" }
}

record! {
    /// An MCP server.
    McpServerStatus {
        may name: String = "name",
        /// `connected`, `failed`, `needs-auth`, `pending` or `disabled`.
        may status: String = "status",
        may error: String = "error",
        may scope: String = "scope",
        may server_info: Raw = "serverInfo",
        may config: Raw = "config",
        may tools: Raw = "tools",
        may capabilities: Raw = "capabilities",
    }
}

record! {
    /// What setting the servers changed.
    McpSet {
        may added: Vec<String> = "added",
        may removed: Vec<String> = "removed",
        may errors: BTreeMap<String, String> = "errors",
    }
}

record! {
    /// What fills the context window.
    ContextUsage {
        may categories: Vec<ContextCategory> = "categories",
        may total_tokens: u64 = "totalTokens",
        may max_tokens: u64 = "maxTokens",
        may raw_max_tokens: u64 = "rawMaxTokens",
        may percentage: Number = "percentage",
        may model: String = "model",
        may memory_files: Raw = "memoryFiles",
        may mcp_tools: Raw = "mcpTools",
        may agents: Raw = "agents",
        may skills: Raw = "skills",
        may slash_commands: Raw = "slashCommands",
        may auto_compact_threshold: u64 = "autoCompactThreshold",
        may is_auto_compact_enabled: bool = "isAutoCompactEnabled",
        may message_breakdown: Raw = "messageBreakdown",
        may api_usage: crate::frame::Usage = "apiUsage",
        may grid_rows: Raw = "gridRows",
    }
}

record! {
    /// A part of the context window.
    ContextCategory {
        may id: String = "id",
        may name: String = "name",
        may tokens: u64 = "tokens",
        may kind: String = "kind",
        may color: String = "color",
        may is_deferred: bool = "isDeferred",
    }
}

record! {
    /// The cost so far, for a person.
    SessionCost { may text: String = "text" }
}

record! {
    /// The cost so far and the plan's limits.
    UsageReport {
        may session: SessionUsage = "session",
        may subscription_type: String = "subscription_type",
        may rate_limits_available: bool = "rate_limits_available",
        may rate_limits: Raw = "rate_limits",
        may behaviors: Raw = "behaviors",
    }
}

record! {
    /// What a session has used.
    SessionUsage {
        may total_cost_usd: Number = "total_cost_usd",
        may total_api_duration_ms: Number = "total_api_duration_ms",
        may total_duration_ms: Number = "total_duration_ms",
        may total_lines_added: u64 = "total_lines_added",
        may total_lines_removed: u64 = "total_lines_removed",
        may model_usage: BTreeMap<String, crate::frame::ModelUsage> = "model_usage",
    }
}

record! {
    /// The models to choose from.
    Models { may models: Vec<ModelInfo> = "models" }
}

record! {
    /// The CLI's version.
    BinaryVersion { may version: String = "version", may build_time: String = "buildTime" }
}

record! {
    /// The settings that count.
    Settings {
        may effective: Raw = "effective",
        may sources: Raw = "sources",
        may applied: Raw = "applied",
    }
}

record! {
    /// The permission rules that count.
    PermissionRules { may state: Raw = "state" }
}

record! {
    /// The settings' hooks, and every event there is.
    HooksListing {
        may events: Raw = "events",
        may hooks: Raw = "hooks",
        may event_catalog: Vec<HookEventInfo> = "eventCatalog",
        may policy: Raw = "policy",
    }
}

record! {
    /// An event hooks can be called at.
    HookEventInfo {
        may name: String = "name",
        may summary: String = "summary",
        may supports_matcher: bool = "supportsMatcher",
    }
}

record! {
    /// Files whose names fit.
    FileSuggestions { may suggestions: Raw = "suggestions", may cwd: String = "cwd" }
}

record! {
    /// A file.
    FileContents {
        may contents: String = "contents",
        may abs_path: String = "absPath",
        may lossy: bool = "lossy",
        may truncated: bool = "truncated",
        may encoding: String = "encoding",
    }
}

record! {
    /// Everything a plug-in can bring, after reloading them.
    Reloaded {
        may commands: Vec<SlashCommand> = "commands",
        may agents: Vec<AgentInfo> = "agents",
        may plugins: Vec<crate::frame::Plugin> = "plugins",
        may servers: Vec<McpServerStatus> = "mcpServers",
        may error_count: u64 = "error_count",
    }
}

record! {
    /// The skills, after reloading them.
    SkillsListing { may skills: Vec<SlashCommand> = "skills" }
}

record! {
    /// The output styles, after reloading them.
    OutputStyles { may available: Vec<String> = "available_output_styles" }
}
