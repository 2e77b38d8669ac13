//! Words and phrases found in a text in one pass, however many there are.
//!
//! Every word of the text is looked up once. A phrase is found at its last
//! word, by walking back over the words before it along a tree that all
//! phrases share: it takes as many steps as the longest of them has words,
//! not as many as there are phrases with that ending.

use std::collections::HashMap;
use std::ops::Range;

use crate::lexicon::Lexicon;
use crate::words;

/// Words and phrases with numbers.
pub(crate) struct Phrases {
    lexicon: Lexicon<Meaning>,
    /// Words that stand in phrases.
    known_words: u32,
    /// The tree: from an end of phrases and the word before it to a longer end.
    ends: HashMap<(u32, u32), u32>,
    /// Of each end, the number of the phrase that it is; the first belongs to no end.
    whole: Vec<Option<u32>>,
    /// How many words each phrase has.
    lengths: Vec<u32>,
    /// Words of the longest.
    longest: usize,
}

/// What a word of the text means.
#[derive(Clone, Copy, Debug, Default)]
struct Meaning {
    /// One more than the number of the phrase that it is by itself; 0 if it is none.
    alone: u32,
    /// Its number if it stands in longer phrases; 0 if not.
    word: u32,
    /// The end that it is of longer phrases; 0 if of none.
    end: u32,
    /// What it adds to the number of words that are not counted: 1 if it is silenced, else 0.
    silent: u32,
}

impl Meaning {
    /// True for a word that stands in no phrase: most that are known are stop words.
    fn is_nothing_else(&self) -> bool {
        self.alone | self.word == 0
    }
}

/// A phrase found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its number.
    pub(crate) phrase: u32,
    /// Where its last word stands, counted in words.
    pub(crate) last: u32,
}

/// What is used again from text to text.
#[derive(Default)]
pub(crate) struct Reader {
    buffer: String,
    /// The words just before, while all of them stand in phrases.
    recent: Vec<u32>,
}

impl Phrases {
    /// None yet.
    pub(crate) fn new() -> Phrases {
        Phrases {
            lexicon: Lexicon::new(),
            known_words: 0,
            ends: HashMap::new(),
            whole: vec![None],
            lengths: Vec::new(),
            longest: 1,
        }
    }

    /// The number of a phrase in [normal form](words::normal_form); new ones count up from 0.
    pub(crate) fn add(&mut self, phrase: &str) -> u32 {
        let next = self.lengths.len() as u32;
        let Some((before, last)) = phrase.rsplit_once(' ') else {
            let meaning = self.lexicon.entry(phrase);
            if meaning.alone == 0 {
                meaning.alone = next + 1;
            }
            meaning.silent = 0;
            let number = meaning.alone - 1;
            self.measure(number, 1);
            return number;
        };
        let mut end = self.end(last);
        let mut length = 1;
        for word in before.rsplit(' ') {
            let word = self.word(word);
            let new = self.whole.len() as u32;
            end = *self.ends.entry((end, word)).or_insert(new);
            if end == new {
                self.whole.push(None);
            }
            length += 1;
        }
        let number = *self.whole[end as usize].get_or_insert(next);
        self.measure(number, length);
        number
    }

    /// Leaves a word out of what [`read`](Phrases::read) counts, unless it is a phrase by itself.
    pub(crate) fn silence(&mut self, word: &str) {
        let meaning = self.lexicon.entry(word);
        meaning.silent = u32::from(meaning.alone == 0);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.lengths.len()
    }

    /// How many words a phrase has.
    pub(crate) fn length(&self, phrase: u32) -> u32 {
        self.lengths[phrase as usize]
    }

    /// Calls `visit` with each phrase found in a text, and counts the words of the text that are
    /// not silenced. No phrase runs over the edge of the text.
    pub(crate) fn read(
        &self,
        text: &str,
        reader: &mut Reader,
        mut visit: impl FnMut(Found),
    ) -> u32 {
        let Reader { buffer, recent } = reader;
        recent.clear();
        let mut last = 0_u32;
        let mut silent = 0;
        words::each_word(text, buffer, |word| {
            let at = last;
            last += 1;
            let Some(meaning) = self.lexicon.get(word) else {
                recent.clear();
                return;
            };
            silent += meaning.silent;
            if meaning.is_nothing_else() {
                recent.clear();
                return;
            }
            self.meet(meaning, recent, |phrase| visit(Found { phrase, last: at }));
        });
        last - silent
    }

    /// Calls `visit` with each phrase found in a text and where it stands, in bytes; tells where
    /// each word stands. For showing places to a person.
    pub(crate) fn places(
        &self,
        text: &str,
        mut visit: impl FnMut(Found, Range<usize>),
    ) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        words::each_word_at(text, |place, _| places.push(place));
        self.read(text, &mut Reader::default(), |found| {
            let first = found.last + 1 - self.length(found.phrase);
            visit(found, places[first as usize].start..places[found.last as usize].end);
        });
        places
    }

    /// Calls `visit` with each phrase that ends with this word.
    fn meet(&self, meaning: &Meaning, recent: &mut Vec<u32>, mut visit: impl FnMut(u32)) {
        if meaning.alone != 0 {
            visit(meaning.alone - 1);
        }
        if meaning.word == 0 {
            recent.clear();
            return;
        }
        let mut end = meaning.end;
        if end != 0 {
            for before in recent.iter().rev() {
                let Some(longer) = self.ends.get(&(end, *before)) else { break };
                end = *longer;
                if let Some(phrase) = self.whole[end as usize] {
                    visit(phrase);
                }
            }
        }
        if recent.len() == self.longest {
            recent.remove(0);
        }
        recent.push(meaning.word);
    }

    /// The number of a word that stands in a phrase.
    fn word(&mut self, word: &str) -> u32 {
        let meaning = self.lexicon.entry(word);
        if meaning.word == 0 {
            self.known_words += 1;
            meaning.word = self.known_words;
        }
        meaning.word
    }

    /// The end of phrases that a last word is.
    fn end(&mut self, word: &str) -> u32 {
        self.word(word);
        let meaning = self.lexicon.entry(word);
        if meaning.end == 0 {
            meaning.end = self.whole.len() as u32;
            self.whole.push(None);
        }
        meaning.end
    }

    /// Notes the length of a phrase if it is new.
    fn measure(&mut self, number: u32, length: u32) {
        if number as usize == self.lengths.len() {
            self.lengths.push(length);
            self.longest = self.longest.max(length as usize);
        }
    }
}

/// Sorts numbers and counts how often each occurs.
pub(crate) fn tally(mut numbers: Vec<u32>) -> Vec<(u32, u32)> {
    numbers.sort_unstable();
    let runs = numbers.chunk_by(|a, b| a == b);
    runs.map(|run| (run[0], run.len() as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(phrases: &[&str], text: &str) -> Vec<(String, u32)> {
        let mut known = Phrases::new();
        for phrase in phrases {
            known.add(phrase);
        }
        let mut found = Vec::new();
        known.read(text, &mut Reader::default(), |one| {
            found.push((phrases[one.phrase as usize].to_owned(), one.last));
        });
        found
    }

    #[track_caller]
    fn check(phrases: &[&str], text: &str, expected: &[(&str, u32)]) {
        let expected: Vec<_> =
            expected.iter().map(|(phrase, last)| ((*phrase).to_owned(), *last)).collect();
        assert_eq!(found(phrases, text), expected);
    }

    #[test]
    fn phrases_are_found_at_their_last_word() {
        check(&["plunge diving"], "Plunge-diving, diving plunge", &[("plunge diving", 1)]);
        check(&["birds of prey"], "the birds of prey", &[("birds of prey", 3)]);
        check(&["plunge diving"], "plunge deep diving", &[]);
        check(&["ping ping"], "ping ping ping", &[("ping ping", 1), ("ping ping", 2)]);
    }

    #[test]
    fn phrases_may_share_words_and_end_in_each_other() {
        check(
            &["sea", "sea bird", "bird", "big sea bird"],
            "big sea bird",
            &[("sea", 1), ("bird", 2), ("sea bird", 2), ("big sea bird", 2)],
        );
        check(&["a b c", "c d"], "a b c d", &[("a b c", 2), ("c d", 3)]);
    }

    #[test]
    fn a_phrase_added_twice_has_one_number() {
        let mut phrases = Phrases::new();
        assert_eq!([phrases.add("a b"), phrases.add("b"), phrases.add("a b")], [0, 1, 0]);
        assert_eq!([phrases.length(0), phrases.length(1)], [2, 1]);
    }

    #[test]
    fn places_are_those_of_the_words_as_written() {
        let mut phrases = Phrases::new();
        phrases.add("birds nest");
        let text = "The Bird's — «nest»";
        let mut found = Vec::new();
        let words = phrases.places(text, |_, place| found.push(&text[place]));
        assert_eq!(found, ["Bird's — «nest"]);
        assert_eq!(words.len(), 3);
    }

    #[test]
    fn silenced_words_are_not_counted_unless_they_are_asked_for() {
        let mut phrases = Phrases::new();
        phrases.silence("the");
        phrases.silence("who");
        phrases.add("who");
        assert_eq!(phrases.read("the who and the whale", &mut Reader::default(), |_| {}), 3);
    }

    proptest! {
        #[test]
        fn every_phrase_is_found_wherever_it_stands(
            phrases in prop::collection::btree_set("[abc]( [abc]){0,3}", 1..8),
            text in "[abcd]( [abcd]){0,20}",
        ) {
            let phrases: Vec<&str> = phrases.iter().map(String::as_str).collect();
            let words: Vec<&str> = text.split(' ').collect();
            let mut expected = Vec::new();
            for phrase in &phrases {
                let length = phrase.split(' ').count();
                for (first, window) in words.windows(length).enumerate() {
                    if window.join(" ") == *phrase {
                        expected.push(((*phrase).to_owned(), (first + length - 1) as u32));
                    }
                }
            }
            let mut found = found(&phrases, &text);
            found.sort();
            expected.sort();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn a_tally_counts_each_number(numbers in prop::collection::vec(0_u32..5, 0..30)) {
            let tally = tally(numbers.clone());
            prop_assert!(tally.is_sorted_by(|a, b| a.0 < b.0));
            for (number, count) in tally {
                let times = numbers.iter().filter(|one| **one == number).count();
                prop_assert_eq!(count as usize, times);
            }
        }
    }
}
