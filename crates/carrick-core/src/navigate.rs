//! Finding one's way in code: what an editor with language servers can tell about names, and change about them.
//!
//! Nothing here writes: a change is given back as [`Change`]s, and whoever asked lets a person decide about them.

use std::path::PathBuf;
use std::sync::Arc;

use crate::{Answer, Range};

/// What an editor may be able to tell about a name in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skill {
    /// Where it is defined.
    Definition,
    /// Where it is used.
    References,
    /// What it is.
    Hover,
    /// Which names there are.
    Symbols,
    /// How everything would read if it were called something else.
    Rename,
}

/// A name in a file. People and models know the name and perhaps the line, programs know the character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The file, absolute.
    pub path: PathBuf,
    /// Its line, from 0; any when left out.
    pub line: Option<u32>,
    /// Where in the line, in UTF-16 units.
    pub character: Option<u32>,
    /// The name itself: its first appearance as a whole word, on the line if there is one.
    pub symbol: Option<String>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, absolute.
    pub path: PathBuf,
    /// Where.
    pub range: Range,
    /// The line it begins on; `None` when the file is not one to be read from.
    pub text: Option<String>,
}

/// A name that is defined somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// What it names, such as `function`.
    pub kind: &'static str,
    /// What it stands in.
    pub container: Option<String>,
    /// Where it is defined.
    pub location: Location,
}

/// Which names are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolsOf {
    /// Those of one file, in their order.
    File(PathBuf),
    /// Those of the workspace that fit these letters.
    Workspace(String),
}

/// What would become of a file. It is not written yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, absolute.
    pub path: PathBuf,
    /// What stands in it.
    pub before: Arc<str>,
    /// What would stand in it.
    pub after: Arc<str>,
}

/// The ability to find one's way in code.
pub trait Navigate: Send + Sync {
    /// Whether it can be asked for this at all; a tool that cannot is not listed.
    fn can(&self, skill: Skill) -> bool;
    /// Where the name is defined.
    fn definition(&self, spot: Spot) -> Answer<'_, Vec<Location>>;
    /// Where the name is used; with its definition, if asked.
    fn references(&self, spot: Spot, with_definition: bool) -> Answer<'_, Vec<Location>>;
    /// What the name is, in words for a person; `None` when there is nothing to say.
    fn hover(&self, spot: Spot) -> Answer<'_, Option<String>>;
    /// The names of a file or of the workspace.
    fn symbols(&self, of: SymbolsOf) -> Answer<'_, Vec<Symbol>>;
    /// Every file as it would read if the name were another. Nothing is written.
    fn rename(&self, spot: Spot, to: String) -> Answer<'_, Vec<Change>>;
}
