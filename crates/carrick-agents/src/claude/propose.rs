//! Changes that carrick itself makes for an agent: formatting and renaming.
//!
//! Of what an agent proposes with `openDiff`, carrick writes nothing: the agent does, and fails if somebody was there
//! before it. Here the contents come from a language server and the agent never has them, so that nobody but carrick
//! can write what the person accepted. It writes only over what the change was made from.

use carrick_core::{Change, Content, Editor, EditorError, NewReview, Original, Outcome};

use super::answer::Context;

/// The answer where nobody could be shown a change.
pub(crate) const NOWHERE: &str =
    "Changes are not reviewed in this editor: make this one with your own tools, file by file";

/// What became of a change that was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Accepted as it was, and written.
    Accepted,
    /// Accepted in part or with changes, and written.
    Changed,
    /// Rejected or closed; the file is as it was.
    Rejected,
}

impl Fate {
    /// The word in an answer.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Changed => "accepted with changes",
            Self::Rejected => "rejected",
        }
    }
}

/// Whether somebody's change of the same file waits for a person.
pub(crate) fn is_waited_for(context: &Context, change: &Change) -> bool {
    let same = |path: &std::path::Path| path == change.path;
    context.desk.reviews().iter().any(|record| record.outcome.is_none() && same(&record.review.path))
}

/// Shows the change, waits for the person, and writes what they accept.
pub(crate) async fn review(
    context: &Context,
    editor: &dyn Editor,
    change: Change,
    name: &str,
) -> Result<Fate, EditorError> {
    let file = change.path.file_name().unwrap_or_default().to_string_lossy();
    let new = NewReview {
        client: context.client,
        path: change.path.clone(),
        tab_name: format!("{name} {file} ({})", change.path.display()),
        original: Original::Text(change.before.clone()),
        proposed: change.after.clone(),
    };
    match context.desk.open_review(new).outcome().await {
        Outcome::Accepted(contents) => {
            let fate = if contents == change.after { Fate::Accepted } else { Fate::Changed };
            write(editor, Change { after: contents, ..change }).await.map(|()| fate)
        }
        Outcome::Rejected | Outcome::Closed | Outcome::Gone => Ok(Fate::Rejected),
    }
}

/// Writes the change, if the file is still what the change was made from.
pub(crate) async fn write(editor: &dyn Editor, change: Change) -> Result<(), EditorError> {
    let path = change.path.display().to_string();
    if editor.content(change.path.clone()).await? != Content::Text(change.before) {
        return Err(EditorError::Failed(format!(
            "{path} changed in the meantime: it was not written, ask again"
        )));
    }
    let files = editor.files();
    let files = files.ok_or_else(|| EditorError::Failed(format!("this editor cannot write {path}")))?;
    files.write(&change.path, change.after.as_ref().into()).await
}
