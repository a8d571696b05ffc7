//! `resources/read`: the contents of an open file, as the editor has them. Only what `resources/list` names.

use carrick_core::Content;
use serde::Deserialize;
use serde_json::json;

use super::super::answer::{Payload, Running};
use super::super::handler::Method;
use super::super::rpc::{Code, RpcError};
use super::super::wire;
use super::failure;

pub(super) const METHOD: Method = Method {
    name: "resources/read",
    start: |context, params| {
        let args: Args = params.read()?;
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            let unread = |error| failure("failed to read the resource", &error);
            let tabs = editor.tabs().await.map_err(unread)?;
            let asked = tabs.into_iter().find(|tab| wire::is_uri_of(&context, &args.uri, &tab.path));
            let missing = || RpcError::new(Code::NoResource, format!("Resource not found: {}", args.uri));
            let tab = asked.ok_or_else(missing)?;
            match editor.content(tab.path).await.map_err(unread)? {
                Content::Text(text) => Ok(Payload::Json(json!({
                    "contents": [{ "uri": args.uri, "mimeType": "text/plain", "text": &*text }],
                }))),
                Content::Missing => Err(missing()),
                Content::NotText => {
                    Err(RpcError::new(Code::Internal, "failed to read the resource: it is not UTF-8 text"))
                }
            }
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    uri: String,
}
