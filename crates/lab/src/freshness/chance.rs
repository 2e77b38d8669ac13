//! Random numbers that a seed fixes for ever (SplitMix64), in the shapes that pages need.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A source of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Chance(u64);

/// What SplitMix64 adds at each step.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Chance {
    /// The numbers of a seed for a purpose.
    pub(super) fn seeded(seed: u64, purpose: &str) -> Chance {
        Chance(xxh3_64_with_seed(purpose.as_bytes(), seed))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Above 0 and at most 1.
    pub(super) fn share(&mut self) -> f64 {
        // The upper 53 bits are what a float holds.
        ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// True with this chance.
    pub(super) fn is(&mut self, chance: f64) -> bool {
        self.share() <= chance
    }

    /// From a normal distribution (Box and Muller).
    pub(super) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.share().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.share()).cos()
    }

    /// Time to the next of events that come at this rate.
    pub(super) fn gap(&mut self, rate: f64) -> f64 {
        -self.share().ln() / rate
    }

    /// How many of events of which this many are expected.
    pub(super) fn count(&mut self, mean: f64) -> u32 {
        let mut left = mean;
        let mut count = 0;
        loop {
            left += self.share().ln();
            if left < 0.0 {
                return count;
            }
            count += 1;
        }
    }

    /// The same things in another order.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            let other = (self.next() % (at as u64 + 1)) as usize;
            things.swap(at, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_moments_they_should() {
        let mut chance = Chance::seeded(1, "test");
        let many = 100_000;
        let mean = |values: &mut dyn FnMut() -> f64| {
            (0..many).map(|_| values()).sum::<f64>() / f64::from(many)
        };
        assert!((mean(&mut || chance.normal().powi(2)) - 1.0).abs() < 0.02);
        assert!((mean(&mut || chance.gap(4.0)) - 0.25).abs() < 0.01);
        assert!((mean(&mut || chance.count(0.7).into()) - 0.7).abs() < 0.02);
        assert!((mean(&mut || f64::from(u8::from(chance.is(0.2)))) - 0.2).abs() < 0.01);
    }
}
