//! Drives the Claude Code CLI from Rust: the headless SDK.
//!
//! * [`query`] asks one question and streams the frames of the answer;
//! * [`Client`] holds a conversation: prompts, control requests, interrupts;
//! * [`Options`] starts either, with permissions, [`Hook`]s and MCP servers ([`ToolServer`]) in this process;
//! * [`frame`] has a type for every line the CLI writes; what is not known yet is kept raw, never an error;
//! * [`sessions`] lists, reads and changes the conversations on disk.
//!
//! Nothing the CLI starts outlives the [`Client`], not even after a `kill -9` of this process.

mod client;
mod dialog;
mod error;
pub mod frame;
mod hooks;
mod json;
mod lines;
mod mcp;
mod options;
mod permission;
mod process;
mod query;
pub mod reply;
pub mod sessions;
pub mod testing;
mod uuid;

pub use client::Client;
pub use dialog::{DialogReply, ElicitationReply};
pub use error::{Error, Result};
pub use frame::{Block, CanUseTool, Content, Frame, HookEvent, HookInput};
pub use hooks::{Hook, HookOutput};
pub use json::{Extra, Raw, Unknown};
pub use lines::Lines;
#[cfg(any(feature = "rmcp", test))]
pub use mcp::RmcpServer;
pub use mcp::{McpServer, ToolCall, ToolOutput, ToolServer};
pub use options::{
    Agent, Effort, McpConfig, Options, PermissionMode, SettingSource, Skills, SystemPrompt, Thinking, Tools,
};
pub use permission::{Permission, PermissionRule, PermissionUpdate};
pub use query::{Query, query};

/// The examples in the documentation compile.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/sdk.md")]
struct Page;
