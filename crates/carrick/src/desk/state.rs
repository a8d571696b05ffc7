//! What a desk keeps between two runs: its port and its token, so that a client finds it again by itself.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use carrick_agents::claude::{Remembered, Token};
use carrick_editors::link::place::{key, replace_file};
use serde::{Deserialize, Serialize};

use crate::env;

#[derive(Serialize, Deserialize)]
struct Kept {
    root: PathBuf,
    port: u16,
    token: String,
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
        let written = serde_json::to_vec(&kept)
            .map_err(std::io::Error::from)
            .and_then(|text| make_private_folder(&self.folder).map(|()| text))
            .and_then(|text| replace_file(&self.file(), &text));
        if let Err(error) = written {
            tracing::warn!(%error, "port and token cannot be kept for the next run");
        }
    }
}

/// Makes a folder, and those above it, that only this person can look into.
pub(super) fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
