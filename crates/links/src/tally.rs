//! Words as numbers, and how often each was met: every page is counted, so it must be quick.

use std::collections::HashMap;

use gannet_model::Spread;

/// A map by the [numbers](gannet_model::words::number) of words.
pub(crate) type ByNumber<V> = HashMap<u64, V, Spread>;

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
        let count = self.counts.entry(word).or_default();
        self.squares += 2.0 * *count + 1.0;
        *count += 1.0;
    }

    pub(crate) fn squares(&self) -> f32 {
        self.squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::words::number;

    #[test]
    fn squares_are_those_of_the_counts() {
        let mut tally = Tally::default();
        for word in ["sea", "sea", "gannet", "sea"] {
            tally.add(number(word));
        }
        assert_eq!(tally.squares(), 9.0 + 1.0);
    }
}
