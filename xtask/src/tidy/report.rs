//! What the checks found, in the one form a person or an editor's quickfix list can read.

use std::fmt;

/// Everything the checks have to say.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) findings: Vec<Finding>,
    pub(super) notes: Vec<String>,
}

/// One thing that is wrong, where, and what to do about it.
#[derive(Debug)]
pub(super) struct Finding {
    path: String,
    line: usize,
    wrong: String,
    remedy: String,
}

impl Report {
    pub(super) fn wrong(
        &mut self,
        path: &str,
        line: usize,
        wrong: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.findings.push(Finding {
            path: path.to_owned(),
            line,
            wrong: wrong.into(),
            remedy: remedy.into(),
        });
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "tidy: {}:{}: {} — {}", self.path, self.line, self.wrong, self.remedy)
    }
}

/// What a check says about a repository made up in memory, for the tests that show each check can fail.
#[cfg(test)]
pub(super) fn findings(check: super::Check, repo: &super::Repo) -> Vec<String> {
    let mut report = Report::default();
    check(repo, &mut report);
    report.findings.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_with_place_and_remedy() {
        let mut report = Report::default();
        report.wrong("a.rs", 3, "it is crooked", "straighten it");
        assert_eq!(report.findings[0].to_string(), "tidy: a.rs:3: it is crooked — straighten it");
    }
}
