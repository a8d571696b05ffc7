//! The core stays a vocabulary: nothing in it can be serialised, and it touches no file, socket or process.

use super::code;
use super::edges::line_of;
use super::repo::Repo;
use super::report::Report;

const CRATE: &str = "carrick-core";
const SOURCES: &str = "crates/carrick-core/src/";
const OUTSIDE_WORLD: [&str; 6] =
    ["std::fs", "std::net", "std::process", "tokio::fs", "tokio::net", "tokio::process"];

pub(super) fn check(repo: &Repo, report: &mut Report) {
    check_needs(repo, report);
    for (path, text) in repo.under(SOURCES, ".rs") {
        for (line, name) in code::paths(&code::blank(text)) {
            if let Some(world) = OUTSIDE_WORLD.iter().find(|world| begins_with(&name, world)) {
                let wrong = format!("the core reaches for `{world}`");
                report.wrong(path, line, wrong, "do the I/O in an adapter and hand the core what it found");
            }
        }
    }
}

fn check_needs(repo: &Repo, report: &mut Report) {
    for package in repo.packages.iter().filter(|package| package.name == CRATE) {
        for need in package.needs.iter().filter(|need| !need.dev && need.name.starts_with("serde")) {
            let wrong = format!("the core depends on `{}`", need.name);
            let remedy = "give the wire its own types where the wire is spoken";
            report.wrong(&package.manifest, line_of(repo, package, &need.name), wrong, remedy);
        }
    }
}

fn begins_with(name: &str, world: &str) -> bool {
    name.strip_prefix(world).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::repo::{Need, Package};
    use crate::tidy::report::findings;

    fn source(text: &str) -> Vec<String> {
        findings(check, &Repo::of(&[("crates/carrick-core/src/a.rs", text)]))
    }

    #[test]
    fn io_is_found_however_it_is_imported() {
        assert_eq!(source("use std::fs::File;\n").len(), 1);
        assert_eq!(source("fn f() {\n    std::process::exit(1)\n}\n").len(), 1);
        let found = source("use std::{\n    collections::HashMap,\n    net::{IpAddr, TcpStream},\n};\n");
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("a.rs:3: the core reaches for `std::net`"));
    }

    #[test]
    fn words_about_io_and_other_crates_are_fine() {
        assert!(source("//! Never std::fs.\nuse std::fmt;\n").is_empty());
        assert!(findings(check, &Repo::of(&[("crates/carrick/src/a.rs", "use std::fs;\n")])).is_empty());
    }

    #[test]
    fn serde_is_found_in_the_manifest() {
        let mut repo = Repo::of(&[("crates/carrick-core/Cargo.toml", "[dependencies]\n\nserde = \"1\"\n")]);
        let needs =
            vec![Need { name: "serde".into(), dev: false }, Need { name: "serde_json".into(), dev: true }];
        repo.packages =
            vec![Package { name: CRATE.into(), manifest: "crates/carrick-core/Cargo.toml".into(), needs }];
        let found = findings(check, &repo);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("Cargo.toml:3: the core depends on `serde`"));
    }
}
