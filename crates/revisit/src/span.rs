//! Spans of time as policies reckon with them: in days.

use std::time::Duration;

use gannet_model::Timestamp;

/// Seconds of a day.
pub(crate) const SECONDS_PER_DAY: f64 = 86_400.0;

/// A minute, in days that can be written down: no policy comes back sooner unless it is told to.
pub(crate) const MINUTE: f64 = 0.0007;

/// An hour, in days.
pub(crate) const HOUR: f64 = 3_600.0 / SECONDS_PER_DAY;

/// Ten years, in days: a policy that never starves a page comes back by then.
pub(crate) const TEN_YEARS: f64 = 3_650.0;

/// As a duration; what is negative or no number is nothing.
pub(crate) fn duration(days: f64) -> Duration {
    Duration::try_from_secs_f64((days * SECONDS_PER_DAY).max(0.0)).unwrap_or(Duration::MAX)
}

/// The moment this many days later; endless days lead to [`Timestamp::NEVER`].
pub(crate) fn later(now: Timestamp, days: f64) -> Timestamp {
    if days.is_finite() { now + duration(days) } else { Timestamp::NEVER }
}

/// Days from `earlier` to `now`; 0 when it is not earlier.
pub(crate) fn days_since(now: Timestamp, earlier: Timestamp) -> f64 {
    now.since(earlier).as_secs_f64() / SECONDS_PER_DAY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_there_and_back_are_the_same() {
        let now = Timestamp::from_secs(1_000);
        assert_eq!(days_since(later(now, 2.5), now), 2.5);
        assert_eq!(later(now, -1.0), now);
        assert_eq!(later(now, f64::INFINITY), Timestamp::NEVER);
    }
}
