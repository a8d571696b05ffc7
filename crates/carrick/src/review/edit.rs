//! `carrick review edit`: the person changes the proposed contents in their own editor, then accepts them.
//!
//! The contents go through a file that only this person can read. It is removed when the decision has arrived and
//! kept in every other case: the work in it is worth more than a tidy folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use carrick_editors::link::protocol::{
    ReviewAccept, ReviewAcceptParams, ReviewShow, ReviewShowParams, ReviewShowReply,
};
use tokio::process::Command;

use super::decide::report;
use crate::env;
use crate::exit::{Exit, Failure};
use crate::join::Shell;
use crate::print::Tone;

pub(super) async fn edit(id: Option<u64>, json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let shown = shell.ask::<ReviewShow>(&ReviewShowParams { id, context: Some(0) }).await?;
    if let Some(end) = shown.review.outcome {
        return Err(nothing_decided(
            format!("review {} is settled already: {}", shown.review.id, end.words()),
            None,
        ));
    }
    let file = draft(&shown)?;
    let contents = edited(&shown, &file).await?;
    let id = Some(shown.review.id);
    let accepted =
        shell.ask::<ReviewAccept>(&ReviewAcceptParams { id, hunks: None, contents: Some(contents) }).await;
    let review = accepted.map_err(|failure| match failure {
        Failure::Link(error) => Failure::NotSent { error, kept: file.clone() },
        other => other,
    })?;
    let _ = std::fs::remove_file(&file);
    report(&shell, Tone::Good, "accepted", &review, json);
    Ok(Exit::Done)
}

fn nothing_decided(why: String, kept: Option<PathBuf>) -> Failure {
    Failure::NotEdited { why, kept }
}

/// A new file with the proposed contents, and the ending by which an editor knows the language.
fn draft(shown: &ReviewShowReply) -> Result<PathBuf, Failure> {
    let ending = shown.review.path.extension().map_or_else(OsString::new, |extension| {
        let mut ending = OsString::from(".");
        ending.push(extension);
        ending
    });
    let prefix = format!("carrick-review-{}-", shown.review.id);
    let folder = std::env::temp_dir();
    let file = tempfile::Builder::new().prefix(&prefix).suffix(&ending).tempfile_in(&folder);
    let kept = file.and_then(|file| file.keep().map_err(|error| error.error));
    let (_, path) = kept.map_err(Failure::io("make a file in", folder))?;
    std::fs::write(&path, &shown.proposed).map_err(Failure::io("write", &path))?;
    Ok(path)
}

/// What the person made of it.
async fn edited(shown: &ReviewShowReply, file: &Path) -> Result<String, Failure> {
    let editor = env::get(env::VISUAL).or_else(|| env::get(env::EDITOR)).unwrap_or_else(|| "vi".into());
    // As git does it: the variable may hold a whole command line.
    let mut line = editor.clone();
    line.push(" \"$@\"");
    let status = Command::new("sh").arg("-c").arg(line).arg(&editor).arg(file).status().await;
    let program = editor.to_string_lossy().into_owned();
    let status = status.map_err(|error| Failure::Start { program: program.clone(), error })?;
    let refuse = |why| Err(nothing_decided(why, keep_if_changed(shown, file)));
    if !status.success() {
        return refuse(format!("{program} failed ({status})"));
    }
    match std::fs::read_to_string(file) {
        Ok(contents) if contents.is_empty() && !shown.proposed.is_empty() => {
            refuse("the file is empty".into())
        }
        Ok(contents) => Ok(contents),
        Err(error) => refuse(format!("cannot read {}: {error}", file.display())),
    }
}

/// A draft without changes is not worth keeping.
fn keep_if_changed(shown: &ReviewShowReply, file: &Path) -> Option<PathBuf> {
    let unchanged = std::fs::read(file).is_ok_and(|now| now == shown.proposed.as_bytes() || now.is_empty());
    if unchanged {
        let _ = std::fs::remove_file(file);
    }
    (!unchanged).then(|| file.into())
}
