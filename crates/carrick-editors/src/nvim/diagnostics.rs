//! `diagnostics`: what language servers and linters say about files.

use std::path::PathBuf;

use carrick_core::{Diagnostic, EditorError, FileDiagnostics, Range, Severity};

use super::column::position;
use super::editor::Neovim;
use super::words::{self, Spot, args};

/// How long the language servers may take to speak for the newest version: the CLI itself waits 1.5 s.
const WAIT_MS: u32 = 1200;

pub(super) async fn diagnostics(
    neovim: &Neovim,
    path: Option<PathBuf>,
) -> Result<Vec<FileDiagnostics>, EditorError> {
    let asked = args([("path", path.as_deref().map(words::path)), ("wait_ms", Some(WAIT_MS.into()))]);
    let files: Vec<words::File> = neovim.ask("diagnostics", asked).await?;
    Ok(files.into_iter().map(file).collect())
}

fn file(file: words::File) -> FileDiagnostics {
    let diagnostics = file.diagnostics.into_iter().map(diagnostic).collect();
    FileDiagnostics { path: file.path, diagnostics }
}

fn diagnostic(said: words::Diagnostic) -> Diagnostic {
    let start = Spot { line: said.line, byte: said.byte };
    let end = Spot { line: said.end_line.unwrap_or(said.line), byte: said.end_byte.unwrap_or(said.byte) };
    let end_text = if end.line == start.line { &said.line_text } else { &said.end_line_text };
    Diagnostic {
        range: Range::new(position(start, &said.line_text), position(end, end_text)),
        message: said.message,
        severity: match said.severity {
            Some(2) => Severity::Warning,
            Some(3) => Severity::Info,
            Some(4) => Severity::Hint,
            _ => Severity::Error,
        },
        source: said.source.filter(|source| !source.is_empty()),
        code: said.code.map(|code| match code {
            words::Code::Word(word) => word,
            words::Code::Number(number) => number.to_string(),
            words::Code::Fraction(number) => number.to_string(),
        }),
    }
}
