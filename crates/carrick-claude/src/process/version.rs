//! Which version the CLI is: asked only when it does not understand us, because asking costs a start.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use super::{find, surroundings};
use crate::options::Options;

/// The answer makes a message better; it is not worth a longer wait.
const LIMIT: Duration = Duration::from_secs(5);

/// The first line of `claude --version`.
pub(crate) async fn version(options: &Options) -> Option<String> {
    let mut command = Command::new(find::program(options).ok()?);
    surroundings(&mut command, options).ok()?;
    command.arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(LIMIT, command.output()).await.ok()?.ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    output.status.success().then(|| line.to_owned())
}
