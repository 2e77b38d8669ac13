//! How many tests passed, failed and were skipped, over all test programs.
//!
//! Cargo has no total, so its output is passed through and its lines counted.
//! A test that cannot be made prints a line that begins with `skipped:` and
//! returns; the harness takes it for passed, we do not.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result};

/// The sum over all test programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    passed: usize,
    pub(crate) failed: usize,
    skipped: usize,
}

/// Runs `cargo test`, showing what it says and counting what it finds.
pub(crate) fn run_counting(mut command: Command) -> Result<Counts> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("cannot start cargo")?;
    let errors = child.stderr.take().context("no standard error")?;
    let other = thread::spawn(move || pass_through(errors, |line| eprintln!("{line}")));
    let output = child.stdout.take().context("no standard output")?;
    let mut counts = pass_through(output, |line| println!("{line}"));
    counts.add(other.join().unwrap_or_default());
    let status = child.wait()?;
    if !status.success() {
        // A test program that did not compile has no results to count.
        counts.failed = counts.failed.max(1);
    }
    Ok(counts.settled())
}

fn pass_through(stream: impl Read, show: impl Fn(&str)) -> Counts {
    let mut counts = Counts::default();
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        let text = String::from_utf8_lossy(&line);
        show(text.trim_end());
        counts.take(&text);
        line.clear();
    }
    counts
}

impl Counts {
    fn take(&mut self, line: &str) {
        if line.starts_with("skipped:") {
            self.skipped += 1;
        }
        let Some(result) = line.strip_prefix("test result: ") else {
            return;
        };
        for part in result.split([';', '.']) {
            let mut words = part.split_whitespace();
            let number = words.next().and_then(|word| word.parse::<usize>().ok());
            match (number, words.next()) {
                (Some(number), Some("passed")) => self.passed += number,
                (Some(number), Some("failed")) => self.failed += number,
                (Some(number), Some("ignored")) => self.skipped += number,
                _ => {}
            }
        }
    }

    fn add(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// A skipped test is not a passed one.
    fn settled(mut self) -> Counts {
        self.passed = self.passed.saturating_sub(self.skipped);
        self
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_added_up_and_skipped_tests_taken_out() {
        let output = "running 3 tests\n\
            test a ... ok\n\
            test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
            skipped: no data\n\
            test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        let counts = pass_through(output.as_bytes(), |_| ());
        assert_eq!(counts.settled().to_string(), "6 passed, 2 failed, 1 skipped");
    }
}
