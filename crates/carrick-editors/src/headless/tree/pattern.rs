//! What a glob asks for, and how little of the tree has to be looked at to answer it.

use carrick_core::EditorError;
use globset::{GlobBuilder, GlobMatcher};

/// Characters that mean something in a glob.
const SPECIAL: &[char] = &['*', '?', '[', ']', '{', '}', '\\'];

/// A glob, taken apart.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The folder that everything it matches lies in.
    base: String,
    /// It may also match in folders below that one.
    deep: bool,
    /// The extension that everything it matches has.
    extension: Option<String>,
    /// What the names begin with that it matches.
    name_start: String,
    /// It is about names in any folder, not about paths.
    by_name: bool,
    glob: GlobMatcher,
}

impl Pattern {
    /// Takes a glob apart. One without a slash is about names, like `*.js`; nothing at all means everything.
    pub(super) fn new(text: &str) -> Result<Self, EditorError> {
        let wanted = text.strip_prefix("./").unwrap_or(text);
        // A vault writes its paths from its own root, and a folder means what is in it.
        let (from_root, wanted) = wanted.strip_prefix('/').map_or((false, wanted), |rest| (true, rest));
        let wanted = match wanted {
            "" => "**".to_owned(),
            folder if folder.ends_with('/') => format!("{folder}**"),
            wanted => wanted.to_owned(),
        };
        let glob = compiled(text, &wanted)?;
        let by_name = !from_root && !wanted.contains('/');
        let (folders, name) = wanted.rsplit_once('/').unwrap_or(("", &wanted));
        let base = base(folders);
        let deep = by_name || base.len() != folders.len() || name.contains("**");
        let plain_start = name.split(SPECIAL).next().unwrap_or_default();
        // Inside braces and brackets a slash or a choice may stand: there the start of a name is not its start.
        let name_start = if wanted.contains(['{', '[']) { String::new() } else { plain_start.into() };
        Ok(Self { base: base.into(), deep, extension: extension_of_glob(name), name_start, by_name, glob })
    }

    /// The folder to begin with in a tree listed under `label`, and none if nothing can match there.
    pub(super) fn base_under(&self, label: &str) -> Option<&str> {
        if label.is_empty() || self.by_name {
            return Some(&self.base);
        }
        if self.base.is_empty() {
            return self.deep.then_some("");
        }
        let rest = self.base.strip_prefix(label)?;
        if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
    }

    pub(super) fn is_deep(&self) -> bool {
        self.deep
    }

    pub(super) fn extension(&self) -> Option<&str> {
        self.extension.as_deref()
    }

    pub(super) fn name_start(&self) -> &str {
        &self.name_start
    }

    pub(super) fn matches(&self, path: &str, name: &str) -> bool {
        self.glob.is_match(if self.by_name { name } else { path })
    }
}

/// What stands after the last point of a name; a name without one has the empty extension.
pub(super) fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn extension_of_glob(name: &str) -> Option<String> {
    match name.rfind(SPECIAL) {
        None => Some(extension(name).into()),
        Some(_) => {
            let tail = name.rsplit(SPECIAL).next()?;
            tail.rsplit_once('.').map(|(_, extension)| extension.into())
        }
    }
}

/// The leading folders without a special character.
fn base(folders: &str) -> &str {
    match folders.find(SPECIAL) {
        None => folders,
        Some(at) => folders.get(..at).and_then(|plain| plain.rsplit_once('/')).map_or("", |(base, _)| base),
    }
}

fn compiled(text: &str, glob: &str) -> Result<GlobMatcher, EditorError> {
    let built = GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build();
    built.map(|glob| glob.compile_matcher()).map_err(|error| {
        EditorError::Invalid(format!(
            "{text:?} is not a pattern: {}; try one like `*.js` or `src/**`",
            error.kind()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(text: &str) -> (String, bool, Option<String>, String) {
        let pattern = Pattern::new(text).unwrap();
        (pattern.base, pattern.deep, pattern.extension, pattern.name_start)
    }

    #[test]
    fn looks_no_further_than_it_must() {
        let some = |text: &str| Some(text.to_owned());
        let expect = |text: &str, base: &str, deep, extension, start: &str| {
            assert_eq!(narrowed(text), (base.into(), deep, extension, start.into()), "{text}");
        };
        expect("*.js", "", true, some("js"), "");
        expect("**/*.js", "", true, some("js"), "");
        expect("main.rs", "", true, some("rs"), "main.rs");
        expect("Makefile", "", true, some(""), "Makefile");
        expect("src/*.rs", "src", false, some("rs"), "");
        expect("src/a/x*.rs", "src/a", false, some("rs"), "x");
        expect("src/**/*.rs", "src", true, some("rs"), "");
        expect("src/", "src", true, None, "");
        expect("src/**", "src", true, None, "");
        expect("/a.md", "", false, some("md"), "a.md");
        expect("s*/a/b.md", "", true, some("md"), "b.md");
        expect("{a,b/c}.rs", "", true, some("rs"), "");
        expect("*.{js,ts}", "", true, None, "");
        expect("*.tar.gz", "", true, some("gz"), "");
        expect("", "", true, None, "");
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let error = Pattern::new("src/[a").unwrap_err();
        assert!(matches!(&error, EditorError::Invalid(words) if words.contains("src/[a")), "{error}");
    }

    #[test]
    fn a_folder_with_a_label_is_asked_only_for_its_own() {
        let base = |text: &str| Pattern::new(text).unwrap().base_under("lib").map(str::to_owned);
        assert_eq!(base("lib/src/*.rs"), Some("src".into()));
        assert_eq!(base("lib/*.rs"), Some(String::new()));
        assert_eq!(base("library/*.rs"), None);
        assert_eq!(base("src/*.rs"), None);
        assert_eq!(base("*/src/*.rs"), Some(String::new()));
        assert_eq!(base("*.rs"), Some(String::new()));
        assert_eq!(base("/a.rs"), None);
    }
}
