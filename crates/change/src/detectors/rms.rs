//! Root mean square of the character codes times their sum (S3.9, Yadav, Sharma and Gupta, 2007).
//!
//! `√(Σ code² / count) × Σ code` over the characters of the visible text: "the product of R.M.S
//! value and ASCII value of the characters in text", as Kumar et al. report it. A character's code
//! is its code point.
//!
//! **Choose it when** it is to be compared with the other sums. **Cost:** one pass over the text.
//! **Weakness:** characters that change places leave the product as it was.

use crate::codes::Codes;
use crate::detector::{Entry, InSteps, Step};

pub(crate) const ENTRY: Entry = Entry {
    name: "rms",
    summary: "the root mean square of the character codes of the text times their sum",
    build: || Box::new(InSteps(&[STEP])),
};

const STEP: Step = Step {
    name: "RMS × codes",
    code: |version| Codes::of(version.document.text()).content_value().to_string(),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::{Sample, is_change};

    #[test]
    fn the_value_is_the_root_mean_square_times_the_sum() {
        assert_eq!(Sample::text("\u{1}\u{7}").code(STEP), "40");
        assert_eq!(Sample::text("").code(STEP), "0");
    }

    #[test]
    fn it_tells_texts_of_the_same_sum_apart_but_not_of_the_same_letters() {
        assert!(is_change("rms", &Sample::text("bb"), &Sample::text("ac")));
        assert!(!is_change("rms", &Sample::text("ac"), &Sample::text("ca")));
    }
}
