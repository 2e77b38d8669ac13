//! Content: the character codes of the page, added up (S3.5, Kumar et al., 2016).
//!
//! `PCM = Σ code points` of the HTML page, markup and all. The paper prints the formula of PSM a
//! second time; its text says what is meant.
//!
//! **Choose it when** the figures of the paper are wanted. **Cost:** one pass over the page.
//! **Weakness:** any comment, token or time stamp in the markup is a change, while characters that
//! change places are none.

use crate::codes::Codes;
use crate::detector::{Entry, InSteps, Step};

pub(crate) const ENTRY: Entry = Entry {
    name: "pcm",
    summary: "the character codes of the whole page added up",
    build: || Box::new(InSteps(&[STEP])),
};

/// The sum.
pub(super) const STEP: Step =
    Step { name: "PCM", code: |version| Codes::of([version.html]).sum.to_string() };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::{Sample, is_change};

    #[test]
    fn markup_and_text_are_added_up() {
        assert_eq!(Sample::page("<b>é").code(STEP), (60 + 98 + 62 + 233).to_string());
        assert_eq!(Sample::page("").code(STEP), "0");
    }

    #[test]
    fn a_comment_is_a_change_but_characters_that_change_places_are_not() {
        let old = Sample::page("<p>12 of 30");
        assert!(is_change("pcm", &old, &Sample::page("<p>12 of 30<!---->")));
        assert!(!is_change("pcm", &old, &Sample::page("<p>30 of 12")));
    }
}
