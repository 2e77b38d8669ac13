//! The words a model knows, for quick looking up.
//!
//! Most words of a page are not in it, and nearly all of those are turned away
//! by one bit of a small filter before any table is searched.

use std::collections::HashMap;

/// Words with what they mean to a model.
pub(crate) struct Lexicon<M> {
    words: HashMap<Box<str>, M>,
    /// A bit for each value of [`slot`]: set when some word has it.
    filter: Vec<u64>,
}

/// 16,384 bits: with a few hundred words about one foreign word in fifty gets through, with
/// thousands it does little harm.
const FILTER_BITS: u32 = 14;

impl<M: Default> Lexicon<M> {
    /// Knows no word.
    pub(crate) fn new() -> Lexicon<M> {
        Lexicon { words: HashMap::new(), filter: vec![0; (1 << FILTER_BITS) / 64] }
    }

    /// What a word means, to be changed; a new word means nothing yet.
    pub(crate) fn entry(&mut self, word: &str) -> &mut M {
        let slot = slot(word.as_bytes());
        self.filter[slot / 64] |= 1 << (slot % 64);
        self.words.entry(word.into()).or_default()
    }

    /// What a word means, if it is known.
    pub(crate) fn get(&self, word: &str) -> Option<&M> {
        let slot = slot(word.as_bytes());
        if self.filter[slot / 64] & (1 << (slot % 64)) == 0 {
            return None;
        }
        self.words.get(word)
    }
}

/// Where a word stands in the filter: its ends and its length, mixed.
fn slot(word: &[u8]) -> usize {
    let ends = match word.len() {
        0 => 0,
        length @ 1..=7 => {
            let mut padded = [0; 8];
            padded[..length].copy_from_slice(word);
            u64::from_le_bytes(padded)
        }
        length => {
            let (mut first, mut last) = ([0; 8], [0; 8]);
            first.copy_from_slice(&word[..8]);
            last.copy_from_slice(&word[length - 8..]);
            u64::from_le_bytes(first) ^ u64::from_le_bytes(last).rotate_left(27)
        }
    };
    // The golden ratio spreads what differs in few bits.
    let mixed = (ends ^ (word.len() as u64).rotate_left(57)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - FILTER_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn it_answers_as_a_map_would(known in prop::collection::vec("[a-c]{0,10}", 0..40), asked in "[a-c]{0,10}") {
            let mut lexicon = Lexicon::new();
            let mut map = HashMap::new();
            for (number, word) in known.iter().enumerate() {
                *lexicon.entry(word) = number;
                map.insert(word.clone(), number);
            }
            prop_assert_eq!(lexicon.get(&asked), map.get(&asked));
            for word in &known {
                prop_assert_eq!(lexicon.get(word), map.get(word));
            }
        }
    }
}
