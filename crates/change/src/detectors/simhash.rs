//! A hash that moves little when the text changes little (Charikar, 2002; Manku, Jain and Das
//! Sarma, 2007).
//!
//! Each run of 3 words of the visible text votes with the 64 bits of its xxh3-64; each bit of the
//! simhash goes to the majority. A change is a distance of more than 3 bits, as Manku et al.
//! chose for near duplicates. A yardstick.
//!
//! **Choose it when** only a page that is largely rewritten matters. **Cost:** a hash for each
//! word. **Weakness:** a new paragraph in a long page mostly moves too few bits, and in a short one
//! a single word moves enough.

use xxhash_rust::xxh3::xxh3_64;

use crate::detector::{Detector, Entry, Verdict};
use crate::version::Version;

pub(crate) const ENTRY: Entry = Entry {
    name: "simhash",
    summary: "a hash of all runs of three words, a change if more than 3 of its 64 bits differ",
    build: || Box::new(Simhash),
};

/// Words in a run.
const RUN: usize = 3;

/// So many bits may differ between versions that are the same.
const TOLERATED: u32 = 3;

struct Simhash;

impl Detector for Simhash {
    fn compare(&self, old: &Version<'_>, new: &Version<'_>) -> Verdict {
        let distance = (simhash(old) ^ simhash(new)).count_ones();
        Verdict {
            is_change: distance > TOLERATED,
            because: format!("{distance} of 64 bits of the simhash differ"),
        }
    }
}

fn simhash(version: &Version<'_>) -> u64 {
    let words: Vec<&str> = version.document.text().flat_map(str::split_whitespace).collect();
    if words.is_empty() {
        return 0;
    }
    let mut votes = [0_i64; 64];
    let mut run = String::new();
    // A text of fewer words is one run.
    for words in words.windows(RUN.min(words.len())) {
        run.clear();
        for word in words {
            run.push_str(word);
            run.push(' ');
        }
        let hash = xxh3_64(run.as_bytes());
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += if hash >> bit & 1 == 1 { 1 } else { -1 };
        }
    }
    votes.iter().enumerate().fold(0, |hash, (bit, &vote)| hash | u64::from(vote > 0) << bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::{Sample, compare, is_change};

    fn article(words: usize) -> String {
        (0..words).map(|number| format!("word{number} ")).collect()
    }

    #[test]
    fn a_rewritten_page_is_a_change() {
        let verdict = compare("simhash", &Sample::text("one two three"), &Sample::text("four"));
        assert!(verdict.is_change, "{}", verdict.because);
        assert!(is_change("simhash", &Sample::text("one two three four"), &Sample::text("")));
    }

    #[test]
    fn a_word_more_in_a_long_page_is_none() {
        let (old, new) = (article(5000), article(5001));
        assert!(!is_change("simhash", &Sample::text(&old), &Sample::text(&new)));
    }

    #[test]
    fn markup_and_white_space_are_not_seen() {
        let (old, new) = (Sample::page("<p>one two three"), Sample::page("<b>one  two\n<i>three"));
        assert_eq!(simhash(&old.version()), simhash(&new.version()));
    }
}
