//! Structure, then text, then images (S1.7, Mali and Meshram, 2011).
//!
//! The chain of `tag-strings` (S1.4), `text-code` (S1.5) and `image-ival` (S1.6): a later test runs
//! only if the earlier ones say "same".
//!
//! **Choose it when** the whole system of the paper is wanted. **Cost:** that of its parts; an
//! unchanged page pays for all of them. **Weakness:** any new tag is a change, of an advertisement
//! too, while a text whose letters change places is none.

use crate::detector::{Entry, InSteps};
use crate::detectors::{image_ival, tag_strings, text_code};

pub(crate) const ENTRY: Entry = Entry {
    name: "structure-text-image",
    summary: "tag letters, then the text code, then image codes, up to the first that differs",
    build: || {
        Box::new(InSteps(&[
            tag_strings::FIRST,
            tag_strings::LAST,
            text_code::STEP,
            image_ival::STEP,
        ]))
    },
};

#[cfg(test)]
mod tests {
    use crate::detectors::sample::{Sample, compare, png};

    #[track_caller]
    fn check(old: &Sample, new: &Sample, expected: &str) {
        let because = compare("structure-text-image", old, new).because;
        assert!(because.starts_with(expected), "{because}");
    }

    #[test]
    fn the_first_step_that_differs_is_told() {
        let image = |grey| png(4, 4, |_, _| [grey; 3]);
        let old = Sample::page("<p>a").image(image(0));
        check(&old, &Sample::page("<q>b").image(image(255)), "first letters of tags: p became q");
        check(&old, &Sample::page("<pre>b").image(image(255)), "last letters of tags: p became e");
        check(&old, &Sample::page("<p>b").image(image(255)), "text code: 97 became 98");
        check(&old, &Sample::page("<p>a").image(image(255)), "Ival: 0 became 1048560");
        check(&old, &Sample::page("<p>a").image(image(1)), "same ");
    }
}
