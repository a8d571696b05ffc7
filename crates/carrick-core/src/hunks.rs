//! A change in pieces: what a person can take one by one.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// How long the exact search may take before a coarser answer is good enough for a huge file.
const PATIENCE: Duration = Duration::from_millis(500);

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It stays.
    Same,
    /// It goes.
    Removed,
    /// It comes.
    Added,
}

/// One line of a hunk, its line end included when it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What happens to it.
    pub mark: Mark,
    /// The line.
    pub text: String,
}

/// A run of changed lines with what stands around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// First line in the original, from 1.
    pub old_line: usize,
    /// First line in the proposal, from 1.
    pub new_line: usize,
    /// The lines.
    pub lines: Vec<Line>,
}

impl Hunk {
    /// How many lines come and go.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let count = |mark| self.lines.iter().filter(|line| line.mark == mark).count();
        (count(Mark::Added), count(Mark::Removed))
    }
}

/// The hunks that lead from `original` to `proposed`, with up to `context` unchanged lines around each.
/// Two changes closer than that are still two hunks: each can be taken alone.
#[must_use]
pub fn hunks(original: &str, proposed: &str, context: usize) -> Vec<Hunk> {
    let (old, new) = (lines(original), lines(proposed));
    let ops = line_ops(&old, &new);
    let changes = ops.iter().enumerate().filter(|(_, op)| !matches!(op, DiffOp::Equal { .. }));
    changes
        .map(|(index, op)| {
            let room =
                |neighbour: Option<&DiffOp>| neighbour.map_or(0, |op| op.old_range().len()).min(context);
            let before = room(index.checked_sub(1).and_then(|i| ops.get(i)));
            let after = room(ops.get(index + 1));
            let (from, to) = (op.old_range(), op.new_range());
            let mut all = marked(&old, from.start - before..from.start, Mark::Same);
            all.extend(marked(&old, from.clone(), Mark::Removed));
            all.extend(marked(&new, to.clone(), Mark::Added));
            all.extend(marked(&old, from.end..from.end + after, Mark::Same));
            Hunk {
                old_line: from.start - before + 1,
                new_line: to.start - before.min(to.start) + 1,
                lines: all,
            }
        })
        .collect()
}

/// How many lines come and go in all.
#[must_use]
pub fn counts(original: &str, proposed: &str) -> (usize, usize) {
    let ops = line_ops(&lines(original), &lines(proposed));
    let changes = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changes
        .fold((0, 0), |(added, removed), op| (added + op.new_range().len(), removed + op.old_range().len()))
}

/// `original` with only the hunks whose numbers (from 1) are in `chosen`.
#[must_use]
pub fn apply(original: &str, proposed: &str, chosen: &[usize]) -> String {
    let (old, new) = (lines(original), lines(proposed));
    let mut number = 0;
    let mut result = String::with_capacity(proposed.len());
    for op in line_ops(&old, &new) {
        let change = !matches!(op, DiffOp::Equal { .. });
        number += usize::from(change);
        let taken = change && chosen.contains(&number);
        let part = if taken { new.get(op.new_range()) } else { old.get(op.old_range()) };
        result.extend(part.unwrap_or_default().iter().copied());
    }
    result
}

fn line_ops(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    capture_diff_slices_deadline(Algorithm::Myers, old, new, Instant::now().checked_add(PATIENCE))
}

/// Lines end with LF alone: a lone CR is a character like any other, as it is for the CLI.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn marked(lines: &[&str], range: std::ops::Range<usize>, mark: Mark) -> Vec<Line> {
    lines.get(range).unwrap_or_default().iter().map(|text| Line { mark, text: (*text).into() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";
    const NEW: &str = "ONE\ntwo\nthree\nfour\nFIVE";

    #[test]
    fn two_changes_are_two_hunks() {
        let found = hunks(OLD, NEW, 1);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].old_line, found[1].old_line), (1, 4));
        assert_eq!(found[1].counts(), (1, 1));
        assert_eq!(counts(OLD, NEW), (2, 2));
    }

    #[test]
    fn each_can_be_taken_alone() {
        assert_eq!(apply(OLD, NEW, &[1]), "ONE\ntwo\nthree\nfour\nfive\n");
        assert_eq!(apply(OLD, NEW, &[2]), "one\ntwo\nthree\nfour\nFIVE");
    }

    #[test]
    fn a_new_file_is_one_hunk() {
        assert_eq!(hunks("", "a\nb\n", 3).len(), 1);
        assert_eq!(apply("", "a\nb\n", &[1]), "a\nb\n");
    }

    proptest! {
        #[test]
        fn all_hunks_make_the_proposal_and_none_the_original(old in "([a-c]{0,2}\n?){0,12}", new in "([a-c]{0,2}\n?){0,12}") {
            let all: Vec<usize> = (1..=hunks(&old, &new, 3).len()).collect();
            prop_assert_eq!(apply(&old, &new, &all), new.clone());
            prop_assert_eq!(apply(&old, &new, &[]), old.clone());
        }

        #[test]
        fn a_hunk_shows_the_lines_it_names(old in "([a-c]{0,2}\n){0,12}", new in "([a-c]{0,2}\n){0,12}") {
            let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
            for hunk in hunks(&old, &new, 2) {
                let kept: Vec<&str> = hunk.lines.iter().filter(|l| l.mark != Mark::Added).map(|l| l.text.as_str()).collect();
                prop_assert_eq!(&old_lines[hunk.old_line - 1..hunk.old_line - 1 + kept.len()], &kept[..]);
            }
        }
    }
}
