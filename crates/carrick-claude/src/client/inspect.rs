//! Control requests that only look.

use serde_json::json;

use super::Client;
use crate::error::Result;
use crate::json::Raw;
use crate::reply::{
    BinaryVersion, ContextUsage, FileContents, FileSuggestions, HooksListing, Models, OutputStyles,
    PermissionRules, Reloaded, SessionCost, Settings, SkillsListing, UsageReport,
};

impl Client {
    /// `get_context_usage`: what fills the context window; in full detail the answer takes a second.
    pub async fn context_usage(&self, full: bool) -> Result<ContextUsage> {
        self.ask("get_context_usage", json!({"detail": if full { "full" } else { "summary" }})).await
    }

    /// `get_session_cost`: the cost so far, as text for a person.
    pub async fn session_cost(&self) -> Result<SessionCost> {
        self.ask("get_session_cost", json!({})).await
    }

    /// `get_usage`: the cost so far in numbers, and the plan's limits.
    pub async fn usage(&self) -> Result<UsageReport> {
        self.ask("get_usage", json!({"skip_behaviors": true})).await
    }

    /// `list_models`.
    pub async fn models(&self) -> Result<Models> {
        self.ask("list_models", json!({})).await
    }

    /// `get_binary_version`.
    pub async fn binary_version(&self) -> Result<BinaryVersion> {
        self.ask("get_binary_version", json!({})).await
    }

    /// `get_settings`: what counts now, and where it comes from.
    pub async fn settings(&self) -> Result<Settings> {
        self.ask("get_settings", json!({})).await
    }

    /// `list_permission_rules`.
    pub async fn permission_rules(&self) -> Result<PermissionRules> {
        self.ask("list_permission_rules", json!({})).await
    }

    /// `get_hooks_listing`: the settings' hooks, and every event there is.
    pub async fn hooks_listing(&self) -> Result<HooksListing> {
        self.ask("get_hooks_listing", json!({})).await
    }

    /// `file_suggestions`: files whose names fit, for completing a mention.
    pub async fn file_suggestions(&self, query: &str) -> Result<FileSuggestions> {
        self.ask("file_suggestions", json!({"query": query})).await
    }

    /// `read_file`: a file as the CLI sees it.
    pub async fn read_file(&self, path: &str) -> Result<FileContents> {
        self.ask("read_file", json!({"path": path})).await
    }

    /// `reload_plugins`: takes up plug-ins that changed on disk.
    pub async fn reload_plugins(&self) -> Result<Reloaded> {
        self.ask("reload_plugins", json!({})).await
    }

    /// `reload_skills`: takes up skills that changed on disk.
    pub async fn reload_skills(&self) -> Result<SkillsListing> {
        self.ask("reload_skills", json!({})).await
    }

    /// `reload_output_styles`: takes up output styles that changed on disk.
    pub async fn reload_output_styles(&self) -> Result<OutputStyles> {
        self.ask("reload_output_styles", json!({})).await
    }

    /// `initialize` again: what the CLI would say about itself now.
    pub async fn introduce_again(&self) -> Result<Raw> {
        self.control("initialize", json!({})).await
    }
}
