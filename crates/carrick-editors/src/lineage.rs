//! Where a process comes from: itself, its parent, and so on to the first.

/// More generations than any shell in a terminal in an editor has.
const GENERATIONS: usize = 64;

/// The process and its ancestors, the nearest first. What the system does not tell is left out.
#[must_use]
pub fn lineage(pid: u32) -> Vec<u32> {
    let mut all = vec![pid];
    while let Some(parent) = all.last().and_then(|pid| parent(*pid)) {
        if parent == 0 || all.len() == GENERATIONS {
            break;
        }
        all.push(parent);
    }
    all
}

#[cfg(target_os = "linux")]
fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in brackets and may hold anything, brackets too: what follows the last one is in order.
    let (_, after) = stat.rsplit_once(')')?;
    after.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn parent(pid: u32) -> Option<u32> {
    let asked =
        std::process::Command::new("ps").args(["-o", "ppid=", "-p", &pid.to_string()]).output().ok()?;
    String::from_utf8(asked.stdout).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_parent_comes_after_us() {
        let own = std::process::id();
        let all = lineage(own);
        assert_eq!(all.first(), Some(&own));
        assert_eq!(all.get(1).copied(), Some(std::os::unix::process::parent_id()));
        assert_eq!(lineage(u32::MAX), [u32::MAX]);
    }
}
