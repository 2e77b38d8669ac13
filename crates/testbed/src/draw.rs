//! Chance without memory: every draw is a function of the seed and a name.
//!
//! Nothing here keeps a generator between calls. What a page looks like is
//! drawn from (seed, purpose, host, page), so any page can be computed alone
//! and in any order.

/// What a draw decides. Two purposes never share a stream, so a new one does
/// not disturb the web that older seeds describe.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    HostOrder = 1,
    HostTheme,
    HostTraits,
    HostName,
    Section,
    Page,
    Behaviour,
    Title,
    Links,
    Block,
    Anchor,
    Change,
    Touch,
    Life,
    Seeds,
    Trap,
    Shape,
}

/// A short stream of draws for one purpose.
pub(crate) struct Draw(u64);

impl Draw {
    /// The stream for `purpose`, named by two numbers.
    pub(crate) fn new(seed: u64, purpose: Purpose, first: u64, second: u64) -> Draw {
        let key = mix(seed ^ (purpose as u64).wrapping_mul(0xA076_1D64_78BD_642F));
        let key = mix(key ^ first.wrapping_mul(0xE703_7ED1_A0B4_28DB));
        Draw(mix(key ^ second.wrapping_mul(0x8EBC_6AF0_9C88_C6E3)))
    }

    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number in `0..bound`; 0 when the bound is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // Multiply-high is unbiased enough for a bound far below 2^64 and
        // much cheaper than a remainder.
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// A fraction in `0.0..1.0`.
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with probability `share`.
    pub(crate) fn chance(&mut self, share: f64) -> bool {
        self.fraction() < share
    }

    /// One of the items.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

/// The finaliser of SplitMix64: a bijection that scatters neighbouring keys.
fn mix(key: u64) -> u64 {
    let key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ (key >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_name_draws_the_same_stream() {
        let draw = || Draw::new(7, Purpose::Page, 3, 4).bits();
        assert_eq!(draw(), draw());
    }

    #[test]
    fn purposes_do_not_share_a_stream() {
        let one = Draw::new(7, Purpose::Page, 3, 4).bits();
        assert_ne!(one, Draw::new(7, Purpose::Title, 3, 4).bits());
    }

    #[test]
    fn a_share_is_met_on_average() {
        let hits = (0..10_000).filter(|&n| Draw::new(1, Purpose::Page, n, 0).chance(0.05)).count();
        assert!((400..600).contains(&hits), "{hits}");
    }
}
