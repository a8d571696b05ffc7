//! A shell that outlives us for a moment: it ends the CLI and all that came from it when we are gone.
//!
//! A closed stdin does not end a CLI in the middle of a turn, the commands it runs are in sessions of their own,
//! and nothing of ours runs after a `kill -9`. So a `sh` waits on a pipe that only we hold open. When the pipe
//! closes, for whatever reason, it asks the CLI to end, waits, and kills what is left; it knows the family by
//! a mark in the environment, so a process id used anew is never hit. Where there is no `/proc` it falls back to
//! the process group.

use std::process::Stdio;

use tokio::process::{Child, Command};

/// The variable that marks everything a CLI starts.
pub(super) const MARK: &str = "CARRICK_CLAUDE_RUN";

/// `$1` is the CLI, `$2` the mark. Asked to end in mid-turn, the CLI ends its commands within some 50 ms and stays
/// itself for seconds; it gets two.
const SCRIPT: &str = r#"
read -r _
marked() { grep -lsF -- "$2" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done; }
lives() { marked "$@" | grep -qx "$1"; }
if [ -r /proc/self/environ ]; then
    lives "$@" && kill -TERM "$1"
    n=0
    while [ $n -lt 40 ] && lives "$@"; do n=$((n+1)); sleep 0.05; done
    n=0
    while [ $n -lt 20 ]; do
        left=$(marked "$@")
        [ -n "$left" ] || break
        kill -KILL $left
        n=$((n+1)); sleep 0.05
    done
else
    kill -TERM -- "-$1" && sleep 2
    kill -KILL -- "-$1"
fi
"#;

/// The waiting shell. Dropped, it acts.
#[derive(Debug)]
pub(super) struct Watch {
    child: Child,
}

impl Watch {
    /// None where there is no shell; then only the CLI itself is killed.
    pub(super) fn over(pid: u32, mark: &str) -> Option<Self> {
        if cfg!(not(unix)) {
            return None;
        }
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "carrick-claude-watch", &pid.to_string(), mark]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).env_remove(MARK);
        // It must not keep a folder busy that somebody wants to remove.
        command.current_dir("/");
        #[cfg(unix)]
        command.process_group(0);
        match command.spawn() {
            Ok(child) => Some(Self { child }),
            Err(error) => {
                tracing::warn!(%error, "no shell to watch over the CLI: a kill -9 of this process may leave it behind");
                None
            }
        }
    }

    /// Nothing is left to end.
    pub(super) async fn dismiss(mut self) {
        let _ = self.child.kill().await;
    }

    /// Ends what is left, and waits for that.
    pub(super) async fn act(mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait().await;
    }
}
