//! The methods about the desk itself: the greeting, how things stand, files, folders, mentions.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Nothing, as an object that may grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Empty {}

/// What a peer joins as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It asks and leaves.
    Shell,
    /// It watches, and takes over when the host ends.
    Viewer,
    /// It brings an editor.
    Editor,
}

/// Who joins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelloParams {
    /// The version of the link it speaks.
    pub version: u32,
    /// What it is here for.
    pub role: Role,
    /// What it is called.
    pub name: String,
    /// Its process.
    pub pid: u32,
}

/// Whom it joined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HelloReply {
    /// The version of the link the host speaks.
    pub version: u32,
    /// The version of carrick the host is.
    pub carrick: String,
    /// The host's process.
    pub pid: u32,
    /// The folder the desk was opened in.
    pub root: PathBuf,
    /// All folders of the workspace, the main one first.
    pub folders: Vec<PathBuf>,
    /// The port of the door.
    pub port: u16,
    /// The lock files that announce the door.
    pub lock_files: Vec<PathBuf>,
    /// The dialect the door speaks.
    pub dialect: String,
    /// The name under which agents see this desk.
    pub name: String,
}

/// How things stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusReply {
    /// The desk.
    pub desk: HelloReply,
    /// The agents that are connected.
    pub clients: Vec<ClientLine>,
    /// Those who joined over the link, the asking one included.
    pub peers: Vec<PeerLine>,
    /// The editor with the focus.
    pub editor: Option<String>,
    /// What is selected there.
    pub selection: Option<SelectionLine>,
    /// The files that are open there. Private ones are not among them.
    pub tabs: Vec<TabLine>,
    /// How many reviews wait.
    pub waiting: usize,
    /// How many were left behind by a connection that went away, and can still be read.
    pub left_behind: usize,
    /// The programs that the editor runs, such as language servers, and those it misses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<ServiceLine>,
}

/// A program that the editor runs, or would run if it were installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceLine {
    /// What it is called.
    pub name: String,
    /// `missing`, `starting`, `running`, `resting` (it ended by itself and is started again soon) or `failed`.
    pub state: String,
    /// The folder it works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<PathBuf>,
    /// Its process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// The memory of all its processes, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// The time that all its processes have computed, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<u64>,
    /// The command that would install it, or its last words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl From<carrick_core::Service> for ServiceLine {
    fn from(service: carrick_core::Service) -> Self {
        let carrick_core::Service { name, root, state, pid, memory, cpu, note } = service;
        let cpu_ms = cpu.map(|cpu| u64::try_from(cpu.as_millis()).unwrap_or(u64::MAX));
        Self { name, state: state.word().into(), root, pid, memory, cpu_ms, note }
    }
}

/// A connected agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientLine {
    /// Its number, for `mention`.
    pub id: u64,
    /// What it calls itself.
    pub name: String,
    /// Its process, if it said so.
    pub pid: Option<u32>,
    /// Since when, in milliseconds since 1970.
    pub since: u64,
    /// It hears what is pushed.
    pub ready: bool,
    /// It answers when asked.
    pub responsive: bool,
}

/// Someone on the link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerLine {
    /// What it is here for.
    pub role: Role,
    /// What it is called.
    pub name: String,
    /// Its process.
    pub pid: u32,
}

/// An open file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabLine {
    /// The file.
    pub path: PathBuf,
    /// It has the focus.
    pub active: bool,
    /// It has changes that are not on disk.
    pub dirty: bool,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// From 0.
    pub line: u32,
    /// From 0, in UTF-16 units.
    pub character: u32,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Where it begins.
    pub start: Place,
    /// The first place that no longer belongs to it.
    pub end: Place,
}

/// What is selected; its text stays with the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectionLine {
    /// The file.
    pub path: PathBuf,
    /// Where.
    pub range: Span,
}

/// Which file to open, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenParams {
    /// The file.
    pub path: PathBuf,
    /// Put the cursor on this line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// … at this character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<u32>,
    /// As a preview that the next one replaces.
    #[serde(default)]
    pub preview: bool,
}

/// What was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenReply {
    /// The file as the editor names it.
    pub path: PathBuf,
    /// Its language.
    pub language: String,
    /// How many lines it has.
    pub line_count: u32,
    /// What is selected now, or where the cursor stands.
    pub range: Option<Span>,
}

/// What to select.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectParams {
    /// The file.
    pub path: PathBuf,
    /// Which part of it.
    pub range: Span,
}

/// What to mention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MentionParams {
    /// The file or folder.
    pub path: PathBuf,
    /// The first line, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_start: Option<u32>,
    /// The last line, from 0, included; the first one when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_end: Option<u32>,
    /// Only to this client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<u64>,
}

/// Who heard a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MentionReply {
    /// How many clients heard it.
    pub heard: usize,
    /// Nobody did; it waits for a client to come.
    pub waits: bool,
}

/// The review page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageReply {
    /// An address that works once; null when the host serves no page.
    pub address: Option<String>,
}

/// A folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderParams {
    /// Which.
    pub path: PathBuf,
}

/// The folders as they are now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoldersReply {
    /// All of them, the main one first.
    pub folders: Vec<PathBuf>,
    /// False when there was nothing to do.
    pub changed: bool,
}

impl From<carrick_core::Range> for Span {
    fn from(range: carrick_core::Range) -> Self {
        let place = |at: carrick_core::Position| Place { line: at.line, character: at.character };
        Self { start: place(range.start), end: place(range.end) }
    }
}

impl From<Span> for carrick_core::Range {
    fn from(span: Span) -> Self {
        let position = |at: Place| carrick_core::Position::new(at.line, at.character);
        Self::new(position(span.start), position(span.end))
    }
}
