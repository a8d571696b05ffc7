//! Questions to the person that are not about tools: those of MCP servers and the CLI's own dialogs.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::frame::{Elicitation, UserDialog};

pub(crate) type Asked = Arc<dyn Fn(Elicitation) -> BoxFuture<'static, ElicitationReply> + Send + Sync>;
pub(crate) type Shown = Arc<dyn Fn(UserDialog) -> BoxFuture<'static, DialogReply> + Send + Sync>;

/// An answer to an MCP server's question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ElicitationReply {
    /// The person filled it in.
    Accept(Value),
    /// The person said no.
    Decline,
    /// The person looked away.
    Cancel,
}

impl ElicitationReply {
    pub(crate) fn reply(self) -> Value {
        match self {
            Self::Accept(content) => json!({"action": "accept", "content": content}),
            Self::Decline => json!({"action": "decline"}),
            Self::Cancel => json!({"action": "cancel"}),
        }
    }
}

/// An answer to a dialog.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DialogReply {
    /// What the person chose, in the shape of the dialog's kind.
    Completed(Value),
    /// It was closed, or cannot be shown.
    Cancelled,
}

impl DialogReply {
    pub(crate) fn reply(self) -> Value {
        match self {
            Self::Completed(result) => json!({"behavior": "completed", "result": result}),
            Self::Cancelled => json!({"behavior": "cancelled"}),
        }
    }
}
