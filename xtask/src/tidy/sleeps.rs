//! Tests wait for a condition, never for a time: each sleep in them needs a reason beside it.

use super::code;
use super::repo::Repo;
use super::report::Report;

const REASON: &str = "// waits:";

pub(super) fn check(repo: &Repo, report: &mut Report) {
    for (path, text) in repo.under("", ".rs").filter(|(path, _)| is_test(path)) {
        let names = code::paths(&code::blank(text)).into_iter();
        for (line, _) in names.filter(|(_, name)| is_sleep(name)).filter(|(line, _)| !has_reason(text, *line))
        {
            let remedy =
                format!("wait for a condition, or give the reason in `{REASON} …` on or above the line");
            report.wrong(path, line, "a test sleeps", remedy);
        }
    }
}

fn is_test(path: &str) -> bool {
    path.starts_with("crates/carrick-testkit/") || path.starts_with("tests/") || path.contains("/tests/")
}

fn is_sleep(name: &str) -> bool {
    ["thread::sleep", "time::sleep"]
        .iter()
        .any(|sleep| name == *sleep || name.ends_with(&format!("::{sleep}")))
}

fn has_reason(text: &str, line: usize) -> bool {
    let lines = text.lines().skip(line.saturating_sub(2)).take(if line > 1 { 2 } else { 1 });
    lines.filter_map(|line| line.split_once(REASON)).any(|(_, reason)| !reason.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::report::findings;

    fn source(path: &str, text: &str) -> usize {
        findings(check, &Repo::of(&[(path, text)])).len()
    }

    #[test]
    fn a_sleep_in_a_test_is_found() {
        assert_eq!(source("crates/a/tests/b.rs", "fn a() {\n    std::thread::sleep(MS);\n}\n"), 1);
        assert_eq!(source("crates/carrick-testkit/src/b.rs", "tokio::time::sleep(MS).await;\n"), 1);
        assert_eq!(source("crates/a/tests/b.rs", "use tokio::time::{Instant, sleep};\n"), 1);
        assert_eq!(source("crates/a/tests/b.rs", "// waits:\nthread::sleep(MS);\n"), 1, "a reason has words");
    }

    #[test]
    fn a_reason_excuses_the_line_it_is_on_and_the_next() {
        assert_eq!(source("crates/a/tests/b.rs", "thread::sleep(MS); // waits: the debounce itself\n"), 0);
        assert_eq!(
            source("crates/a/tests/b.rs", "\n// waits: silence is the claim\nthread::sleep(MS);\n"),
            0
        );
        assert_eq!(source("crates/a/tests/b.rs", "// waits: far away\n\nthread::sleep(MS);\n"), 1);
    }

    #[test]
    fn the_product_may_sleep() {
        assert_eq!(source("crates/a/src/b.rs", "tokio::time::sleep(MS).await;\n"), 0);
    }
}
