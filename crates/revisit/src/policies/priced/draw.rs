//! Numbers that look random and are the same in every run (SplitMix64).

use serde::{Deserialize, Serialize};

/// A source of numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Draw(u64);

/// What SplitMix64 adds at each step: 2^64 over the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Draw {
    pub(super) fn new() -> Draw {
        Draw(0)
    }

    /// A number below `end`, which is above 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0) % end
    }
}

/// A number from -1 to 1 that two numbers fix.
pub(super) fn spread(one: u32, other: u32) -> f64 {
    let mixed = mix(u64::from(one) << 32 | u64::from(other));
    // The upper 53 bits are what a float holds.
    (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly() {
        let mean = (0..10_000).map(|number| spread(number, 7)).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.02, "{mean}");
        assert!((0..10_000).all(|number| spread(number, 3).abs() <= 1.0));
        let mut draw = Draw::new();
        let low = (0..10_000).filter(|_| draw.below(10) < 5).count();
        assert!((4_800..5_200).contains(&low), "{low}");
    }
}
