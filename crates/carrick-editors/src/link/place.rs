//! Where a desk is found: the runtime folder, the host's lock, the socket and the note that names its folders.
//!
//! A desk is three files under one key. `<key>.host` is locked by the host for its whole life: the kernel frees it on
//! any death, so whoever holds it *is* the host and nothing has to be guessed from process numbers. `<key>.sock` is
//! the link. `<key>.json` says which folders the desk has; it appears last, when the desk can be joined.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tokio::net::UnixListener;

/// The longest socket path that every Unix takes, its end mark included, with room to spare.
const SOCKET_PATH_LIMIT: usize = 100;

/// The length of `/<key>.sock`.
const SOCKET_NAME_LENGTH: usize = 1 + 16 + 5;

/// Why the runtime folder or a desk in it cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The folder belongs to somebody else, or others can reach into it.
    #[error("the runtime folder {} is not private: {why}", .folder.display())]
    NotPrivate {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The system refused.
    #[error("cannot use {}: {error}", .path.display())]
    Io {
        /// What was touched.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> PlaceError {
    move |error| PlaceError::Io { path: path.into(), error }
}

/// What `<key>.json` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskNote {
    /// The folder the desk was opened in.
    pub root: PathBuf,
    /// All of its folders.
    pub folders: Vec<PathBuf>,
    /// The host's process.
    pub pid: u32,
    /// Where to join.
    pub socket: PathBuf,
}

/// A short name for a workspace: the same on every run, different for different folders. A clash of two names is
/// noticed (the note and the state name the folder) and would only cost one of them its desk.
#[must_use]
pub fn key(root: &Path) -> String {
    // FNV-1a, written out because std's hasher may change between releases and the key must outlive an upgrade.
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", root.as_os_str().as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// The folder in which the desks of this person are found.
#[derive(Clone, Debug)]
pub struct RuntimeFolder {
    path: PathBuf,
}

impl RuntimeFolder {
    /// Where it is: `$XDG_RUNTIME_DIR/carrick`, else `carrick-<uid>` in `$TMPDIR`, else in `/tmp`; the first that can
    /// be (the variable may name a folder that this login does not have) and under which a socket's path is not too
    /// long for the system.
    #[must_use]
    pub fn choose(xdg_runtime_dir: Option<&OsStr>, tmpdir: Option<&OsStr>) -> PathBuf {
        let own = format!("carrick-{}", rustix::process::getuid().as_raw());
        let there = |path: &&OsStr| Path::new(path).is_absolute() && Path::new(path).is_dir();
        let xdg = xdg_runtime_dir.filter(there).map(|folder| Path::new(folder).join("carrick"));
        let tmp = tmpdir.filter(there).map(|folder| Path::new(folder).join(&own));
        let fits = |path: &PathBuf| path.as_os_str().len() + SOCKET_NAME_LENGTH < SOCKET_PATH_LIMIT;
        xdg.into_iter().chain(tmp).find(fits).unwrap_or_else(|| Path::new("/tmp").join(own))
    }

    /// Makes the folder if need be and checks that nobody else can reach into it.
    ///
    /// # Errors
    /// It cannot be made, or is not private.
    pub fn open(path: PathBuf) -> Result<Self, PlaceError> {
        if let Err(error) = DirBuilder::new().recursive(true).mode(0o700).create(&path) {
            return Err(io_error(&path)(error));
        }
        let about = std::fs::symlink_metadata(&path).map_err(io_error(&path))?;
        let why = match () {
            () if !about.is_dir() => "it is not a folder",
            () if about.uid() != rustix::process::getuid().as_raw() => "it belongs to somebody else",
            () if about.mode() & 0o077 != 0 => "others may read or write it",
            () => return Ok(Self { path }),
        };
        Err(PlaceError::NotPrivate { folder: path, why })
    }

    fn file(&self, key: &str, ending: &str) -> PathBuf {
        self.path.join(format!("{key}.{ending}"))
    }

    /// The socket of a workspace in a runtime folder, whether it is there or not.
    #[must_use]
    pub fn socket_in(folder: &Path, root: &Path) -> PathBuf {
        folder.join(format!("{}.sock", key(root)))
    }

    /// Becomes the host of this workspace; `None` when somebody else is.
    ///
    /// # Errors
    /// The lock file cannot be made.
    pub fn take(&self, root: &Path) -> Result<Option<HostLock>, PlaceError> {
        self.take_key(&key(root))
    }

    fn take_key(&self, key: &str) -> Result<Option<HostLock>, PlaceError> {
        let path = self.file(key, "host");
        loop {
            let mut options = OpenOptions::new();
            let open = options.create(true).truncate(false).write(true).mode(0o600).open(&path);
            let file = open.map_err(io_error(&path))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(io_error(&path)(error)),
            }
            // The last holder removes the file: what we locked may be a file that nobody can find any more.
            if is_same_file(&file, &path) {
                return Ok(Some(HostLock { folder: self.clone(), key: key.into(), _held: file }));
            }
        }
    }

    /// All desks whose host lives. What dead ones left is removed on the way.
    #[must_use]
    pub fn desks(&self) -> Vec<DeskNote> {
        let entries = std::fs::read_dir(&self.path).into_iter().flatten().flatten();
        entries.filter_map(|entry| self.living(&entry.path())).collect()
    }

    fn living(&self, note: &Path) -> Option<DeskNote> {
        if note.extension() != Some(OsStr::new("json")) {
            return None;
        }
        let key = note.file_stem()?.to_str()?;
        match self.take_key(key) {
            // Nobody holds it: a leftover. Dropping the lock removes its files.
            Ok(Some(_leftover)) => None,
            Ok(None) => serde_json::from_slice(&std::fs::read(note).ok()?).ok(),
            Err(error) => {
                tracing::warn!(%error, "a desk's lock cannot be tried");
                None
            }
        }
    }

    /// The desk of a directory: the one with the longest folder that is or contains it.
    #[must_use]
    pub fn find(&self, directory: &Path) -> Option<DeskNote> {
        let reach = |desk: &DeskNote| {
            let around = desk.folders.iter().filter(|folder| directory.starts_with(folder));
            around.map(|folder| folder.as_os_str().len()).max()
        };
        let matching = self.desks().into_iter().filter_map(|desk| reach(&desk).map(|length| (length, desk)));
        matching.max_by_key(|(length, _)| *length).map(|(_, desk)| desk)
    }
}

fn is_same_file(file: &File, path: &Path) -> bool {
    let (Ok(held), Ok(found)) = (file.metadata(), std::fs::metadata(path)) else { return false };
    (held.dev(), held.ino()) == (found.dev(), found.ino())
}

/// The right to host one workspace. Dropping it removes the desk's files and gives the right back.
#[derive(Debug)]
pub struct HostLock {
    folder: RuntimeFolder,
    key: String,
    _held: File,
}

impl HostLock {
    /// The socket's path.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.folder.file(&self.key, "sock")
    }

    /// Opens the socket, for this person only.
    ///
    /// # Errors
    /// The system refuses.
    pub fn listen(&self) -> Result<UnixListener, PlaceError> {
        let path = self.socket();
        // Left by a host that was killed: we hold its lock, so nobody listens there.
        let _ = std::fs::remove_file(&path);
        let listener = UnixListener::bind(&path).map_err(io_error(&path))?;
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(&path, private).map_err(io_error(&path))?;
        Ok(listener)
    }

    /// Says which folders the desk has. From the first call on, others find it.
    ///
    /// # Errors
    /// The note cannot be written.
    pub fn announce(&self, root: &Path, folders: Vec<PathBuf>) -> Result<(), PlaceError> {
        let note = DeskNote { root: root.into(), folders, pid: std::process::id(), socket: self.socket() };
        let path = self.folder.file(&self.key, "json");
        let text = serde_json::to_vec(&note).map_err(|error| io_error(&path)(error.into()))?;
        replace_file(&path, &text).map_err(io_error(&path))
    }
}

impl Drop for HostLock {
    fn drop(&mut self) {
        // The lock's own file goes last: until then nobody else can make the others anew.
        for ending in ["json", "sock", "host"] {
            let _ = std::fs::remove_file(self.folder.file(&self.key, ending));
        }
    }
}

/// Writes a file that only this person can read, all or nothing.
///
/// # Errors
/// The system refuses.
pub fn replace_file(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(name);
    let written = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(0o600)
        .open(&temporary)
        .and_then(|mut file| file.write_all(contents))
        .and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, RuntimeFolder) {
        let scratch = tempfile::tempdir().unwrap();
        let folder = RuntimeFolder::open(scratch.path().join("carrick")).unwrap();
        (scratch, folder)
    }

    fn files(folder: &RuntimeFolder) -> usize {
        std::fs::read_dir(&folder.path).unwrap().count()
    }

    #[test]
    fn the_folder_is_chosen_in_order_and_never_too_long() {
        let own = format!("carrick-{}", rustix::process::getuid().as_raw());
        let choose = |xdg: Option<&Path>, tmp: Option<&Path>| {
            RuntimeFolder::choose(xdg.map(Path::as_os_str), tmp.map(Path::as_os_str))
        };
        let scratch = tempfile::tempdir_in("/tmp").unwrap();
        let (run, tmp) = (scratch.path().join("run"), scratch.path().join("tmp"));
        let long = scratch.path().join("x".repeat(90));
        [&run, &tmp, &long].into_iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
        assert_eq!(choose(Some(&run), Some(&tmp)), run.join("carrick"));
        assert_eq!(choose(None, Some(&tmp)), tmp.join(&own));
        assert_eq!(choose(Some(&scratch.path().join("none")), Some(&tmp)), tmp.join(&own));
        assert_eq!(choose(Some(Path::new("")), None), Path::new("/tmp").join(&own));
        assert_eq!(choose(Some(&long), Some(&long)), Path::new("/tmp").join(&own));
    }

    #[test]
    fn a_folder_that_others_can_reach_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let open = scratch.path().join("open");
        std::fs::create_dir(&open).unwrap();
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(RuntimeFolder::open(open.clone()), Err(PlaceError::NotPrivate { .. })));
        let link = scratch.path().join("link");
        std::os::unix::fs::symlink(&open, &link).unwrap();
        assert!(matches!(RuntimeFolder::open(link), Err(PlaceError::NotPrivate { .. })));
    }

    #[test]
    fn one_host_at_a_time_and_nothing_left_after_it() {
        let (_scratch, folder) = folder();
        let lock = folder.take(Path::new("/w")).unwrap().unwrap();
        assert!(folder.take(Path::new("/w")).unwrap().is_none());
        assert!(folder.take(Path::new("/v")).unwrap().is_some());
        lock.announce(Path::new("/w"), vec!["/w".into()]).unwrap();
        assert_eq!(files(&folder), 2);
        drop(lock);
        assert_eq!(files(&folder), 0);
        assert!(folder.take(Path::new("/w")).unwrap().is_some());
    }

    #[test]
    fn the_longest_folder_wins_and_a_name_that_begins_alike_does_not() {
        let (_scratch, folder) = folder();
        let outer = folder.take(Path::new("/w")).unwrap().unwrap();
        outer.announce(Path::new("/w"), vec!["/w".into(), "/other".into()]).unwrap();
        let inner = folder.take(Path::new("/w/in")).unwrap().unwrap();
        inner.announce(Path::new("/w/in"), vec!["/w/in".into()]).unwrap();
        let root = |directory: &str| folder.find(Path::new(directory)).map(|desk| desk.root);
        assert_eq!(root("/w/in/deep"), Some("/w/in".into()));
        assert_eq!(root("/w/inn"), Some("/w".into()));
        assert_eq!(root("/other/x"), Some("/w".into()));
        assert_eq!(root("/elsewhere"), None);
    }

    #[test]
    fn what_a_dead_host_left_is_swept() {
        let (_scratch, folder) = folder();
        let note = DeskNote { root: "/w".into(), folders: vec!["/w".into()], pid: 1, socket: "/s".into() };
        std::fs::write(folder.file("00", "json"), serde_json::to_vec(&note).unwrap()).unwrap();
        std::fs::write(folder.file("00", "sock"), "").unwrap();
        assert_eq!(folder.find(Path::new("/w")), None);
        assert_eq!(files(&folder), 0);
    }
}
