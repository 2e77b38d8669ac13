//! Durations as people write them: `10s`, `2m`, `1d`, `250ms`, `1h30m`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A duration in the config file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span(pub(crate) Duration);

/// The text is no duration.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SpanError(String);

/// Units in microseconds, longest first; the first spelling is the one we print.
const UNITS: [(&[&str], u64); 7] = [
    (&["w", "week", "weeks"], 7 * 86_400_000_000),
    (&["d", "day", "days"], 86_400_000_000),
    (&["h", "hour", "hours"], 3_600_000_000),
    (&["m", "min", "minute", "minutes"], 60_000_000),
    (&["s", "sec", "second", "seconds"], 1_000_000),
    (&["ms"], 1_000),
    (&["us"], 1),
];

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Span, SpanError> {
        let refuse = || SpanError(text.to_owned());
        let mut rest = text.trim();
        if rest == "0" {
            return Ok(Span::default());
        }
        if rest.is_empty() {
            return Err(refuse());
        }
        let mut micros = 0.0_f64;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(refuse)?;
            let number: f64 = rest[..digits].parse().map_err(|_| refuse())?;
            rest = rest[digits..].trim_start();
            let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            let unit = &rest[..letters];
            let known = UNITS.iter().find(|(names, _)| names.contains(&unit)).ok_or_else(refuse)?;
            micros += number * known.1 as f64;
            rest = rest[letters..].trim_start();
        }
        // More than some 5,000 years is a slip of the finger, and would overflow clocks.
        if micros > 1.6e17 {
            return Err(refuse());
        }
        Ok(Span(Duration::from_micros(micros.round() as u64)))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut micros = u64::try_from(self.0.as_micros()).unwrap_or(u64::MAX);
        if micros == 0 {
            return f.write_str("0s");
        }
        // Weeks are understood but not printed: few people think of 30 days as 4w2d.
        for (names, unit) in &UNITS[1..] {
            let count = micros / unit;
            micros %= unit;
            if count > 0 {
                write!(f, "{count}{}", names[0])?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for SpanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a duration; write a number with a unit, such as \"10s\"", self.0)?;
        f.write_str(", \"250ms\", \"2m\", \"1h30m\" or \"7d\"")
    }
}

impl std::error::Error for SpanError {}

impl From<Duration> for Span {
    fn from(duration: Duration) -> Span {
        Span(duration)
    }
}

impl From<Span> for Duration {
    fn from(span: Span) -> Duration {
        span.0
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        deserializer.deserialize_any(SpanVisitor)
    }
}

struct SpanVisitor;

impl Visitor<'_> for SpanVisitor {
    type Value = Span;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration with its unit, such as \"10s\" or \"2m\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Span, E> {
        text.parse().map_err(E::custom)
    }
}

impl JsonSchema for Span {
    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^\\s*(0|([0-9]*\\.?[0-9]+\\s*[a-z]+\\s*)+)\\s*$",
            "examples": ["10s", "250ms", "2m", "1h30m", "7d"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, millis: u64, printed: &str) {
        let span: Span = text.parse().unwrap();
        assert_eq!(span.0, Duration::from_millis(millis), "{text}");
        assert_eq!(span.to_string(), printed);
        assert_eq!(printed.parse(), Ok(span), "what is printed reads back");
    }

    #[test]
    fn durations_are_read_with_their_units() {
        check("10s", 10_000, "10s");
        check("250ms", 250, "250ms");
        check("1h30m", 5_400_000, "1h30m");
        check(" 2 m ", 120_000, "2m");
        check("1.5s", 1_500, "1s500ms");
        check("7d", 604_800_000, "7d");
        check("2w", 1_209_600_000, "14d");
        check("0", 0, "0s");
        check("0s", 0, "0s");
    }

    #[test]
    fn what_is_no_duration_is_refused_with_examples() {
        for text in
            ["", "10", "s", "ten seconds", "10 parsecs", "-5s", "1..2s", "1e9d", "9999999999d"]
        {
            let error = text.parse::<Span>().expect_err(text).to_string();
            assert!(error.contains("250ms"), "{error}");
        }
    }
}
