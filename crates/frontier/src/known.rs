//! The table of known URLs: has this URL been seen, and how does it stand?
//!
//! 64 bits of fingerprint for each URL, plus a byte that says whether it is
//! settled or at what worth it is queued. The fingerprint's first byte chooses
//! one of 256 shards and the other seven are stored, so nothing is lost: two
//! URLs among 100 million are confused with a probability of 0.03 %.
//!
//! Shards grow by half, one at a time, and are filled to 80 % at most: between
//! 10 and 15 bytes a URL, and growth never needs two copies of the whole table.
//! (A `HashSet<u64>` doubles: 9 to 21 bytes, and 30 while it grows.)

use gannet_model::{Fingerprint, Worth};

/// How a known URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(u8);

/// Every URL the crawl has come across.
#[derive(Clone, Debug)]
pub struct Known {
    shards: Vec<Shard>,
}

#[derive(Clone, Debug, Default)]
struct Shard {
    /// 56 bits of fingerprint above 8 bits of mark; 0 is an empty slot (no mark is 0).
    slots: Vec<u64>,
    used: usize,
}

const SHARDS: usize = 256;
/// Slots a shard starts with: the empty table takes 16 KiB.
const FIRST_SLOTS: usize = 8;
/// A shard grows when more than 4 of 5 slots are used: linear probing stays below 13 steps.
const FULL: (usize, usize) = (4, 5);

impl Mark {
    /// Fetched, skipped or given up: not queued.
    pub const SETTLED: Mark = Mark(u8::MAX);

    /// Queued at this worth.
    pub fn queued(worth: Worth) -> Mark {
        Mark(worth.step() + 1)
    }

    /// True when finding the URL again at `worth` should move it up.
    pub fn rises_to(self, worth: Worth) -> bool {
        self != Mark::SETTLED && Mark::queued(worth).0 > self.0
    }
}

impl Default for Known {
    fn default() -> Known {
        Known::new()
    }
}

impl Known {
    /// Knows nothing.
    pub fn new() -> Known {
        Known { shards: vec![Shard::default(); SHARDS] }
    }

    /// How this URL stands, if it is known.
    pub fn get(&self, url: Fingerprint) -> Option<Mark> {
        let (shard, low) = split(url);
        let shard = &self.shards[shard];
        let slot = shard.slots.get(shard.find(low)?)?;
        // The low byte is the mark.
        (*slot != 0).then_some(Mark((*slot & 0xff) as u8))
    }

    /// Notes how this URL stands, adding it if it is new.
    pub fn set(&mut self, url: Fingerprint, mark: Mark) {
        let (shard, low) = split(url);
        let shard = &mut self.shards[shard];
        shard.reserve_one();
        if let Some(at) = shard.find(low) {
            shard.used += usize::from(shard.slots[at] == 0);
            shard.slots[at] = low << 8 | u64::from(mark.0);
        }
    }

    /// How many URLs are known.
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.used).sum()
    }

    /// True when none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory the table takes.
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.slots.capacity() * 8).sum()
    }
}

/// The shard, and the 56 bits that are stored there.
fn split(url: Fingerprint) -> (usize, u64) {
    ((url.0 >> 56) as usize, url.0 & (u64::MAX >> 8))
}

impl Shard {
    /// The slot that holds `low`, or the empty one where it would go; `None` in an empty shard.
    fn find(&self, low: u64) -> Option<usize> {
        let slots = self.slots.len();
        if slots == 0 {
            return None;
        }
        // Multiply and shift maps the 56 uniform bits to any number of slots.
        let mut at = ((u128::from(low) * slots as u128) >> 56) as usize;
        loop {
            let slot = self.slots[at];
            if slot == 0 || slot >> 8 == low {
                return Some(at);
            }
            at = if at + 1 == slots { 0 } else { at + 1 };
        }
    }

    fn reserve_one(&mut self) {
        if (self.used + 1) * FULL.1 <= self.slots.len() * FULL.0 {
            return;
        }
        let grown = (self.slots.len() + self.slots.len() / 2).max(FIRST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![0; grown]);
        for slot in old.into_iter().filter(|slot| *slot != 0) {
            if let Some(at) = self.find(slot >> 8) {
                self.slots[at] = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// A spread like a hash function's, from small numbers.
    fn fingerprint(n: u64) -> Fingerprint {
        let mut x = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Fingerprint(x ^ (x >> 31))
    }

    #[test]
    fn a_url_costs_at_most_sixteen_bytes_at_every_size_from_a_hundred_thousand() {
        let mut known = Known::new();
        for n in 0..1_000_000_u64 {
            known.set(fingerprint(n), Mark::SETTLED);
            if n >= 100_000 && n % 10_000 == 0 {
                assert!(known.bytes() <= 16 * known.len(), "{} at {n}", known.bytes());
            }
        }
        assert_eq!(known.len(), 1_000_000);
        assert!((0..1_000_000).all(|n| known.get(fingerprint(n)).is_some()));
        assert!((1_000_000..1_100_000).all(|n| known.get(fingerprint(n)).is_none()));
    }

    #[test]
    fn a_link_found_again_rises_only_when_it_is_worth_more_and_not_settled() {
        let queued = Mark::queued(Worth::new(0.2));
        assert!(queued.rises_to(Worth::new(0.4)));
        assert!(!queued.rises_to(Worth::new(0.2)));
        assert!(!queued.rises_to(Worth::new(0.1)));
        assert!(!Mark::SETTLED.rises_to(Worth::new(1.0)));
        assert_ne!(Mark::queued(Worth::new(f32::MAX)), Mark::SETTLED);
    }

    proptest! {
        #[test]
        fn it_answers_as_a_map_would(steps in prop::collection::vec((any::<u64>(), 0.0_f32..2.0), 0..600)) {
            let mut known = Known::new();
            let mut map = HashMap::new();
            for (bits, worth) in steps {
                // Few distinct high bytes, to crowd the shards; zero fingerprints too.
                let url = Fingerprint(bits & 0x01ff_ffff_ffff_000f);
                known.set(url, Mark::queued(Worth::new(worth)));
                map.insert(url, Mark::queued(Worth::new(worth)));
            }
            prop_assert_eq!(known.len(), map.len());
            for (url, mark) in map {
                prop_assert_eq!(known.get(url), Some(mark));
            }
        }
    }
}
