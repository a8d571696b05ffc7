//! The documents name no file, heading or command that does not exist.

use super::markdown::{self, Mention};
use super::repo::Repo;
use super::report::Report;
use super::usage::{self, Help};

const AT_THE_ROOT: [&str; 4] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
/// A word in backticks that begins so is a path of ours.
const OUR_FOLDERS: [&str; 5] = ["crates/", "xtask/", "docs/", "plugins/", ".ci/"];
/// A word in backticks with a slash in it that ends so is a path, too.
const EXTENSIONS: [&str; 14] =
    ["rs", "md", "toml", "txt", "json", "lua", "el", "vim", "kak", "ts", "js", "py", "sh", "html"];

pub(super) fn check(repo: &Repo, report: &mut Report) {
    let help = Help::of_the_built_command().unwrap_or_else(|error| {
        let wrong = format!("the documents cannot be compared with the command: {error:#}");
        report.wrong("crates/carrick/Cargo.toml", 1, wrong, "make it build and answer `--help`");
        Help::default()
    });
    check_with(repo, &help, report);
}

fn check_with(repo: &Repo, help: &Help, report: &mut Report) {
    let mut commands = 0;
    for (path, text) in documents(repo) {
        for (line, mention) in markdown::mentions(text) {
            match mention {
                Mention::Link(target) => check_link(repo, path, line, target, report),
                Mention::Code(code) => {
                    paths(code).for_each(|name| check_path(repo, path, line, name, report));
                    commands += usage::check(help, path, line, code, report);
                }
                Mention::Block(code) => commands += usage::check(help, path, line, code, report),
            }
        }
    }
    if commands > 0 && help.is_empty() {
        report.note(format!(
            "`carrick --help` lists no commands yet: {commands} mentions of it were not checked"
        ));
    }
}

fn documents(repo: &Repo) -> impl Iterator<Item = (&str, &str)> {
    repo.under("", ".md").filter(|(path, _)| AT_THE_ROOT.contains(path) || path.starts_with("docs/"))
}

fn check_link(repo: &Repo, path: &str, line: usize, target: &str, report: &mut Report) {
    if target.contains("://") || target.starts_with("mailto:") {
        return;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = if file.is_empty() { Some(path.to_owned()) } else { beside(path, file) };
    let Some(file) = file.filter(|file| repo.has(file)) else {
        return report.wrong(path, line, format!("the link `{target}` leads nowhere"), "correct the path");
    };
    let text = repo.files.get(&file).map_or("", String::as_str);
    if !anchor.is_empty()
        && file.ends_with(".md")
        && !markdown::anchors(text).iter().any(|name| name == anchor)
    {
        let wrong = format!("the link `{target}` leads to a heading {file} does not have");
        report.wrong(path, line, wrong, "correct the part after `#`");
    }
}

/// The words of a piece of code that can only be paths of this repository.
fn paths(code: &str) -> impl Iterator<Item = &str> {
    let words =
        code.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')', ',', ';', ':', '.']));
    let words = words.map(|word| word.split_once(':').map_or(word, |(path, _)| path));
    words.map(|word| word.split_once('#').map_or(word, |(path, _)| path)).filter(|word| is_path(word))
}

fn is_path(word: &str) -> bool {
    let elsewhere = word.starts_with(['/', '~', '$', '-', '@', '%']) || word.starts_with("target/");
    let open = word.contains(['<', '>', '*', '{', '}', '…', '$', '=', '|', '\\']) || word.contains("...");
    let known =
        word.rsplit_once('.').is_some_and(|(stem, end)| stem.contains('/') && EXTENSIONS.contains(&end));
    !elsewhere && !open && (known || ours(word))
}

/// The leading dot of `.ci/` is lost when a word is trimmed of its full stops.
fn ours(word: &str) -> bool {
    OUR_FOLDERS
        .iter()
        .any(|folder| word.starts_with(folder) || word.starts_with(folder.trim_start_matches('.')))
}

fn check_path(repo: &Repo, path: &str, line: usize, name: &str, report: &mut Report) {
    let near = beside(path, name).is_some_and(|near| repo.has(&near));
    if !near && !repo.has(name) && !repo.has(&format!(".{name}")) {
        let remedy = "correct the path; an example that is no file of ours goes into a code block";
        report.wrong(path, line, format!("`{name}` does not exist"), remedy);
    }
}

/// A relative path as seen from a document; nothing when it leaves the repository.
fn beside(document: &str, target: &str) -> Option<String> {
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
#[path = "documents_tests.rs"]
mod tests;
