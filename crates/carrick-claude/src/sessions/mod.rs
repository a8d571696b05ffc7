//! The conversations on disk: listed, read, renamed, tagged, deleted and forked without the CLI.
//!
//! A session is one file of JSON lines, `<config>/projects/<folder's key>/<id>.jsonl`, that the CLI only ever
//! appends to. Histories may be hundreds of megabytes, so nothing here holds one in memory: listing reads the two
//! ends of each file, reading and forking go over the file twice, first for the order and then for the contents.
//! All functions block; call them from `spawn_blocking` where that matters.

mod change;
mod entry;
mod fork;
mod list;
mod messages;
mod time;

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::uuid::is_uuid;

pub use entry::StoredMessage;
pub use list::SessionInfo;
pub use messages::Messages;

/// The folder names on disk are cut here and get a hash.
const LONGEST_KEY: usize = 200;

/// The sessions of one configuration folder.
///
/// ```no_run
/// # fn example() -> carrick_claude::Result<()> {
/// use carrick_claude::sessions::Sessions;
///
/// let sessions = Sessions::of_user();
/// for session in sessions.list(None)? {
///     println!("{} {}", session.id, session.summary);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Sessions {
    projects: PathBuf,
}

impl Sessions {
    /// Those in `CLAUDE_CONFIG_DIR`, else in `~/.claude`.
    pub fn of_user() -> Self {
        let configured =
            std::env::var_os("CLAUDE_CONFIG_DIR").filter(|path| !path.is_empty()).map(PathBuf::from);
        let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".claude");
        Self::at(configured.unwrap_or_else(home))
    }

    /// Those in another configuration folder.
    pub fn at(config: impl AsRef<Path>) -> Self {
        Self { projects: config.as_ref().join("projects") }
    }

    /// The file of a session. An id that is no UUID is never looked for: it might be a path.
    fn file(&self, id: &str) -> Result<PathBuf> {
        let none = || Error::NoSession { id: id.to_owned(), below: self.projects.clone() };
        if !is_uuid(id) {
            return Err(none());
        }
        let name = format!("{id}.jsonl");
        let folders = std::fs::read_dir(&self.projects).map_err(|_| none())?;
        folders.flatten().map(|folder| folder.path().join(&name)).find(|path| path.is_file()).ok_or_else(none)
    }

    fn folder_of(&self, project: &Path) -> PathBuf {
        let path = project.canonicalize().unwrap_or_else(|_| project.to_owned());
        self.projects.join(key(&path.to_string_lossy()))
    }
}

/// The name the CLI gives a project's folder.
fn key(path: &str) -> String {
    let plain: String =
        path.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    match plain.get(..LONGEST_KEY) {
        Some(start) if plain.len() > LONGEST_KEY => format!("{start}-{}", hash(path)),
        _ => plain,
    }
}

/// The CLI's own: 31 × hash + unit in 32 bits, the absolute value in base 36.
fn hash(text: &str) -> String {
    let step = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    let mut rest = text.encode_utf16().fold(0_i32, step).unsigned_abs();
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(rest % 36, 36).unwrap_or('0'));
        rest /= 36;
        if rest == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> Error + '_ {
    move |source| Error::File { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_as_the_cli_names_them() {
        assert_eq!(key("/home/user/my.project_x"), "-home-user-my-project-x");
        let long = format!("/{}", "a".repeat(300));
        let short = key(&long);
        assert!(
            short.len() < 210 && short.starts_with("-aaa") && short != key(&format!("{long}b")),
            "{short}"
        );
        assert_eq!(hash("hello"), "1n1e4y");
    }

    #[test]
    fn an_id_that_is_a_path_finds_nothing() {
        let error = Sessions::at("/home/me/.claude").messages("../../etc/passwd").unwrap_err();
        assert!(matches!(error, Error::NoSession { .. }));
    }
}
