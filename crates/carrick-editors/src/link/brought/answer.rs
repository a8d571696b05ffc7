//! What the host asks of an editor that was brought to it: each method and what the editor does for it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use carrick_core::{
    Client, ClientId, Content, Diagnose, Editor, EditorError, End, Format, OpenRequest, Original, Pending,
    Range, Review, ReviewId, Room, Standing, Who,
};
use serde::Serialize;
use serde_json::Value;

use crate::link::protocol::{self as p, Before, Empty, Method};
use crate::link::rpc::{self, Code, RpcError};

/// The map of the role: each method and the function that does it.
pub(super) async fn answer(editor: &dyn Editor, method: &str, params: Value) -> Result<Value, RpcError> {
    match method {
        p::EditorOpen::NAME => value(open(editor, rpc::parameters(params)?).await?),
        p::EditorTabs::NAME => value(tabs(editor).await?),
        p::EditorCloseTab::NAME => {
            let p::NameParams { name } = rpc::parameters(params)?;
            value(p::DoneReply { done: editor.close_tab(name).await? })
        }
        p::EditorDirty::NAME => value(dirty(editor, path(params)?).await?),
        p::EditorSave::NAME => value(p::DoneReply { done: editor.save(path(params)?).await? }),
        p::EditorContent::NAME => value(content(editor, path(params)?).await?),
        p::EditorDiagnostics::NAME => value(diagnostics(editor, rpc::parameters(params)?).await?),
        p::EditorFormat::NAME => value(format(editor, path(params)?).await?),
        p::EditorShow::NAME => value(show(editor, rpc::parameters(params)?).await?),
        p::EditorSettled::NAME => value(settled(editor, rpc::parameters(params)?).await?),
        p::EditorStanding::NAME => value(standing(editor, rpc::parameters(params)?).await?),
        p::EditorRemark::NAME => {
            let p::RemarkParams { words } = rpc::parameters(params)?;
            value(room(editor)?.remark(words.into()).await.map(|()| Empty {})?)
        }
        _ => Err(RpcError::new(Code::MethodNotFound, format!("there is no method {method:?}"))),
    }
}

fn value(reply: impl Serialize) -> Result<Value, RpcError> {
    serde_json::to_value(reply).map_err(|error| RpcError::new(Code::Internal, error.to_string()))
}

fn path(params: Value) -> Result<PathBuf, RpcError> {
    let p::PathParams { path } = rpc::parameters(params)?;
    Ok(path)
}

fn unable(what: &str) -> RpcError {
    RpcError::new(Code::Refused, format!("this editor cannot {what}"))
}

fn room(editor: &dyn Editor) -> Result<&dyn Room, RpcError> {
    editor.room().ok_or_else(|| unable("show reviews"))
}

async fn open(editor: &dyn Editor, params: p::EditorOpenParams) -> Result<p::EditorOpenReply, EditorError> {
    let request = OpenRequest {
        // The host has checked what an agent may open.
        who: Who::Person,
        path: params.path,
        preview: params.preview,
        focus: params.focus,
        range: params.range.map(Range::from),
        start_text: params.start_text,
        end_text: params.end_text,
        to_end_of_line: params.to_end_of_line,
    };
    let opened = editor.open(request).await?;
    Ok(p::EditorOpenReply {
        path: opened.path,
        language: opened.language,
        line_count: opened.line_count,
        range: opened.selected.map(p::Span::from),
        start_missing: opened.start_missing,
        end_missing: opened.end_missing,
    })
}

async fn tabs(editor: &dyn Editor) -> Result<p::EditorTabsReply, EditorError> {
    let tabs = editor.tabs().await?;
    Ok(p::EditorTabsReply { tabs: tabs.into_iter().map(p::EditorTab::from).collect() })
}

async fn dirty(editor: &dyn Editor, path: PathBuf) -> Result<p::DirtyReply, EditorError> {
    let state = editor.dirty(path).await?;
    Ok(p::DirtyReply {
        open: state.is_some(),
        dirty: state.is_some_and(|state| state.is_dirty),
        untitled: state.is_some_and(|state| state.is_untitled),
    })
}

async fn content(editor: &dyn Editor, path: PathBuf) -> Result<p::ContentReply, EditorError> {
    Ok(match editor.content(path).await? {
        Content::Missing => p::ContentReply { kind: Before::Missing, text: None },
        Content::NotText => p::ContentReply { kind: Before::Binary, text: None },
        Content::Text(text) => p::ContentReply { kind: Before::Text, text: Some(text.to_string()) },
    })
}

async fn diagnostics(
    editor: &dyn Editor,
    params: p::DiagnosticsParams,
) -> Result<p::DiagnosticsReply, RpcError> {
    let able: &dyn Diagnose = editor.diagnose().ok_or_else(|| unable("diagnose"))?;
    let files = able.diagnostics(params.path).await?;
    Ok(p::DiagnosticsReply { files: files.into_iter().map(p::DiagnosticsOf::from).collect() })
}

async fn format(editor: &dyn Editor, path: PathBuf) -> Result<p::FormatReply, RpcError> {
    let able: &dyn Format = editor.format().ok_or_else(|| unable("format"))?;
    let change = able.reformat(path).await?;
    Ok(p::FormatReply {
        change: change.map(|change| p::FormatChange {
            before: change.before.to_string(),
            after: change.after.to_string(),
        }),
    })
}

async fn show(editor: &dyn Editor, params: p::ShowParams) -> Result<Empty, RpcError> {
    let original = match (params.before, params.original) {
        (Before::Missing, _) => Original::Missing,
        (Before::Text, Some(text)) => Original::Text(text.into()),
        (Before::Text | Before::Binary, _) => Original::NotText,
    };
    let pending = pending(params.review);
    let review = Review {
        id: pending.id,
        client: pending.client,
        client_name: pending.client_name,
        path: pending.path,
        tab_name: pending.tab_name,
        original,
        proposed: params.proposed.into(),
        opened: pending.opened,
    };
    Ok(room(editor)?.show(Arc::new(review)).await.map(|()| Empty {})?)
}

async fn settled(editor: &dyn Editor, params: p::SettledParams) -> Result<Empty, RpcError> {
    let end = match params.end {
        p::End::Accepted => End::Accepted,
        p::End::Rejected => End::Rejected,
        p::End::Closed => End::Closed,
        p::End::Gone => End::Gone,
    };
    Ok(room(editor)?.settled(ReviewId(params.id), params.path, end).await.map(|()| Empty {})?)
}

async fn standing(editor: &dyn Editor, params: p::StandingParams) -> Result<Empty, RpcError> {
    let clients = params.clients.into_iter().map(|line| (client(line.client), line.mine));
    let standing =
        Standing { clients: clients.collect(), waiting: params.waiting.into_iter().map(pending).collect() };
    Ok(room(editor)?.standing(standing).await.map(|()| Empty {})?)
}

fn moment(since_1970: u64) -> std::time::SystemTime {
    UNIX_EPOCH + Duration::from_millis(since_1970)
}

fn client(line: p::ClientLine) -> Client {
    Client {
        id: ClientId(line.id),
        name: line.name,
        pid: line.pid,
        editor: None,
        since: moment(line.since),
        ready: line.ready,
        responsive: line.responsive,
    }
}

fn pending(line: p::PendingLine) -> Pending {
    Pending {
        id: ReviewId(line.id),
        path: line.path,
        tab_name: line.tab_name,
        client: ClientId(line.client),
        client_name: line.client_name,
        opened: moment(line.opened),
        mine: line.mine,
    }
}
