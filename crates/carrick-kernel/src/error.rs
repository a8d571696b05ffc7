//! Why there is no answer from a kernel. The words are read by people and by models.

use std::path::PathBuf;

/// Why code could not be run.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// Nothing to start and nothing to attach to.
    #[error("there is no Jupyter kernel for {}; install one with `{install}` and try again", .folder.display())]
    None {
        /// The workspace.
        folder: PathBuf,
        /// The command that helps.
        install: String,
    },
    /// The configured kernelspec is not there.
    #[error("there is no kernelspec `{name}`{}; `jupyter kernelspec list` shows those there are", list_of(.known))]
    NoSpec {
        /// The name.
        name: String,
        /// The ones that were seen.
        known: Vec<String>,
    },
    /// A file of Jupyter cannot be used.
    #[error("cannot use {}: {why}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The program did not start.
    #[error("cannot start {what}: {error}")]
    Start {
        /// What was to be started.
        what: String,
        /// Why not.
        error: std::io::Error,
    },
    /// The program started and ended, or never listened.
    #[error("{what} {how}{}", last_words(.said))]
    NotReady {
        /// What was started.
        what: String,
        /// What happened instead.
        how: String,
        /// The end of what it wrote to its error output.
        said: String,
    },
    /// The kernel cannot be talked to.
    #[error("cannot talk to {what}: {why}")]
    Wire {
        /// To whom.
        what: String,
        /// Why.
        why: String,
    },
}

fn list_of(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" (there are: {})", names.join(", ")) }
}

fn last_words(words: &str) -> String {
    let words = words.trim();
    if words.is_empty() { String::new() } else { format!("; it said:\n{words}") }
}
