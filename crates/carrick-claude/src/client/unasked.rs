//! What MCP servers in this process say of their own accord, brought to the CLI in the order it was said.

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use serde_json::{Map, Value};
use tokio::task::AbortHandle;

use super::Shared;
use super::request::ANSWER;
use crate::error::{Error, Result};

/// One task for each server; they end with the session.
pub(super) fn relay(shared: &Arc<Shared>) -> Vec<AbortHandle> {
    let servers = shared.service.options().servers.iter();
    servers
        .map(|(name, server)| {
            let said = server.unasked();
            tokio::spawn(pass_on(shared.clone(), name.clone(), said)).abort_handle()
        })
        .collect()
}

async fn pass_on(shared: Arc<Shared>, server: String, mut said: BoxStream<'static, Value>) {
    while let Some(message) = said.next().await {
        match shared.tell_of_server(&server, message).await {
            Ok(()) => {}
            Err(Error::Closed) => return,
            Err(error) => tracing::debug!(server, %error, "the CLI did not take a message of an MCP server"),
        }
    }
}

impl Shared {
    /// `mcp_message` in the other direction.
    pub(super) async fn tell_of_server(&self, server: &str, message: Value) -> Result<()> {
        let fields = [("server_name".to_owned(), server.into()), ("message".to_owned(), message)];
        self.request("mcp_message", Map::from_iter(fields), ANSWER).await.map(drop)
    }
}
