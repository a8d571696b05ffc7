//! A diff program of the person's own as the room: it gets the two files, and what it saves and how it ends is the
//! decision.
//!
//! | it ended | the second file | then |
//! | --- | --- | --- |
//! | with 0 | was saved, changed or not | accepted, with what is in it |
//! | with 0 | was not saved | the review waits: looking decides nothing |
//! | with another code | | rejected |
//! | by a signal, or it was never started | | the review waits |
//!
//! Leaving a viewer must not accept a change, so that a plain exit is no decision; saving is.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use carrick_core::{Decision, Original, Review};
use tempfile::TempDir;

use crate::terminal::{Status, plain_name, private_folder, write_private};

const OLD: &str = "{old}";
const NEW: &str = "{new}";

/// The two files, laid out for a program. They go when this is dropped.
pub struct Files {
    folder: TempDir,
    old: PathBuf,
    new: PathBuf,
    saved: Option<SystemTime>,
    proposed: Arc<str>,
}

/// What comes of a program's run.
#[derive(Debug)]
pub enum Verdict {
    /// It decided.
    Decided(Decision),
    /// It decided nothing, for this reason.
    Waits(String),
}

impl Files {
    /// Writes both files into a folder of their own below `drafts`, which only this person can look into. Both have the
    /// name of the reviewed file.
    ///
    /// # Errors
    /// The files cannot be written.
    pub fn lay_out(drafts: &Path, review: &Review) -> io::Result<Self> {
        let folder = private_folder(drafts)?;
        let name = plain_name(&review.path);
        let place = |part: &str| -> io::Result<PathBuf> {
            std::fs::create_dir(folder.path().join(part))?;
            Ok(folder.path().join(part).join(&name))
        };
        let (old, new) = (place("old")?, place("new")?);
        let before = review.before().unwrap_or_default();
        write_private(&old, if review.original == Original::NotText { "" } else { &before })?;
        write_private(&new, &review.proposed)?;
        let saved = modified(&new);
        Ok(Self { old, new, saved, proposed: Arc::clone(&review.proposed), folder })
    }

    /// The command line: the two files take the places of `{old}` and `{new}`, or come last.
    #[must_use]
    pub fn command(&self, program: &str) -> Vec<OsString> {
        let named = program.contains(OLD) || program.contains(NEW);
        let line = if named {
            program.replace(OLD, "\"$1\"").replace(NEW, "\"$2\"")
        } else {
            format!("{program} \"$1\" \"$2\"")
        };
        let words: [&str; 3] = ["sh", "-c", &line];
        let words = words.into_iter().map(OsString::from);
        words.chain(["carrick".into(), self.old.clone().into(), self.new.clone().into()]).collect()
    }

    /// What the program decided.
    #[must_use]
    pub fn verdict(&self, program: &str, status: &Status) -> Verdict {
        let word = program.split_whitespace().next().unwrap_or(program);
        match (status.code(), std::fs::read(&self.new)) {
            (None, _) => Verdict::Waits(status.failure(word).unwrap_or_else(|| format!("{word} was ended"))),
            (Some(0), Ok(now)) if self.was_saved(&now) => match String::from_utf8(now) {
                Ok(now) if now == *self.proposed => Verdict::Decided(Decision::Accept),
                Ok(now) => Verdict::Decided(Decision::AcceptWith(now.into())),
                Err(_) => Verdict::Waits(format!("what {word} saved is not UTF-8")),
            },
            (Some(0), Ok(_)) => Verdict::Waits(format!("{word} ended without saving, so nothing is decided")),
            (Some(0), Err(error)) => Verdict::Waits(format!("the file of {word} cannot be read: {error}")),
            (Some(_), _) => Verdict::Decided(Decision::Reject),
        }
    }

    /// Leaves the files where they are, if the program changed them; the one that it changed.
    #[must_use]
    pub fn keep_if_changed(self) -> Option<PathBuf> {
        let changed = std::fs::read(&self.new).is_ok_and(|now| now != self.proposed.as_bytes());
        changed.then(|| {
            let _ = self.folder.keep();
            self.new
        })
    }

    fn was_saved(&self, now: &[u8]) -> bool {
        now != self.proposed.as_bytes() || modified(&self.new) != self.saved
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carrick_core::{ClientId, ReviewId};
    use std::process::Command;

    fn review() -> Review {
        Review {
            id: ReviewId(1),
            client: ClientId(1),
            client_name: String::new(),
            path: "/w/a b.rs".into(),
            tab_name: String::new(),
            original: Original::Text("old\n".into()),
            proposed: "new\n".into(),
            opened: SystemTime::now(),
        }
    }

    fn verdict(program: &str) -> String {
        let scratch = tempfile::tempdir().unwrap();
        let files = Files::lay_out(scratch.path(), &review()).unwrap();
        let words = files.command(program);
        let status = Command::new(&words[0]).args(&words[1..]).stderr(std::process::Stdio::null()).status();
        format!("{:?}", files.verdict(program, &Status::of(status)))
    }

    #[test]
    fn saving_accepts_and_looking_does_not() {
        assert!(verdict("grep -q new {new} && grep -q old {old}").contains("without saving"));
        assert_eq!(verdict("touch -d 2001-01-01 {new} #"), "Decided(Accept)");
        assert_eq!(verdict("sh -c 'echo more >>\"$2\"' sh"), "Decided(AcceptWith(\"new\\nmore\\n\"))");
    }

    #[test]
    fn another_code_rejects_and_no_code_decides_nothing() {
        assert_eq!(verdict("false"), "Decided(Reject)");
        assert!(verdict("no-such-program-here").contains("cannot be started"));
        assert!(verdict("kill -9 $$ #").starts_with("Waits"));
    }
}
