//! [`Neovim`]: what an editor does for the desk, asked of the plug-in.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carrick_core::{
    Answer, Change, Content, Diagnose, Dirty, Editor, EditorError, Format, OpenRequest, Opened, Room, Tab,
};
use rmpv::Value;

use super::channel::{Channel, NeovimError};
use super::room::Board;
use super::words::{self, args};
use super::{column, diagnostics, open};

/// The number of the contract that both sides must know.
pub const CONTRACT: u32 = 1;

/// What Neovim said about itself.
#[derive(Clone, Debug)]
pub struct Greeting {
    /// Its version.
    pub nvim: String,
    /// The version of the plug-in.
    pub plugin: String,
    /// Its process.
    pub pid: u32,
    /// The folder it works in.
    pub cwd: PathBuf,
    /// That one and those of its language servers.
    pub folders: Vec<PathBuf>,
}

/// A Neovim with the plug-in.
pub struct Neovim {
    pub(super) channel: Channel,
    name: String,
    can_format: AtomicBool,
    pub(super) board: Mutex<Board>,
}

impl From<NeovimError> for EditorError {
    fn from(error: NeovimError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl Neovim {
    /// Says hello.
    ///
    /// # Errors
    /// The plug-in is not there, or is of another contract.
    pub async fn greet(channel: Channel, version: &str) -> Result<(Arc<Self>, Greeting), NeovimError> {
        let about = channel.call("nvim_get_api_info", Vec::new()).await?;
        let number = about.as_array().and_then(|parts| parts.first()).cloned();
        let hello = args([
            ("version", Some(version.into())),
            ("contract", Some(CONTRACT.into())),
            ("channel", number),
        ]);
        let hello: words::Hello = channel.ask("hello", hello).await.map_err(without_plugin)?;
        fits(&hello, version)?;
        let name = format!("Neovim {}", hello.nvim);
        let greeting = Greeting {
            nvim: hello.nvim,
            plugin: hello.version,
            pid: hello.pid,
            cwd: hello.cwd,
            folders: hello.folders,
        };
        let (can_format, board) = (AtomicBool::new(false), Mutex::new(Board::new(version)));
        Ok((Arc::new(Self { channel, name, can_format, board }), greeting))
    }

    /// Asks what it can do now; true when that is another answer than before.
    pub async fn look_at_abilities(&self) -> bool {
        match self.ask::<words::Can>("can", Value::Map(Vec::new())).await {
            Ok(can) => self.can_format.swap(can.format, Ordering::Relaxed) != can.format,
            Err(_) => false,
        }
    }

    pub(super) async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        name: &str,
        args: Value,
    ) -> Result<T, EditorError> {
        Ok(self.channel.ask(name, args).await?)
    }

    pub(super) fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn formatted(&self, path: PathBuf) -> Result<Option<Change>, EditorError> {
        // The change is made from what is on disk, and the formatter sees the buffer: they must be the same.
        if self.dirty(path.clone()).await?.is_some_and(|state| state.is_dirty) {
            let words = format!("{} has changes that are not saved: save it first", path.display());
            return Err(EditorError::Failed(words));
        }
        let answer: words::Formatted = self.ask("format", about(&path)).await?;
        if let Some(error) = answer.error {
            return Err(EditorError::Failed(error));
        }
        let Content::Text(before) = self.content(path.clone()).await? else {
            return Err(EditorError::NotText(path));
        };
        let after = answer.text.filter(|after| **after != *before);
        Ok(after.map(|after| Change { path, before, after: after.into() }))
    }
}

/// Lua's own words for a module that is not there tell a person nothing.
fn without_plugin(error: NeovimError) -> NeovimError {
    match error {
        NeovimError::Refused(words) if words.contains("module 'carrick.rpc' not found") => {
            NeovimError::Refused(
                "carrick's plug-in is not installed here (`carrick plugin nvim` writes it)".into(),
            )
        }
        other => other,
    }
}

fn fits(hello: &words::Hello, version: &str) -> Result<(), NeovimError> {
    let theirs = hello.contract.unwrap_or(CONTRACT);
    let older = match theirs.cmp(&CONTRACT) {
        std::cmp::Ordering::Equal => return Ok(()),
        std::cmp::Ordering::Less => {
            "the plug-in is older: update it (`carrick plugin nvim` writes the one that fits)"
        }
        std::cmp::Ordering::Greater => "carrick is older: update it",
    };
    let words = format!(
        "the plug-in {} speaks contract {theirs} and carrick {version} contract {CONTRACT}; {older}",
        hello.version
    );
    Err(NeovimError::Refused(words))
}

/// The arguments of a call that is about a file.
pub(super) fn about(path: &Path) -> Value {
    args([("path", Some(words::path(path)))])
}

impl Editor for Neovim {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&self, request: OpenRequest) -> Answer<'_, Opened> {
        Box::pin(open::open(self, request))
    }

    fn tabs(&self) -> Answer<'_, Vec<Tab>> {
        Box::pin(async {
            let tabs: Vec<words::Tab> = self.ask("tabs", Value::Map(Vec::new())).await?;
            Ok(tabs.into_iter().map(tab).collect())
        })
    }

    fn close_tab(&self, name: String) -> Answer<'_, bool> {
        Box::pin(async { self.ask("close_tab", args([("name", Some(name.into()))])).await })
    }

    fn dirty(&self, path: PathBuf) -> Answer<'_, Option<Dirty>> {
        Box::pin(async move {
            let state: Option<words::Dirty> = self.ask("dirty", about(&path)).await?;
            Ok(state.map(|state| Dirty { is_dirty: state.is_dirty, is_untitled: state.is_untitled }))
        })
    }

    fn save(&self, path: PathBuf) -> Answer<'_, bool> {
        Box::pin(async move { self.ask("save", about(&path)).await })
    }

    fn content(&self, path: PathBuf) -> Answer<'_, Content> {
        Box::pin(async move {
            let saved = args([("path", Some(words::path(&path))), ("saved", Some(true.into()))]);
            let content: words::Content = self.ask("content", saved).await?;
            Ok(match content.kind {
                words::Kind::Text => Content::Text(content.text.unwrap_or_default().into()),
                words::Kind::Missing => Content::Missing,
                words::Kind::Binary => Content::NotText,
            })
        })
    }

    fn diagnose(&self) -> Option<&dyn Diagnose> {
        Some(self)
    }

    fn format(&self) -> Option<&dyn Format> {
        self.can_format.load(Ordering::Relaxed).then_some(self as &dyn Format)
    }

    fn room(&self) -> Option<&dyn Room> {
        Some(self)
    }
}

impl Diagnose for Neovim {
    fn diagnostics(&self, path: Option<PathBuf>) -> Answer<'_, Vec<carrick_core::FileDiagnostics>> {
        Box::pin(diagnostics::diagnostics(self, path))
    }
}

impl Format for Neovim {
    fn reformat(&self, path: PathBuf) -> Answer<'_, Option<Change>> {
        Box::pin(self.formatted(path))
    }
}

fn tab(tab: words::Tab) -> Tab {
    Tab {
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
        selection: tab.selection.as_ref().map(column::range),
    }
}
