//! What the user may set about pace. The configuration maps into this.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::backoff::Doubling;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// How fast a host is contacted, and how long it is left alone when it asks for that or is down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaceRules {
    /// The delay between the end of a response and the next request.
    pub delay: Duration,
    /// A longer `Crawl-delay` counts as this: the host is paced, never dropped.
    pub longest_crawl_delay: Duration,
    /// The delay is at least this many times what the last response took. Zero turns it off.
    pub response_factor: f32,
    /// A longer `Retry-After` counts as this.
    pub longest_retry_after: Duration,
    /// The wait after 429 or 503 without `Retry-After`.
    pub throttle: Doubling,
    /// After coming back from a back-off, throttles are forgiven once none came for this long ...
    pub forgive_after: Duration,
    /// ... and for this many times the last back-off.
    pub forgive_factor: u32,
    /// The wait after contacts that did not reach the host.
    pub outage: Doubling,
    /// A host down for this long loses its turn,
    pub give_up_after: Duration,
    /// provided that it was tried this often.
    pub give_up_attempts: u32,
    /// The wait between attempts at a host that lost its turn.
    pub lost: Doubling,
}

impl Default for PaceRules {
    fn default() -> PaceRules {
        PaceRules {
            delay: Duration::from_secs(10),
            longest_crawl_delay: HOUR,
            response_factor: 0.0,
            longest_retry_after: DAY,
            throttle: Doubling { first: MINUTE, longest: DAY },
            forgive_after: HOUR,
            forgive_factor: 10,
            outage: Doubling { first: MINUTE, longest: 6 * HOUR },
            give_up_after: 3 * DAY,
            give_up_attempts: 8,
            lost: Doubling { first: DAY, longest: 7 * DAY },
        }
    }
}

impl PaceRules {
    /// How long a host must be quiet, after we came back to it, for its throttles to be forgiven.
    pub(super) fn forgiveness(&self, last_back_off: Duration) -> Duration {
        self.forgive_after.max(last_back_off.saturating_mul(self.forgive_factor))
    }

    pub(super) fn in_proportion_to(&self, took: Duration) -> Duration {
        let seconds = took.as_secs_f64() * f64::from(self.response_factor);
        // A nonsensical factor asks for nothing.
        Duration::try_from_secs_f64(seconds).unwrap_or_default().min(self.longest_crawl_delay)
    }
}
