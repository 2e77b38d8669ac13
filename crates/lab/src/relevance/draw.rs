//! Which pages are drawn as examples: random, and the same for the same seed.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A source of numbers that its seed fixes for ever (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Draw(u64);

impl Draw {
    /// The draw of this seed for a purpose, named by its parts.
    pub(crate) fn seeded(seed: u64, purpose: &[&str]) -> Draw {
        Draw(purpose.iter().fold(seed, |seed, part| xxh3_64_with_seed(part.as_bytes(), seed)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is above 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        // The bias of the remainder is beyond measuring for the few thousand pages there are.
        (self.next() % end as u64) as usize
    }

    /// So many of these, each at most once; all of them when there are fewer.
    pub(crate) fn sample<T: Clone>(&mut self, from: &[T], count: usize) -> Vec<T> {
        let mut left = from.to_vec();
        for at in 0..count.min(left.len()) {
            let other = at + self.below(left.len() - at);
            left.swap(at, other);
        }
        left.truncate(count);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_holds_each_at_most_once_and_depends_on_seed_and_purpose() {
        let all: Vec<u32> = (0..1000).collect();
        let drawn = |seed, purpose| Draw::seeded(seed, &[purpose]).sample(&all, 20);
        let mut once = drawn(1, "a");
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), 20);
        assert_eq!(drawn(1, "a"), drawn(1, "a"));
        assert_ne!(drawn(1, "a"), drawn(2, "a"));
        assert_ne!(drawn(1, "a"), drawn(1, "b"));
        assert_eq!(Draw::seeded(1, &[]).sample(&[7], 3), [7]);
    }
}
