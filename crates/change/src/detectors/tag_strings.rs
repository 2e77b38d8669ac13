//! Two strings of letters stand for the structure of a page (S1.4, Mali and Meshram, 2011).
//!
//! String 1 holds the first letter of every start tag in document order, string 2 the last (`h1`
//! gives `1`, and the letter of `p` stands in both). String 1 is compared, then string 2. What
//! stands in scripts and in raw-text elements such as `noscript` holds no tags.
//!
//! **Choose it when** only a new layout matters. **Cost:** one pass over the markup for each
//! string; a string is as long as the page has tags. **Weakness:** blind to text, attributes and
//! nesting, and tags with the same first and last letter are one to it.

use crate::detector::{Entry, InSteps, Step};
use crate::markup::{Mark, walk};
use crate::version::Version;

pub(crate) const ENTRY: Entry = Entry {
    name: "tag-strings",
    summary: "the first letters of all start tags, then their last letters",
    build: || Box::new(InSteps(&[FIRST, LAST])),
};

/// String 1.
pub(super) const FIRST: Step = Step {
    name: "first letters of tags",
    code: |version| letters(version, |name| name.chars().next()),
};

/// String 2.
pub(super) const LAST: Step = Step {
    name: "last letters of tags",
    code: |version| letters(version, |name| name.chars().next_back()),
};

fn letters(version: &Version<'_>, letter: fn(&str) -> Option<char>) -> String {
    let mut letters = String::new();
    walk(version.html, |mark| {
        if let Mark::Element(element) = mark {
            letters.extend(letter(element.name));
        }
    });
    letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::{Sample, compare, is_change};

    #[track_caller]
    fn check(html: &str, first: &str, last: &str) {
        let page = Sample::page(html);
        assert_eq!((page.code(FIRST).as_str(), page.code(LAST).as_str()), (first, last), "{html}");
    }

    #[test]
    fn the_example_of_the_paper_gives_its_two_strings() {
        let html = "<html><head><title>Example</title></head><body><h1>Heading</h1>\
                    <p>One</p><p>Two</p><p>Three</p></body></html>";
        check(html, "hhtbhppp", "ldey1ppp");
        check("no tags", "", "");
        check("<BR/><Ünicode><xé>", "bx", "ré");
    }

    #[test]
    fn the_second_string_tells_what_the_first_cannot() {
        let (old, new) = (Sample::page("<p>a<b>b</b>"), Sample::page("<p>a<br>b"));
        assert_eq!(
            compare("tag-strings", &old, &new).because,
            "last letters of tags: pb became pr"
        );
    }

    #[test]
    fn text_and_nesting_are_not_seen() {
        let old = Sample::page("<div><p class=a>one</p></div>");
        assert!(!is_change("tag-strings", &old, &Sample::page("<div></div><p>two")));
        assert!(is_change("tag-strings", &old, &Sample::page("<div><p><p>")));
    }
}
