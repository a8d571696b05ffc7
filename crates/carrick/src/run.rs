//! `carrick run`: an agent tied to this workspace, for as long as it runs.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};

use crate::args::LogArguments;
use crate::config::{Config, Flags};
use crate::desk::{Part, Plan};
use crate::env;
use crate::exit::{Exit, Failure};
use crate::join::{here, workspace};
use crate::log;
use crate::signals::Signals;

pub(crate) async fn run(command: Vec<OsString>, log: &LogArguments) -> Result<Exit, Failure> {
    let mut signals = Signals::catch()?;
    let root = workspace(&here()?)?;
    let flags = Flags { log_filter: log.log_filter.clone(), ..Flags::default() };
    let config = Config::load(&root, &flags)?;
    log::start(log, config.log_filter(), true)?;
    let plan = Plan { folders: vec![root.clone()], root, flags, name: "carrick run", exact: false };
    let mut part = plan.settle().await?;
    part.show_programs(None);
    let mut child = start(command, part.ready().port)?;
    let mut part = Some(part);
    let status = loop {
        tokio::select! {
            status = child.wait() => break status,
            signal = signals.next() => pass_on(&child, signal),
            () = host_gone(&mut part) => part = take_over(part, &plan).await,
        }
    };
    if let Some(part) = part {
        part.close().await;
    }
    let status = status.map_err(Failure::io("wait for", "the command"))?;
    Ok(Exit::Child(code(status)))
}

/// Waits for the end of a host that is not us.
async fn host_gone(part: &mut Option<Part>) {
    match part {
        Some(part) => while part.next().await.is_some() {},
        None => std::future::pending().await,
    }
}

/// The agent goes on without an IDE if this fails: that is no reason to end it.
async fn take_over(part: Option<Part>, plan: &Plan) -> Option<Part> {
    let settled = part?.succession(plan, None).settle().await;
    let settled = settled
        .inspect_err(|error| tracing::error!(%error, "the desk's host ended and nobody could take over"));
    let mut part = settled.ok()?;
    part.show_programs(None);
    Some(part)
}

fn start(command: Vec<OsString>, port: u16) -> Result<Child, Failure> {
    let mut words = command.into_iter();
    let program = words.next().unwrap_or_else(|| "claude".into());
    let mut arguments: Vec<OsString> = words.collect();
    if is_claude(&program) && !arguments.iter().any(|argument| argument == "--ide") {
        arguments.insert(0, "--ide".into());
    }
    let mut command = Command::new(&program);
    command
        .args(arguments)
        .env(env::CLAUDE_CODE_SSE_PORT, port.to_string())
        .env(env::ENABLE_IDE_INTEGRATION, "true");
    for name in env::NO_PROXY {
        command.env(name, without_proxy(env::get(name)));
    }
    command.spawn().map_err(|error| Failure::Start { program: program.to_string_lossy().into(), error })
}

fn is_claude(program: &OsStr) -> bool {
    Path::new(program).file_name() == Some(OsStr::new("claude"))
}

/// The variable with loopback added, unless everything is exempt.
fn without_proxy(before: Option<OsString>) -> OsString {
    match before {
        Some(all) if all == "*" => all,
        Some(mut list) => {
            list.push(",127.0.0.1,localhost");
            list
        }
        None => "127.0.0.1,localhost".into(),
    }
}

/// Ctrl-C reaches the child from the terminal itself; what is sent to us alone is passed on.
fn pass_on(child: &Child, signal: Signal) {
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let (Some(pid), true) = (pid, signal != Signal::INT) {
        let _ = kill_process(pid, signal);
    }
}

/// As a shell says it: the code, or 128 and the number of the signal.
fn code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_added_to_what_needs_no_proxy() {
        assert_eq!(without_proxy(None), "127.0.0.1,localhost");
        assert_eq!(without_proxy(Some("corp".into())), "corp,127.0.0.1,localhost");
        assert_eq!(without_proxy(Some("*".into())), "*");
    }

    #[test]
    fn only_claude_itself_gets_the_flag() {
        assert!(is_claude(OsStr::new("/opt/bin/claude")));
        assert!(!is_claude(OsStr::new("claude-next")));
    }
}
