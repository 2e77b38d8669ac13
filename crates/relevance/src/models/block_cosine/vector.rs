//! A block as a vector of term counts.
//!
//! For a cosine only two things are wanted of it: how often each term of the
//! table occurs, and the sum of the squared counts of all terms. Both are kept
//! while reading, without a list of the terms.

use super::table::Table;
use crate::experience::term_of;
use crate::language::Language;
use crate::phrases::tally;
use crate::words;

/// What is wanted of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Vector {
    /// The table's terms that occur, by their places, rising, and how often.
    pub(super) found: Vec<(u32, u32)>,
    /// The sum of the squared counts of all terms.
    pub(super) squares: u64,
    /// How many words there are that are no stop words.
    pub(super) length: u32,
}

/// Reads one block after the other.
pub(super) struct Reader<'t> {
    table: &'t Table,
    language: Language,
    lower: String,
    stem: String,
    counter: Counter,
}

impl<'t> Reader<'t> {
    pub(super) fn new(table: &'t Table, language: Language) -> Reader<'t> {
        let (lower, stem) = (String::new(), String::new());
        Reader { table, language, lower, stem, counter: Counter::new() }
    }

    /// Reads the texts of a block.
    pub(super) fn read<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) -> Vector {
        let Reader { table, language, lower, stem, counter } = self;
        let mut vector = Vector::default();
        let mut found = Vec::new();
        counter.clear();
        for text in texts {
            words::each_word(text, lower, |word| {
                // A stop word that the user asks for counts.
                let term = match term_of(word, *language, stem) {
                    Some(term) => term,
                    None if table.find(word).is_some() => word,
                    None => return,
                };
                vector.length += 1;
                let before = counter.count(term);
                // (n + 1)² − n²
                vector.squares += 2 * u64::from(before) + 1;
                found.extend(table.find(term));
            });
        }
        vector.found = tally(found);
        vector
    }
}

/// Counts terms by 64 bits that stand for them: two that share all of these would blur the length
/// of a vector a little, and nothing else.
struct Counter {
    slots: Vec<Slot>,
    /// Slots of other blocks are empty.
    block: u32,
    used: usize,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    block: u32,
    count: u32,
}

/// Slots at first: enough for the terms of most blocks, and 16 KB.
const FIRST_SLOTS: usize = 1 << 10;

impl Counter {
    fn new() -> Counter {
        Counter { slots: vec![Slot::default(); FIRST_SLOTS], block: 0, used: 0 }
    }

    fn clear(&mut self) {
        self.block += 1;
        self.used = 0;
    }

    /// How often a term was counted before.
    fn count(&mut self, term: &str) -> u32 {
        let hash = hash(term);
        let at = self.find(hash);
        let slot = &mut self.slots[at];
        if slot.block == self.block {
            slot.count += 1;
            return slot.count - 1;
        }
        *slot = Slot { hash, block: self.block, count: 1 };
        self.used += 1;
        if self.used * 2 > self.slots.len() {
            self.grow();
        }
        0
    }

    /// The slot of a term, or the empty one where it would go.
    fn find(&self, hash: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut at = hash as usize & last;
        while self.slots[at].block == self.block && self.slots[at].hash != hash {
            at = (at + 1) & last;
        }
        at
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        for slot in old.into_iter().filter(|slot| slot.block == self.block) {
            let at = self.find(slot.hash);
            self.slots[at] = slot;
        }
    }
}

/// Eight bytes at a time, each spread over all bits.
fn hash(term: &str) -> u64 {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = term.len() as u64;
    for eight in term.as_bytes().chunks(8) {
        let number = eight.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        hash = (hash ^ number).wrapping_mul(SPREAD);
        hash ^= hash >> 29;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topic;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn stems_are_counted_and_stop_words_are_not() {
        let topic = Topic::from_words("dive, gannet").unwrap();
        let table = Table::new(topic.keywords(), &[], Language::ENGLISH);
        let mut reader = Reader::new(&table, Language::ENGLISH);
        let vector = reader.read(["The diving Gannets", "dived and dives; a rock"]);
        assert_eq!(vector.found, [(0, 3), (1, 1)]);
        assert_eq!((vector.squares, vector.length), (9 + 1 + 1, 5));
        assert_eq!(reader.read(["the and of"]), Vector::default());
        assert_eq!(reader.read([]), Vector::default());
    }

    #[test]
    fn a_stop_word_the_user_asks_for_counts() {
        let topic = Topic::from_words("who").unwrap();
        let table = Table::new(topic.keywords(), &[], Language::ENGLISH);
        let vector = Reader::new(&table, Language::ENGLISH).read(["the who"]);
        assert_eq!(vector, Vector { found: vec![(0, 1)], squares: 1, length: 1 });
    }

    #[test]
    fn a_block_may_have_any_number_of_terms() {
        let table = Table::new(&[], &[], Language::UNKNOWN);
        let words: Vec<String> = (0..5_000).map(|at| format!("word{}", at % 4_000)).collect();
        let vector = Reader::new(&table, Language::UNKNOWN).read([words.join(" ").as_str()]);
        assert_eq!((vector.squares, vector.length), (1_000 * 4 + 3_000, 5_000));
    }

    proptest! {
        #[test]
        fn squares_are_those_of_all_counts(
            blocks in prop::collection::vec(prop::collection::vec("[a-c]{1,2}|[a-z]{1,20}", 0..40), 1..4),
        ) {
            let table = Table::new(&[], &[], Language::UNKNOWN);
            let mut reader = Reader::new(&table, Language::UNKNOWN);
            for words in blocks {
                let mut counts: HashMap<&str, u64> = HashMap::new();
                words.iter().for_each(|word| *counts.entry(word).or_default() += 1);
                let vector = reader.read([words.join(" ").as_str()]);
                prop_assert_eq!(vector.squares, counts.values().map(|count| count * count).sum::<u64>());
                prop_assert_eq!(vector.length as usize, words.len());
            }
        }
    }
}
