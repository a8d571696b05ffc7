//! The methods that a client calls by name instead of through `tools/call`: the resources of MCP, and the direct
//! methods that older vault clients use. One file each, one row each.

mod get_current_file;
mod get_open_files;
mod get_workspace_info;
mod list_files;
mod read_file;
mod resources_list;
mod resources_read;
mod write_file;

use std::sync::Arc;

use carrick_core::{Editor, EditorError, Files};

use super::answer::Context;
use super::handler::Method;
use super::rpc::{Code, RpcError};

/// All of them.
pub(crate) const METHODS: &[Method] = &[
    read_file::METHOD,
    write_file::METHOD,
    list_files::METHOD,
    get_workspace_info::METHOD,
    get_open_files::METHOD,
    get_current_file::METHOD,
    resources_list::METHOD,
    resources_read::METHOD,
];

/// The editor, if it reads and writes for agents; without that the direct methods do not exist.
fn filing_editor(context: &Context) -> Result<Arc<dyn Editor>, RpcError> {
    let editor = context.editor()?;
    if editor.files().is_none() {
        return Err(RpcError::new(
            Code::MethodNotFound,
            "Method not found: this editor gives no access to files",
        ));
    }
    Ok(editor)
}

fn files(editor: &dyn Editor) -> Result<&dyn Files, RpcError> {
    editor.files().ok_or_else(|| RpcError::new(Code::Internal, "The editor is gone"))
}

/// What cannot be asked for is the caller's mistake; what could not be done is ours.
fn failure(what: &str, error: &EditorError) -> RpcError {
    let code = match error {
        EditorError::Invalid(_)
        | EditorError::Outside(_)
        | EditorError::Private
        | EditorError::IsFolder(_) => Code::InvalidParams,
        EditorError::NotFound(_) | EditorError::NotText(_) | EditorError::Failed(_) => Code::Internal,
    };
    RpcError::new(code, format!("{what}: {error}"))
}
