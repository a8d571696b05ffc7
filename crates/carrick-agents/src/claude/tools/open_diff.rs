//! `openDiff`: a proposed change waits for a person. The answer takes as long as the person does.
//!
//! carrick never writes the file: the CLI does, and fails if somebody else did first. `TAB_CLOSED` is never said:
//! the CLI takes it for "accepted".

use std::path::PathBuf;
use std::sync::Arc;

use carrick_core::{Content, Editor, NewReview, Original, Outcome};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};

use super::super::answer::{Block, Context, Payload, Running, ToolAnswer};
use super::super::dialect::Rejected;
use super::super::params::arguments;
use super::super::wire;
use super::{Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "openDiff",
    description: "Show a proposed change to a file and wait until the person accepts or rejects it",
    schema: r#"{"type":"object","properties":{
        "old_file_path":{"type":"string","description":"Absolute path of the file as it is"},
        "new_file_path":{"type":"string","description":"Absolute path of the file as it would be; the same when left out"},
        "new_file_contents":{"type":"string","description":"The whole new contents"},
        "tab_name":{"type":"string","description":"A name for the view, to close it by"}
        },"required":["old_file_path","new_file_contents"],"additionalProperties":false}"#,
    offered: always,
    start: |context, raw| {
        let args: Args = arguments(raw)?;
        let old = wire::read_path(context, "old_file_path", &args.old_file_path)?;
        let new = args.new_file_path.as_deref().map(|text| wire::read_path(context, "new_file_path", text));
        let new = new.transpose()?.unwrap_or_else(|| old.clone());
        let tab_name = args.tab_name.unwrap_or_else(|| args.old_file_path.clone());
        let proposed = args.new_file_contents;
        if !context.desk.has_rooms() {
            return Ok(ToolAnswer::error(NOWHERE).into());
        }
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            let original = match original(&*editor, old).await {
                Ok(original) => original,
                Err(answer) => return Ok(Payload::Tool(answer)),
            };
            let name = tab_name.clone();
            let review = NewReview { client: context.client, path: new, tab_name, original, proposed };
            let outcome = context.desk.open_review(review).outcome().await;
            Ok(Payload::Tool(answer(&context, outcome, &name)))
        }))
    },
};

/// The CLI shows the change in its own terminal when it hears an error here.
const NOWHERE: &str = "Changes are not reviewed in this editor: ask in your own terminal";

#[derive(Deserialize)]
struct Args {
    old_file_path: String,
    new_file_path: Option<String>,
    #[serde(deserialize_with = "shared_text")]
    new_file_contents: Arc<str>,
    tab_name: Option<String>,
}

/// Straight into shared memory: a large file is copied once.
fn shared_text<'de, D: Deserializer<'de>>(field: D) -> Result<Arc<str>, D::Error> {
    struct Text;
    impl Visitor<'_> for Text {
        type Value = Arc<str>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E>(self, text: &str) -> Result<Arc<str>, E> {
            Ok(text.into())
        }
    }
    field.deserialize_str(Text)
}

async fn original(editor: &dyn Editor, path: PathBuf) -> Result<Original, ToolAnswer> {
    match editor.content(path).await {
        Ok(Content::Missing) => Ok(Original::Missing),
        Ok(Content::Text(text)) => Ok(Original::Text(text)),
        Ok(Content::NotText) => Ok(Original::NotText),
        Err(error) => Err(error.into()),
    }
}

fn answer(context: &Context, outcome: Outcome, tab_name: &str) -> ToolAnswer {
    match outcome {
        Outcome::Accepted(contents) => {
            ToolAnswer::blocks(vec![Block::Text("FILE_SAVED".into()), Block::Text(contents)])
        }
        Outcome::Rejected | Outcome::Closed | Outcome::Gone => match context.dialect.rejected {
            Rejected::Alone => ToolAnswer::text("DIFF_REJECTED"),
            Rejected::WithTab => {
                ToolAnswer::blocks(vec![Block::Text("DIFF_REJECTED".into()), Block::Text(tab_name.into())])
            }
        },
    }
}
