//! The table of figures: what is measured, in which unit, and what it has to reach.

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Metric {
    RoundTrip,
    CallCpu,
    Pipelined,
    PipelinedCpu,
    Connect,
    ConnectCpu,
    Diff1,
    Diff10,
    Diff10Time,
    Diff10Over,
    Peak,
    PeakOver,
    Push1,
    Push100,
    Push1000,
    PerConnection,
    Fresh,
    Start,
    IdleMemory,
    IdleWakes,
    ClientWakes,
    WakesPerPing,
}

/// Who was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Who {
    /// The least that could do it.
    Bare,
    Carrick,
    /// The official MCP library on the same socket.
    Rmcp,
}

/// What a figure is counted in.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Micros,
    Millis,
    PerSecond,
    KiB,
    MiB,
    Count,
}

impl Unit {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Micros => "µs",
            Self::Millis => "ms",
            Self::PerSecond => "/s",
            Self::KiB => "KiB",
            Self::MiB => "MiB",
            Self::Count => "",
        }
    }
}

/// What carrick has to reach.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// So many times the bare figure.
    Times(f64),
    /// So much, whatever the bare figure is.
    AtMost(f64),
    /// So much more than the bare figure.
    Over(f64),
    /// Nothing is promised: the figure is there to be known.
    Known,
}

/// One row.
pub(crate) struct Row {
    pub(crate) metric: Metric,
    /// Its name in JSON.
    pub(crate) key: &'static str,
    /// Its name for people.
    pub(crate) what: &'static str,
    pub(crate) unit: Unit,
    pub(crate) target: Target,
}

const fn row(metric: Metric, key: &'static str, what: &'static str, unit: Unit, target: Target) -> Row {
    Row { metric, key, what, unit, target }
}

/// All of them, in the order of the page.
pub(crate) const ROWS: &[Row] = &[
    row(Metric::RoundTrip, "round_trip", "tool call, round trip p50", Unit::Micros, Target::Times(1.3)),
    row(Metric::CallCpu, "call_cpu", "tool call, server CPU", Unit::Micros, Target::Times(1.6)),
    row(Metric::Pipelined, "pipelined", "pipelined tool calls", Unit::PerSecond, Target::Known),
    row(
        Metric::PipelinedCpu,
        "pipelined_cpu",
        "pipelined tool call, server CPU",
        Unit::Micros,
        Target::Known,
    ),
    row(Metric::Connect, "connect", "connect to initialized, p50", Unit::Micros, Target::Known),
    row(Metric::ConnectCpu, "connect_cpu", "connect to initialized, server CPU", Unit::Micros, Target::Known),
    row(Metric::Diff1, "diff_1mb_cpu", "openDiff of 1 MB, server CPU", Unit::Millis, Target::Times(5.0)),
    row(Metric::Diff10, "diff_10mb_cpu", "openDiff of 10 MB, server CPU", Unit::Millis, Target::Times(5.0)),
    row(Metric::Diff10Time, "diff_10mb", "openDiff of 10 MB, round trip p50", Unit::Millis, Target::Known),
    row(
        Metric::Diff10Over,
        "diff_10mb_over_cpu",
        "openDiff of 10 MB over a file of 10 MB, server CPU",
        Unit::Millis,
        Target::Known,
    ),
    row(
        Metric::Peak,
        "diff_10mb_peak",
        "peak memory of an openDiff of 10 MB",
        Unit::MiB,
        Target::AtMost(90.0),
    ),
    row(
        Metric::PeakOver,
        "diff_10mb_over_peak",
        "peak memory of an openDiff of 10 MB over a file of 10 MB",
        Unit::MiB,
        Target::AtMost(90.0),
    ),
    row(Metric::Push1, "push_1_cpu", "selection to 1 client, server CPU", Unit::Millis, Target::Known),
    row(Metric::Push100, "push_100_cpu", "selection to 100 clients, server CPU", Unit::Millis, Target::Known),
    row(
        Metric::Push1000,
        "push_1000_cpu",
        "selection to 1 000 clients, server CPU",
        Unit::Millis,
        Target::Times(1.2),
    ),
    row(
        Metric::PerConnection,
        "per_connection",
        "memory per idle connection, of 1 000",
        Unit::KiB,
        Target::AtMost(50.0),
    ),
    row(Metric::Fresh, "fresh", "a write to what ruff says about it, p50", Unit::Millis, Target::Over(20.0)),
    row(Metric::Start, "start", "start to lock file", Unit::Millis, Target::Over(10.0)),
    row(Metric::IdleMemory, "idle_memory", "idle memory of `carrick serve`", Unit::MiB, Target::AtMost(8.0)),
    row(
        Metric::IdleWakes,
        "idle_wakes",
        "wake-ups while idle, nobody connected",
        Unit::Count,
        Target::AtMost(0.0),
    ),
    row(
        Metric::ClientWakes,
        "client_wakes",
        "wake-ups while idle beyond the pings, one client",
        Unit::Count,
        Target::AtMost(0.0),
    ),
    row(
        Metric::WakesPerPing,
        "wakes_per_ping",
        "wake-ups per ping while idle, one client",
        Unit::Count,
        Target::Known,
    ),
];
