//! Every process that came from one start, however it detached itself: known by a mark in its environment.
//!
//! A process group is not enough: the CLI puts the commands it runs in sessions of their own, and they would
//! outlive a test that kills only the group. The environment is inherited through all of that.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The variable that carries the mark.
pub const MARK: &str = "CARRICK_TESTKIT_FAMILY";

/// How long killed processes may take to be gone; SIGKILL needs milliseconds.
const GONE_WITHIN: Duration = Duration::from_secs(5);

/// A mark and the processes that carry it.
#[derive(Debug, Clone)]
pub struct Family {
    name: String,
    mark: String,
}

impl Default for Family {
    fn default() -> Self {
        Self::new()
    }
}

impl Family {
    /// A mark no other family has.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let born = std::time::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self::marked(MARK, &format!("{}-{born}-{number}", std::process::id()))
    }

    /// The processes whose environment says `name=mark`, for marks that are there anyway. It must be one that
    /// nothing else on the machine carries, such as the path of a temporary folder.
    pub fn marked(name: &str, mark: &str) -> Self {
        Self { name: name.into(), mark: mark.into() }
    }

    /// What to set in the environment of the first member.
    pub fn env(&self) -> (&str, &str) {
        (&self.name, &self.mark)
    }

    /// The living members. Needs `/proc`; elsewhere this is empty and only the process group is ended.
    pub fn pids(&self) -> Vec<i32> {
        let line = format!("{}={}", self.name, self.mark);
        let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
        let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter(|pid| carries(*pid, line.as_bytes())).collect()
    }

    /// Kills all members and waits until none is left.
    ///
    /// `leader` is the process group of the first member, for systems without `/proc`.
    pub fn end(&self, leader: Option<u32>) {
        if let Some(group) = leader.and_then(|pid| Pid::from_raw(pid.cast_signed())) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let deadline = Instant::now() + GONE_WITHIN;
        loop {
            let living = self.pids();
            if living.is_empty() || Instant::now() > deadline {
                return;
            }
            for pid in living.into_iter().filter_map(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
            }
            // waits: for the processes to be gone; /proc has no event for it
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A zombie has an empty environment, so a member that is only waiting to be reaped does not count.
fn carries(pid: i32, line: &[u8]) -> bool {
    let Ok(environ) = std::fs::read(format!("/proc/{pid}/environ")) else { return false };
    environ.split(|byte| *byte == 0).any(|entry| entry == line)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_grandchild_in_its_own_session_is_ended_too() {
        let family = Family::new();
        let (name, mark) = family.env();
        let script = "setsid sleep 600 & setsid sleep 600 & wait";
        let mut child = Command::new("sh").args(["-c", script]).env(name, mark).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(10);
        while family.pids().len() < 3 && Instant::now() < deadline {
            // waits: for the children to start; /proc has no event for it
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(family.pids().len(), 3);
        family.end(None);
        child.wait().unwrap();
        assert!(family.pids().is_empty());
    }
}
