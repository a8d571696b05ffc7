//! Which crate may know which: the architecture's one picture, as a table that is tested.

use super::repo::{Package, Repo};
use super::report::Report;

/// Each crate of ours with those of ours it may use. A crate that is not here may not exist.
const ALLOWED: [(&str, &[&str]); 10] = [
    ("carrick", &["carrick-core", "carrick-agents", "carrick-claude", "carrick-editors", "carrick-review"]),
    ("carrick-agents", &["carrick-core"]),
    // It measures the built program from outside, and the door alone with somebody behind it who accepts at once.
    // The SDK it measures as its users would.
    ("carrick-bench", &["carrick-core", "carrick-agents", "carrick-claude", "carrick-editors"]),
    // A crate that others depend on by itself: it must not bring an IDE along.
    ("carrick-claude", &[]),
    ("carrick-core", &[]),
    ("carrick-editors", &["carrick-core", "carrick-kernel"]),
    ("carrick-kernel", &[]),
    ("carrick-review", &["carrick-core"]),
    ("carrick-testkit", &[]),
    ("xtask", &[]),
];

/// What any crate's tests may use besides.
const FOR_TESTS: &str = "carrick-testkit";

const HERE: &str = "xtask/src/tidy/edges.rs";

pub(super) fn check(repo: &Repo, report: &mut Report) {
    for package in &repo.packages {
        match ALLOWED.iter().find(|(name, _)| *name == package.name) {
            Some((_, allowed)) => check_package(repo, package, allowed, report),
            None => report.wrong(
                &package.manifest,
                1,
                format!("`{}` has no row in the table of crate edges", package.name),
                format!("say in {HERE} what it may use"),
            ),
        }
    }
}

fn check_package(repo: &Repo, package: &Package, allowed: &[&str], report: &mut Report) {
    for need in package.needs.iter().filter(|need| is_ours(&need.name)) {
        let fine = allowed.contains(&need.name.as_str()) || (need.dev && need.name == FOR_TESTS);
        if !fine {
            let wrong = format!("`{}` may not use `{}`", package.name, need.name);
            let remedy =
                format!("move the code, or change the table in {HERE} and ARCHITECTURE.md with a reason");
            report.wrong(&package.manifest, line_of(repo, package, &need.name), wrong, remedy);
        }
    }
}

fn is_ours(name: &str) -> bool {
    ALLOWED.iter().any(|(ours, _)| *ours == name)
}

/// Where the manifest names a dependency; line one when it is spelled in a way we do not see.
pub(super) fn line_of(repo: &Repo, package: &Package, need: &str) -> usize {
    let text = repo.files.get(&package.manifest).map_or("", String::as_str);
    let names = |line: &str| line.strip_prefix(need).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    Repo::lines(text).find(|(_, line)| names(line.trim())).map_or(1, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::repo::Need;
    use crate::tidy::report::findings;

    fn repo(name: &str, need: &str, dev: bool) -> Repo {
        let manifest = format!("crates/{name}/Cargo.toml");
        let mut repo = Repo::of(&[(&manifest, &format!("[dependencies]\n{need}.workspace = true\n"))]);
        repo.packages =
            vec![Package { name: name.into(), manifest, needs: vec![Need { name: need.into(), dev }] }];
        repo
    }

    #[test]
    fn an_edge_outside_the_table_is_found_with_its_line() {
        let found = findings(check, &repo("carrick-core", "carrick-agents", false));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("tidy: crates/carrick-core/Cargo.toml:2: `carrick-core` may not use"));
    }

    #[test]
    fn the_testkit_is_for_tests_only() {
        assert!(findings(check, &repo("carrick-agents", "carrick-testkit", true)).is_empty());
        assert_eq!(findings(check, &repo("carrick-agents", "carrick-testkit", false)).len(), 1);
    }

    #[test]
    fn allowed_and_foreign_crates_pass_and_an_unlisted_member_does_not() {
        assert!(findings(check, &repo("carrick-agents", "carrick-core", false)).is_empty());
        assert!(findings(check, &repo("carrick-core", "similar", false)).is_empty());
        assert_eq!(findings(check, &repo("carrick-new", "similar", false)).len(), 1);
    }
}
