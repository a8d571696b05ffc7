//! MCP servers in this process: the CLI's messages come through the control protocol, no socket, no child.

// In tests, too, so that they need no feature switched on.
#[cfg(any(feature = "rmcp", test))]
mod rmcp;
mod tools;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use serde_json::Value;

use crate::json::Raw;
#[cfg(any(feature = "rmcp", test))]
pub use rmcp::RmcpServer;
pub use tools::{ToolCall, ToolOutput, ToolServer};

/// Anything that answers JSON-RPC messages of MCP. [`ToolServer`] is one for tools alone; with the feature
/// `rmcp`, `RmcpServer` is one for servers made with the official Rust SDK.
pub trait McpServer: Send + Sync + 'static {
    /// Answers one message; none for a notification. Dropped when the CLI no longer wants the answer.
    fn message(&self, message: Raw) -> BoxFuture<'_, Option<Value>>;

    /// What the server says of its own accord from now on, notifications and questions: each session that uses it
    /// asks once. The answer to a question comes as a [`McpServer::message`].
    fn unasked(&self) -> BoxStream<'static, Value> {
        Box::pin(stream::empty())
    }
}
