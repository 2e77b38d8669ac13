//! How are numbers kept as keys that are well spread already? By themselves: hashing them again
//! would only cost time.

use std::hash::{BuildHasherDefault, Hasher};

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
