//! `cargo xtask serve`: from a fresh clone to a running server in one command.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};

use crate::progress::{Step, note};
use crate::{Usage, page, run};

/// Builds what is needed, then becomes `carrick serve`, which says itself what to type next.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let (folder, more) = parse(args)?;
    page::build()?;
    let binary = build_release()?;
    let mut serve = run::program(binary);
    serve.arg("serve").args(folder).args(more);
    note(&run::line(&serve));
    run::become_it(&mut serve)
}

/// The release binary, built now; also what is measured.
pub(crate) fn build_release() -> Result<PathBuf> {
    timed("build", &mut run::cargo(["build", "--release", "--package", "carrick"]))?;
    Ok(target_folder()?.join("release").join(format!("carrick{}", std::env::consts::EXE_SUFFIX)))
}

/// Where cargo puts what it builds: a person may have moved it.
pub(crate) fn target_folder() -> Result<PathBuf> {
    let text = run::text(&mut run::cargo(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&text).context("reading `cargo metadata`")?;
    let folder = metadata.get("target_directory").and_then(serde_json::Value::as_str);
    folder.map(PathBuf::from).context("`cargo metadata` names no target directory")
}

fn parse(args: &[String]) -> Result<(Option<&String>, &[String])> {
    let ours = crate::before_dashes(args);
    let more = args.get(ours.len() + 1..).unwrap_or_default();
    match ours {
        [] => Ok((None, more)),
        [folder] if folder.starts_with('-') => {
            Err(Usage(format!("serve has no option `{folder}`; arguments of `carrick serve` go after `--`"))
                .into())
        }
        [folder] if Path::new(folder).is_dir() => Ok((Some(folder), more)),
        [folder] => Err(Usage(format!("cannot serve `{folder}`: there is no such folder")).into()),
        _ => Err(Usage("serve takes one folder; arguments of `carrick serve` go after `--`".into()).into()),
    }
}

fn timed(name: &str, command: &mut Command) -> Result<()> {
    let step = Step::begin(&format!("{name}: {}", run::line(command)));
    // Our stdout will be the server's: a line of a build there would stand before its first one.
    let result = run::must(command.stdout(std::io::stderr()));
    step.end(result.is_ok());
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_folder_and_more_arguments_are_told_apart() {
        let args = line(&["/", "--", "--json", "-v"]);
        let (folder, more) = parse(&args).expect("good line");
        assert_eq!(folder.map(String::as_str), Some("/"));
        assert_eq!(more, ["--json", "-v"]);
        assert_eq!(parse(&[]).expect("nothing is fine"), (None, &[][..]));
    }

    #[test]
    fn a_wrong_line_is_refused_before_anything_is_built() {
        for bad in [&["--json"][..], &["/", "/"], &["/no/such/folder"]] {
            assert!(parse(&line(bad)).expect_err("refused").is::<Usage>());
        }
    }
}
