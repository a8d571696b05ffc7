//! Commands in the documents, compared with what the programs say themselves: `carrick … --help`, our own chores.

use std::collections::BTreeMap;

use anyhow::Result;

use super::report::Report;
use crate::{CHORES, run, serve};

/// The help text of the command and of each of its subcommands, by the words typed: `""`, `review`, `review list`.
#[derive(Default)]
pub(super) struct Help {
    texts: BTreeMap<String, String>,
}

impl Help {
    /// Asks the binary, built now. It is empty while the command has no subcommands.
    pub(super) fn of_the_built_command() -> Result<Self> {
        run::must(&mut run::cargo(["build", "--quiet", "--package", "carrick"]))?;
        let name = format!("carrick{}", std::env::consts::EXE_SUFFIX);
        let binary = serve::target_folder()?.join("debug").join(name);
        let mut help = Self::default();
        help.ask(
            &|words| run::text(run::program(&binary).args(words).arg("--help")).unwrap_or_default(),
            &[],
        );
        Ok(help)
    }

    fn ask(&mut self, command: &dyn Fn(&[&str]) -> String, words: &[&str]) {
        let text = command(words);
        for name in subcommands(&text).filter(|name| *name != "help") {
            self.ask(command, &[words, &[name]].concat());
        }
        self.texts.insert(words.join(" "), text);
    }

    /// Whether there is nothing to compare with.
    pub(super) fn is_empty(&self) -> bool {
        self.texts.len() < 2
    }

    fn text(&self, words: &str) -> &str {
        self.texts.get(words).map_or("", String::as_str)
    }
}

/// The names under `Commands:`.
fn subcommands(help: &str) -> impl Iterator<Item = &str> {
    let section = help.lines().skip_while(|line| line.trim() != "Commands:").skip(1);
    let rows =
        section.take_while(|line| line.is_empty() || line.starts_with(' ')).filter(|line| !line.is_empty());
    // Deeper lines go on with the description of the row above.
    let names =
        rows.filter(|line| !line.starts_with("    ")).filter_map(|line| line.split_whitespace().next());
    names.map(|name| name.trim_end_matches(','))
}

/// Checks each command of a line of code, and says how many calls of `carrick` it saw.
pub(super) fn check(help: &Help, path: &str, line: usize, code: &str, report: &mut Report) -> usize {
    let mut seen = 0;
    for command in code.split(" && ").flat_map(|part| part.split(" | ")).flat_map(|part| part.split("; ")) {
        let words: Vec<&str> = command.split_whitespace().skip_while(|word| *word == "$").collect();
        match words.as_slice() {
            ["cargo", "xtask", chore, ..] => check_chore(path, line, chore, report),
            ["carrick" | "target/release/carrick", rest @ ..] if !rest.is_empty() => {
                seen += 1;
                if !help.is_empty() {
                    check_carrick(help, path, line, rest, report);
                }
            }
            _ => {}
        }
    }
    seen
}

fn check_chore(path: &str, line: usize, chore: &str, report: &mut Report) {
    if is_name(chore) && chore != "help" && !CHORES.iter().any(|known| known.name == chore) {
        report.wrong(
            path,
            line,
            format!("there is no chore `cargo xtask {chore}`"),
            "`cargo xtask --help` lists them",
        );
    }
}

fn check_carrick(help: &Help, path: &str, line: usize, words: &[&str], report: &mut Report) {
    let mut at = String::new();
    let ours = words.iter().take_while(|word| !matches!(**word, "--" | "#" | ">" | "&" | "|" | "\\"));
    for word in ours {
        let known: Vec<&str> = subcommands(help.text(&at)).collect();
        if let Some(flag) = long_flag(word) {
            if !help.text(&at).contains(flag) && !help.text("").contains(flag) {
                report.wrong(
                    path,
                    line,
                    format!("`carrick {at}` has no `{flag}`"),
                    "its `--help` lists what it has",
                );
            }
        } else if !known.is_empty() && word.split('|').all(is_name) {
            for name in word.split('|').filter(|name| !known.contains(name) && *name != "help") {
                let typed = format!("carrick {at} {name}").replace("  ", " ");
                report.wrong(
                    path,
                    line,
                    format!("there is no command `{typed}`"),
                    "`--help` lists what there is",
                );
            }
            at = format!("{at} {}", word.split('|').next().unwrap_or_default()).trim_start().to_owned();
        }
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|char: char| char.is_ascii_lowercase())
        && word.chars().all(|char| char.is_ascii_lowercase() || char == '-')
}

/// `--json` of `--json`, `[--json]` and `--hunks=1,3`.
fn long_flag(word: &str) -> Option<&str> {
    let word = word.trim_start_matches('[');
    let end = word.find(|char: char| !char.is_ascii_alphanumeric() && char != '-').unwrap_or(word.len());
    word.get(..end).filter(|flag| flag.starts_with("--") && flag.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help() -> Help {
        let mut help = Help::default();
        let answer = |words: &[&str]| match words {
            [] => {
                "Joins.\n\nUsage: carrick\n\nCommands:\n  serve   Serve\n             on and on\n  review  Review\n  help    Print\n\nOptions:\n  -v, --verbose\n  -h, --help\n"
            }
            ["review"] => "Commands:\n  list\n  show\n",
            ["serve"] => "Options:\n      --json\n",
            _ => "",
        };
        help.ask(&|words| answer(words).to_owned(), &[]);
        help
    }

    fn findings(code: &str) -> Vec<String> {
        let mut report = Report::default();
        check(&help(), "README.md", 1, code, &mut report);
        report.findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn known_commands_pass() {
        for good in [
            "carrick serve DIR --json --verbose",
            "$ carrick review list|show ID && carrick serve",
            "carrick --help | less",
            "carrick serve -- --unknown",
            "cargo xtask test --only fmt",
            "carrick <command>",
            "carrick-core is a crate",
        ] {
            assert_eq!(findings(good), Vec::<String>::new(), "{good}");
        }
    }

    #[test]
    fn unknown_commands_flags_and_chores_are_found() {
        for (bad, words) in [
            ("carrick srve", "no command `carrick srve`"),
            ("carrick review accept", "no command `carrick review accept`"),
            ("carrick review list|shwo", "no command `carrick review shwo`"),
            ("cd x && carrick serve --jsn", "`carrick serve` has no `--jsn`"),
            ("cargo xtask dance", "no chore `cargo xtask dance`"),
        ] {
            let found = findings(bad);
            assert!(found.len() == 1 && found[0].contains(words), "{bad}: {found:?}");
        }
    }
}
