//! A server for tools alone, which is what most people want: a name, a schema and a function each.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::McpServer;
use crate::json::Raw;

/// What we fall back to when a client asks for no version.
const VERSION: &str = "2025-11-25";

type Run = Arc<dyn Fn(ToolCall) -> BoxFuture<'static, ToolOutput> + Send + Sync>;

/// A call of a tool.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolCall {
    /// What the model gave it.
    pub arguments: Value,
    /// `_meta` of the call; the CLI puts the tool use's id in it.
    pub meta: Value,
}

/// What a tool gives back.
#[derive(Debug, Clone)]
pub struct ToolOutput {
    content: Vec<Value>,
    structured: Option<Value>,
    is_error: bool,
}

impl ToolOutput {
    /// Text for the model.
    pub fn text(text: impl Into<String>) -> Self {
        let block = json!({"type": "text", "text": text.into()});
        Self { content: vec![block], structured: None, is_error: false }
    }

    /// A failure the model should read.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// Adds any other block of MCP content.
    #[must_use]
    pub fn block(mut self, block: Value) -> Self {
        self.content.push(block);
        self
    }

    /// Adds `structuredContent`.
    #[must_use]
    pub fn structured(mut self, value: Value) -> Self {
        self.structured = Some(value);
        self
    }

    fn value(self) -> Value {
        let mut result = json!({"content": self.content, "isError": self.is_error});
        if let (Some(structured), Some(object)) = (self.structured, result.as_object_mut()) {
            object.insert("structuredContent".into(), structured);
        }
        result
    }
}

struct Tool {
    listing: Value,
    run: Run,
}

/// Tools in this process.
///
/// ```
/// use carrick_claude::{Options, ToolOutput, ToolServer};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}});
/// let server = ToolServer::new("calc", "1.0.0").tool("add", "Adds two numbers", schema, |call| async move {
///     let sum = call.arguments["a"].as_f64().unwrap_or(0.0) + call.arguments["b"].as_f64().unwrap_or(0.0);
///     ToolOutput::text(sum.to_string())
/// });
/// let options = Options::new().sdk_server("calc", server).allowed_tools(["mcp__calc__add"]);
/// ```
pub struct ToolServer {
    name: String,
    version: String,
    tools: BTreeMap<String, Tool>,
}

impl fmt::Debug for ToolServer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ToolServer").field("name", &self.name).field("tools", &self.tools.keys()).finish()
    }
}

impl ToolServer {
    /// A server without tools; name and version are what it says about itself.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into(), tools: BTreeMap::new() }
    }

    /// Adds a tool; `schema` is the JSON schema of its arguments.
    #[must_use]
    pub fn tool<F, R>(self, name: &str, description: &str, schema: Value, run: F) -> Self
    where
        F: Fn(ToolCall) -> R + Send + Sync + 'static,
        R: Future<Output = ToolOutput> + Send + 'static,
    {
        self.annotated_tool(name, description, schema, json!({}), run)
    }

    /// Adds a tool with MCP annotations, for example `{"readOnlyHint": true}`.
    #[must_use]
    pub fn annotated_tool<F, R>(
        mut self,
        name: &str,
        description: &str,
        schema: Value,
        annotations: Value,
        run: F,
    ) -> Self
    where
        F: Fn(ToolCall) -> R + Send + Sync + 'static,
        R: Future<Output = ToolOutput> + Send + 'static,
    {
        let mut listing = json!({"name": name, "description": description});
        if let Some(object) = listing.as_object_mut() {
            object.insert("inputSchema".into(), schema);
            object.insert("annotations".into(), annotations);
        }
        let run: Run = Arc::new(move |call| Box::pin(run(call)));
        self.tools.insert(name.into(), Tool { listing, run });
        self
    }

    async fn answer(&self, method: &str, params: &Value) -> Result<Value, (i64, String)> {
        match method {
            "initialize" => {
                let version = params.get("protocolVersion").and_then(Value::as_str).unwrap_or(VERSION);
                let about = json!({"name": self.name, "version": self.version});
                Ok(json!({"protocolVersion": version, "capabilities": {"tools": {"listChanged": false}},
                    "serverInfo": about}))
            }
            "ping" => Ok(json!({})),
            "tools/list" => {
                Ok(json!({"tools": self.tools.values().map(|tool| &tool.listing).collect::<Vec<_>>()}))
            }
            "tools/call" => self.call(params).await,
            other => Err((-32601, format!("Method not found: {other}"))),
        }
    }

    async fn call(&self, params: &Value) -> Result<Value, (i64, String)> {
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let Some(tool) = self.tools.get(name) else { return Err((-32602, format!("Unknown tool: {name}"))) };
        let arguments = params.get("arguments").cloned().unwrap_or_else(|| Map::new().into());
        let meta = params.get("_meta").cloned().unwrap_or(Value::Null);
        Ok((tool.run)(ToolCall { arguments, meta }).await.value())
    }
}

impl McpServer for ToolServer {
    fn message(&self, message: Raw) -> BoxFuture<'_, Option<Value>> {
        Box::pin(async move {
            let message = message.value();
            let id = message.get("id").filter(|id| !id.is_null())?.clone();
            let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
            let params = message.get("params").cloned().unwrap_or(Value::Null);
            Some(match self.answer(method, &params).await {
                Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
                Err((code, text)) => {
                    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn ask(message: Value) -> Option<Value> {
        let echo = |call: ToolCall| async move { ToolOutput::text(call.arguments.to_string()) };
        let server = ToolServer::new("t", "1").tool("echo", "Echoes", json!({"type": "object"}), echo);
        server.message(message.into()).await
    }

    #[tokio::test]
    async fn calls_errors_and_notifications_are_answered_as_they_should() {
        let call = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/call",
            "params": {"name": "echo", "arguments": {"x": 1}}});
        assert_eq!(ask(call).await.unwrap()["result"]["content"][0]["text"], "{\"x\":1}");
        let unknown = json!({"jsonrpc": "2.0", "id": "a", "method": "prompts/list"});
        assert_eq!(ask(unknown).await.unwrap()["error"]["code"], -32601);
        assert_eq!(ask(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await, None);
    }
}
