//! `open`: a file in a window, and perhaps a passage of it selected.

use carrick_core::{Content, Editor, EditorError, OpenRequest, Opened, Position, Range};
use rmpv::Value;

use super::column;
use super::editor::Neovim;
use super::words::{self, args};

/// What to select, as the contract says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    line: u32,
    end_line: u32,
    /// Columns in bytes; none for whole lines.
    bytes: Option<(u32, u32)>,
}

pub(super) async fn open(neovim: &Neovim, request: OpenRequest) -> Result<Opened, EditorError> {
    let wanted = match request.range {
        Some(range) => Some(wanted(neovim, &request, range).await?),
        None => None,
    };
    let bytes = wanted.and_then(|wanted| wanted.bytes);
    let asked = args([
        ("path", Some(words::path(&request.path))),
        ("line", wanted.map(|wanted| wanted.line.into())),
        ("end_line", wanted.map(|wanted| wanted.end_line.into())),
        ("byte", bytes.map(|(start, _)| start.into())),
        ("end_byte", bytes.map(|(_, end)| end.into())),
        ("start_text", request.start_text.map(Value::from)),
        ("end_text", request.end_text.map(Value::from)),
        ("to_end_of_line", Some(request.to_end_of_line.into())),
        ("preview", Some(request.preview.into())),
        ("focus", Some(request.focus.into())),
    ]);
    let opened: words::Opened = neovim.ask("open", asked).await?;
    let whole_lines = wanted.is_some_and(|wanted| wanted.bytes.is_none());
    let selected = opened.selected.as_ref().map(column::range);
    Ok(Opened {
        path: opened.path,
        language: opened.language,
        line_count: opened.line_count,
        selected: selected.map(|range| if whole_lines { to_next_line(range) } else { range }),
        start_missing: opened.start_missing,
        end_missing: opened.end_missing,
    })
}

/// Whole lines end where the next one begins, which Neovim does not count as selected.
fn to_next_line(range: Range) -> Range {
    Range { end: Position::new(range.end.line + 1, 0), ..range }
}

async fn wanted(neovim: &Neovim, request: &OpenRequest, range: Range) -> Result<Wanted, EditorError> {
    let whole = range.start.character == 0 && range.end.character == 0 && range.end.line > range.start.line;
    if whole {
        return Ok(Wanted { line: range.start.line, end_line: range.end.line - 1, bytes: None });
    }
    let at_line_starts = range.start.character == 0 && range.end.character == 0;
    let text = if at_line_starts { None } else { text(neovim, request).await? };
    let byte = |at: Position| text.as_deref().map_or(0, |text| byte_in_line(text, at));
    let bytes = Some((byte(range.start), byte(range.end)));
    Ok(Wanted { line: range.start.line, end_line: range.end.line, bytes })
}

/// Only the text of the file says which byte a UTF-16 unit is.
async fn text(neovim: &Neovim, request: &OpenRequest) -> Result<Option<std::sync::Arc<str>>, EditorError> {
    match neovim.content(request.path.clone()).await? {
        Content::Text(text) => Ok(Some(text)),
        Content::Missing => Err(EditorError::NotFound(request.path.clone())),
        Content::NotText => Ok(None),
    }
}

fn byte_in_line(text: &str, at: Position) -> u32 {
    let line = Position::new(at.line, 0).byte_in(text);
    u32::try_from(at.byte_in(text).saturating_sub(line)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_become_bytes_of_their_line() {
        let text = "one\nä😀b\n";
        assert_eq!(byte_in_line(text, Position::new(1, 1)), 2);
        assert_eq!(byte_in_line(text, Position::new(1, 3)), 6);
        assert_eq!(byte_in_line(text, Position::new(9, 9)), 0);
    }
}
