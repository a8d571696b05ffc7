//! What a method or a tool answers with, before it becomes bytes.
//!
//! Contents are kept behind `Arc` and written once, straight into the outgoing message: a 10 MB answer is never
//! built as a JSON value first.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use carrick_core::{ClientId, Desk, Editor, EditorError, paths::Host};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use serde_json::{Value, value::RawValue};

use super::dialect::Dialect;
use super::rpc::{Code, RpcError};

/// What every handler may know about the connection that asks.
pub(crate) struct Context {
    pub(crate) desk: Arc<Desk>,
    pub(crate) client: ClientId,
    pub(crate) dialect: Arc<Dialect>,
    pub(crate) host: Host,
    pub(crate) version: &'static str,
}

impl Context {
    /// The editor behind, or the error that there is none.
    pub(crate) fn editor(&self) -> Result<Arc<dyn Editor>, RpcError> {
        self.desk
            .editor_of(self.client)
            .ok_or_else(|| RpcError::new(Code::Internal, "No editor is open behind this door"))
    }
}

/// A started request: answered already, or later.
pub(crate) enum Running {
    Now(Payload),
    /// With the token under which the client wants to hear of progress.
    Later(Later, Option<Box<RawValue>>),
}

/// The rest of a request that has to wait for an editor or a person. Dropping it cancels it.
pub(crate) type Later = Pin<Box<dyn Future<Output = Result<Payload, RpcError>> + Send>>;

impl Running {
    pub(crate) fn later(future: impl Future<Output = Result<Payload, RpcError>> + Send + 'static) -> Self {
        Self::Later(Box::pin(future), None)
    }

    pub(crate) fn json(value: Value) -> Self {
        Self::Now(Payload::Json(value))
    }
}

/// The `result` of an answer.
#[derive(Debug)]
pub(crate) enum Payload {
    Json(Value),
    Tool(ToolAnswer),
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Json(value) => value.serialize(serializer),
            Self::Tool(answer) => answer.serialize(serializer),
        }
    }
}

/// MCP's answer to `tools/call`.
#[derive(Debug)]
pub(crate) struct ToolAnswer {
    content: Vec<Block>,
    is_error: bool,
}

/// One block of a tool's answer.
#[derive(Debug)]
pub(crate) enum Block {
    Text(Arc<str>),
    Image { data: String, mime: String },
}

impl ToolAnswer {
    /// One text block.
    pub(crate) fn text(text: impl Into<Arc<str>>) -> Self {
        Self::blocks(vec![Block::Text(text.into())])
    }

    /// One text block that holds JSON.
    pub(crate) fn json(value: &impl Serialize) -> Self {
        // Values made of strings, numbers and lists always serialise.
        Self::text(serde_json::to_string(value).unwrap_or_default())
    }

    pub(crate) fn blocks(content: Vec<Block>) -> Self {
        Self { content, is_error: false }
    }

    /// What went wrong, in words for the model and the person.
    pub(crate) fn error(text: impl Into<Arc<str>>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    pub(crate) fn into_error(self) -> Self {
        Self { is_error: true, ..self }
    }
}

impl From<EditorError> for ToolAnswer {
    fn from(error: EditorError) -> Self {
        Self::error(error.to_string())
    }
}

impl From<ToolAnswer> for Running {
    fn from(answer: ToolAnswer) -> Self {
        Self::Now(Payload::Tool(answer))
    }
}

impl Serialize for ToolAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answer = serializer.serialize_struct("ToolAnswer", 1 + usize::from(self.is_error))?;
        answer.serialize_field("content", &self.content)?;
        if self.is_error {
            answer.serialize_field("isError", &true)?;
        }
        answer.end()
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => {
                let mut block = serializer.serialize_struct("Text", 2)?;
                block.serialize_field("type", "text")?;
                block.serialize_field("text", &**text)?;
                block.end()
            }
            Self::Image { data, mime } => {
                let mut block = serializer.serialize_struct("Image", 3)?;
                block.serialize_field("type", "image")?;
                block.serialize_field("data", data)?;
                block.serialize_field("mimeType", mime)?;
                block.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_answer_is_marked_and_a_good_one_is_not() {
        let text = |answer: &ToolAnswer| serde_json::to_string(answer).unwrap();
        assert_eq!(text(&ToolAnswer::text("x")), r#"{"content":[{"type":"text","text":"x"}]}"#);
        assert_eq!(
            text(&ToolAnswer::error("x")),
            r#"{"content":[{"type":"text","text":"x"}],"isError":true}"#
        );
    }
}
