//! The mean character code of the page (S3.9, after the "ASCII count" of Nath and Kumar, 2012).
//!
//! `Σ code points / number of characters` of the HTML page, markup and all. Kumar et al. report
//! that a remote crawler compares such a count with the stored one; we take the sum by the length.
//!
//! **Choose it when** it is to be compared with the other sums. **Cost:** one pass over the page.
//! **Weakness:** characters that change places are not seen, nor is a page that says all twice.

use crate::codes::Codes;
use crate::detector::{Entry, InSteps, Step};

pub(crate) const ENTRY: Entry = Entry {
    name: "ascii-count",
    summary: "the character codes of the whole page added up, by their number",
    build: || Box::new(InSteps(&[STEP])),
};

const STEP: Step =
    Step { name: "mean code", code: |version| Codes::of([version.html]).mean().to_string() };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::{Sample, is_change};

    #[test]
    fn the_sum_is_taken_by_the_length() {
        assert_eq!(Sample::page("ad").code(STEP), "98.5");
        assert_eq!(Sample::page("").code(STEP), "0");
    }

    #[test]
    fn what_is_said_twice_is_not_seen() {
        let old = Sample::page("<p>one");
        assert!(!is_change("ascii-count", &old, &Sample::page("<p>one<p>one")));
        assert!(is_change("ascii-count", &old, &Sample::page("<p>ten")));
    }
}
