//! A made-up repository with one complete tool and one complete method, broken in each way the check must see.

use super::*;
use crate::tidy::report::findings;

const TABLE: &str = "crates/carrick-agents/src/claude/tools/mod.rs";
const TOOL: &str = "crates/carrick-agents/src/claude/tools/open_diff.rs";
const METHODS: &str = "crates/carrick-agents/src/claude/methods/mod.rs";
const METHOD: &str = "crates/carrick-agents/src/claude/methods/read_file.rs";
const TRANSCRIPT: &str = "crates/carrick-agents/tests/transcripts/open_diff-reject.txt";
const ANOTHER: &str = "crates/carrick-agents/tests/transcripts/read-file.txt";

fn complete() -> Repo {
    Repo::of(&[
        (
            TABLE,
            "//! Tools.\nmod open_diff;\npub(crate) static TOOLS: &[Tool] = &[\n    open_diff::TOOL,\n];\nfn f() { a::b() }\n",
        ),
        (TOOL, "//! Diff.\nTool { name: \"openDiff\" }\n"),
        (METHODS, "//! Methods.\npub(crate) const METHODS: [Method; 1] = [read_file::METHOD];\n"),
        (METHOD, "//! Reads.\nMethod { name: \"readFile\" }\n"),
        (TRANSCRIPT, ""),
        (ANOTHER, ""),
        ("crates/carrick-agents/tests/transcripts/talk/ping.txt", ""),
        (PAGE, "# Protocol\n\n## `openDiff`: review\n\n### `readFile`\n"),
    ])
}

/// What the check says once one file is changed, or gone when there is no new text.
fn with(path: &str, text: Option<&str>) -> Vec<String> {
    let mut repo = complete();
    match text {
        Some(text) => repo.files.insert(path.to_owned(), text.to_owned()),
        None => repo.files.remove(path),
    };
    findings(check, &repo)
}

fn only(found: &[String], words: &str) {
    assert!(found.len() == 1 && found[0].contains(words), "{words} in {found:?}");
}

#[test]
fn complete_verbs_pass_and_none_at_all_is_noted() {
    assert_eq!(findings(check, &complete()), Vec::<String>::new());
    let mut report = Report::default();
    check(&Repo::default(), &mut report);
    assert!(report.findings.is_empty() && report.notes.len() == 1);
}

#[test]
fn a_file_without_a_row_is_found() {
    let found = with(TABLE, Some("//! Tools.\nstatic TOOLS: &[Tool] = &[];\n"));
    only(&found, "open_diff.rs:1: the tool `open_diff` has no row in `TOOLS`");
}

#[test]
fn a_row_without_a_file_is_found() {
    let found =
        with(TABLE, Some("//! T.\nstatic TOOLS: &[Tool] = &[\n    open_diff::TOOL,\n    gone::TOOL,\n];\n"));
    only(&found, "mod.rs:4: `TOOLS` has a row for `gone`, which has no file");
}

#[test]
fn a_missing_table_is_found() {
    only(&with(TABLE, None), "there is no table of tools");
    only(&with(METHODS, None), "there is no table of methods");
}

#[test]
fn a_missing_transcript_is_found_and_a_similar_name_does_not_count() {
    only(&with(TRANSCRIPT, None), "the tool `open_diff` has no transcript");
    assert!(tells_of("open-diff", "open_diff") && !tells_of("open_files", "open_file"));
}

#[test]
fn a_transcript_of_nothing_is_found() {
    let found = with("crates/carrick-agents/tests/transcripts/open_sesame.txt", Some(""));
    only(&found, "open_sesame.txt:1: a transcript of no tool and no method");
}

#[test]
fn a_missing_heading_is_found() {
    let found = with(PAGE, Some("## openDiff\n`openDiff` in prose\n## `readFile`\n"));
    only(&found, "open_diff.rs:2: docs/protocol.md has no heading with `openDiff`");
    assert_eq!(with(PAGE, None).len(), 2);
}

#[test]
fn a_file_without_a_wire_name_is_found() {
    only(&with(METHOD, Some("//! name: \"readFile\"\n")), "no wire name found");
}
