//! May a tool be used? The question comes as [`CanUseTool`]; the four answers are here.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::frame::CanUseTool;
use crate::json::{Raw, record};

/// The caller's judge; called on a task of its own, dropped in mid-air when the CLI takes its question back.
pub(crate) type Judge = Arc<dyn Fn(CanUseTool) -> BoxFuture<'static, Permission> + Send + Sync>;

/// An answer to [`CanUseTool`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Permission {
    /// Go on.
    Allow {
        /// Another input than the model's; none keeps it.
        input: Option<Raw>,
        /// Rules to remember, for example from [`CanUseTool::suggestions`].
        updates: Vec<PermissionUpdate>,
    },
    /// Do not.
    Deny {
        /// What the model is told.
        message: String,
        /// Whether the whole turn ends, too.
        interrupt: bool,
    },
}

impl Permission {
    /// Go on, just as asked.
    pub fn allow() -> Self {
        Self::Allow { input: None, updates: Vec::new() }
    }

    /// Go on, but with this input.
    pub fn allow_with(input: impl Into<Raw>) -> Self {
        Self::Allow { input: Some(input.into()), updates: Vec::new() }
    }

    /// Go on, and remember these rules.
    pub fn allow_and_remember(updates: Vec<PermissionUpdate>) -> Self {
        Self::Allow { input: None, updates }
    }

    /// Do not; the model reads `message` and may try something else.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::Deny { message: message.into(), interrupt: false }
    }

    /// Do not, and end the turn.
    pub fn deny_and_interrupt(message: impl Into<String>) -> Self {
        Self::Deny { message: message.into(), interrupt: true }
    }

    pub(crate) fn reply(self, asked: &CanUseTool) -> Value {
        match self {
            Self::Allow { input, updates } => {
                let input = input.as_ref().unwrap_or(&asked.input);
                let mut reply = json!({"behavior": "allow", "updatedInput": input});
                if let (false, Some(object)) = (updates.is_empty(), reply.as_object_mut()) {
                    object.insert("updatedPermissions".into(), json!(updates));
                }
                reply
            }
            Self::Deny { message, interrupt: false } => json!({"behavior": "deny", "message": message}),
            Self::Deny { message, interrupt: true } => {
                json!({"behavior": "deny", "message": message, "interrupt": true})
            }
        }
    }
}

record! {
    /// A change of the permissions: rules, folders or the mode.
    PermissionUpdate {
        /// `addRules`, `replaceRules`, `removeRules`, `setMode`, `addDirectories`, `removeDirectories`.
        must kind: String = "type",
        may rules: Vec<PermissionRule> = "rules",
        /// `allow`, `deny` or `ask`.
        may behavior: String = "behavior",
        may mode: String = "mode",
        may directories: Vec<String> = "directories",
        /// `userSettings`, `projectSettings`, `localSettings` or `session`.
        may destination: String = "destination",
    }
}

impl PermissionUpdate {
    /// Allows `tool` (all of it, or what `rule` says) until the session ends.
    pub fn allow_for_session(tool: impl Into<String>, rule: Option<String>) -> Self {
        let rule = PermissionRule { tool_name: tool.into(), rule_content: rule, ..PermissionRule::default() };
        Self {
            kind: "addRules".into(),
            rules: Some(vec![rule]),
            behavior: Some("allow".into()),
            destination: Some("session".into()),
            ..Self::default()
        }
    }
}

record! {
    /// A rule: a tool, and which of its uses.
    PermissionRule {
        must tool_name: String = "toolName",
        may rule_content: String = "ruleContent",
    }
}
