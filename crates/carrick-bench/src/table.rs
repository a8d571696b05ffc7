//! The figures as people and programs read them.

use anyhow::Result;
use serde::Serialize;

use crate::metrics::{ROWS, Row, Target, Unit, Who};
use crate::samples::Samples;

/// Between these two lines of a page the table stands.
pub(crate) const MARKERS: [&str; 2] = ["<!-- figures -->", "<!-- end of figures -->"];

/// A row with its figures.
pub(crate) struct Measured {
    row: &'static Row,
    bare: Option<f64>,
    carrick: Option<f64>,
    rmcp: Option<f64>,
    ratio: Option<f64>,
    rmcp_ratio: Option<f64>,
}

/// The medians of a run.
pub(crate) fn rows(samples: &Samples) -> Vec<Measured> {
    let measured = |row: &'static Row| Measured {
        row,
        bare: samples.median(row.metric, Who::Bare),
        carrick: samples.median(row.metric, Who::Carrick),
        rmcp: samples.median(row.metric, Who::Rmcp),
        ratio: samples.ratio(row.metric, Who::Carrick),
        rmcp_ratio: samples.ratio(row.metric, Who::Rmcp),
    };
    ROWS.iter().map(measured).collect()
}

impl Measured {
    /// Whether the target is reached; `None` when there is none.
    fn reached(&self) -> Option<bool> {
        match self.row.target {
            Target::Times(limit) => Some(self.ratio.is_some_and(|ratio| ratio <= limit)),
            Target::AtMost(limit) => Some(self.carrick.is_some_and(|value| value <= limit)),
            Target::Over(limit) => {
                Some(self.carrick.zip(self.bare).is_some_and(|(ours, bare)| ours - bare <= limit))
            }
            Target::Known => None,
        }
    }

    pub(crate) fn misses(&self) -> bool {
        self.reached() == Some(false)
    }

    fn verdict(&self) -> &'static str {
        match self.reached() {
            Some(true) => "PASS",
            Some(false) => "MISS",
            None => "",
        }
    }

    fn target(&self) -> String {
        let unit = self.row.unit.word();
        match self.row.target {
            Target::Times(limit) => format!("≤ {limit} ×"),
            Target::AtMost(limit) => format!("≤ {limit} {unit}").trim_end().to_owned(),
            Target::Over(limit) => format!("≤ bare + {limit} {unit}"),
            Target::Known => String::new(),
        }
    }

    fn line(&self) -> String {
        let cells = [
            self.row.what.to_owned(),
            amount(self.bare, self.row.unit),
            amount(self.carrick, self.row.unit),
            times(self.ratio),
            self.target(),
            self.verdict().to_owned(),
            amount(self.rmcp, self.row.unit),
            times(self.rmcp_ratio),
        ];
        format!("| {} |\n", cells.join(" | "))
    }
}

/// A table for a page or a terminal.
pub(crate) fn markdown(rows: &[Measured]) -> String {
    let mut text = String::from(
        "| figure | bare | carrick | ratio | to reach | | rmcp | ratio |\n\
         | --- | ---: | ---: | ---: | --- | --- | ---: | ---: |\n",
    );
    rows.iter().for_each(|row| text.push_str(&row.line()));
    text
}

fn amount(value: Option<f64>, unit: Unit) -> String {
    let Some(value) = value else { return "–".into() };
    let decimals = if value < 10.0 && value.fract() != 0.0 {
        2
    } else {
        usize::from(value < 100.0 && value.fract() != 0.0)
    };
    format!("{value:.decimals$} {}", unit.word()).trim_end().to_owned()
}

fn times(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2} ×"))
}

#[derive(Serialize)]
struct Line<'a> {
    key: &'a str,
    what: &'a str,
    unit: &'a str,
    bare: Option<f64>,
    carrick: Option<f64>,
    ratio: Option<f64>,
    target: String,
    reached: Option<bool>,
    rmcp: Option<f64>,
    rmcp_ratio: Option<f64>,
}

/// The same for programs.
pub(crate) fn json(rows: &[Measured]) -> Result<String> {
    let line = |measured: &Measured| {
        let Row { key, what, unit, .. } = *measured.row;
        serde_json::to_value(Line {
            key,
            what,
            unit: unit.word(),
            bare: measured.bare,
            carrick: measured.carrick,
            ratio: measured.ratio,
            target: measured.target(),
            reached: measured.reached(),
            rmcp: measured.rmcp,
            rmcp_ratio: measured.rmcp_ratio,
        })
    };
    let lines: Vec<_> = rows.iter().map(line).collect::<Result<_, _>>()?;
    Ok(serde_json::to_string_pretty(&lines)?)
}

/// The page with this table in place of the one it has; `None` when a marker is missing.
pub(crate) fn replace(page: &str, table: &str) -> Option<String> {
    let [begin, end] = MARKERS;
    let (before, rest) = page.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{table}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Metric;

    fn measured(bare: f64, carrick: f64) -> Vec<Measured> {
        let mut samples = Samples::default();
        for metric in [Metric::CallCpu, Metric::Start, Metric::Peak] {
            samples.add(metric, Who::Bare, bare);
            samples.add(metric, Who::Carrick, carrick);
        }
        rows(&samples)
    }

    fn verdict(rows: &[Measured], metric: Metric) -> &'static str {
        rows.iter().find(|row| row.row.metric == metric).unwrap().verdict()
    }

    #[test]
    fn each_kind_of_target_is_judged_by_its_own_rule() {
        let good = measured(10.0, 16.0);
        let bad = measured(50.0, 91.0);
        for metric in [Metric::CallCpu, Metric::Start, Metric::Peak] {
            assert_eq!(verdict(&good, metric), "PASS", "{metric:?}");
            assert_eq!(verdict(&bad, metric), "MISS", "{metric:?}");
        }
        assert_eq!(verdict(&good, Metric::Connect), "", "nothing is promised");
        assert_eq!(verdict(&good, Metric::RoundTrip), "MISS", "what was not measured is not reached");
    }

    #[test]
    fn only_the_table_of_a_page_is_replaced() {
        let page = "a\n<!-- figures -->\nold\n<!-- end of figures -->\nb\n";
        let new = replace(page, "new\n").unwrap();
        assert_eq!(new, "a\n<!-- figures -->\nnew\n<!-- end of figures -->\nb\n");
        assert_eq!(replace("no markers", "new"), None);
    }

    #[test]
    fn every_figure_has_one_row() {
        let mut keys: Vec<_> = ROWS.iter().map(|row| row.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), ROWS.len());
    }
}
