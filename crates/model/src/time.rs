//! A moment, as every decider receives it.
//!
//! Deciders never read a clock: callers pass a [`Timestamp`]. Real clocks and
//! the lab's virtual clock both produce them, so nothing below the engine can
//! tell the difference.

use std::fmt;
use std::ops::Add;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Microseconds since 1970-01-01T00:00:00Z.
///
/// Microseconds, because politeness delays of a fraction of a second are
/// proved from server logs and must not be shortened by rounding.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(u64);

/// The text is not an RFC 3339 moment.
#[derive(Debug, thiserror::Error)]
#[error("not a moment in RFC 3339 form, such as 2026-01-31T12:00:00Z: {0}")]
pub struct TimestampError(String);

impl Timestamp {
    /// 1970-01-01T00:00:00Z: where virtual clocks start.
    pub const ZERO: Timestamp = Timestamp(0);
    /// Later than every other moment.
    pub const NEVER: Timestamp = Timestamp(u64::MAX);

    /// The moment this many microseconds after 1970.
    pub const fn from_micros(micros: u64) -> Timestamp {
        Timestamp(micros)
    }

    /// The moment this many seconds after 1970.
    pub const fn from_secs(secs: u64) -> Timestamp {
        Timestamp(secs.saturating_mul(1_000_000))
    }

    /// Microseconds since 1970.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Whole seconds since 1970.
    pub const fn as_secs(self) -> u64 {
        self.0 / 1_000_000
    }

    /// How long after `earlier` this is; zero if it is not after it.
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }

    /// This moment less `span`, no earlier than [`Timestamp::ZERO`].
    pub fn before(self, span: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(micros(span)))
    }
}

fn micros(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(u64::MAX)
}

impl Add<Duration> for Timestamp {
    type Output = Timestamp;

    /// Saturates at [`Timestamp::NEVER`].
    fn add(self, span: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(micros(span)))
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Timestamp {
        Timestamp(micros(time.duration_since(UNIX_EPOCH).unwrap_or_default()))
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339 to the second in UTC, as WARC and people want it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = i64::try_from(self.0).unwrap_or(i64::MAX);
        match jiff::Timestamp::from_microsecond(micros) {
            Ok(time) => write!(f, "{}", time.strftime("%Y-%m-%dT%H:%M:%SZ")),
            Err(_) => f.write_str("never"),
        }
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Timestamp, TimestampError> {
        let time: jiff::Timestamp = text.parse().map_err(|_| TimestampError(text.to_owned()))?;
        let micros =
            u64::try_from(time.as_microsecond()).map_err(|_| TimestampError(text.to_owned()))?;
        Ok(Timestamp(micros))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_reads_back_rfc_3339() {
        let time: Timestamp = "2026-01-31T12:00:00Z".parse().unwrap();
        assert_eq!(time.to_string(), "2026-01-31T12:00:00Z");
        assert!("yesterday".parse::<Timestamp>().is_err());
    }

    #[test]
    fn never_is_the_latest_moment_and_adding_to_it_stays_there() {
        assert_eq!(Timestamp::NEVER + Duration::from_secs(1), Timestamp::NEVER);
        assert_eq!(Timestamp::NEVER.to_string(), "never");
    }

    #[test]
    fn a_span_to_the_past_is_zero() {
        assert_eq!(Timestamp::ZERO.since(Timestamp::from_secs(5)), Duration::ZERO);
    }
}
