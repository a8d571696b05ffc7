//! What came out of the repetitions.

use std::collections::BTreeMap;

use crate::metrics::{Metric, Who};

/// All samples of a run.
#[derive(Default)]
pub(crate) struct Samples {
    taken: BTreeMap<(Metric, Who), Vec<f64>>,
}

impl Samples {
    pub(crate) fn add(&mut self, metric: Metric, who: Who, value: f64) {
        self.taken.entry((metric, who)).or_default().push(value);
    }

    /// The median of the repetitions: one bad moment of a shared machine does not count.
    pub(crate) fn median(&self, metric: Metric, who: Who) -> Option<f64> {
        self.taken.get(&(metric, who)).and_then(|values| median(values))
    }

    /// Of the repetitions' ratios, not the ratio of the medians: the two figures of one repetition were taken within
    /// seconds of each other, so what slows the machine for longer slows both.
    pub(crate) fn ratio(&self, metric: Metric, who: Who) -> Option<f64> {
        let (ours, bare) = (self.taken.get(&(metric, who))?, self.taken.get(&(metric, Who::Bare))?);
        let ratios: Vec<f64> = ours.iter().zip(bare).map(|(ours, bare)| ours / bare).collect();
        median(&ratios).filter(|ratio| ratio.is_finite())
    }
}

/// The middle one, or the mean of the middle two.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = *sorted.get((sorted.len() - 1) / 2)?;
    Some((upper + lower) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn ratios_are_taken_within_a_repetition() {
        let mut samples = Samples::default();
        for (bare, ours) in [(1.0, 2.0), (10.0, 20.0), (1.0, 3.0)] {
            samples.add(Metric::CallCpu, Who::Bare, bare);
            samples.add(Metric::CallCpu, Who::Carrick, ours);
        }
        assert_eq!(samples.ratio(Metric::CallCpu, Who::Carrick), Some(2.0));
        assert_eq!(samples.ratio(Metric::CallCpu, Who::Rmcp), None);
    }
}
