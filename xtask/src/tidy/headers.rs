//! Every Rust file says on its first line why it exists.

use super::repo::Repo;
use super::report::Report;

pub(super) fn check(repo: &Repo, report: &mut Report) {
    for (path, text) in repo.under("", ".rs") {
        let first = text.lines().next().unwrap_or_default();
        if first.strip_prefix("//!").is_none_or(|reason| reason.trim().is_empty()) {
            report.wrong(path, 1, "the first line does not say why the file exists", "begin it with `//! …`");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::report::findings;

    #[test]
    fn a_file_without_a_reason_is_found() {
        let repo = Repo::of(&[
            ("a.rs", "//! Adds.\nfn a() {}\n"),
            ("b.rs", "fn b() {}\n"),
            ("c.rs", "//!\n//! late\n"),
            ("d.rs", ""),
            ("e.md", "# no Rust\n"),
        ]);
        let found = findings(check, &repo);
        assert_eq!(found.len(), 3);
        assert!(
            found[0].starts_with("tidy: b.rs:1: ") && found[1].contains("c.rs") && found[2].contains("d.rs")
        );
    }
}
