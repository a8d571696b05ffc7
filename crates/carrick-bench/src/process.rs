//! What another process has cost so far, as the kernel tells it.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};

/// A process that is looked at from outside.
#[derive(Clone, Copy)]
pub(crate) struct Process(pub(crate) u32);

impl Process {
    /// CPU time of all of its threads, to the nanosecond. Exact for threads that sleep, which a server does as soon as
    /// it has answered. Threads that have ended are not counted; ours live longer than a measurement.
    pub(crate) fn cpu(self) -> Result<Duration> {
        let mut sum = 0;
        for thread in self.threads()? {
            let text = fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
            sum += text.split(' ').next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        }
        Ok(Duration::from_nanos(sum))
    }

    /// Memory now, in KiB. What was swapped out counts: it was only out of sight.
    pub(crate) fn resident(self) -> Result<f64> {
        Ok(self.status("VmRSS")? + self.status("VmSwap")?)
    }

    /// The most memory at once, in KiB.
    pub(crate) fn peak(self) -> Result<f64> {
        self.status("VmHWM")
    }

    /// How often its threads have gone to sleep: each time but the last, something woke them.
    pub(crate) fn sleeps(self) -> Result<u64> {
        let mut sum = 0;
        for thread in self.threads()? {
            let text = fs::read_to_string(thread.join("status")).unwrap_or_default();
            sum += field(&text, "voluntary_ctxt_switches").unwrap_or(0.0) as u64;
        }
        Ok(sum)
    }

    fn status(self, name: &str) -> Result<f64> {
        let path = format!("/proc/{}/status", self.0);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {path}; has it ended?"))?;
        field(&text, name).with_context(|| format!("{path} has no {name}"))
    }

    fn threads(self) -> Result<Vec<PathBuf>> {
        let path = format!("/proc/{}/task", self.0);
        let entries = fs::read_dir(&path).with_context(|| format!("reading {path}; has it ended?"))?;
        Ok(entries.flatten().map(|entry| entry.path()).collect())
    }
}

fn field(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_figures_can_be_read() {
        let own = Process(std::process::id());
        assert!(own.resident().unwrap() > 0.0);
        assert!(own.peak().unwrap() > 0.0);
        assert!(own.cpu().is_ok() && own.sleeps().is_ok());
    }

    #[test]
    fn a_field_is_found_by_its_whole_name() {
        let text = "nonvoluntary_ctxt_switches:\t7\nvoluntary_ctxt_switches:\t5\nVmRSS:\t  12 kB\n";
        assert_eq!(field(text, "voluntary_ctxt_switches"), Some(5.0));
        assert_eq!(field(text, "VmRSS"), Some(12.0));
        assert_eq!(field(text, "VmR"), None);
    }
}
