//! A small, fixed hash for short texts: FNV-1a with 64 bits.
//!
//! Chosen over the standard hasher because it is faster on host names and
//! extensions, and the same in every process, which replays need. It does not
//! resist chosen collisions: use it only where strangers cannot fill the table.

use std::fmt;
use std::hash::Hasher;

/// The state of a hash in the making; also takes formatted text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl fmt::Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_published_function() {
        let mut hash = Fnv::default();
        hash.write(b"foobar");
        assert_eq!(hash.finish(), 0x8594_4171_f739_67e8);
    }
}
