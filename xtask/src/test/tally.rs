//! How many tests passed, failed and were skipped, over all test programs of a run.

use std::fmt;
use std::io::{Read, Write};

/// The three numbers of the last line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) skipped: usize,
}

impl Tally {
    /// A step that is no test counts only when it fails: a run that is not good must not end in "0 failed".
    pub(super) fn of(ok: bool) -> Self {
        Self { failed: usize::from(!ok), ..Self::default() }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// What one line of a test program's output adds: only its `test result:` line does.
    fn of_line(line: &str) -> Self {
        let Some(result) = line.trim_start().strip_prefix("test result:") else { return Self::default() };
        let words: Vec<&str> = result.split([' ', ';']).filter(|word| !word.is_empty()).collect();
        let before = |label: &str| {
            let pair = words.windows(2).find(|pair| pair.last() == Some(&label));
            pair.and_then(|pair| pair.first()?.parse().ok()).unwrap_or(0)
        };
        Self { passed: before("passed"), failed: before("failed"), skipped: before("ignored") }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(out, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// Passes the output on as it comes, byte for byte, and counts the results in it.
pub(super) fn relay(mut from: impl Read, mut to: impl Write) -> std::io::Result<Tally> {
    let (mut tally, mut line, mut chunk) = (Tally::default(), Vec::new(), [0_u8; 8192]);
    loop {
        let length = from.read(&mut chunk)?;
        let bytes = chunk.get(..length).unwrap_or_default();
        to.write_all(bytes)?;
        to.flush()?;
        for byte in bytes {
            if *byte == b'\n' {
                tally.add(Tally::of_line(&String::from_utf8_lossy(&line)));
                line.clear();
            } else {
                line.push(*byte);
            }
        }
        if length == 0 {
            return Ok(tally);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_summed_and_the_rest_is_passed_on() {
        let output = "running 3 tests\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: \x1b[31mFAILED\x1b[0m. 1 passed; 2 failed; 0 ignored; 0 measured; 4 filtered out\n";
        let mut seen = Vec::new();
        let tally = relay(output.as_bytes(), &mut seen).expect("memory");
        assert_eq!(tally, Tally { passed: 4, failed: 2, skipped: 1 });
        assert_eq!(seen, output.as_bytes());
    }

    #[test]
    fn the_last_line_names_skipped_tests_only_when_there_are_some() {
        assert_eq!(Tally { passed: 4, failed: 0, skipped: 0 }.to_string(), "4 passed, 0 failed");
        assert_eq!(Tally { passed: 4, failed: 2, skipped: 1 }.to_string(), "4 passed, 2 failed, 1 skipped");
    }

    #[test]
    fn a_failed_step_is_a_failure_in_the_count() {
        assert_eq!(Tally::of(false).to_string(), "0 passed, 1 failed");
    }
}
