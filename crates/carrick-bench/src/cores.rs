//! One core for what is measured, another for what measures: otherwise the load takes time from its own subject.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The two cores, when there are two.
#[derive(Clone, Copy)]
pub(crate) struct Cores {
    pair: Option<(usize, usize)>,
}

impl Cores {
    /// Takes the first and the last core this process may use, and moves to the last.
    pub(crate) fn claim() -> Self {
        let usable = sched_getaffinity(None).map(|set| usable(&set)).unwrap_or_default();
        let pair = match usable.as_slice() {
            [first, .., last] => Some((*first, *last)),
            _ => None,
        };
        let cores = Self { pair };
        cores.settle();
        cores
    }

    /// Whether the two are apart.
    pub(crate) fn are_apart(self) -> bool {
        self.pair.is_some()
    }

    /// Runs `start` on the subjects' core: a process started there stays there.
    pub(crate) fn on_the_subjects<T>(self, start: impl FnOnce() -> T) -> T {
        if let Some((subjects, _)) = self.pair {
            stay_on(subjects);
        }
        let started = start();
        self.settle();
        started
    }

    fn settle(self) {
        if let Some((_, ours)) = self.pair {
            stay_on(ours);
        }
    }
}

fn usable(set: &CpuSet) -> Vec<usize> {
    (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect()
}

/// Where the system does not allow it, the figures are noisier and no less true.
fn stay_on(core: usize) {
    let mut set = CpuSet::new();
    set.set(core);
    let _ = sched_setaffinity(None, &set);
}
