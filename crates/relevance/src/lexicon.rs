//! The words a model knows, for quick looking up.
//!
//! A hash table of our own, because every word of every page is looked up in
//! it and most are not there: it is kept so sparse that such a word nearly
//! always ends at one empty slot, without any comparison. Its hash is weak and
//! quick; the words in it are the user's own, so nobody can crowd it.

/// Words with what they mean to a model.
pub(crate) struct Lexicon<M> {
    words: Vec<(Box<str>, M)>,
    slots: Vec<Slot>,
}

/// A place in the table. Ends and length tell words of up to seven bytes apart
/// by themselves, so that most are found without looking at their letters again.
#[derive(Clone, Copy, Default)]
struct Slot {
    ends: u64,
    length: u32,
    /// One more than the place of the word in `words`; 0 marks an empty slot.
    place: u32,
}

/// Slots at least: 16 KiB, which stays in the processor's nearest cache.
const FIRST_SLOTS: usize = 1 << 10;
/// Slots for each word at least.
const SPARSENESS: usize = 4;
/// Words of more bytes may have the same ends.
const TOLD_BY_ENDS: usize = 7;

impl<M: Default> Lexicon<M> {
    /// Knows no word.
    pub(crate) fn new() -> Lexicon<M> {
        Lexicon { words: Vec::new(), slots: vec![Slot::default(); FIRST_SLOTS] }
    }

    /// What a word means, to be changed; a new word means nothing yet.
    pub(crate) fn entry(&mut self, word: &str) -> &mut M {
        if (self.words.len() + 1) * SPARSENESS > self.slots.len() {
            self.grow();
        }
        let at = self.find(word);
        if self.slots[at].place == 0 {
            self.words.push((word.into(), M::default()));
            self.slots[at] = slot(word, self.words.len());
        }
        let place = self.slots[at].place as usize - 1;
        &mut self.words[place].1
    }

    /// What a word means, if it is known.
    #[inline]
    pub(crate) fn get(&self, word: &str) -> Option<&M> {
        let place = self.slots[self.find(word)].place.checked_sub(1)?;
        Some(&self.words[place as usize].1)
    }

    /// The slot of a word, or the empty one where it would go.
    #[inline]
    fn find(&self, word: &str) -> usize {
        let (ends, length) = (ends(word.as_bytes()), word.len());
        let last = self.slots.len() - 1;
        let mut at = spread(ends, length) as usize & last;
        loop {
            let slot = self.slots[at];
            let is_alike = slot.ends == ends && slot.length as usize == length;
            if slot.place == 0 || (is_alike && self.is_at(slot, word)) {
                return at;
            }
            at = (at + 1) & last;
        }
    }

    /// True when the word at a slot with the same ends and length is this one.
    fn is_at(&self, slot: Slot, word: &str) -> bool {
        word.len() <= TOLD_BY_ENDS || *self.words[slot.place as usize - 1].0 == *word
    }

    fn grow(&mut self) {
        self.slots = vec![Slot::default(); self.slots.len() * 2];
        for place in 0..self.words.len() {
            let word = std::mem::take(&mut self.words[place].0);
            // All words differ, so the first empty slot is the right one.
            let last = self.slots.len() - 1;
            let mut at = spread(ends(word.as_bytes()), word.len()) as usize & last;
            while self.slots[at].place != 0 {
                at = (at + 1) & last;
            }
            self.slots[at] = slot(&word, place + 1);
            self.words[place].0 = word;
        }
    }
}

fn slot(word: &str, place: usize) -> Slot {
    Slot {
        ends: ends(word.as_bytes()),
        length: u32::try_from(word.len()).unwrap_or(u32::MAX),
        place: u32::try_from(place).unwrap_or(u32::MAX),
    }
}

/// The first and the last bytes of a word; overlapping, so that of one length no two words of up
/// to seven bytes have the same.
#[inline]
fn ends(word: &[u8]) -> u64 {
    let four = |at: usize| {
        u64::from(u32::from_le_bytes([word[at], word[at + 1], word[at + 2], word[at + 3]]))
    };
    match word.len() {
        0 => 0,
        length @ 1..=3 => {
            u64::from(word[0])
                | u64::from(word[length / 2]) << 8
                | u64::from(word[length - 1]) << 16
        }
        length @ 4..=7 => four(0) | four(length - 4) << 32,
        length => {
            (four(0) | four(4) << 32) ^ (four(length - 8) | four(length - 4) << 32).rotate_left(27)
        }
    }
}

/// The golden ratio spreads what differs in few bits; the high half is the better one.
#[inline]
fn spread(ends: u64, length: usize) -> u64 {
    (ends ^ (length as u64) << 59).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn it_holds_many_words() {
        let mut lexicon = Lexicon::new();
        for number in 0..20_000_usize {
            *lexicon.entry(&format!("word-number-{number}")) = number;
        }
        let is_right =
            |number: &usize| lexicon.get(&format!("word-number-{number}")) == Some(number);
        assert!((0..20_000).all(|number| is_right(&number)));
        assert_eq!(lexicon.get("word-number-20000"), None);
    }

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
