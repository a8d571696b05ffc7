//! What a desk keeps between two runs: its port and its token, so that a client finds it again by itself.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use carrick_agents::claude::{Remembered, Token};
use carrick_editors::link::place::{key, replace_file};
use carrick_review::page;
use serde::{Deserialize, Serialize};

use crate::env;

#[derive(Serialize, Deserialize)]
struct Kept {
    root: PathBuf,
    port: u16,
    token: String,
}

/// What the review page needs to be found again by the browsers that have it open.
#[derive(Serialize, Deserialize)]
struct KeptPage {
    port: u16,
    place: String,
    session: String,
}

/// The place where one workspace's state is kept.
pub(super) struct StateFolder {
    folder: PathBuf,
    root: PathBuf,
}

impl StateFolder {
    /// The place; `None` when the system names no folder for it, and then nothing is kept.
    pub(super) fn of(root: &Path) -> Option<Self> {
        let folder = env::xdg(env::XDG_STATE_HOME, ".local/state")?.join("carrick");
        Some(Self { folder, root: root.into() })
    }

    fn file(&self) -> PathBuf {
        self.folder.join(format!("{}.json", key(&self.root)))
    }

    /// The folder of the reviews that were left behind.
    pub(super) fn reviews(&self) -> PathBuf {
        self.folder.join(format!("{}.reviews", key(&self.root)))
    }

    /// Port and token of the last run.
    pub(super) fn remembered(&self) -> Option<Remembered> {
        let kept: Kept = serde_json::from_slice(&std::fs::read(self.file()).ok()?).ok()?;
        let token = Token::from_text(&kept.token)?;
        (kept.root == self.root).then_some(Remembered { port: kept.port, token })
    }

    /// Keeps them for the next run. A failure costs the next run its old port, nothing more.
    pub(super) fn remember(&self, port: u16, token: &Token) {
        let kept = Kept { root: self.root.clone(), port, token: token.reveal().into() };
        if let Err(error) = self.write(&self.file(), &kept) {
            tracing::warn!(%error, "port and token cannot be kept for the next run");
        }
    }

    fn page_file(&self) -> PathBuf {
        self.folder.join(format!("{}.page.json", key(&self.root)))
    }

    /// Port and secrets of the last run's page.
    pub(super) fn kept_page(&self) -> Option<page::Kept> {
        let kept: KeptPage = serde_json::from_slice(&std::fs::read(self.page_file()).ok()?).ok()?;
        Some(page::Kept { port: kept.port, place: kept.place, session: kept.session })
    }

    /// Keeps them for the next run. A failure costs open pages their server, nothing more.
    pub(super) fn keep_page(&self, kept: &page::Kept) {
        let kept = KeptPage { port: kept.port, place: kept.place.clone(), session: kept.session.clone() };
        if let Err(error) = self.write(&self.page_file(), &kept) {
            tracing::warn!(%error, "the page's address cannot be kept for the next run");
        }
    }

    fn write(&self, file: &Path, kept: &impl Serialize) -> std::io::Result<()> {
        let text = serde_json::to_vec(kept)?;
        make_private_folder(&self.folder)?;
        replace_file(file, &text)
    }
}

/// Makes a folder, and those above it, that only this person can look into.
pub(super) fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
