//! Row keys: big-endian throughout, so that their order is the order we read in.

use gannet_frontier::QueueKey;
use gannet_model::{Fingerprint, HostId, Scheme, Timestamp};

/// `urls`: the fingerprint.
pub(crate) fn url(url: Fingerprint) -> [u8; 8] {
    url.0.to_be_bytes()
}

/// `hosts`: the number.
pub(crate) fn host(host: HostId) -> [u8; 4] {
    host.0.to_be_bytes()
}

/// `access`: the host's number and the scheme.
pub(crate) fn access(host: HostId, scheme: Scheme) -> [u8; 5] {
    let mut key = [0; 5];
    key[..4].copy_from_slice(&host.0.to_be_bytes());
    key[4] = match scheme {
        Scheme::Http => 0,
        Scheme::Https => 1,
    };
    key
}

/// `queue`: the host's number, then the place in its queue.
pub(crate) fn queue(host: HostId, place: QueueKey) -> [u8; 4 + QueueKey::LENGTH] {
    let mut key = [0; 4 + QueueKey::LENGTH];
    key[..4].copy_from_slice(&host.0.to_be_bytes());
    key[4..].copy_from_slice(&place.to_bytes());
    key
}

/// The place within a `queue` key.
pub(crate) fn place(key: &[u8]) -> Option<QueueKey> {
    QueueKey::from_bytes(key.get(4..)?)
}

/// `later`: the time, then the fingerprint.
pub(crate) fn later(at: Timestamp, url: Fingerprint) -> [u8; 16] {
    let mut key = [0; 16];
    key[..8].copy_from_slice(&at.as_micros().to_be_bytes());
    key[8..].copy_from_slice(&url.0.to_be_bytes());
    key
}

/// The time and fingerprint within a `later` key.
pub(crate) fn due(key: &[u8]) -> Option<(Timestamp, Fingerprint)> {
    let (at, url) = key.split_at_checked(8)?;
    let at = Timestamp::from_micros(u64::from_be_bytes(at.try_into().ok()?));
    Some((at, Fingerprint(u64::from_be_bytes(url.try_into().ok()?))))
}
