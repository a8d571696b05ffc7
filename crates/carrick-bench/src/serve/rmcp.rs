//! The official MCP library on the same kind of socket, with one small tool and one like openDiff.
//!
//! It is here to be compared: what carrick's own session engine saves, or does not.

use std::future::ready;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomNotification, ErrorData,
    InitializeResult, ServerCapabilities, ServerNotification,
};
use rmcp::service::{Peer, RequestContext, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::json;
use tokio::net::TcpStream;
use tokio_tungstenite::accept_async_with_config;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::{accept, announce, carricks_config, listen, obey};
use crate::messages;

type Peers = Arc<Mutex<Vec<Peer<RoleServer>>>>;

pub(super) async fn run() -> Result<()> {
    let listener = listen().await?;
    announce(listener.local_addr()?.port(), "")?;
    let peers = Peers::default();
    let seats = Arc::clone(&peers);
    tokio::select! {
        () = accept(listener, move |stream| seat(stream, Arc::clone(&seats))) => {}
        () = obey(async |number| push(&peers, number).await) => {}
    }
    Ok(())
}

async fn push(peers: &Peers, number: u64) {
    let peers = peers.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let params = messages::selection_params(number);
    let sends = peers.iter().map(|peer| {
        let notification = CustomNotification::new(messages::SELECTION_CHANGED, Some(params.clone()));
        peer.send_notification(ServerNotification::CustomNotification(notification))
    });
    join_all(sends).await;
}

async fn seat(stream: TcpStream, peers: Peers) {
    let Ok(socket) = accept_async_with_config(stream, Some(carricks_config())).await else { return };
    let (sink, stream) = socket.split();
    let sink = sink.with(|message: TxJsonRpcMessage<RoleServer>| ready(write(&message)));
    let stream = stream.filter_map(|message| ready(read(message)));
    let Ok(service) = Tools::new().serve((Box::pin(sink), Box::pin(stream))).await else { return };
    peers.lock().unwrap_or_else(PoisonError::into_inner).push(service.peer().clone());
    let _ = service.waiting().await;
}

fn write(message: &TxJsonRpcMessage<RoleServer>) -> Result<Message, Error> {
    serde_json::to_string(message).map(Message::text).map_err(|error| Error::Io(error.into()))
}

fn read(message: Result<Message, Error>) -> Option<RxJsonRpcMessage<RoleServer>> {
    serde_json::from_str(message.ok()?.to_text().ok()?).ok()
}

struct Tools {
    folder: PathBuf,
}

impl Tools {
    fn new() -> Self {
        Self { folder: std::env::current_dir().unwrap_or_default() }
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> InitializeResult {
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let contents = request.arguments.as_mut().and_then(|arguments| arguments.remove("new_file_contents"));
        let blocks = match contents {
            Some(serde_json::Value::String(contents)) => {
                vec![ContentBlock::text("FILE_SAVED"), ContentBlock::text(contents)]
            }
            _ => vec![ContentBlock::text(folders(&self.folder))],
        };
        Ok(CallToolResult::success(blocks).into())
    }
}

/// As carrick's answer to the small call.
fn folders(folder: &Path) -> String {
    let path = folder.to_string_lossy();
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let folders = [json!({ "name": name, "uri": format!("file://{path}"), "path": path })];
    json!({ "success": true, "folders": folders, "rootPath": path }).to_string()
}
