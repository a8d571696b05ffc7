//! Every tool and method is complete: a file, a row in the table, a transcript and a heading in the protocol page.

use std::collections::BTreeSet;

use super::code;
use super::markdown;
use super::repo::Repo;
use super::report::Report;

/// A folder with one file per verb, and the table that lists them.
struct Kind {
    what: &'static str,
    folder: &'static str,
    table: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind { what: "tool", folder: "crates/carrick-agents/src/claude/tools/", table: "TOOLS" },
    Kind { what: "method", folder: "crates/carrick-agents/src/claude/methods/", table: "METHODS" },
];

/// Files right in this folder belong to a verb; conversations about anything else have folders of their own in it.
const TRANSCRIPTS: &str = "crates/carrick-agents/tests/transcripts/";
const PAGE: &str = "docs/protocol.md";

pub(super) fn check(repo: &Repo, report: &mut Report) {
    if !KINDS.iter().any(|kind| repo.has(kind.folder)) {
        return report.note("no tools yet: nothing to check about their tables, transcripts and headings");
    }
    for kind in &KINDS {
        check_kind(repo, kind, report);
    }
    check_transcripts(repo, report);
}

fn check_kind(repo: &Repo, kind: &Kind, report: &mut Report) {
    let table = format!("{}mod.rs", kind.folder);
    let Some(text) = repo.files.get(&table) else {
        return report.wrong(
            &table,
            1,
            format!("there is no table of {}s", kind.what),
            format!("declare `{}` in it", kind.table),
        );
    };
    let (files, rows) = (stems(repo, kind), rows(text, kind.table));
    for (row, line) in rows.iter().filter(|(row, _)| !files.contains(row.as_str())) {
        let wrong = format!("`{}` has a row for `{row}`, which has no file", kind.table);
        report.wrong(&table, *line, wrong, format!("write {}{row}.rs, or take the row out", kind.folder));
    }
    for stem in files {
        if !rows.iter().any(|(row, _)| row == stem) {
            let wrong = format!("the {} `{stem}` has no row in `{}`", kind.what, kind.table);
            report.wrong(
                &path(kind, stem),
                1,
                wrong,
                format!("add it in {table}; a file that is no {} lives elsewhere", kind.what),
            );
        }
        check_verb(repo, kind, stem, report);
    }
}

fn check_verb(repo: &Repo, kind: &Kind, stem: &str, report: &mut Report) {
    let path = path(kind, stem);
    if !transcripts(repo).any(|transcript| tells_of(transcript, stem)) {
        let wrong = format!("the {} `{stem}` has no transcript", kind.what);
        report.wrong(&path, 1, wrong, format!("record one as {TRANSCRIPTS}{stem}.txt"));
    }
    let Some((line, wire)) = wire_name(repo.files.get(&path).map_or("", String::as_str)) else {
        return report.wrong(&path, 1, "no wire name found", "declare it as `name: \"…\"`");
    };
    let page = repo.files.get(PAGE).map_or("", String::as_str);
    if !markdown::headings(page).any(|(_, heading)| heading.contains(&format!("`{wire}`"))) {
        let wrong = format!("{PAGE} has no heading with `{wire}` in backticks");
        report.wrong(&path, line, wrong, format!("describe the {} there", kind.what));
    }
}

fn check_transcripts(repo: &Repo, report: &mut Report) {
    let verbs: Vec<&str> = KINDS.iter().flat_map(|kind| stems(repo, kind)).collect();
    for name in transcripts(repo).filter(|name| !verbs.iter().any(|verb| tells_of(name, verb))) {
        let remedy = "name it after the verb's file, or keep it in a folder beside";
        report.wrong(&format!("{TRANSCRIPTS}{name}.txt"), 1, "a transcript of no tool and no method", remedy);
    }
}

fn path(kind: &Kind, stem: &str) -> String {
    format!("{}{stem}.rs", kind.folder)
}

/// The files of a kind by name, its table left out.
fn stems<'a>(repo: &'a Repo, kind: &'a Kind) -> BTreeSet<&'a str> {
    let names = repo.under(kind.folder, ".rs").filter_map(|(path, _)| path.strip_prefix(kind.folder));
    names
        .filter_map(|name| name.strip_suffix(".rs"))
        .filter(|stem| *stem != "mod" && !stem.contains('/'))
        .collect()
}

fn transcripts(repo: &Repo) -> impl Iterator<Item = &str> {
    let names = repo.under(TRANSCRIPTS, ".txt").filter_map(|(path, _)| path.strip_prefix(TRANSCRIPTS));
    names.filter_map(|name| name.strip_suffix(".txt")).filter(|name| !name.contains('/'))
}

/// `open_diff` is told of by `open_diff`, `open-diff` and `open_diff-reject`, but `open_file` not by `open_files`.
fn tells_of(transcript: &str, stem: &str) -> bool {
    let name = transcript.replace('-', "_");
    name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '.']))
}

/// The modules a table's rows name, with the line: `open_file::TOOL` is a row for `open_file`.
fn rows(text: &str, table: &str) -> Vec<(String, usize)> {
    let code = code::blank(text);
    let names = code::paths(&code);
    let begin = names.iter().position(|(_, name)| name == table).map_or(names.len(), |at| at + 1);
    let end = declaration_end(&code, table);
    let mut rows: Vec<(String, usize)> = Vec::new();
    for (line, name) in names.iter().skip(begin).take_while(|(line, _)| *line <= end) {
        let module = name.rsplit("::").nth(1).unwrap_or_default();
        let is_module = module.starts_with(|char: char| char.is_ascii_lowercase()) && !is_path_root(module);
        if is_module && !rows.iter().any(|(row, _)| row == module) {
            rows.push((module.to_owned(), *line));
        }
    }
    rows
}

fn is_path_root(module: &str) -> bool {
    ["self", "super", "crate", "std"].contains(&module)
}

/// The line with the bracket that closes the table's list.
fn declaration_end(code: &str, table: &str) -> usize {
    let declares =
        |line: &str| ["const ", "static "].iter().any(|word| line.contains(&format!("{word}{table}:")));
    let after = Repo::lines(code).skip_while(|(_, line)| !declares(line));
    after.filter(|(_, line)| line.trim_end().ends_with("];")).map(|(number, _)| number).next().unwrap_or(0)
}

/// The first `name: "…"` or `NAME: &str = "…"` of a file, and its line.
fn wire_name(text: &str) -> Option<(usize, &str)> {
    Repo::lines(text).find_map(|(number, line)| {
        let line = line.trim_start();
        let after = line.split_once("name: \"").or_else(|| line.split_once("NAME: &str = \""))?.1;
        let (name, _) = after.split_once('"')?;
        (!line.starts_with("//") && !name.is_empty()).then_some((number, name))
    })
}

#[cfg(test)]
#[path = "verbs_tests.rs"]
mod tests;
