//! The hash of all visible text.
//!
//! xxh3-64 of the words, one space between each two. A yardstick, of no paper.
//!
//! **Choose it when** any word matters, of menus and footers too. **Cost:** one pass over the
//! text. **Weakness:** a date or a counter in a corner is as much a change as a new article.

use xxhash_rust::xxh3::Xxh3;

use crate::detector::{Entry, InSteps, Step};
use crate::version::Version;

pub(crate) const ENTRY: Entry = Entry {
    name: "text-hash",
    summary: "a hash of all visible text, white space folded",
    build: || Box::new(InSteps(&[STEP])),
};

const STEP: Step = Step { name: "hash of the text", code: text_hash };

fn text_hash(version: &Version<'_>) -> String {
    let mut hasher = Xxh3::new();
    for word in version.document.text().flat_map(str::split_whitespace) {
        hasher.update(word.as_bytes());
        hasher.update(b" ");
    }
    format!("{:016x}", hasher.digest())
}

#[cfg(test)]
mod tests {
    use crate::detectors::sample::{Sample, is_change};

    #[track_caller]
    fn check(old: &str, new: &str, expected: bool) {
        assert_eq!(is_change("text-hash", &Sample::page(old), &Sample::page(new)), expected);
    }

    #[test]
    fn any_word_is_a_change() {
        check("<p>a word", "<p>a world", true);
        check("<p>a word", "<p>word a", true);
        check("<p>a word", "<p>aword", true);
    }

    #[test]
    fn markup_and_white_space_are_not_seen() {
        check("<p>a word", "<div> a \n <b>word</b></div>", false);
    }
}
