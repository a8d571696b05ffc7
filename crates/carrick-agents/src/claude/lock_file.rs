//! The lock file: how the CLI finds the door.
//!
//! It exists exactly while the socket listens: written after binding, by temporary file and rename, so that nobody
//! reads half of it; removed when the last handle goes, also in a panic; written again when somebody else deletes
//! it. Only the person's own account can read the token in it.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::token::Token;

/// The folders that get a lock file, the one that must work first.
///
/// Today's CLI reads `$CLAUDE_CONFIG_DIR/ide` and `~/.claude/ide`. Some of its versions looked in the XDG folder, so
/// a copy goes there when that folder already exists.
#[must_use]
pub fn lock_dirs(
    config_dir: Option<&OsStr>,
    home: Option<&Path>,
    xdg_config_home: Option<&OsStr>,
) -> Vec<PathBuf> {
    let given = |value: Option<&OsStr>| value.filter(|value| !value.is_empty()).map(PathBuf::from);
    let main = given(config_dir).or_else(|| home.map(|home| home.join(".claude")));
    let xdg = given(xdg_config_home).or_else(|| home.map(|home| home.join(".config")));
    let second = xdg.map(|xdg| xdg.join("claude")).filter(|folder| folder.is_dir());
    let mut dirs: Vec<PathBuf> = main.into_iter().chain(second).map(|folder| folder.join("ide")).collect();
    dirs.dedup();
    dirs
}

/// What the file says, in the order in which people know it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    pid: u32,
    workspace_folders: &'a [String],
    ide_name: &'a str,
    transport: &'static str,
    running_in_windows: bool,
    auth_token: &'a str,
}

/// The lock files of one door. Dropping it removes them.
pub(crate) struct LockFile {
    files: Vec<PathBuf>,
    ide_name: String,
    token: Token,
    contents: Mutex<String>,
}

impl LockFile {
    /// Writes `<port>.lock` into each folder.
    ///
    /// # Errors
    /// The first folder could not be written; trouble with the others is only logged.
    pub(crate) fn write(
        dirs: &[PathBuf],
        port: u16,
        ide_name: &str,
        token: &Token,
        folders: &[String],
    ) -> io::Result<Self> {
        let files = dirs.iter().map(|dir| dir.join(format!("{port}.lock"))).collect();
        let contents = Mutex::new(entry(ide_name, token, folders));
        let lock = Self { files, ide_name: ide_name.into(), token: token.clone(), contents };
        lock.put()?;
        Ok(lock)
    }

    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The workspace has other folders now.
    pub(crate) fn change_folders(&self, folders: &[String]) -> io::Result<()> {
        *self.contents.lock().unwrap_or_else(PoisonError::into_inner) =
            entry(&self.ide_name, &self.token, folders);
        self.put()
    }

    /// Writes again what is missing or was changed; true when something was.
    pub(crate) fn restore(&self) -> io::Result<bool> {
        let contents = self.contents();
        let intact =
            self.files.iter().all(|file| fs::read_to_string(file).is_ok_and(|found| found == contents));
        if !intact {
            self.put()?;
        }
        Ok(!intact)
    }

    fn contents(&self) -> String {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self) -> io::Result<()> {
        let contents = self.contents();
        for (index, file) in self.files.iter().enumerate() {
            match put_file(file, &contents) {
                Err(error) if index == 0 => return Err(error),
                Err(error) => {
                    tracing::warn!(file = %file.display(), %error, "could not write the second lock file")
                }
                Ok(()) => {}
            }
        }
        Ok(())
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        self.remove();
    }
}

impl LockFile {
    /// Takes the files away; nothing writes them again.
    pub(crate) fn remove(&self) {
        let contents = self.contents();
        for file in &self.files {
            // A file that says something else belongs to whoever took the port over.
            if fs::read_to_string(file).is_ok_and(|found| found == contents) {
                let _ = fs::remove_file(file);
            }
        }
    }
}

fn entry(ide_name: &str, token: &Token, workspace_folders: &[String]) -> String {
    let (transport, running_in_windows, auth_token) = ("ws", cfg!(windows), token.reveal());
    let pid = std::process::id();
    let entry = Entry { pid, workspace_folders, ide_name, transport, running_in_windows, auth_token };
    // Strings and numbers always serialise.
    serde_json::to_string(&entry).unwrap_or_default()
}

fn put_file(file: &Path, contents: &str) -> io::Result<()> {
    let dir = file.parent().ok_or(io::ErrorKind::NotFound)?;
    private_dir(dir)?;
    // The CLI reads only names that end in .lock; the pid keeps two carricks apart.
    let temporary = file.with_extension(format!("lock.{}.tmp", std::process::id()));
    let _ = fs::remove_file(&temporary);
    let mut open = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    open.write_all(contents.as_bytes())?;
    drop(open);
    fs::rename(&temporary, file).inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// Makes the folder, or closes one that others can look into.
fn private_dir(dir: &Path) -> io::Result<()> {
    if !dir.is_dir() {
        return DirBuilder::new().recursive(true).mode(0o700).create(dir);
    }
    if dir.metadata()?.permissions().mode() & 0o077 != 0 {
        // Not ours to change when the folder belongs to somebody else: the file itself is closed in any case.
        let _ = fs::set_permissions(dir, Permissions::from_mode(0o700));
    }
    Ok(())
}

/// What a sweep needs to know about somebody's lock file.
#[derive(Deserialize)]
struct Stranger {
    pid: Option<i32>,
}

/// Removes lock files whose process is dead and whose port is closed, whoever left them. How many there were.
#[must_use]
pub fn sweep(dirs: &[PathBuf]) -> usize {
    let entries = dirs.iter().filter_map(|dir| fs::read_dir(dir).ok()).flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| is_stale(path))
        .filter(|path| fs::remove_file(path).is_ok())
        .count()
}

fn is_stale(path: &Path) -> bool {
    let is_lock = path.extension() == Some(OsStr::new("lock"));
    let port = path.file_stem().and_then(OsStr::to_str).and_then(|stem| stem.parse::<u16>().ok());
    let (true, Some(port)) = (is_lock, port) else { return false };
    let stranger =
        fs::read_to_string(path).ok().and_then(|text| serde_json::from_str::<Stranger>(&text).ok());
    // A file that cannot be read may be half-written by somebody without a rename: leave it to its owner.
    let Some(Stranger { pid: Some(pid) }) = stranger else { return false };
    !is_alive(pid) && !answers(port)
}

fn is_alive(pid: i32) -> bool {
    let Some(pid) = rustix::process::Pid::from_raw(pid) else { return false };
    // "Not permitted" is an answer of a living process.
    !matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

fn answers(port: u16) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn write(dir: &Path, folders: &[String]) -> LockFile {
        let token = Token::from_text(&"t".repeat(40)).unwrap();
        LockFile::write(&[dir.join("ide")], 4321, "carrick", &token, folders).unwrap()
    }

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn has_the_fields_the_modes_and_nothing_beside_it() {
        let home = tempfile::tempdir().unwrap();
        let lock = write(home.path(), &["/w".into()]);
        let file = home.path().join("ide/4321.lock");
        let text = fs::read_to_string(&file).unwrap();
        let expected = format!(
            r#"{{"pid":{},"workspaceFolders":["/w"],"ideName":"carrick","transport":"ws","runningInWindows":false,"authToken":"{}"}}"#,
            std::process::id(),
            "t".repeat(40)
        );
        assert_eq!(text, expected);
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
        assert_eq!(fs::read_dir(home.path().join("ide")).unwrap().count(), 1);
        drop(lock);
        assert!(!file.exists());
    }

    #[test]
    fn an_open_folder_is_closed() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("ide")).unwrap();
        fs::set_permissions(home.path().join("ide"), Permissions::from_mode(0o755)).unwrap();
        let _lock = write(home.path(), &[]);
        assert_eq!(mode(&home.path().join("ide")), 0o700);
    }

    #[test]
    fn comes_back_when_deleted_or_changed_and_follows_the_folders() {
        let home = tempfile::tempdir().unwrap();
        let lock = write(home.path(), &["/w".into()]);
        let file = lock.files()[0].clone();
        assert!(!lock.restore().unwrap());
        fs::remove_dir_all(home.path().join("ide")).unwrap();
        assert!(lock.restore().unwrap());
        lock.change_folders(&["/w".into(), "/v".into()]).unwrap();
        assert!(fs::read_to_string(&file).unwrap().contains(r#"["/w","/v"]"#));
    }

    #[test]
    fn goes_in_a_panic_and_spares_a_successor() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("ide/4321.lock");
        let panicked = std::panic::catch_unwind(|| {
            let _lock = write(home.path(), &[]);
            panic!("on purpose");
        });
        assert!(panicked.is_err() && !file.exists());
        let lock = write(home.path(), &[]);
        fs::write(&file, "somebody else's").unwrap();
        drop(lock);
        assert!(file.exists());
    }

    #[test]
    fn only_dead_locks_are_swept() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().to_path_buf();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let open = listener.local_addr().unwrap().port();
        let closed = {
            let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            gone.local_addr().unwrap().port()
        };
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let dead = child.id();
        child.wait().unwrap();
        let put = |port: u16, text: String| fs::write(dir.join(format!("{port}.lock")), text).unwrap();
        put(closed, format!(r#"{{"pid":{dead}}}"#));
        put(open, format!(r#"{{"pid":{dead}}}"#));
        put(1, format!(r#"{{"pid":{}}}"#, std::process::id()));
        put(2, "{".into());
        fs::write(dir.join("notes.txt"), "x").unwrap();
        assert_eq!(sweep(std::slice::from_ref(&dir)), 1);
        assert!(!dir.join(format!("{closed}.lock")).exists());
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 4);
    }

    #[test]
    fn the_folders_are_those_the_cli_reads() {
        let home = tempfile::tempdir().unwrap();
        let at = |dir: &str| home.path().join(dir).join("ide");
        assert_eq!(lock_dirs(None, Some(home.path()), None), [at(".claude")]);
        assert_eq!(
            lock_dirs(Some(OsStr::new("")), Some(home.path()), None),
            [at(".claude")],
            "an empty variable is none"
        );
        fs::create_dir_all(home.path().join(".config/claude")).unwrap();
        assert_eq!(
            lock_dirs(Some(OsStr::new("/c")), Some(home.path()), None),
            [PathBuf::from("/c/ide"), at(".config/claude")]
        );
    }

    proptest! {
        #[test]
        fn any_folder_name_survives(names in prop::collection::vec("/\\PC{1,20}", 1..4)) {
            let token = Token::from_text(&"t".repeat(40)).unwrap();
            let text = entry("carrick", &token, &names);
            let read: serde_json::Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(read["workspaceFolders"].as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect::<Vec<_>>(), names);
        }
    }
}
