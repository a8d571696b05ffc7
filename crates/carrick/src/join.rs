//! How a shell command finds the desk of its directory and joins it.

use std::path::{Path, PathBuf};

use carrick_editors::link::guest::Guest;
use carrick_editors::link::place::RuntimeFolder;
use carrick_editors::link::protocol::{Method, Role};
use tokio::net::UnixStream;

use crate::env;
use crate::exit::Failure;

/// Where the desks of this person are found.
pub(crate) fn runtime_folder() -> PathBuf {
    RuntimeFolder::choose(env::get(env::XDG_RUNTIME_DIR).as_deref(), env::get(env::TMPDIR).as_deref())
}

/// The current directory, its links resolved.
pub(crate) fn here() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    here.map_err(Failure::io("use", "the current directory"))
}

/// A folder that can be told to others: there, a folder, and with a name in UTF-8.
pub(crate) fn workspace(directory: &Path) -> Result<PathBuf, Failure> {
    let refuse = |kind: std::io::ErrorKind| Failure::io("serve", directory)(kind.into());
    let root = directory.canonicalize().map_err(Failure::io("serve", directory))?;
    if !root.is_dir() {
        return Err(refuse(std::io::ErrorKind::NotADirectory));
    }
    if root.to_str().is_none() { Err(refuse(std::io::ErrorKind::InvalidFilename)) } else { Ok(root) }
}

/// The desks whose folder lies inside this one.
pub(crate) fn inner_desks(root: &Path) -> Vec<PathBuf> {
    let desks = RuntimeFolder::open(runtime_folder()).map_or_else(|_| Vec::new(), |folder| folder.desks());
    desks.into_iter().map(|desk| desk.root).filter(|inner| inner != root && inner.starts_with(root)).collect()
}

/// A shell command that has joined the desk of its directory.
pub(crate) struct Shell {
    guest: Guest<UnixStream>,
    /// The directory it was typed in.
    pub(crate) here: PathBuf,
}

impl Shell {
    /// The socket of the desk of this directory.
    pub(crate) fn find() -> Result<PathBuf, Failure> {
        let (folder, here) = (runtime_folder(), here()?);
        if !folder.exists() {
            return Err(Failure::NoDesk(here));
        }
        let desk = RuntimeFolder::open(folder)?.find(&here);
        desk.map(|desk| desk.socket).ok_or(Failure::NoDesk(here))
    }

    /// Joins.
    pub(crate) async fn join() -> Result<Self, Failure> {
        let (socket, here) = (Self::find()?, here()?);
        let guest = Guest::join(&socket, Role::Shell, "carrick").await?;
        Ok(Self { guest, here })
    }

    /// Asks for something.
    pub(crate) async fn ask<M: Method>(&mut self, params: &M::Params) -> Result<M::Reply, Failure> {
        Ok(self.guest.ask::<M>(params).await?)
    }
}

/// A path as it is shorter to read from `base`.
pub(crate) fn short(path: &Path, base: &Path) -> String {
    match path.strip_prefix(base) {
        Ok(inside) if !inside.as_os_str().is_empty() => inside.display().to_string(),
        _ => path.display().to_string(),
    }
}
