//! Where a path really leads, and whether an agent may go there.
//!
//! Every check is made on the resolved path and every later read or write uses that same resolved path, so a link
//! that is changed in between changes nothing.

use std::io;
use std::path::{Component, Path, PathBuf};

use carrick_core::{EditorError, PrivateList};

/// Links followed before a path counts as a loop; the kernel's own limit.
const LINKS: usize = 40;

/// Folders that belong to version control. An agent that writes a hook there would run code without being asked.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".jj"];

/// One folder of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folder {
    /// As the person named it.
    pub(super) path: PathBuf,
    /// With all links resolved.
    pub(super) real: PathBuf,
    /// What its files are listed under: nothing for the first folder, its own name for the others.
    pub(super) label: String,
}

/// A file, as it was named and as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) path: PathBuf,
    pub(super) real: PathBuf,
    pub(super) private: bool,
}

/// The folders as they are during one request.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    pub(super) folders: Vec<Folder>,
    pub(super) private: PrivateList,
}

impl Workspace {
    /// Resolves the folders; this reads the disk.
    pub(crate) fn new(paths: Vec<PathBuf>, private: PrivateList) -> Self {
        let mut folders: Vec<Folder> = Vec::with_capacity(paths.len());
        for path in paths {
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            let label = if folders.is_empty() { String::new() } else { label(&path, &folders) };
            folders.push(Folder { path, real, label });
        }
        Self { folders, private }
    }

    /// True when a resolved path lies in one of the folders.
    pub(super) fn holds(&self, real: &Path) -> bool {
        self.folders.iter().any(|folder| real.starts_with(&folder.real))
    }

    /// Anything that exists and is a file.
    pub(super) fn for_person(&self, path: &Path) -> Result<Place, EditorError> {
        let path = sound(path)?;
        let real = resolve(&path).map_err(|error| not_done("open", &path, &error))?;
        let private = self.private.covers(&path) || self.private.covers(&real);
        existing_file(Place { path, real, private })
    }

    /// An existing file inside the workspace that is not private.
    pub(crate) fn for_agent(&self, path: &Path) -> Result<Place, EditorError> {
        existing_file(self.allowed(path)?)
    }

    /// The file that an agent means by an absolute path or one relative to the first folder.
    pub(super) fn for_reading(&self, given: &Path) -> Result<Place, EditorError> {
        self.for_agent(&self.meant(given)?)
    }

    /// The same for a file that need not exist yet.
    pub(super) fn for_writing(&self, given: &Path) -> Result<Place, EditorError> {
        let place = self.allowed(&self.meant(given)?)?;
        let inside = self.folders.iter().find_map(|folder| place.real.strip_prefix(&folder.real).ok());
        if inside.is_some_and(|rest| names(rest).any(|name| VERSION_CONTROL.contains(&name))) {
            let shown = place.path.display();
            return Err(EditorError::Invalid(format!(
                "{shown} belongs to version control: carrick does not write there"
            )));
        }
        if place.real.is_dir() {
            return Err(EditorError::IsFolder(place.path));
        }
        Ok(place)
    }

    fn allowed(&self, path: &Path) -> Result<Place, EditorError> {
        let path = sound(path)?;
        if self.private.covers(&path) {
            return Err(EditorError::Private);
        }
        let real = resolve(&path).map_err(|error| not_done("open", &path, &error))?;
        if !self.holds(&real) {
            return Err(EditorError::Outside(path));
        }
        if self.private.covers(&real) {
            return Err(EditorError::Private);
        }
        Ok(Place { path, real, private: false })
    }

    fn meant(&self, given: &Path) -> Result<PathBuf, EditorError> {
        harmless(given)?;
        let first =
            self.folders.first().ok_or_else(|| EditorError::Failed("the workspace has no folder".into()))?;
        if !given.is_absolute() {
            return Ok(self.labelled(given, first).unwrap_or_else(|| first.path.join(given)));
        }
        let in_a_folder =
            |folder: &Folder| given.starts_with(&folder.path) || given.starts_with(&folder.real);
        let from_the_first = first.path.join(given.strip_prefix("/").unwrap_or(given));
        // Vault plug-ins write paths from the vault's own root: `/note.md` is a file of the vault.
        let from_the_root = is_vault(&first.real) || from_the_first.symlink_metadata().is_ok();
        let inside = self.folders.iter().any(in_a_folder);
        Ok(if !inside && from_the_root { from_the_first } else { given.into() })
    }

    /// The listed name of a file in a further folder, unless the first folder has something of that name.
    fn labelled(&self, given: &Path, first: &Folder) -> Option<PathBuf> {
        let label = names(given).next()?;
        let folder = self.folders.iter().skip(1).find(|folder| folder.label == label)?;
        let hidden = first.path.join(label).symlink_metadata().is_ok();
        let rest = given.components().filter(|part| *part != Component::CurDir).skip(1);
        (!hidden).then(|| folder.path.join(rest.collect::<PathBuf>()))
    }
}

/// True for a folder that Obsidian keeps its settings in.
pub(super) fn is_vault(folder: &Path) -> bool {
    folder.join(".obsidian").is_dir()
}

/// What an error of the system means for the one who asked.
pub(super) fn not_done(doing: &str, path: &Path, error: &io::Error) -> EditorError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => EditorError::NotFound(path.into()),
        io::ErrorKind::IsADirectory => EditorError::IsFolder(path.into()),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => {
            EditorError::Invalid(format!("that is not a path: {error}"))
        }
        _ => EditorError::Failed(format!("could not {doing} {}: {error}", path.display())),
    }
}

/// The folder's own name, with a number behind it when an earlier folder has the same.
fn label(path: &Path, before: &[Folder]) -> String {
    let name = path.file_name().map_or_else(|| "root".into(), |name| name.to_string_lossy().into_owned());
    let taken = |label: &str| before.iter().any(|folder| folder.label == label);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|label| !taken(label)).unwrap_or(name)
}

fn names(path: &Path) -> impl Iterator<Item = &str> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    })
}

/// An absolute path without `.` parts. One with `..` is resolved first, for what `..` means depends on links.
fn sound(path: &Path) -> Result<PathBuf, EditorError> {
    no_nul(path)?;
    if !path.is_absolute() {
        let shown = path.display();
        return Err(EditorError::Invalid(format!("{shown:?} is not an absolute path: give the whole path")));
    }
    if path.components().any(|part| part == Component::ParentDir) {
        return Ok(path.canonicalize().unwrap_or_else(|_| without_parents(path)));
    }
    Ok(path.components().collect())
}

/// For a path that is not there anyway: what it names still has to be inside or outside.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

fn harmless(given: &Path) -> Result<(), EditorError> {
    no_nul(given)?;
    let wrong = |what: &str| Err(EditorError::Invalid(format!("{:?} {what}", given.display().to_string())));
    if given.as_os_str().is_empty() {
        return Err(EditorError::Invalid("the path is empty: name a file of the workspace".into()));
    }
    if given.components().any(|part| part == Component::ParentDir) {
        return wrong("leads upwards: leave out the `..`");
    }
    if given.to_string_lossy().trim_start_matches('/').starts_with('~') {
        return wrong("begins with `~`, which only a shell knows: give the path from the workspace folder");
    }
    Ok(())
}

fn no_nul(path: &Path) -> Result<(), EditorError> {
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(EditorError::Invalid("the path has a NUL character in it".into()));
    }
    Ok(())
}

fn existing_file(place: Place) -> Result<Place, EditorError> {
    let kind = place.real.metadata().map_err(|error| not_done("open", &place.path, &error))?;
    if kind.is_dir() {
        return Err(EditorError::IsFolder(place.path));
    }
    // Opening a pipe would wait for its other end for ever.
    if !kind.is_file() {
        return Err(EditorError::Invalid(format!("{} is not an ordinary file", place.path.display())));
    }
    Ok(place)
}

/// Resolves every link of a path whose last parts may not exist yet: a link to nothing still leads somewhere.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match path.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => return done,
        }
        match first_missing(&path)? {
            Missing::Link(target) => path = target,
            Missing::Nothing(real) => return Ok(real),
        }
    }
    Err(io::Error::other("too many links, one after the other"))
}

enum Missing {
    /// The way leads on through a link, to this path.
    Link(PathBuf),
    /// From here on there is nothing; the path with all links before it resolved.
    Nothing(PathBuf),
}

fn first_missing(path: &Path) -> io::Result<Missing> {
    let there = path.ancestors().find(|part| part.canonicalize().is_ok()).unwrap_or(Path::new("/"));
    let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
    let mut rest = rest.components();
    let real = there.canonicalize()?;
    let Some(next) = rest.next() else { return Ok(Missing::Nothing(real)) };
    // In the target of a link, `..` after something that is not there means nothing.
    if rest.clone().any(|part| part == Component::ParentDir) {
        return Err(io::ErrorKind::NotFound.into());
    }
    let first = real.join(next);
    Ok(match first.read_link() {
        Ok(target) => Missing::Link(joined(&real.join(target), rest.as_path())),
        Err(_) => Missing::Nothing(joined(&first, rest.as_path())),
    })
}

/// `join` with an empty path would leave a slash at the end.
fn joined(path: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { path.into() } else { path.join(rest) }
}

#[cfg(test)]
mod tests;
