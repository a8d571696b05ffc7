//! `openFile`: shows a file and selects a passage of it.

use carrick_core::{OpenRequest, Opened, Position, Range, Who};
use serde::Deserialize;
use serde_json::json;

use super::super::answer::{Context, Payload, Running, ToolAnswer};
use super::super::params::arguments;
use super::super::wire;
use super::{Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "openFile",
    description: "Open a file in the editor and optionally select a passage of it",
    schema: r#"{"type":"object","properties":{
        "filePath":{"type":"string","description":"Absolute path of the file"},
        "preview":{"type":"boolean","description":"Open it as a preview that the next file replaces","default":false},
        "startText":{"type":"string","description":"Select from the first place where this text stands"},
        "endText":{"type":"string","description":"Select to the end of the first place after it where this text stands"},
        "startLine":{"type":"integer","minimum":1,"description":"Select from this line, counted from 1"},
        "endLine":{"type":"integer","minimum":1,"description":"Select to this line, counted from 1 and included"},
        "selectToEndOfLine":{"type":"boolean","description":"Stretch the selection to the end of its last line","default":false},
        "makeFrontmost":{"type":"boolean","description":"Give the file the focus","default":true}
        },"required":["filePath"],"additionalProperties":false}"#,
    offered: always,
    start: |context, raw| {
        let args: Args = arguments(raw)?;
        let request = request(&args, wire::read_path(context, "filePath", &args.file_path)?);
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            Ok(Payload::Tool(match editor.open(request).await {
                Ok(opened) => answer(&context, &args, &opened),
                Err(error) => match context.dialect.not_opened {
                    Some(words) => ToolAnswer::error(words),
                    None => error.into(),
                },
            }))
        }))
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    file_path: String,
    preview: Option<bool>,
    start_text: Option<String>,
    end_text: Option<String>,
    start_line: Option<u32>,
    end_line: Option<u32>,
    select_to_end_of_line: Option<bool>,
    make_frontmost: Option<bool>,
}

fn request(args: &Args, path: std::path::PathBuf) -> OpenRequest {
    // An empty text is how some clients say "none".
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    OpenRequest {
        preview: args.preview.unwrap_or(false),
        focus: args.make_frontmost.unwrap_or(true),
        range: lines(args),
        start_text: given(&args.start_text),
        end_text: given(&args.end_text),
        to_end_of_line: args.select_to_end_of_line.unwrap_or(false),
        ..OpenRequest::new(path, Who::Agent)
    }
}

/// Whole lines: to the start of the line after the last.
fn lines(args: &Args) -> Option<Range> {
    let start = args.start_line.or(args.end_line)?.max(1);
    let end = args.end_line.unwrap_or(start).max(start);
    Some(Range::new(Position::new(start - 1, 0), Position::new(end, 0)))
}

fn answer(context: &Context, args: &Args, opened: &Opened) -> ToolAnswer {
    let path = wire::path_text(context, &opened.path);
    if let Some(done) = context.dialect.done {
        return ToolAnswer::text(done);
    }
    if args.make_frontmost == Some(false) {
        let (language, lines) = (&opened.language, opened.line_count);
        return ToolAnswer::json(
            &json!({"success": true, "filePath": path, "languageId": language, "lineCount": lines}),
        );
    }
    let (start, end) =
        (args.start_text.as_deref().unwrap_or_default(), args.end_text.as_deref().unwrap_or_default());
    ToolAnswer::text(match opened.selected {
        _ if opened.start_missing => format!("Opened file, but text \"{start}\" not found"),
        Some(_) if opened.end_missing => {
            format!("Opened file and positioned at \"{start}\" (end text \"{end}\" not found)")
        }
        Some(_) if !end.is_empty() => format!("Opened file and selected text from \"{start}\" to \"{end}\""),
        Some(_) if !start.is_empty() => format!("Opened file and selected text \"{start}\""),
        Some(range) if !range.is_empty() => {
            format!("Opened file and selected lines {} to {}", range.start.line + 1, range.end.line)
        }
        _ => format!("Opened file: {path}"),
    })
}
