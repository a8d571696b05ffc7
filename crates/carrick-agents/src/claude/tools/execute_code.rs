//! `executeCode`: runs code in a notebook kernel. Listed only when the editor has one.
//!
//! Cancelling the call drops the kernel's answer, which interrupts the kernel.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use carrick_core::Output;
use serde::Deserialize;

use super::super::answer::{Block, Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::rpc::{Code, RpcError};
use super::Tool;

pub(super) const TOOL: Tool = Tool {
    name: "executeCode",
    description: "Execute Python code in the Jupyter kernel of the current notebook; state persists between calls",
    schema: r#"{"type":"object","properties":{
        "code":{"type":"string","description":"The code to execute"}
        },"required":["code"],"additionalProperties":false}"#,
    offered: |editor| editor.execute().is_some(),
    start: |context, raw| {
        let args: Args = arguments(raw)?;
        let (editor, client) = (context.editor()?, context.client);
        if editor.execute().is_none() {
            return Err(RpcError::new(Code::MethodNotFound, "This editor has no notebook kernel"));
        }
        Ok(Running::later(async move {
            let Some(able) = editor.execute() else {
                return Ok(Payload::Tool(ToolAnswer::error("The kernel is gone")));
            };
            Ok(Payload::Tool(match able.execute(client, args.code).await {
                Ok(outputs) => answer(outputs),
                Err(error) => error.into(),
            }))
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    code: String,
}

fn answer(outputs: Vec<Output>) -> ToolAnswer {
    let failed = outputs.iter().any(|output| matches!(output, Output::Error(_)));
    let blocks = outputs.into_iter().map(|output| match output {
        Output::Text(text) | Output::Error(text) => Block::Text(text.into()),
        Output::Image(bytes, mime) => Block::Image { data: STANDARD.encode(bytes), mime },
    });
    let answer = ToolAnswer::blocks(blocks.collect());
    if failed { answer.into_error() } else { answer }
}
