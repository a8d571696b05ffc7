//! The methods about the desk: the greeting, how things stand, files, mentions, folders.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carrick_core::{
    ClientId, DeskError, Editor, EditorError, Mention, OpenRequest, Opened, Outcome, Position, Range, Tab,
    Who,
};

use super::{Entered, Room};
use crate::link::protocol::{
    FolderParams, FoldersReply, HelloParams, MentionParams, MentionReply, OpenParams, OpenReply, PageReply,
    SelectParams, Span, StatusReply, TabLine, VERSION, client_line, selection_line,
};
use crate::link::rpc::{Code, RpcError};

impl From<DeskError> for RpcError {
    fn from(error: DeskError) -> Self {
        Self::new(Code::Refused, error.to_string())
    }
}

impl From<EditorError> for RpcError {
    fn from(error: EditorError) -> Self {
        Self::new(Code::Refused, error.to_string())
    }
}

fn invalid(words: impl Into<String>) -> RpcError {
    RpcError::new(Code::InvalidParams, words)
}

/// A name longer than this is no name; it would be kept for as long as its bearer stays.
const NAME_LIMIT: usize = 256;

pub(super) fn hello(room: &Arc<Room>, hello: HelloParams) -> Result<Entered, RpcError> {
    if hello.name.len() > NAME_LIMIT {
        return Err(invalid(format!("`name` is longer than {NAME_LIMIT} bytes")));
    }
    let (theirs, ours) = (hello.version, &room.facts.carrick);
    let (words, hint) = match theirs.cmp(&VERSION) {
        Ordering::Equal => return Ok(room.enter(hello)),
        Ordering::Less => ("you are the older side", "update the side that joins".into()),
        Ordering::Greater => {
            ("the running desk is the older side", format!("end it and start it anew: it is carrick {ours}"))
        }
    };
    let words = format!("you speak version {theirs} of the link and this desk version {VERSION}: {words}");
    Err(RpcError::new(Code::Version, words).with_hint(hint))
}

pub(super) async fn status(room: &Room) -> StatusReply {
    let editor = room.desk.focused_editor();
    let (tabs, services) = match &editor {
        Some(editor) => {
            (editor.tabs().await.unwrap_or_default(), editor.services().await.unwrap_or_default())
        }
        None => (Vec::new(), Vec::new()),
    };
    let reviews = room.desk.reviews();
    let count =
        |end: Option<&Outcome>| reviews.iter().filter(|record| record.outcome.as_ref() == end).count();
    StatusReply {
        desk: room.about(),
        clients: room.desk.clients().iter().map(client_line).collect(),
        peers: room.peers().values().cloned().collect(),
        editor: editor.map(|editor| editor.name().into()),
        selection: room.desk.selection().as_ref().map(selection_line),
        tabs: tabs.into_iter().map(tab_line).collect(),
        waiting: count(None),
        left_behind: count(Some(&Outcome::Gone)),
        services: services.into_iter().map(Into::into).collect(),
    }
}

fn tab_line(tab: Tab) -> TabLine {
    TabLine { path: tab.path, active: tab.is_active, dirty: tab.is_dirty }
}

fn editor(room: &Room) -> Result<Arc<dyn Editor>, RpcError> {
    room.desk.focused_editor().ok_or_else(|| RpcError::new(Code::Refused, "there is no editor at this desk"))
}

fn absolute(path: &Path) -> Result<(), RpcError> {
    if path.is_absolute() { Ok(()) } else { Err(invalid(format!("{} is not absolute", path.display()))) }
}

/// A link and what it points to are two names of one file: either may be the private one.
fn public(room: &Room, path: &Path) -> Result<(), RpcError> {
    let behind = path.canonicalize().unwrap_or_else(|_| path.into());
    let private = room.desk.private();
    if private.covers(path) || private.covers(&behind) { Err(DeskError::Private.into()) } else { Ok(()) }
}

pub(super) async fn open(room: &Room, params: OpenParams) -> Result<OpenReply, RpcError> {
    absolute(&params.path)?;
    let cursor = params.line.map(|line| Position::new(line, params.character.unwrap_or(0)));
    let request = OpenRequest {
        preview: params.preview,
        range: cursor.map(|at| Range::new(at, at)),
        ..OpenRequest::new(params.path, Who::Person)
    };
    Ok(opened(editor(room)?.open(request).await?))
}

pub(super) async fn select(room: &Room, params: SelectParams) -> Result<OpenReply, RpcError> {
    absolute(&params.path)?;
    public(room, &params.path)?;
    let range = Some(Range::from(params.range));
    let request = OpenRequest { range, ..OpenRequest::new(params.path, Who::Person) };
    Ok(opened(editor(room)?.open(request).await?))
}

fn opened(opened: Opened) -> OpenReply {
    OpenReply {
        path: opened.path,
        language: opened.language,
        line_count: opened.line_count,
        range: opened.selected.map(Span::from),
    }
}

pub(super) fn mention(room: &Room, params: MentionParams) -> Result<MentionReply, RpcError> {
    absolute(&params.path)?;
    public(room, &params.path)?;
    let lines = match (params.line_start, params.line_end) {
        (Some(start), end) => Some((start, end.unwrap_or(start).max(start))),
        (None, None) => None,
        (None, Some(_)) => return Err(invalid("`lineEnd` without `lineStart`")),
    };
    let client = params.client.map(ClientId);
    if let Some(client) = client.filter(|client| room.desk.client(*client).is_none()) {
        return Err(no_client(room, client));
    }
    let heard = room.desk.mention(Mention { path: params.path, lines }, client)?;
    Ok(MentionReply { heard, waits: heard == 0 })
}

fn no_client(room: &Room, asked: ClientId) -> RpcError {
    let there: Vec<String> = room.desk.clients().iter().map(|client| client.id.0.to_string()).collect();
    let words = if there.is_empty() {
        "nobody is connected".into()
    } else {
        format!("there are: {}", there.join(", "))
    };
    RpcError::new(Code::Refused, format!("there is no client {}; {words}", asked.0))
}

pub(super) fn page(room: &Room) -> PageReply {
    PageReply { address: room.facts.page.as_ref().and_then(|make| (make.0)()) }
}

pub(super) fn add_folder(room: &Room, params: &FolderParams) -> Result<FoldersReply, RpcError> {
    absolute(&params.path)?;
    let folder = params.path.canonicalize().map_err(|error| {
        RpcError::new(Code::Refused, format!("cannot use {} as a folder: {error}", params.path.display()))
    })?;
    if !folder.is_dir() {
        return Err(RpcError::new(Code::Refused, format!("{} is not a folder", folder.display())));
    }
    let changed = room.desk.add_folder(folder);
    Ok(FoldersReply { folders: room.desk.folders(), changed })
}

pub(super) fn remove_folder(room: &Room, params: FolderParams) -> Result<FoldersReply, RpcError> {
    absolute(&params.path)?;
    // A folder that is gone from the disk can still be taken off the list, under the name it had.
    let folder: PathBuf = params.path.canonicalize().unwrap_or(params.path);
    if folder == room.facts.root {
        let words = format!("{} is the folder this desk was opened in and stays", folder.display());
        return Err(RpcError::new(Code::Refused, words));
    }
    let changed = room.desk.remove_folder(&folder)?;
    Ok(FoldersReply { folders: room.desk.folders(), changed })
}
