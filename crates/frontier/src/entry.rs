//! One link waiting in a host's queue.

use gannet_model::{Fingerprint, Worth};
use serde::{Deserialize, Serialize};

/// Where a link stands in its host's queue: best worth first, then first come.
///
/// It is also the key of the row in the store, so the two orders cannot differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct QueueKey {
    /// The worth's rank turned over, so that the best sorts first.
    inverted_rank: u32,
    /// When it was queued, in the crawl's own count; breaks ties.
    sequence: u64,
}

/// One link waiting in a host's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place.
    pub key: QueueKey,
    /// Which URL; its record is in the store.
    pub url: Fingerprint,
}

impl QueueKey {
    /// Bytes of the stored form.
    pub const LENGTH: usize = 12;

    /// The place of a link of this worth, queued as number `sequence`.
    pub fn new(worth: Worth, sequence: u64) -> QueueKey {
        QueueKey { inverted_rank: !worth.rank(), sequence }
    }

    /// What the link is worth.
    pub fn worth(self) -> Worth {
        Worth::from_rank(!self.inverted_rank)
    }

    /// Its number in the order of queueing.
    pub fn sequence(self) -> u64 {
        self.sequence
    }

    /// The key just behind this one.
    #[must_use]
    pub fn successor(self) -> QueueKey {
        QueueKey { sequence: self.sequence.saturating_add(1), ..self }
    }

    /// Big-endian bytes, whose order is the order of the keys.
    pub fn to_bytes(self) -> [u8; QueueKey::LENGTH] {
        let mut bytes = [0; QueueKey::LENGTH];
        bytes[..4].copy_from_slice(&self.inverted_rank.to_be_bytes());
        bytes[4..].copy_from_slice(&self.sequence.to_be_bytes());
        bytes
    }

    /// Reads what [`QueueKey::to_bytes`] wrote; `None` if the length is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<QueueKey> {
        let (rank, sequence) = bytes.split_at_checked(4)?;
        Some(QueueKey {
            inverted_rank: u32::from_be_bytes(rank.try_into().ok()?),
            sequence: u64::from_be_bytes(sequence.try_into().ok()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn better_links_sort_first_and_bytes_keep_the_order(
            a in 0.0_f32..9.0, b in 0.0_f32..9.0, m in any::<u64>(), n in any::<u64>(),
        ) {
            let (left, right) = (QueueKey::new(Worth::new(a), m), QueueKey::new(Worth::new(b), n));
            if a > b {
                prop_assert!(left < right);
            }
            prop_assert_eq!(left.cmp(&right), left.to_bytes().cmp(&right.to_bytes()));
            prop_assert_eq!(QueueKey::from_bytes(&left.to_bytes()), Some(left));
            prop_assert_eq!(left.worth(), Worth::new(a));
        }
    }
}
