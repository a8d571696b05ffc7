//! What leaves the room: files for the person's editor, texts that are kept, the clipboard.

use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Larger texts are not sent to the clipboard: terminals drop or cut them without a word.
const CLIPBOARD_BYTES: usize = 72 << 10;

/// A name for a copy of this file, with the ending by which programs know the language. Names with anything unusual in
/// them are replaced: a person's editor and diff program should not have to be careful.
pub(crate) fn plain_name(path: &Path) -> String {
    let usual = |name: &str| {
        let safe = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
        !name.is_empty() && name.len() <= 100 && !name.starts_with(['-', '.']) && name.chars().all(safe)
    };
    let text =
        |part: Option<&OsStr>| part.and_then(OsStr::to_str).filter(|name| usual(name)).map(String::from);
    match (text(path.file_name()), text(path.extension())) {
        (Some(name), _) => name,
        (None, Some(ending)) => format!("file.{ending}"),
        (None, None) => "file".into(),
    }
}

/// A new folder that only this person can look into; it goes when it is dropped.
pub(crate) fn private_folder(drafts: &Path) -> io::Result<tempfile::TempDir> {
    let only_me = std::fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().prefix("carrick-review-").permissions(only_me).tempdir_in(drafts)
}

/// Writes a new file that only this person can read.
pub(crate) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// A text in a folder of its own, to be changed by a person. The folder goes when this is dropped, unless it is kept.
pub(super) struct Draft {
    folder: tempfile::TempDir,
    pub(super) file: PathBuf,
}

impl Draft {
    pub(super) fn new(drafts: &Path, path: &Path, text: &str) -> io::Result<Self> {
        let folder = private_folder(drafts)?;
        let file = folder.path().join(plain_name(path));
        write_private(&file, text)?;
        Ok(Self { folder, file })
    }

    /// Leaves the file where it is.
    pub(super) fn keep(self) -> PathBuf {
        let _ = self.folder.keep();
        self.file
    }

    /// What the person made of it, or why nothing comes of it. A file that cannot be used but was changed is kept.
    pub(super) fn outcome(self, before: &str, failure: Option<String>) -> Result<Arc<str>, String> {
        let now = std::fs::read(&self.file);
        let changed = now.as_ref().is_ok_and(|now| now != before.as_bytes() && !now.is_empty());
        let why = match (failure, now.map(String::from_utf8)) {
            (Some(failure), _) => failure,
            (None, Ok(Ok(now))) if now.is_empty() && !before.is_empty() => "the file is empty".into(),
            (None, Ok(Ok(now))) => return Ok(now.into()),
            (None, Ok(Err(_))) => "the file is not UTF-8".into(),
            (None, Err(error)) => format!("the file cannot be read: {error}"),
        };
        if changed {
            Err(format!("{why}; your changes are kept in {}", self.keep().display()))
        } else {
            Err(why)
        }
    }
}

/// The command line of a person's editor: the variable may hold arguments, as git has it.
pub(super) fn editor_command(editor: &OsStr, file: &Path) -> Vec<OsString> {
    let mut line = editor.to_owned();
    line.push(" \"$@\"");
    vec!["sh".into(), "-c".into(), line, editor.to_owned(), file.into()]
}

/// The bytes that put a text into the clipboard of the terminal at the other end, even over SSH.
pub(super) fn clipboard(text: &str) -> Option<Vec<u8>> {
    (text.len() <= CLIPBOARD_BYTES).then(|| format!("\x1b]52;c;{}\x07", STANDARD.encode(text)).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_when_they_are_usual() {
        for (path, name) in [
            ("/w/src/main.rs", "main.rs"),
            ("/w/Makefile", "Makefile"),
            ("/w/.env", "file"),
            ("/w/a\x1b[2J.rs", "file.rs"),
            ("/w/-rf", "file"),
            ("/w/é.py", "file.py"),
        ] {
            assert_eq!(plain_name(Path::new(path)), name);
        }
    }

    #[test]
    fn a_draft_is_private_and_goes_unless_it_holds_work() {
        let scratch = tempfile::tempdir().unwrap();
        let draft = |text| Draft::new(scratch.path(), Path::new("/w/a.rs"), text).unwrap();
        let left = || std::fs::read_dir(scratch.path()).unwrap().count();
        let unchanged = draft("x\n");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(unchanged.folder.path()), mode(&unchanged.file)), (0o700, 0o600));
        assert!(unchanged.outcome("x\n", Some("vi failed".into())).unwrap_err().ends_with("failed"));
        assert_eq!(left(), 0);
        let changed = draft("y\n");
        assert!(changed.outcome("x\n", Some("vi failed".into())).unwrap_err().contains("kept in"));
        assert_eq!(left(), 1);
        assert_eq!(&*draft("z\n").outcome("x\n", None).unwrap(), "z\n");
        assert!(draft("").outcome("x\n", None).unwrap_err().contains("empty"));
    }

    #[test]
    fn the_clipboard_takes_no_more_than_terminals_do() {
        assert_eq!(clipboard("hi").unwrap(), b"\x1b]52;c;aGk=\x07");
        assert!(clipboard(&"x".repeat(CLIPBOARD_BYTES + 1)).is_none());
    }
}
