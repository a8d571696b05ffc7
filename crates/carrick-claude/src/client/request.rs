//! Lines to the CLI, and control requests that wait for their answer.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Outgoing, Shared};
use crate::error::{Error, Result};
use crate::json::Raw;

/// For every request but the first: some ask the API or restart a server.
pub(super) const ANSWER: Duration = Duration::from_secs(120);

impl Shared {
    pub(super) async fn write(&self, line: String) -> Result<()> {
        if *self.over.borrow() {
            return Err(Error::Closed);
        }
        self.outgoing.send(Outgoing::Line(line)).await.map_err(|_| Error::Closed)
    }

    pub(super) async fn request(
        &self,
        subtype: &str,
        fields: Map<String, Value>,
        limit: Duration,
    ) -> Result<Raw> {
        let mut ticket = self.pending.begin(subtype);
        let mut request = fields;
        request.insert("subtype".into(), subtype.into());
        let line = json!({"type": "control_request", "request_id": ticket.id, "request": request});
        self.write(line.to_string()).await?;
        let mut over = self.over.subscribe();
        let answered = async {
            tokio::select! {
                biased;
                answer = &mut ticket.answer => answer.map_err(|_| Error::Closed)?,
                _ = over.wait_for(|over| *over) => Err(Error::Closed),
            }
        };
        match tokio::time::timeout(limit, answered).await {
            Ok(answer) => answer,
            Err(_) => Err(Error::NoAnswer { subtype: subtype.into(), seconds: limit.as_secs() }),
        }
    }
}
