//! What must not stand in the crates: queues without a bound, unfinished code, tests that are switched off.

use super::code;
use super::repo::Repo;
use super::report::Report;

const UNBOUNDED: &str = "a queue without a bound";
const BOUND_IT: &str = "bound it, and write beside the bound what happens when it is full";

pub(super) fn check(repo: &Repo, report: &mut Report) {
    for (path, text) in repo.under("crates/", ".rs") {
        let code = code::blank(text);
        unfinished(path, &code, report);
        if path.contains("/src/") {
            unbounded(path, &code, report);
        }
    }
}

fn unfinished(path: &str, code: &str, report: &mut Report) {
    for (number, line) in Repo::lines(code) {
        for word in ["todo", "unimplemented"] {
            if has_macro(line, word) {
                report.wrong(
                    path,
                    number,
                    format!("`{word}!` ends the process"),
                    "write it, or leave it out",
                );
            }
        }
        if line.contains("#[ignore") {
            report.wrong(path, number, "a test that is switched off", "make it pass, or delete it");
        }
    }
}

fn has_macro(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + word.len()..).unwrap_or_default();
        !before.is_some_and(|char| char.is_alphanumeric() || char == '_') && after.starts_with('!')
    })
}

fn unbounded(path: &str, code: &str, report: &mut Report) {
    let mut lines: Vec<usize> = code::paths(code)
        .into_iter()
        .filter(|(_, name)| {
            let last = name.rsplit("::").next().unwrap_or_default();
            last == "unbounded_channel"
                || name.ends_with("::unbounded")
                || name.ends_with("std::sync::mpsc::channel")
        })
        .map(|(line, _)| line)
        .collect();
    lines.extend(Repo::lines(code).filter(|(_, line)| is_std_channel(line)).map(|(number, _)| number));
    lines.sort_unstable();
    lines.dedup();
    lines.into_iter().for_each(|line| report.wrong(path, line, UNBOUNDED, BOUND_IT));
}

/// `mpsc::channel()`: only the unbounded one of the standard library is called without a size.
fn is_std_channel(line: &str) -> bool {
    line.split("mpsc::channel").skip(1).any(|after| {
        let call = after
            .strip_prefix("::<")
            .and_then(|types| types.rsplit_once('>'))
            .map_or(after, |(_, call)| call);
        call.starts_with("()")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::report::findings;

    fn source(path: &str, text: &str) -> Vec<String> {
        findings(check, &Repo::of(&[(path, text)]))
    }

    #[test]
    fn every_spelling_of_an_unbounded_queue_is_found() {
        for bad in [
            "let (a, b) = mpsc::unbounded_channel();",
            "use tokio::sync::mpsc::{Sender, unbounded_channel};",
            "let (a, b) = mpsc::channel();",
            "let (a, b) = std::sync::mpsc::channel::<Vec<u8>>();",
            "use std::sync::mpsc::{channel, Sender};",
            "let (a, b) = flume::unbounded();",
        ] {
            assert_eq!(source("crates/a/src/b.rs", bad).len(), 1, "{bad}");
        }
    }

    #[test]
    fn bounded_queues_pass() {
        let good = "mpsc::channel(16); mpsc::channel::<u8>(16); oneshot::channel(); // unbounded_channel\n";
        assert!(source("crates/a/src/b.rs", good).is_empty());
    }

    #[test]
    fn unfinished_code_and_ignored_tests_are_found_in_tests_too() {
        assert_eq!(source("crates/a/src/b.rs", "fn a() { todo!() }\nfn b() { unimplemented!() }\n").len(), 2);
        assert_eq!(source("crates/a/tests/b.rs", "#[ignore = \"slow\"]\nfn a() {}\n").len(), 1);
        assert!(source("crates/a/src/b.rs", "/// No todo!\nlet s = \"todo!\"; my_todo!();\n").is_empty());
    }
}
