//! The words options are made of.

use std::path::PathBuf;

use serde_json::Value;

use crate::json::{record, words};

words! {
    /// How tool uses are decided.
    PermissionMode {
        Default = "default",
        AcceptEdits = "acceptEdits",
        Plan = "plan",
        Auto = "auto",
        DontAsk = "dontAsk",
        BypassPermissions = "bypassPermissions",
        Manual = "manual",
    }
}

words! {
    /// How hard the model works.
    Effort { Low = "low", Medium = "medium", High = "high", XHigh = "xhigh", Max = "max" }
}

words! {
    /// Which settings files count.
    SettingSource { User = "user", Project = "project", Local = "local" }
}

/// The system prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SystemPrompt {
    /// None at all, which is what the official SDKs do by default: `--system-prompt ""`.
    #[default]
    Empty,
    /// Claude Code's own.
    ClaudeCode,
    /// Claude Code's own with more behind it: `--append-system-prompt`.
    Append(String),
    /// One's own: `--system-prompt`.
    Text(String),
    /// One's own, from a file: `--system-prompt-file`.
    File(PathBuf),
}

/// The tools there are at all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tools {
    /// Claude Code's own: `--tools default`.
    ClaudeCode,
    /// These, possibly none: `--tools a,b`.
    Only(Vec<String>),
}

/// Thinking.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Thinking {
    /// As much as the model finds right: `--thinking adaptive`.
    Adaptive,
    /// At most this many tokens: `--max-thinking-tokens`.
    Budget(u64),
    /// None: `--thinking disabled`.
    Disabled,
}

/// Which skills the model may use.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Skills {
    /// All that are installed.
    All,
    /// These.
    Only(Vec<String>),
}

/// An MCP server the CLI starts or connects to itself.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum McpConfig {
    /// A command that speaks MCP on stdio.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables for it.
        env: Vec<(String, String)>,
    },
    /// Streamable HTTP.
    Http {
        /// Where.
        url: String,
        /// Headers to send.
        headers: Vec<(String, String)>,
    },
    /// Server-sent events.
    Sse {
        /// Where.
        url: String,
        /// Headers to send.
        headers: Vec<(String, String)>,
    },
    /// Anything else, as the CLI's configuration writes it.
    Other(Value),
}

impl McpConfig {
    pub(crate) fn value(&self) -> Value {
        let table = |pairs: &[(String, String)]| -> Value {
            pairs.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()
        };
        let remote = |kind: &str, url: &str, headers: &[(String, String)]| {
            let mut config = serde_json::json!({"type": kind, "url": url});
            if let (false, Some(object)) = (headers.is_empty(), config.as_object_mut()) {
                object.insert("headers".into(), table(headers));
            }
            config
        };
        match self {
            Self::Stdio { command, args, env } => {
                let mut config = serde_json::json!({"command": command, "args": args});
                if let (false, Some(object)) = (env.is_empty(), config.as_object_mut()) {
                    object.insert("env".into(), table(env));
                }
                config
            }
            Self::Http { url, headers } => remote("http", url, headers),
            Self::Sse { url, headers } => remote("sse", url, headers),
            Self::Other(value) => value.clone(),
        }
    }
}

/// Headers and variables may hold keys, so only the kind is shown.
impl std::fmt::Debug for McpConfig {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Stdio { .. } => "Stdio(..)",
            Self::Http { .. } => "Http(..)",
            Self::Sse { .. } => "Sse(..)",
            Self::Other(_) => "Other(..)",
        })
    }
}

record! {
    /// A subagent the model may call.
    Agent {
        must description: String = "description",
        must prompt: String = "prompt",
        may tools: Vec<String> = "tools",
        may disallowed_tools: Vec<String> = "disallowedTools",
        /// `sonnet`, `opus`, `haiku`, `inherit` or a full name.
        may model: String = "model",
        may skills: Vec<String> = "skills",
        may max_turns: u64 = "maxTurns",
        may permission_mode: String = "permissionMode",
        may effort: String = "effort",
        may background: bool = "background",
        may memory: String = "memory",
        may initial_prompt: String = "initialPrompt",
    }
}

impl Agent {
    /// An agent by what it is for and what it is told.
    pub fn new(description: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self { description: description.into(), prompt: prompt.into(), ..Self::default() }
    }
}
