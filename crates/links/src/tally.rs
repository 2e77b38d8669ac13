//! Words as numbers, and how often each was met: every page is counted, so it must be quick.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of a word: 64 well mixed bits.
pub(crate) fn word_number(word: &str) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = word.len() as u64;
    let mut chunks = word.as_bytes().chunks_exact(8);
    for chunk in &mut chunks {
        let eight = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        state = (state ^ eight).wrapping_mul(MIX);
        state ^= state >> 32;
    }
    let mut last = [0; 8];
    let rest = chunks.remainder();
    last[..rest.len()].copy_from_slice(rest);
    state = (state ^ u64::from_le_bytes(last)).wrapping_mul(MIX);
    (state ^ (state >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// A map by numbers that are mixed already.
pub(crate) type ByNumber<V> = HashMap<u64, V, BuildHasherDefault<AsItIs>>;

/// Takes a number for its own hash.
#[derive(Default)]
pub(crate) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, bits: u64) {
        self.0 = bits;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// How often each word was met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    counts: ByNumber<f32>,
    /// The sum of the counts' squares.
    squares: f32,
}

impl Tally {
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        self.add_times(word, 1.0);
    }

    pub(crate) fn add_times(&mut self, word: u64, times: f32) {
        let count = self.counts.entry(word).or_default();
        self.squares += times * (2.0 * *count + times);
        *count += times;
    }

    pub(crate) fn squares(&self) -> f32 {
        self.squares
    }

    /// Each word once, with how often it was met, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, f32)> + '_ {
        self.counts.iter().map(|(word, count)| (*word, *count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_those_of_the_counts() {
        let mut tally = Tally::default();
        for word in ["sea", "sea", "gannet", "sea"] {
            tally.add(word_number(word));
        }
        tally.add_times(word_number("gannet"), 1.0);
        assert_eq!(tally.squares(), 9.0 + 4.0);
        assert_eq!(tally.iter().count(), 2);
    }
}
