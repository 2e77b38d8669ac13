//! How are numbers kept as keys that are well spread already? By themselves: hashing them again
//! would only cost time.

use std::hash::{BuildHasherDefault, Hasher};

/// Spreads a number's bits over all of it: the last steps of SplitMix64.
pub fn spread(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// For maps and sets by fingerprints and other well mixed numbers.
pub type Spread = BuildHasherDefault<AsItIs>;

/// Takes a number for its own hash.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        // Numbers come through `write_u64`; anything else is folded in plainly.
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
