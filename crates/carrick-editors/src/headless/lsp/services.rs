//! The servers as a person sees them in `carrick status`: how they are, and what they cost.

use std::collections::BTreeMap;
use std::time::Duration;

use carrick_core::{Service, ServiceState};

use super::Languages;
use super::server::{Phase, Server};

/// The kernel counts processor time in hundredths of a second for programs, whatever its own clock does.
const TICKS: u64 = 100;

impl Languages {
    /// All servers that run or should, and those that were needed and are missing, beside another program whose costs are
    /// not known yet. This reads `/proc`.
    pub(in crate::headless) fn services(&self, beside: Option<Service>) -> Vec<Service> {
        let (servers, missing) = {
            let inner = self.inner();
            (inner.servers.clone(), inner.missing.clone())
        };
        let costs = if servers.is_empty() && beside.is_none() { BTreeMap::new() } else { costs() };
        let running = servers.iter().map(|server| service(server, &costs));
        let beside = beside.map(|service| {
            let (memory, cpu) = cost_in(&costs, service.pid);
            Service { memory, cpu, ..service }
        });
        running.chain(beside).chain(missing.into_iter().map(absent)).collect()
    }
}

fn absent((name, install): (String, String)) -> Service {
    let note = Some(install);
    Service { name, root: None, state: ServiceState::Missing, pid: None, memory: None, cpu: None, note }
}

fn service(server: &Server, costs: &BTreeMap<u32, (u64, u64)>) -> Service {
    let words = server.last_words();
    let (phase, pid) = {
        let state = server.state();
        (state.phase.clone(), state.pid)
    };
    let (state, note) = match phase {
        Phase::Starting => (ServiceState::Starting, None),
        Phase::Ready(_) => (ServiceState::Running, None),
        Phase::Resting | Phase::Ended => (ServiceState::Resting, words),
        Phase::Failed(_, why) => (ServiceState::Failed, Some(why)),
    };
    let (memory, cpu) = cost_in(costs, pid);
    Service {
        name: server.name().into(),
        root: Some(server.start.root.clone()),
        state,
        pid,
        memory,
        cpu,
        note,
    }
}

fn cost_in(costs: &BTreeMap<u32, (u64, u64)>, pid: Option<u32>) -> (Option<u64>, Option<Duration>) {
    let cost = pid.and_then(|pid| costs.get(&pid));
    let cpu = cost.map(|(_, ticks)| Duration::from_millis(ticks * 1000 / TICKS));
    (cost.map(|(memory, _)| *memory), cpu)
}

/// Memory in bytes and processor time in ticks, by process group: each server leads one.
fn costs() -> BTreeMap<u32, (u64, u64)> {
    let mut by_group = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir("/proc") else { return by_group };
    for pid in entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()) {
        if let Some((group, memory, ticks)) = cost(pid) {
            let sum: &mut (u64, u64) = by_group.entry(group).or_default();
            *sum = (sum.0 + memory, sum.1 + ticks);
        }
    }
    by_group
}

fn cost(pid: u32) -> Option<(u32, u64, u64)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may contain anything, brackets too.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let group = u32::try_from(number(2)?).ok()?;
    let ticks = number(11)? + number(12)?;
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = resident.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    Some((group, kilobytes.unwrap_or(0) << 10, ticks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_of_ours_costs_something() {
        let (group, memory, _) = cost(std::process::id()).unwrap();
        assert!(group > 0 && memory > 1 << 20);
        assert!(costs().get(&group).is_some_and(|(sum, _)| *sum >= memory));
    }
}
