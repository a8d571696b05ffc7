//! Which words of a changed line have changed.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// A line with more words than this is not worth the search: the eye would not find them either.
const WORDS: usize = 400;

/// Parts of a line, in bytes.
pub(super) type Parts = Vec<Range<usize>>;

/// The changed parts of both lines; none when the lines have too little in common for the marks to say anything.
pub(super) fn marks(old: &str, new: &str) -> (Parts, Parts) {
    let (before, after) = (words(old), words(new));
    if before.len() > WORDS || after.len() > WORDS {
        return Default::default();
    }
    let ops = capture_diff_slices(Algorithm::Myers, &before, &after);
    let (mut gone, mut come, mut kept) = (Parts::new(), Parts::new(), 0);
    let (mut left, mut right) = (0, 0);
    for op in &ops {
        let (from, to) = (width(&before, op.old_range()), width(&after, op.new_range()));
        if let DiffOp::Equal { .. } = op {
            let same = before.get(op.old_range()).unwrap_or_default();
            kept += same.iter().map(|word| word.trim().len()).sum::<usize>();
        } else {
            push(&mut gone, left..left + from);
            push(&mut come, right..right + to);
        }
        (left, right) = (left + from, right + to);
    }
    let longer = old.trim().len().max(new.trim().len());
    if kept * 2 < longer { Default::default() } else { (gone, come) }
}

fn words(line: &str) -> Vec<&str> {
    line.trim_end_matches('\n').split_word_bounds().take(WORDS + 1).collect()
}

fn width(words: &[&str], range: Range<usize>) -> usize {
    words.get(range).unwrap_or_default().iter().map(|word| word.len()).sum()
}

fn push(parts: &mut Parts, part: Range<usize>) {
    if !part.is_empty() {
        parts.push(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(parts: &[Range<usize>]) -> Vec<(usize, usize)> {
        parts.iter().map(|part| (part.start, part.end)).collect()
    }

    #[test]
    fn only_the_changed_words_are_marked() {
        let (old, new) = marks("let count = one + 2;\n", "let count = three + 2;\n");
        assert_eq!((parts(&old), parts(&new)), (vec![(12, 15)], vec![(12, 17)]));
    }

    #[test]
    fn lines_with_nothing_in_common_have_no_marks() {
        assert_eq!(marks("alpha beta\n", "gamma delta\n"), (vec![], vec![]));
    }

    #[test]
    fn an_inserted_word_marks_one_side() {
        let (old, new) = marks("a long line\n", "a very long line\n");
        assert_eq!((parts(&old), parts(&new)), (vec![], vec![(2, 7)]));
    }
}
