//! Which words do relevant pages have? Counts of pages, turned into evidence for the words of links.
//!
//! ```text
//! of a word:  (ln (c₁+½)/(n₁+1) − ln (c₀+½)/(n₀+1)), ±3 at most, · (c₁+c₀)/(c₁+c₀+2)
//! of words:   the sum over them / √(number + 1), ±4 at most
//! ```
//!
//! `c₁` and `c₀` count the relevant and the other pages with the word. The
//! topic's own words begin as if three relevant pages had them.

use serde::{Deserialize, Serialize};

use super::page::{NUMBERS, number};
use crate::interest::Interest;

/// Relevant pages that the topic's own words are taken to stand on.
const HEAD_START: f32 = 3.0;
/// No word and no set of words is stronger evidence than this.
const STRONGEST_WORD: f32 = 3.0;
const STRONGEST: f32 = 4.0;
/// Pages with a word at which half of its evidence counts.
const HALF_TRUSTED: f32 = 2.0;

pub(super) struct Terms {
    /// Of each word: relevant pages with it, and others.
    counts: Vec<(f32, f32)>,
    /// Of each word: what follows from its counts alone, and how much it is trusted.
    leanings: Vec<(f32, f32)>,
    pages: (f32, f32),
}

/// What is kept: words that were seen, and how many pages there were.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    counts: Vec<(u32, f32, f32)>,
    pages: (f32, f32),
}

impl Terms {
    pub(super) fn new(interest: &Interest) -> Terms {
        let mut terms = Terms {
            counts: vec![(0.0, 0.0); NUMBERS],
            leanings: vec![(0.0, 0.0); NUMBERS],
            pages: (HEAD_START, 0.0),
        };
        for (word, _) in interest.words() {
            let at = number(word);
            terms.set(at, (HEAD_START, 0.0));
        }
        terms
    }

    fn set(&mut self, word: u32, counts: (f32, f32)) {
        let (ours, theirs) = counts;
        let met = ours + theirs;
        self.counts[word as usize] = counts;
        self.leanings[word as usize] =
            ((ours + 0.5).ln() - (theirs + 0.5).ln(), met / (met + HALF_TRUSTED));
    }

    /// Takes in the different words of a page.
    pub(super) fn learn(&mut self, words: impl Iterator<Item = u32>, is_relevant: bool) {
        let one = |counts: (f32, f32)| match is_relevant {
            true => (counts.0 + 1.0, counts.1),
            false => (counts.0, counts.1 + 1.0),
        };
        self.pages = one(self.pages);
        for word in words {
            self.set(word, one(self.counts[word as usize]));
        }
    }

    /// What words of a link say together.
    pub(super) fn evidence(&self, words: &[u32]) -> f32 {
        let share = (self.pages.0 + 1.0).ln() - (self.pages.1 + 1.0).ln();
        let of_word = |word: &u32| {
            let (leaning, trust) = self.leanings[*word as usize];
            if trust == 0.0 {
                0.0
            } else {
                (leaning - share).clamp(-STRONGEST_WORD, STRONGEST_WORD) * trust
            }
        };
        let sum: f32 = words.iter().map(of_word).sum();
        (sum / (words.len() as f32 + 1.0).sqrt()).clamp(-STRONGEST, STRONGEST)
    }

    pub(super) fn to_kept(&self) -> Kept {
        let seen = (0..).zip(&self.counts).filter(|(_, counts)| **counts != (0.0, 0.0));
        let counts = seen.map(|(word, (ours, theirs))| (word, *ours, *theirs)).collect();
        Kept { counts, pages: self.pages }
    }

    pub(super) fn restore(&mut self, kept: Kept) {
        self.pages = kept.pages;
        for (word, ours, theirs) in kept.counts {
            if (word as usize) < NUMBERS {
                self.set(word, (ours, theirs));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_relevant_pages_speak_for_a_link_and_the_topics_own_from_the_start() {
        let mut terms = Terms::new(&Interest::new([("gannet", 1.0)]));
        let of = |terms: &Terms, word| terms.evidence(&[number(word)]);
        // (ln 3.5/4 − ln ½) · 3/5 / √2
        assert!((of(&terms, "gannet") - 0.237).abs() < 0.001, "{}", of(&terms, "gannet"));
        assert_eq!(of(&terms, "colony"), 0.0);
        for _ in 0..5 {
            terms.learn([number("colony"), number("sea")].into_iter(), true);
            terms.learn([number("ferry"), number("sea")].into_iter(), false);
        }
        assert!(of(&terms, "colony") > 0.5 && of(&terms, "ferry") < -0.5);
        assert!(of(&terms, "sea").abs() < 0.5);
        let mut again = Terms::new(&Interest::default());
        again.restore(terms.to_kept());
        assert_eq!(of(&again, "ferry"), of(&terms, "ferry"));
    }
}
