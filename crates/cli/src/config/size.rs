//! Sizes as people write them: `5MiB`, `20kB`, `1GiB`, or a bare number of bytes.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A number of bytes in the config file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size(pub(crate) u64);

/// The text is no size.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SizeError(String);

/// Largest first, so that the first that divides is the shortest to print.
const UNITS: [(&str, u64); 9] = [
    ("TiB", 1 << 40),
    ("TB", 1_000_000_000_000),
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("KiB", 1 << 10),
    ("kB", 1_000),
    ("B", 1),
];

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let refuse = || SizeError(text.to_owned());
        let trimmed = text.trim();
        let digits =
            trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
        let (number, unit) = (&trimmed[..digits], trimmed[digits..].trim());
        let factor = match unit {
            "" => 1,
            unit => {
                let known = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit));
                known.ok_or_else(refuse)?.1
            }
        };
        if let Ok(whole) = number.parse::<u64>() {
            return whole.checked_mul(factor).map(Size).ok_or_else(refuse);
        }
        let bytes = number.parse::<f64>().map_err(|_| refuse())? * factor as f64;
        if bytes < 1e18 { Ok(Size(bytes.round() as u64)) } else { Err(refuse()) }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let divides = |(_, unit): &&(&str, u64)| self.0 > 0 && self.0.is_multiple_of(*unit);
        match UNITS.iter().find(divides) {
            Some((name, unit)) => write!(f, "{}{name}", self.0 / unit),
            None => write!(f, "{}B", self.0),
        }
    }
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a size; write \"5MiB\", \"20kB\", \"1GiB\" or bytes", self.0)
    }
}

impl std::error::Error for SizeError {}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Size, D::Error> {
        deserializer.deserialize_any(SizeVisitor)
    }
}

struct SizeVisitor;

impl Visitor<'_> for SizeVisitor {
    type Value = Size;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a size such as \"5MiB\", or a number of bytes")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Size, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, bytes: i64) -> Result<Size, E> {
        u64::try_from(bytes).map(Size).map_err(|_| E::custom(SizeError(bytes.to_string())))
    }

    fn visit_u64<E>(self, bytes: u64) -> Result<Size, E> {
        Ok(Size(bytes))
    }
}

impl JsonSchema for Size {
    fn schema_name() -> Cow<'static, str> {
        "Size".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "integer"],
            "pattern": "^\\s*[0-9]*\\.?[0-9]+\\s*([kKmMgGtT]i?)?[bB]?\\s*$",
            "minimum": 0,
            "examples": ["5MiB", "20kB", "1GiB", 65536],
        })
    }
}

/// A number of bytes as a person reads it, rounded: `1.4 MB`.
pub(crate) fn rounded(bytes: u64) -> String {
    let units = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    match units.iter().find(|(_, unit)| bytes as f64 >= *unit) {
        Some((name, unit)) => format!("{:.1} {name}", bytes as f64 / unit),
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, bytes: u64, printed: &str) {
        let size: Size = text.parse().unwrap();
        assert_eq!(size, Size(bytes), "{text}");
        assert_eq!(size.to_string(), printed);
        assert_eq!(printed.parse(), Ok(size), "what is printed reads back");
    }

    #[test]
    fn sizes_are_read_with_and_without_units() {
        check("5MiB", 5 << 20, "5MiB");
        check("20kB", 20_000, "20kB");
        check("1.5 KiB", 1536, "1536B");
        check("1gib", 1 << 30, "1GiB");
        check("123", 123, "123B");
        check("0", 0, "0B");
    }

    #[test]
    fn what_is_no_size_is_refused_with_examples() {
        for text in ["", "MiB", "5 apples", "-1", "5M", "99999999999TiB"] {
            let error = text.parse::<Size>().expect_err(text).to_string();
            assert!(error.contains("20kB"), "{error}");
        }
    }

    #[test]
    fn people_read_rounded_sizes() {
        assert_eq!(rounded(999), "999 B");
        assert_eq!(rounded(1_449_000), "1.4 MB");
    }
}
