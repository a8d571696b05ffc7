//! The methods of the role `editor`: what the host asks of an editor that was brought over the link, and what that
//! editor tells it.

use std::path::PathBuf;

use carrick_core::{self as core, Severity};
use serde::{Deserialize, Serialize};

use super::{Before, ClientLine, Empty, Span};

/// The names of the notifications with which an editor tells the host what happens in it.
pub const TOLD: [&str; 5] =
    ["editor/selected", "editor/focused", "editor/folders", "editor/tabsChanged", "editor/abilities"];

/// Who sits down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatParams {
    /// The process of the editor itself; agents that were started from it belong to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// What it can do.
    #[serde(flatten)]
    pub abilities: Abilities,
}

/// What an editor can do beyond the least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abilities {
    /// It knows what is wrong with files.
    #[serde(default)]
    pub diagnose: bool,
    /// It can format.
    #[serde(default)]
    pub format: bool,
    /// It shows reviews and news to the person.
    #[serde(default)]
    pub room: bool,
}

/// Its number at the desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatReply {
    /// The number.
    pub editor: u64,
}

/// What is selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectedParams {
    /// Null when the person is in something that is no file.
    pub selection: Option<Selected>,
}

/// A selection with its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selected {
    /// The file.
    pub path: PathBuf,
    /// Where.
    pub range: Span,
    /// The text; empty when there is only a cursor.
    pub text: String,
}

/// The folders an editor works in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorFoldersParams {
    /// All of them.
    pub folders: Vec<PathBuf>,
}

/// Open a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditorOpenParams {
    /// The file.
    pub path: PathBuf,
    /// As a preview.
    pub preview: bool,
    /// With the focus.
    pub focus: bool,
    /// Select this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Span>,
    /// Select from here …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_text: Option<String>,
    /// … to here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_text: Option<String>,
    /// To the end of the last line.
    #[serde(default)]
    pub to_end_of_line: bool,
}

/// What was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditorOpenReply {
    /// The file as the editor names it.
    pub path: PathBuf,
    /// Its language.
    pub language: String,
    /// How many lines it has.
    pub line_count: u32,
    /// What is selected.
    pub range: Option<Span>,
    /// The start text is not there.
    #[serde(default)]
    pub start_missing: bool,
    /// The end text is not there.
    #[serde(default)]
    pub end_missing: bool,
}

/// All tabs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorTabsReply {
    /// In the order of the tab line.
    pub tabs: Vec<EditorTab>,
}

/// A tab with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditorTab {
    /// The file.
    pub path: PathBuf,
    /// What the tab says.
    pub label: String,
    /// Its language.
    pub language: String,
    /// How many lines it has.
    pub line_count: u32,
    /// It has the focus.
    pub is_active: bool,
    /// It has changes that are not on disk.
    pub is_dirty: bool,
    /// It is pinned.
    pub is_pinned: bool,
    /// It is a preview.
    pub is_preview: bool,
    /// It has never been saved.
    pub is_untitled: bool,
    /// Which split it is in, from 0.
    pub group: u32,
    /// Its split has the focus.
    pub is_group_active: bool,
    /// Its own selection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<Span>,
}

/// A tab by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameParams {
    /// Its label or path.
    pub name: String,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathParams {
    /// Which.
    pub path: PathBuf,
}

/// Whether there was something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoneReply {
    /// False when it is not open.
    pub done: bool,
}

/// The state of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirtyReply {
    /// It is open at all.
    pub open: bool,
    /// It has changes that are not on disk.
    pub dirty: bool,
    /// It has never been saved.
    pub untitled: bool,
}

/// The contents of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentReply {
    /// What they are.
    pub kind: Before,
    /// The text, if they are text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// One file, or all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticsParams {
    /// Null for all that are known.
    pub path: Option<PathBuf>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticsReply {
    /// By file.
    pub files: Vec<DiagnosticsOf>,
}

/// What is wrong with one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticsOf {
    /// The file.
    pub path: PathBuf,
    /// Nothing, when all is well.
    pub diagnostics: Vec<DiagnosticLine>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticLine {
    /// What it says.
    pub message: String,
    /// 1 error, 2 warning, 3 info, 4 hint.
    pub severity: u8,
    /// Where.
    pub range: Span,
    /// Who says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// What formatting would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormatReply {
    /// Null when nothing.
    pub change: Option<FormatChange>,
}

/// A file before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormatChange {
    /// What stands in it.
    pub before: String,
    /// What would stand in it.
    pub after: String,
}

/// A review to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowParams {
    /// Which, and without its contents.
    #[serde(flatten)]
    pub review: PendingLine,
    /// What stands in the file.
    pub before: Before,
    /// The text that stands in it, if it is text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
    /// The whole new contents.
    pub proposed: String,
}

/// A review that waits, without its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingLine {
    /// Its number.
    pub id: u64,
    /// The file it would change.
    pub path: PathBuf,
    /// The agent's own name for the view.
    pub tab_name: String,
    /// Who proposes it.
    pub client: u64,
    /// What that client calls itself.
    pub client_name: String,
    /// When it was proposed, in milliseconds since 1970.
    pub opened: u64,
    /// This editor serves the client.
    pub mine: bool,
}

/// A review that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledParams {
    /// Its number.
    pub id: u64,
    /// The file it would change.
    pub path: PathBuf,
    /// How.
    pub end: super::End,
}

/// How things stand for this editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingParams {
    /// The agents.
    pub clients: Vec<ServedLine>,
    /// The reviews that wait.
    pub waiting: Vec<PendingLine>,
}

/// An agent, and whether this editor serves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedLine {
    /// The agent.
    #[serde(flatten)]
    pub client: ClientLine,
    /// This editor serves it.
    pub mine: bool,
}

/// Something the person should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemarkParams {
    /// In words.
    pub words: String,
}

methods! { EDITOR_METHODS, "The names of what is said in the role `editor`, in the order of the document.":
    /// The editor sits down; from then on it is asked.
    Seat = "editor/seat": SeatParams => SeatReply;
    /// Open a file.
    EditorOpen = "editor/open": EditorOpenParams => EditorOpenReply;
    /// The open files.
    EditorTabs = "editor/tabs": Empty => EditorTabsReply;
    /// Close a tab.
    EditorCloseTab = "editor/closeTab": NameParams => DoneReply;
    /// The state of a document.
    EditorDirty = "editor/dirty": PathParams => DirtyReply;
    /// Save a document.
    EditorSave = "editor/save": PathParams => DoneReply;
    /// The contents of a file.
    EditorContent = "editor/content": PathParams => ContentReply;
    /// What is wrong.
    EditorDiagnostics = "editor/diagnostics": DiagnosticsParams => DiagnosticsReply;
    /// What formatting would change.
    EditorFormat = "editor/format": PathParams => FormatReply;
    /// Show a review.
    EditorShow = "editor/show": ShowParams => Empty;
    /// A review has ended.
    EditorSettled = "editor/settled": SettledParams => Empty;
    /// How things stand.
    EditorStanding = "editor/standing": StandingParams => Empty;
    /// Say something to the person.
    EditorRemark = "editor/remark": RemarkParams => Empty;
}

impl From<core::Tab> for EditorTab {
    fn from(tab: core::Tab) -> Self {
        Self {
            path: tab.path,
            label: tab.label,
            language: tab.language,
            line_count: tab.line_count,
            is_active: tab.is_active,
            is_dirty: tab.is_dirty,
            is_pinned: tab.is_pinned,
            is_preview: tab.is_preview,
            is_untitled: tab.is_untitled,
            group: tab.group,
            is_group_active: tab.is_group_active,
            selection: tab.selection.map(Span::from),
        }
    }
}

impl From<EditorTab> for core::Tab {
    fn from(tab: EditorTab) -> Self {
        Self {
            path: tab.path,
            label: tab.label,
            language: tab.language,
            line_count: tab.line_count,
            is_active: tab.is_active,
            is_dirty: tab.is_dirty,
            is_pinned: tab.is_pinned,
            is_preview: tab.is_preview,
            is_untitled: tab.is_untitled,
            group: tab.group,
            is_group_active: tab.is_group_active,
            selection: tab.selection.map(core::Range::from),
        }
    }
}

impl From<core::FileDiagnostics> for DiagnosticsOf {
    fn from(file: core::FileDiagnostics) -> Self {
        let line = |said: core::Diagnostic| DiagnosticLine {
            message: said.message,
            severity: match said.severity {
                Severity::Error => 1,
                Severity::Warning => 2,
                Severity::Info => 3,
                Severity::Hint => 4,
            },
            range: said.range.into(),
            source: said.source,
            code: said.code,
        };
        Self { path: file.path, diagnostics: file.diagnostics.into_iter().map(line).collect() }
    }
}

impl From<DiagnosticsOf> for core::FileDiagnostics {
    fn from(file: DiagnosticsOf) -> Self {
        let said = |line: DiagnosticLine| core::Diagnostic {
            message: line.message,
            severity: match line.severity {
                2 => Severity::Warning,
                3 => Severity::Info,
                4 => Severity::Hint,
                _ => Severity::Error,
            },
            range: line.range.into(),
            source: line.source,
            code: line.code,
        };
        Self { path: file.path, diagnostics: file.diagnostics.into_iter().map(said).collect() }
    }
}
