//! Control requests that steer the session: each is one method, named after what it does.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Client;
use crate::error::Result;
use crate::frame::User;
use crate::json::Raw;
use crate::options::PermissionMode;
use crate::reply::{Cancelled, Interrupted, ModeSet, ModelSet, Rewound};

impl Client {
    pub(super) async fn ask<T: DeserializeOwned + Default>(&self, subtype: &str, fields: Value) -> Result<T> {
        let reply = self.control(subtype, fields).await?;
        // Several requests are answered without a body.
        if reply == Raw::null() { Ok(T::default()) } else { Ok(reply.parse()?) }
    }

    pub(super) async fn tell(&self, subtype: &str, fields: Value) -> Result<()> {
        self.control(subtype, fields).await.map(drop)
    }

    /// `interrupt`: ends the turn; what waits behind it stays.
    pub async fn interrupt(&self) -> Result<Interrupted> {
        self.ask("interrupt", json!({})).await
    }

    /// `interrupt` with `cancel_queued`: ends the turn and takes back what waits behind it.
    pub async fn interrupt_all(&self) -> Result<Interrupted> {
        self.ask("interrupt", json!({"cancel_queued": true})).await
    }

    /// `cancel_async_message`: takes back a message that still waits; it was sent with this UUID
    /// ([`User::with_uuid`]).
    pub async fn cancel_message(&self, uuid: &str) -> Result<Cancelled> {
        self.ask("cancel_async_message", json!({"message_uuid": uuid})).await
    }

    /// `set_model`: another model from the next request on; none is the default one.
    pub async fn set_model(&self, model: Option<&str>) -> Result<ModelSet> {
        self.ask("set_model", json!({"model": model})).await
    }

    /// `set_permission_mode`.
    pub async fn set_permission_mode(&self, mode: PermissionMode) -> Result<ModeSet> {
        self.ask("set_permission_mode", json!({"mode": mode})).await
    }

    /// `set_max_thinking_tokens`: none lifts the limit.
    pub async fn set_max_thinking_tokens(&self, tokens: Option<u64>) -> Result<()> {
        self.tell("set_max_thinking_tokens", json!({"max_thinking_tokens": tokens})).await
    }

    /// `set_max_thinking_tokens` with `thinking_display`: `summarized`, `omitted` or `highlights`.
    pub async fn set_thinking_display(&self, display: Option<&str>) -> Result<()> {
        self.tell("set_max_thinking_tokens", json!({"thinking_display": display})).await
    }

    /// `rename_session`.
    pub async fn rename_session(&self, title: &str) -> Result<()> {
        self.tell("rename_session", json!({"title": title})).await
    }

    /// `set_color`: the prompt bar's colour, where the CLI has one.
    pub async fn set_color(&self, color: &str) -> Result<()> {
        self.tell("set_color", json!({"color": color})).await
    }

    /// `generate_session_title`: asks a small model for a title.
    pub async fn generate_session_title(&self, description: &str, persist: bool) -> Result<Raw> {
        self.control("generate_session_title", json!({"description": description, "persist": persist})).await
    }

    /// `rewind_files`: puts files back to where they were before a message; needs
    /// [`crate::Options::file_checkpointing`].
    pub async fn rewind_files(&self, user_message: &str) -> Result<Rewound> {
        self.ask("rewind_files", json!({"user_message_id": user_message})).await
    }

    /// `rewind_files` with `dry_run`: tells what would change.
    pub async fn preview_rewind(&self, user_message: &str) -> Result<Rewound> {
        self.ask("rewind_files", json!({"user_message_id": user_message, "dry_run": true})).await
    }

    /// `apply_flag_settings`: settings for this session only.
    pub async fn apply_flag_settings(&self, settings: Value) -> Result<()> {
        self.tell("apply_flag_settings", json!({"settings": settings})).await
    }

    /// `update_settings`: writes to `userSettings` or `localSettings`.
    pub async fn update_settings(&self, source: &str, settings: Value) -> Result<Raw> {
        self.control("update_settings", json!({"source": source, "settings": settings})).await
    }

    /// `stop_task`: ends a task in the background.
    pub async fn stop_task(&self, task: &str) -> Result<()> {
        self.tell("stop_task", json!({"task_id": task})).await
    }

    /// `background_tasks`: sends what runs in the foreground (all of it, or one tool use) to the background.
    pub async fn background_tasks(&self, tool_use: Option<&str>) -> Result<Raw> {
        let fields = tool_use.map_or(json!({}), |id| json!({"tool_use_id": id}));
        self.control("background_tasks", fields).await
    }

    /// `get_task_output`: what a task in the background has printed.
    pub async fn task_output(&self, task: &str) -> Result<Raw> {
        self.control("get_task_output", json!({"task_id": task})).await
    }

    /// `register_repo_root`: counts a folder below the working directory as a repository of its own.
    pub async fn register_repo_root(&self, directory: &str) -> Result<Raw> {
        self.control("register_repo_root", json!({"directory": directory})).await
    }

    /// `seed_read_state`: says that we have read a file as of `mtime` (milliseconds), so that it may be edited.
    pub async fn seed_read_state(&self, path: &str, mtime: u64) -> Result<()> {
        self.tell("seed_read_state", json!({"path": path, "mtime": mtime})).await
    }

    /// `set_has_subscribers`: whether anybody looks at the session.
    pub async fn set_has_subscribers(&self, anybody: Option<bool>) -> Result<()> {
        self.tell("set_has_subscribers", json!({"has_subscribers": anybody})).await
    }

    /// Says something with an id of its own and returns the id: for [`Client::cancel_message`],
    /// [`Client::rewind_files`] and the [`crate::frame::CommandLifecycle`] frames.
    pub async fn send_tracked(&self, prompt: impl Into<crate::frame::Content>) -> Result<String> {
        let uuid = crate::uuid::v4()?;
        self.send_user(User::prompt(prompt).with_uuid(uuid.clone())).await?;
        Ok(uuid)
    }
}
