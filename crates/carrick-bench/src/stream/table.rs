//! The SDK's figures as people and programs read them.

use anyhow::Result;
use serde_json::json;

/// What a figure is counted in.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    Rate,
    Millis,
    MiB,
}

impl Unit {
    fn word(self) -> &'static str {
        match self {
            Self::Rate => "MB/s",
            Self::Millis => "ms",
            Self::MiB => "MiB",
        }
    }
}

/// What the SDK has to reach.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// So many times the other figure, or more.
    AtLeastTimes(f64),
    /// So many times the other figure, or less.
    AtMostTimes(f64),
    /// So much, whatever the other figure is.
    AtLeast(f64),
    /// So much more than the other figure, or less.
    AtMostMore(f64),
    /// Nothing is promised: the figure is there to be known.
    Known,
}

/// A figure of ours beside another's.
pub(super) struct Row {
    pub(super) key: &'static str,
    pub(super) what: String,
    pub(super) unit: Unit,
    pub(super) ours: Option<f64>,
    /// Who the other is.
    pub(super) other: &'static str,
    pub(super) theirs: Option<f64>,
    pub(super) ratio: Option<f64>,
    pub(super) target: Target,
}

impl Row {
    fn more(&self) -> Option<f64> {
        self.ours.zip(self.theirs).map(|(ours, theirs)| ours - theirs)
    }

    /// Whether the target is reached; `None` when there is none, or nobody to compare with.
    pub(super) fn reached(&self) -> Option<bool> {
        match self.target {
            Target::AtLeastTimes(limit) => self.ratio.map(|ratio| ratio >= limit),
            Target::AtMostTimes(limit) => self.ratio.map(|ratio| ratio <= limit),
            Target::AtLeast(limit) => self.ours.map(|value| value >= limit),
            Target::AtMostMore(limit) => self.more().map(|more| more <= limit),
            Target::Known => None,
        }
    }

    fn target(&self) -> String {
        match self.target {
            Target::AtLeastTimes(limit) => format!("≥ {limit} ×"),
            Target::AtMostTimes(limit) => format!("≤ {limit} ×"),
            Target::AtLeast(limit) => format!("≥ {limit} {}", self.unit.word()),
            Target::AtMostMore(limit) => format!("≤ {limit:+} {}", self.unit.word()),
            Target::Known => String::new(),
        }
    }

    /// Times are compared by what they differ, everything else by how many times it is.
    fn compared(&self) -> String {
        match (self.unit, self.more(), self.ratio) {
            (Unit::Millis, Some(more), _) => format!("{} ms", format!("{more:+.1}").replace('-', "−")),
            (_, _, Some(ratio)) => format!("{ratio:.2} ×"),
            _ => "–".into(),
        }
    }

    fn line(&self) -> String {
        let verdict = match self.reached() {
            Some(true) => "PASS",
            Some(false) => "MISS",
            None => "",
        };
        let (ours, theirs) = (self.amount(self.ours), self.amount(self.theirs));
        let (compared, target) = (self.compared(), self.target());
        let Self { what, other, .. } = self;
        format!("| {what} | {ours} | {other} | {theirs} | {compared} | {target} | {verdict} |\n")
    }

    fn amount(&self, value: Option<f64>) -> String {
        let Some(value) = value else { return "–".into() };
        let decimals = usize::from(value < 1000.0 && !matches!(self.unit, Unit::Rate));
        format!("{value:.decimals$} {}", self.unit.word())
    }
}

/// A table for a page or a terminal.
pub(super) fn markdown(rows: &[Row]) -> String {
    let head = "| figure | carrick-claude | beside it | | | to reach | |\n\
                | --- | ---: | --- | ---: | ---: | --- | --- |\n";
    let lines: String = rows.iter().map(Row::line).collect();
    format!("{head}{lines}")
}

/// The same for programs.
pub(super) fn json(rows: &[Row]) -> Result<String> {
    let line = |row: &Row| {
        json!({"key": row.key, "what": row.what, "unit": row.unit.word(), "ours": row.ours, "other": row.other,
            "theirs": row.theirs, "ratio": row.ratio, "target": row.target(), "reached": row.reached()})
    };
    Ok(serde_json::to_string_pretty(&rows.iter().map(line).collect::<Vec<_>>())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(unit: Unit, ours: f64, theirs: f64, target: Target) -> Row {
        let ratio = Some(ours / theirs);
        Row {
            key: "k",
            what: "w".into(),
            unit,
            ours: Some(ours),
            other: "o",
            theirs: Some(theirs),
            ratio,
            target,
        }
    }

    #[test]
    fn each_kind_of_target_is_judged_by_its_own_rule() {
        let judged = |target, ours, theirs| row(Unit::Rate, ours, theirs, target).reached();
        assert_eq!(judged(Target::AtLeastTimes(0.8), 80.0, 100.0), Some(true));
        assert_eq!(judged(Target::AtMostTimes(1.0), 101.0, 100.0), Some(false));
        assert_eq!(judged(Target::AtLeast(200.0), 199.0, 1.0), Some(false));
        assert_eq!(judged(Target::AtMostMore(5.0), 14.0, 10.0), Some(true));
        assert_eq!(judged(Target::Known, 1.0, 2.0), None);
        let absent =
            Row { theirs: None, ratio: None, ..row(Unit::Rate, 1.0, 1.0, Target::AtLeastTimes(7.0)) };
        assert_eq!(absent.reached(), None, "there was nobody to compare with");
    }

    #[test]
    fn times_differ_and_the_rest_is_so_many_times() {
        let start = row(Unit::Millis, 299.0, 300.5, Target::AtMostMore(5.0)).line();
        assert_eq!(start, "| w | 299.0 ms | o | 300.5 ms | −1.5 ms | ≤ +5 ms | PASS |\n");
        let rate = row(Unit::Rate, 300.0, 100.0, Target::Known).line();
        assert_eq!(rate, "| w | 300 MB/s | o | 100 MB/s | 3.00 × |  |  |\n");
    }
}
