//! Waits that double, with jitter that is the same on every run.

use std::time::Duration;

use gannet_model::HostId;
use serde::{Deserialize, Serialize};

/// A wait that doubles each time up to a longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubling {
    /// The first wait.
    pub first: Duration,
    /// The longest wait, jitter included.
    pub longest: Duration,
}

/// The wait for the `count`-th time, counted from one, lengthened by up to a tenth.
///
/// The jitter comes from host and count alone: a replay waits exactly as the first run did.
pub(super) fn wait(doubling: &Doubling, count: u32, host: HostId) -> Duration {
    let doubled = doubling.first.saturating_mul(2u32.saturating_pow(count.saturating_sub(1)));
    let wait = doubled.min(doubling.longest);
    let tenth = wait / 10;
    let jitter = tenth / 1024 * mixed_bits(host, count);
    wait.saturating_add(jitter).min(doubling.longest)
}

/// Ten bits that look random, by the finaliser of splitmix64.
fn mixed_bits(host: HostId, count: u32) -> u32 {
    let mut bits = (u64::from(host.0) << 32 | u64::from(count)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    u32::try_from(bits >> 54).unwrap_or(0)
}
