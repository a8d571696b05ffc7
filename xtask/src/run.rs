//! Starting other programs: where, with which environment, and what is said when one cannot be started.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::progress;

/// The folder of the workspace, wherever the chore was typed.
pub(crate) fn root() -> PathBuf {
    let own = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    own.parent().map(Path::to_path_buf).unwrap_or(own)
}

/// Cargo in the workspace: the one that runs us, so that a pinned toolchain stays pinned.
pub(crate) fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(args);
    command.env("CARGO_TERM_COLOR", if progress::colour() { "always" } else { "never" });
    command
}

/// Any other program, without the variables by which cargo tells *us* who we are.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    forget(&mut command, &["CARGO_PKG_", "CARGO_MANIFEST_"]);
    command
}

/// Takes every variable with one of these beginnings out of the child's environment.
pub(crate) fn forget(command: &mut Command, beginnings: &[&str]) {
    for (key, _) in std::env::vars_os() {
        let text = key.to_string_lossy();
        if beginnings.iter().any(|beginning| text.starts_with(beginning)) {
            command.env_remove(&key);
        }
    }
}

/// Runs to the end with our own stdout and stderr. `false` is a failure the program has explained itself.
pub(crate) fn passes(command: &mut Command) -> Result<bool> {
    Ok(command.status().with_context(|| cannot_start(command))?.success())
}

/// As [`passes`], but a failure ends the chore.
pub(crate) fn must(command: &mut Command) -> Result<()> {
    if passes(command)? {
        return Ok(());
    }
    bail!("`{}` failed; its own words are above", line(command))
}

/// Runs without a sound and gives back whether it worked.
pub(crate) fn quietly(command: &mut Command) -> bool {
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    silent.status().is_ok_and(|status| status.success())
}

/// Runs to the end and gives back what it printed on stdout.
pub(crate) fn text(command: &mut Command) -> Result<String> {
    let done = command.stderr(Stdio::inherit()).output().with_context(|| cannot_start(command))?;
    if !done.status.success() {
        bail!("`{}` failed; its own words are above", line(command));
    }
    String::from_utf8(done.stdout)
        .with_context(|| format!("`{}` printed something that is not UTF-8", line(command)))
}

/// Turns into another program: signals and the exit code need no passing on when nobody stands between.
#[cfg(unix)]
pub(crate) fn become_it(command: &mut Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    let error = command.exec();
    Err(error).with_context(|| cannot_start(command))
}

/// Where a process cannot turn into another one, wait for it and repeat its exit code.
#[cfg(not(unix))]
pub(crate) fn become_it(command: &mut Command) -> Result<ExitCode> {
    let status = command.status().with_context(|| cannot_start(command))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The command as a person would type it.
pub(crate) fn line(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Where a program is, if it is installed. The system folders count although a plain user's PATH lacks them.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let system = ["/usr/sbin", "/sbin"].map(PathBuf::from);
    std::env::split_paths(&path).chain(system).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start `{}`; is it installed and on PATH?", line(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_name() {
        assert!(find("sh").is_some());
        assert!(find("no-such-program-here").is_none());
    }

    #[test]
    fn a_failure_names_the_command() {
        let error = must(program("sh").args(["-c", "exit 3"])).expect_err("exit 3");
        assert!(error.to_string().starts_with("`sh -c exit 3` failed"));
        let error = text(&mut program("no-such-program-here")).expect_err("missing");
        assert!(error.to_string().contains("is it installed"));
    }

    #[test]
    fn variables_are_forgotten_by_their_beginning() {
        let (key, _) = std::env::vars().find(|(key, _)| key == "PATH").expect("PATH is set");
        let mut command = program("sh");
        forget(&mut command, &["PAT"]);
        assert!(command.get_envs().any(|(name, value)| name == OsStr::new(&key) && value.is_none()));
    }
}
