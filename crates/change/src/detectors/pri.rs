//! Style sheets, then the page, then images (S3.7, Kumar et al., 2016).
//!
//! The triple `PSM.PCM.IM` (S3.4 to S3.6) is compared in that order up to the first difference.
//!
//! **Choose it when** the whole system of the paper is wanted. **Cost:** that of its parts: style
//! sheets and images must be fetched. **Weakness:** sums are blind to what changes places, and see
//! every token in the markup.

use crate::detector::{Entry, InSteps};
use crate::detectors::{im, pcm, psm};

pub(crate) const ENTRY: Entry = Entry {
    name: "pri",
    summary: "sums of style sheets, then of the page, then image colours, up to the first that differs",
    build: || Box::new(InSteps(&[psm::STEP, pcm::STEP, im::STEP])),
};

#[cfg(test)]
mod tests {
    use crate::detectors::sample::{Sample, compare, png};

    #[track_caller]
    fn check(new: &Sample, expected: &str) {
        let old = Sample::page("a").style("a").image(png(1, 1, |_, _| [0; 3]));
        assert_eq!(compare("pri", &old, new).because, expected);
    }

    #[test]
    fn the_first_of_the_triple_that_differs_is_told() {
        let image = |blue| png(1, 1, |_, _| [0, 0, blue]);
        check(&Sample::page("b").style("b").image(image(16)), "PSM: 97 became 98");
        check(&Sample::page("b").style("a").image(image(16)), "PCM: 97 became 98");
        check(&Sample::page("a").style("a").image(image(16)), "IM: 0 became 16");
        check(&Sample::page("a").style("a").image(image(15)), "same PSM, PCM, IM");
    }
}
