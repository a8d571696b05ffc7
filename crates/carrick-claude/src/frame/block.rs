//! The blocks a message is made of, in a person's words and the model's.

use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::json::{Lenient, Raw, record, tagged};

tagged! {
    /// One block of a message's content.
    Block by "type" {
        Text(TextBlock) = "text",
        Thinking(ThinkingBlock) = "thinking",
        RedactedThinking(RedactedThinkingBlock) = "redacted_thinking",
        ToolUse(ToolUseBlock) = "tool_use",
        ToolResult(ToolResultBlock) = "tool_result",
        Image(ImageBlock) = "image",
        Document(DocumentBlock) = "document",
        SearchResult(SearchResultBlock) = "search_result",
        ServerToolUse(ToolUseBlock) = "server_tool_use",
        McpToolUse(ToolUseBlock) = "mcp_tool_use",
        McpToolResult(ServerToolResultBlock) = "mcp_tool_result",
        WebSearchToolResult(ServerToolResultBlock) = "web_search_tool_result",
        WebFetchToolResult(ServerToolResultBlock) = "web_fetch_tool_result",
        CodeExecutionToolResult(ServerToolResultBlock) = "code_execution_tool_result",
        BashCodeExecutionToolResult(ServerToolResultBlock) = "bash_code_execution_tool_result",
        TextEditorCodeExecutionToolResult(ServerToolResultBlock) = "text_editor_code_execution_tool_result",
        ToolSearchToolResult(ServerToolResultBlock) = "tool_search_tool_result",
        ToolReference(ToolReferenceBlock) = "tool_reference",
        ContainerUpload(ContainerUploadBlock) = "container_upload",
    }
}

impl Block {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextBlock { text: text.into(), ..TextBlock::default() })
    }

    /// An image by its base64 data, for example of `image/png`.
    pub fn image(media_type: &str, base64: &str) -> Self {
        let source = serde_json::json!({"type": "base64", "media_type": media_type, "data": base64});
        Self::Image(ImageBlock { source: source.into(), ..ImageBlock::default() })
    }
}

record! {
    /// Text.
    TextBlock { must text: String = "text", may citations: Raw = "citations" }
}

record! {
    /// What the model thought, with the signature that lets it be sent back.
    ThinkingBlock { must thinking: String = "thinking", may signature: String = "signature" }
}

record! {
    /// Thinking that is not shown.
    RedactedThinkingBlock { must data: String = "data" }
}

record! {
    /// The model uses a tool; which kind of tool is the variant's matter.
    ToolUseBlock {
        must id: String = "id",
        must name: String = "name",
        must input: Raw = "input",
        /// The MCP server's name, for tools the API calls itself.
        may server_name: String = "server_name",
    }
}

record! {
    /// What a tool gave back.
    ToolResultBlock {
        must tool_use_id: String = "tool_use_id",
        may content: Content = "content",
        may is_error: bool = "is_error",
    }
}

record! {
    /// What a tool that runs at the API gave back.
    ServerToolResultBlock {
        must tool_use_id: String = "tool_use_id",
        may content: Raw = "content",
        may is_error: bool = "is_error",
    }
}

record! {
    /// A picture.
    ImageBlock { must source: Raw = "source" }
}

record! {
    /// A document, for example a PDF.
    DocumentBlock {
        must source: Raw = "source",
        may title: String = "title",
        may context: String = "context",
        may citations: Raw = "citations",
    }
}

record! {
    /// A hit of a search, for citing.
    SearchResultBlock {
        may source: String = "source",
        may title: String = "title",
        may content: Raw = "content",
    }
}

record! {
    /// A tool found by the tool search.
    ToolReferenceBlock { must tool_name: String = "tool_name" }
}

record! {
    /// A file handed to the code execution container.
    ContainerUploadBlock { must file_id: String = "file_id" }
}

/// Content as the API allows it: plain text, or blocks.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Plain text.
    Text(String),
    /// Blocks.
    Blocks(Vec<Block>),
}

impl Content {
    /// The blocks; none for plain text.
    pub fn blocks(&self) -> &[Block] {
        match self {
            Self::Text(_) => &[],
            Self::Blocks(blocks) => blocks,
        }
    }

    /// All text in it, joined.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Blocks(blocks) => blocks.iter().filter_map(text_of).collect(),
        }
    }
}

fn text_of(block: &Block) -> Option<&str> {
    if let Block::Text(block) = block { Some(&block.text) } else { None }
}

impl Default for Content {
    fn default() -> Self {
        Self::Blocks(Vec::new())
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<Block>> for Content {
    fn from(blocks: Vec<Block>) -> Self {
        Self::Blocks(blocks)
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Blocks(blocks) => blocks.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("text or a list of blocks")
    }

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(Content::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Content, E> {
        Ok(Content::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut blocks: A) -> Result<Content, A::Error> {
        let mut all = Vec::new();
        while let Some(block) = blocks.next_element()? {
            all.push(block);
        }
        Ok(Content::Blocks(all))
    }
}

impl Lenient for Content {
    fn lenient(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            other => Vec::lenient(other).map(Self::Blocks),
        }
    }
}
