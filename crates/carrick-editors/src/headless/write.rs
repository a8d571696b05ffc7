//! Replacing a file all or nothing: whoever reads it sees the old contents or the new, never half of either.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::Path;

use carrick_core::EditorError;

use super::inside::{Place, not_done};

/// How the names of files begin that are still being written.
pub(super) const UNFINISHED: &str = ".carrick-write-";

/// Writes `contents` to the resolved path, with the folders that are missing on the way.
pub(super) fn write(place: &Place, contents: &[u8]) -> Result<(), EditorError> {
    let failed = |error: &io::Error| match error.kind() {
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => EditorError::Failed(format!(
            "could not write {}: a part of its path is a file",
            place.path.display()
        )),
        _ => not_done("write", &place.path, error),
    };
    let before = permissions(place)?;
    let folder = place.real.parent().ok_or_else(|| EditorError::IsFolder(place.path.clone()))?;
    fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    replace(folder, &place.real, contents, before).map_err(|error| failed(&error))
}

fn permissions(place: &Place) -> Result<Option<Permissions>, EditorError> {
    match place.real.metadata() {
        Ok(metadata) if !metadata.is_file() => {
            Err(EditorError::Invalid(format!("{} is not an ordinary file", place.path.display())))
        }
        // A rename would get past the mark: it is the folder that must be writable for that, not the file.
        Ok(metadata) if metadata.permissions().readonly() => {
            Err(EditorError::Failed(format!("{} is read-only: make it writable first", place.path.display())))
        }
        Ok(metadata) => Ok(Some(metadata.permissions())),
        Err(_) => Ok(None),
    }
}

fn replace(folder: &Path, file: &Path, contents: &[u8], mode: Option<Permissions>) -> io::Result<()> {
    let mut unfinished = named().tempfile_in(folder)?;
    unfinished.write_all(contents)?;
    if let Some(mode) = mode {
        unfinished.as_file().set_permissions(mode)?;
    }
    unfinished.as_file().sync_all()?;
    unfinished.persist(file).map_err(|error| error.error)?;
    // The rename itself is safe on disk only when its folder is; not every file system can promise that.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn named() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    // The umask takes away what the person does not want given.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn place(path: &Path) -> Place {
        Place { path: path.into(), real: path.into(), private: false }
    }

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_mode_stays_and_nothing_is_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("run.sh");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o751)).unwrap();
        write(&place(&file), b"new").unwrap();
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), mode(&file)), ("new", 0o751));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_new_file_has_the_mode_of_any_new_file() {
        let dir = tempfile::tempdir().unwrap();
        let (ours, plain) = (dir.path().join("deep/er/ours"), dir.path().join("plain"));
        write(&place(&ours), b"x").unwrap();
        fs::write(&plain, "x").unwrap();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "old").unwrap();
        let error = write(&place(&file.join("b")), b"x").unwrap_err();
        assert!(error.to_string().contains("a part of its path is a file"), "{error}");
        fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        let error = write(&place(&file), b"x").unwrap_err();
        assert!(error.to_string().contains("read-only"), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    }
}
