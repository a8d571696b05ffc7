//! Which files never leave the editor: no text, no path.
//!
//! The list errs on the side of silence. A pattern that begins with `!` makes files public again; the last
//! pattern that matches decides, so a person can open one hole without giving up the rest.

use std::path::Path;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// The patterns that hold without any configuration.
const ALWAYS: &[&str] = &[
    ".env*",
    "*.env",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.p8",
    "*.ppk",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    "credentials",
    "credentials.json",
    "secrets.*",
    "*.secret",
    ".ssh/**",
    ".gnupg/**",
    ".aws/**",
    ".kube/**",
    ".docker/config.json",
];

/// A pattern of the private list that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the private pattern {pattern:?} is not a glob: {reason}")]
pub struct PrivatePatternError {
    /// The pattern as it was written.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

/// The compiled list: all patterns are tried at once, since every file of a tree is asked about.
#[derive(Clone, Debug)]
pub struct PrivateList {
    globs: GlobSet,
    /// For each pattern whether it hides (true) or opens a hole.
    hides: Vec<bool>,
}

impl PrivateList {
    /// The built-in list and `more` patterns after it.
    ///
    /// # Errors
    /// A pattern that is not a glob.
    pub fn new<S: AsRef<str>>(more: &[S]) -> Result<Self, PrivatePatternError> {
        let patterns: Vec<&str> = ALWAYS.iter().copied().chain(more.iter().map(AsRef::as_ref)).collect();
        let mut globs = GlobSetBuilder::new();
        for pattern in &patterns {
            globs.add(glob(pattern)?);
        }
        let hides = patterns.iter().map(|pattern| !pattern.starts_with('!')).collect();
        let globs = globs.build().map_err(|error| refusal(&patterns.join(" "), &error))?;
        Ok(Self { globs, hides })
    }

    /// The built-in patterns, for `config --defaults` and the documents.
    #[must_use]
    pub fn built_in() -> &'static [&'static str] {
        ALWAYS
    }

    /// True when nothing of this file may be told. A link and what it points to are two paths: ask for both.
    #[must_use]
    pub fn covers(&self, path: &Path) -> bool {
        let deciding = self.globs.matches(path).into_iter().max();
        deciding.is_some_and(|last| self.hides.get(last).copied().unwrap_or(true))
    }
}

impl Default for PrivateList {
    fn default() -> Self {
        // The built-in patterns are constants and have a test. Were they broken, everything would be private: a list
        // that hides nothing would leak.
        Self::new::<&str>(&[]).unwrap_or_else(|_| Self { globs: everything(), hides: Vec::new() })
    }
}

fn everything() -> GlobSet {
    let all = Glob::new("**").and_then(|all| GlobSetBuilder::new().add(all).build());
    all.unwrap_or_default()
}

/// A bare name counts in every folder, an absolute pattern from the root.
fn glob(pattern: &str) -> Result<Glob, PrivatePatternError> {
    let named = pattern.strip_prefix('!').unwrap_or(pattern);
    let anchored = if named.starts_with('/') || named.starts_with("**") {
        named.to_owned()
    } else {
        format!("**/{named}")
    };
    let glob = GlobBuilder::new(&anchored).case_insensitive(true).literal_separator(true).build();
    glob.map_err(|error| refusal(pattern, &error))
}

fn refusal(pattern: &str, error: &globset::Error) -> PrivatePatternError {
    PrivatePatternError { pattern: pattern.into(), reason: error.kind().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_the_usual_secrets_everywhere() {
        let list = PrivateList::default();
        for path in [
            "/p/.env",
            "/p/a/.env.local",
            "/p/SERVER.PEM",
            "/h/.ssh/known_hosts",
            "/h/.netrc",
            "/p/id_rsa.pub",
        ] {
            assert!(list.covers(Path::new(path)), "{path}");
        }
        for path in ["/p/src/main.rs", "/p/environment.md", "/p/keys.md", "/p/.envrc/x.txt"] {
            assert!(!list.covers(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn the_last_matching_pattern_decides() {
        let list = PrivateList::new(&["!.env.example", "*.sql"]).unwrap();
        assert!(!list.covers(Path::new("/p/.env.example")));
        assert!(list.covers(Path::new("/p/.env")));
        assert!(list.covers(Path::new("/p/dump.SQL")));
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let error = PrivateList::new(&["a[b"]).unwrap_err();
        assert!(error.to_string().contains("a[b"), "{error}");
    }
}
