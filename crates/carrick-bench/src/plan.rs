//! How much work one run is.

use std::time::Duration;

/// Counts for one repetition, and how many of those there are.
pub(crate) struct Plan {
    /// Repetitions; the figure is the median of them.
    pub(crate) repetitions: usize,
    /// Calls, one after another.
    pub(crate) calls: usize,
    /// Calls in the pipeline, in batches.
    pub(crate) pipelined: usize,
    /// Connections, one after another.
    pub(crate) connects: usize,
    /// Changes, by their size in bytes.
    pub(crate) diffs: [(usize, usize); 2],
    /// Clients that hear a push.
    pub(crate) audiences: [usize; 3],
    /// Pushes to each audience.
    pub(crate) pushes: usize,
    /// Starts of a server.
    pub(crate) starts: usize,
    /// What happens after a start has died down; threads that wait for work end after ten seconds.
    pub(crate) settle: Duration,
    /// How long an idle server is watched.
    pub(crate) watch: Duration,
}

const MB: usize = 1_000_000;

impl Plan {
    pub(crate) fn full() -> Self {
        Self {
            repetitions: 5,
            calls: 4_000,
            pipelined: 20_480,
            connects: 200,
            diffs: [(MB, 20), (10 * MB, 5)],
            audiences: [1, 100, 1_000],
            pushes: 20,
            starts: 10,
            settle: Duration::from_secs(12),
            watch: Duration::from_secs(20),
        }
    }

    /// Enough to see every figure.
    pub(crate) fn quick() -> Self {
        Self {
            repetitions: 1,
            calls: 500,
            pipelined: 2_048,
            connects: 20,
            diffs: [(MB, 3), (10 * MB, 1)],
            pushes: 4,
            starts: 3,
            settle: Duration::from_secs(1),
            watch: Duration::from_secs(6),
            ..Self::full()
        }
    }

    /// For a test that every part of the load runs. It starts no `carrick serve` and takes no time.
    pub(crate) fn smoke() -> Self {
        Self {
            calls: 5,
            pipelined: 256,
            connects: 2,
            diffs: [(MB / 10, 1), (MB / 5, 1)],
            audiences: [1, 3, 10],
            pushes: 1,
            starts: 0,
            ..Self::quick()
        }
    }

    /// Whether the program that people run is measured too.
    pub(crate) fn needs_carrick(&self) -> bool {
        self.starts > 0
    }
}
