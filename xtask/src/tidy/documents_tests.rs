//! Documents that point at something missing, in each way they can.

use super::*;

fn findings(files: &[(&str, &str)]) -> Vec<String> {
    let mut report = Report::default();
    check_with(&Repo::of(files), &Help::default(), &mut report);
    report.findings.iter().map(ToString::to_string).collect()
}

/// What is said about this README in a small repository.
fn readme(text: &str) -> Vec<String> {
    findings(&[
        ("README.md", text),
        ("docs/link.md", "# The link\n## Framing\n"),
        (".ci/run", ""),
        ("xtask/src/main.rs", ""),
    ])
}

#[test]
fn a_link_to_a_missing_file_is_found() {
    assert_eq!(readme("[a](docs/link.md) [b](docs/) [c](https://example.com/x.md)\n"), Vec::<String>::new());
    let found = readme("\n[a](docs/lnik.md)\n");
    assert!(found[0].starts_with("tidy: README.md:2: the link `docs/lnik.md` leads nowhere"));
    assert_eq!(readme("[a](../outside.md)\n").len(), 1);
}

#[test]
fn a_link_to_a_missing_heading_is_found() {
    assert!(readme("# Top\n[a](docs/link.md#framing) [b](#top)\n").is_empty());
    assert_eq!(readme("# Top\n[a](docs/link.md#frames) [b](#bottom)\n").len(), 2);
}

#[test]
fn links_are_seen_from_the_document() {
    let files = [("docs/a.md", "[up](../README.md) [side](b.md) `b.md` `docs/b.md`\n"), ("docs/b.md", "")];
    assert_eq!(findings(&files).len(), 1, "there is no README");
}

#[test]
fn a_path_in_backticks_must_exist() {
    assert!(readme("`.ci/run` `xtask/src/main.rs:12` `docs/` `edit docs/link.md.`\n").is_empty());
    assert_eq!(readme("`crates/gone` `xtask/src/gone.rs` `.ci/gone` `other/gone.lua`\n").len(), 4);
}

#[test]
fn placeholders_globs_and_foreign_words_are_left_alone() {
    let fine = "`crates/<name>/src` `docs/*.md` `~/.claude/a.json` `text/plain` `a.rs` `/tmp/x.json` `target/a.txt`\n";
    assert_eq!(readme(fine), Vec::<String>::new());
    assert!(readme("```\nsrc/example.rs\n```\n").is_empty());
}

#[test]
fn other_markdown_is_not_ours_to_check() {
    assert!(findings(&[("crates/a/README.md", "[a](gone.md)\n")]).is_empty());
}

#[test]
fn mentions_of_the_command_are_noted_while_it_has_none() {
    let mut report = Report::default();
    check_with(&Repo::of(&[("README.md", "`carrick serve`\n")]), &Help::default(), &mut report);
    assert!(report.findings.is_empty() && report.notes[0].contains("1 mentions"));
}
