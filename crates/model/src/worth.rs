//! What a request is worth: the one currency of the scheduler.
//!
//! Expected relevant information per request. New links and known pages are
//! valued in the same unit so that they can stand in one queue.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a request is worth. Invariant: finite and not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(from = "f32", into = "f32")]
pub struct Worth(f32);

impl Worth {
    /// Nothing: fetched last, if at all.
    pub const ZERO: Worth = Worth(0.0);

    /// Takes any number; what is negative or not a number is worth nothing.
    pub fn new(value: f32) -> Worth {
        if value.is_nan() { Worth::ZERO } else { Worth(value.clamp(0.0, f32::MAX)) }
    }

    /// The number.
    pub fn get(self) -> f32 {
        self.0
    }

    /// A number whose order is the order of worth. Positive floats sort by
    /// their bits, so this is the bit pattern.
    pub fn rank(self) -> u32 {
        self.0.to_bits()
    }

    /// The worth behind a rank.
    pub fn from_rank(rank: u32) -> Worth {
        Worth::new(f32::from_bits(rank))
    }

    /// One of [`Worth::STEPS`] steps, 8 to the octave from 2⁻²⁴ to 2⁷: coarse
    /// enough for one byte, fine enough that a step up is worth re-queueing a
    /// link for, and wide enough for models whose scores are small.
    pub fn step(self) -> u8 {
        let lowest = (2.0_f32.powi(-24)).to_bits() >> 20;
        let step = (self.0.to_bits() >> 20).saturating_sub(lowest);
        u8::try_from(step).unwrap_or(u8::MAX).min(Worth::STEPS - 1)
    }

    /// How many steps [`Worth::step`] tells apart.
    pub const STEPS: u8 = 250;
}

impl From<f32> for Worth {
    fn from(value: f32) -> Worth {
        Worth::new(value)
    }
}

impl From<Worth> for f32 {
    fn from(worth: Worth) -> f32 {
        worth.0
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_not_a_positive_number_is_worth_nothing() {
        for odd in [f32::NAN, -1.0, f32::NEG_INFINITY] {
            assert_eq!(Worth::new(odd).get(), 0.0);
        }
        assert!(Worth::new(f32::INFINITY).get().is_finite());
    }

    proptest! {
        #[test]
        fn rank_and_step_keep_the_order(a in 0.0_f32..50.0, b in 0.0_f32..50.0) {
            let (low, high) = (Worth::new(a.min(b)), Worth::new(a.max(b)));
            prop_assert!(low.rank() <= high.rank());
            prop_assert!(low.step() <= high.step());
            prop_assert_eq!(Worth::from_rank(low.rank()), low);
        }
    }
}
