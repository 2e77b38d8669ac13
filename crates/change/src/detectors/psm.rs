//! Presentation: the bytes of all style sheets, added up (S3.4, Kumar et al., 2016).
//!
//! `PSM = Σ byte values` of the whole content of every linked style sheet that was fetched.
//!
//! **Choose it when** only a new look matters. **Cost:** the style sheets must be fetched; one
//! pass over them. **Weakness:** rules that change places, or a `1` that becomes a `2` while
//! another does the opposite, leave the sum as it was.

use crate::detector::{Entry, InSteps, Step};
use crate::version::Version;

pub(crate) const ENTRY: Entry = Entry {
    name: "psm",
    summary: "the bytes of all style sheets added up",
    build: || Box::new(InSteps(&[STEP])),
};

/// The sum.
pub(super) const STEP: Step = Step { name: "PSM", code: |version| psm(version).to_string() };

fn psm(version: &Version<'_>) -> u64 {
    version.styles.iter().flat_map(|style| &style.body).map(|&byte| u64::from(byte)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::{Sample, is_change};

    #[test]
    fn all_style_sheets_count_and_nothing_else_does() {
        assert_eq!(Sample::text("text").style("ab").style("c").code(STEP), "294");
        assert_eq!(Sample::text("text").code(STEP), "0");
    }

    #[test]
    fn a_new_colour_is_a_change_but_two_that_change_places_are_not() {
        let old = Sample::text("").style("a{color:red}b{color:tan}");
        assert!(is_change("psm", &old, &Sample::text("").style("a{color:red}b{color:sky}")));
        assert!(!is_change("psm", &old, &Sample::text("").style("a{color:tan}b{color:red}")));
    }
}
