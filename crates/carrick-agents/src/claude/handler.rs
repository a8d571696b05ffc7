//! The table of methods: the map of what a client can ask of this door.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::answer::{Context, Running};
use super::methods;
use super::params::Params;
use super::rpc::{Code, RpcError};
use super::tools;

/// One row: a method and what starts it.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    pub(crate) start: fn(&Arc<Context>, &Params<'_>) -> Result<Running, RpcError>,
}

/// The conversation of MCP itself. The methods that do something stand in [`methods::METHODS`].
const PROTOCOL: &[Method] = &[
    Method { name: "initialize", start: initialize },
    Method { name: "ping", start: |_, _| Ok(Running::json(json!({}))) },
    Method { name: "tools/list", start: |context, _| Ok(tools::list(context)) },
    Method { name: "tools/call", start: tools::call },
    Method {
        name: "resources/templates/list",
        start: |_, _| Ok(Running::json(json!({"resourceTemplates": []}))),
    },
    Method { name: "prompts/list", start: |_, _| Ok(Running::json(json!({"prompts": []}))) },
    Method { name: "logging/setLevel", start: set_level },
];

/// Starts a request. Arguments are read here, so that what waits holds no part of the message.
pub(crate) fn start(context: &Arc<Context>, method: &str, params: &Params<'_>) -> Result<Running, RpcError> {
    let row = PROTOCOL.iter().chain(methods::METHODS).find(|row| row.name == method);
    let row =
        row.ok_or_else(|| RpcError::new(Code::MethodNotFound, format!("Method not found: {method}")))?;
    (row.start)(context, params)
}

/// Versions that are answered with themselves; any other gets the first.
const VERSIONS: &[&str] = &["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initialize {
    protocol_version: Option<String>,
    client_info: Option<ClientInfo>,
}

#[derive(Deserialize)]
struct ClientInfo {
    name: Option<String>,
    version: Option<String>,
}

fn initialize(context: &Arc<Context>, params: &Params<'_>) -> Result<Running, RpcError> {
    let asked: Initialize = params.read()?;
    if let Some(ClientInfo { name: Some(name), version }) = asked.client_info {
        let version = version.map_or_else(String::new, |version| format!(" {version}"));
        context.desk.introduce(context.client, Some(format!("{name}{version}")), None);
    }
    let asked_version = asked.protocol_version.as_deref();
    let version = VERSIONS.iter().find(|known| Some(**known) == asked_version).or(VERSIONS.first());
    Ok(Running::json(json!({
        "protocolVersion": version,
        "capabilities": {
            "tools": { "listChanged": true },
            "resources": {},
            "prompts": {},
            "logging": {},
        },
        "serverInfo": { "name": "carrick", "version": context.version },
    })))
}

/// MCP's levels. The door itself has nothing to log to a client, so the level is checked and taken as read.
const LEVELS: &[&str] = &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

#[derive(Deserialize)]
struct SetLevel {
    level: String,
}

fn set_level(_: &Arc<Context>, params: &Params<'_>) -> Result<Running, RpcError> {
    let asked: SetLevel = params.read()?;
    if !LEVELS.contains(&asked.level.as_str()) {
        return Err(RpcError::params(format!(
            "Invalid params: argument `level`: there is no level {:?}",
            asked.level
        )));
    }
    Ok(Running::json(json!({})))
}
