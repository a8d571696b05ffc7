//! Nothing names the host of a registry or a folder of one machine: a clone must mean the same everywhere.

use super::repo::Repo;
use super::report::Report;

/// In parts, so that this file passes its own check.
const HOSTS: [(&str, &str); 4] = [("crates", ".io"), ("npm", "js"), ("py", "pi.org"), ("debian", ".org")];
const FOLDERS: [(&str, &str); 2] = [("/wo", "rk/"), ("/ro", "ot/")];

pub(super) fn check(repo: &Repo, report: &mut Report) {
    for (path, text) in repo.under("", "").filter(|(path, _)| !is_excused(path)) {
        for (number, line) in Repo::lines(text) {
            if let Some(host) = HOSTS.map(join).iter().find(|host| line.contains(*host)) {
                report.wrong(
                    path,
                    number,
                    format!("names a registry's host, `{host}`"),
                    "say what it is instead",
                );
            }
            if let Some(folder) = FOLDERS.map(join).iter().find(|folder| names_folder(line, folder)) {
                let remedy = "use a relative path, a temporary folder, or /home/me in an example";
                report.wrong(path, number, format!("names a folder of one machine, `{folder}`"), remedy);
            }
        }
    }
}

fn join((first, second): (&str, &str)) -> String {
    format!("{first}{second}")
}

/// Generated, or other people's words.
fn is_excused(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == "Cargo.lock" || name.starts_with("LICENSE")
}

/// At the beginning of a path only: a folder of that name inside another one is anybody's.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        !before.is_some_and(|char| char.is_alphanumeric() || "._-}~>*)".contains(char))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::report::findings;

    fn file(path: &str, text: &str) -> Vec<String> {
        findings(check, &Repo::of(&[(path, text)]))
    }

    #[test]
    fn every_host_and_folder_is_found() {
        for pair in HOSTS {
            assert_eq!(file("a.md", &format!("\nsee {}\n", join(pair))).len(), 1, "{pair:?}");
        }
        for pair in FOLDERS {
            assert_eq!(file("a.rs", &format!("\"file://{}x\"\n", join(pair))).len(), 1, "{pair:?}");
        }
    }

    #[test]
    fn lock_file_licences_and_inner_folders_pass() {
        let host = join(("crates", ".io"));
        assert!(file("Cargo.lock", &host).is_empty() && file("LICENSE-MIT", &host).is_empty());
        assert!(
            file("a.md", &format!("my{}x {{root}}{}x\n", join(("/wo", "rk/")), join(("/ro", "ot/"))))
                .is_empty()
        );
    }
}
