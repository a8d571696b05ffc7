//! Control requests about MCP servers.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Client;
use crate::error::Result;
use crate::json::Raw;
use crate::options::McpConfig;
use crate::reply::{McpServers, McpSet};

impl Client {
    /// `mcp_status`: every server with its state and tools.
    pub async fn mcp_status(&self) -> Result<McpServers> {
        self.ask("mcp_status", json!({})).await
    }

    /// `mcp_reconnect`.
    pub async fn mcp_reconnect(&self, server: &str) -> Result<()> {
        self.tell("mcp_reconnect", json!({"serverName": server})).await
    }

    /// `mcp_toggle`: switches a server on or off.
    pub async fn mcp_toggle(&self, server: &str, enabled: bool) -> Result<()> {
        self.tell("mcp_toggle", json!({"serverName": server, "enabled": enabled})).await
    }

    /// `mcp_set_servers`: exactly these from now on, besides those of the settings.
    pub async fn mcp_set_servers(&self, servers: &BTreeMap<String, McpConfig>) -> Result<McpSet> {
        let servers: BTreeMap<&str, Value> =
            servers.iter().map(|(name, config)| (name.as_str(), config.value())).collect();
        self.ask("mcp_set_servers", json!({"servers": servers})).await
    }

    /// `mcp_call`: calls a tool (`mcp__server__tool`) without the model.
    pub async fn mcp_call(&self, tool: &str, arguments: Value) -> Result<Raw> {
        self.control("mcp_call", json!({"tool": tool, "arguments": arguments})).await
    }

    /// `mcp_read_resource`: a `ui://` resource of a server.
    pub async fn mcp_read_resource(&self, server: &str, uri: &str) -> Result<Raw> {
        self.control("mcp_read_resource", json!({"serverName": server, "uri": uri})).await
    }

    /// `mcp_message`: a message of an in-process server's own accord, for example
    /// `notifications/tools/list_changed`. What [`crate::McpServer::unasked`] says is sent without this.
    pub async fn mcp_notify(&self, server: &str, message: Value) -> Result<()> {
        self.shared.tell_of_server(server, message).await
    }
}
