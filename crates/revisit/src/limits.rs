//! Whether the numbers in a policy's table make sense, and what would.

use std::fmt::Display;

use gannet_model::SettingsError;

/// Refuses what is no share of a whole.
pub(crate) fn share(key: &str, value: f64) -> Result<(), SettingsError> {
    refuse_unless((0.0..=1.0).contains(&value), key, value, "a number from 0 to 1")
}

/// Refuses what is not above 0, endless or no number.
pub(crate) fn positive(key: &str, value: f64) -> Result<(), SettingsError> {
    refuse_unless(value.is_finite() && value > 0.0, key, value, "a number above 0")
}

/// Refuses what is negative, endless or no number.
pub(crate) fn not_negative(key: &str, value: f64) -> Result<(), SettingsError> {
    refuse_unless(value.is_finite() && value >= 0.0, key, value, "a number that is 0 or more")
}

/// Refuses 0.
pub(crate) fn at_least_one(key: &str, value: u32) -> Result<(), SettingsError> {
    refuse_unless(value > 0, key, value, "a whole number from 1")
}

/// Refuses waits of which the longest is shorter than the shortest.
pub(crate) fn waits(shortest: f64, longest: f64) -> Result<(), SettingsError> {
    positive("shortest_days", shortest)?;
    positive("longest_days", longest)?;
    let right = format!("{shortest} or more, which is `shortest_days`");
    refuse_unless(longest >= shortest, "longest_days", longest, &right)
}

/// Refuses what is not as it must be, saying what would be right.
pub(crate) fn refuse_unless(
    is_right: bool,
    key: &str,
    value: impl Display,
    right: &str,
) -> Result<(), SettingsError> {
    if is_right {
        return Ok(());
    }
    Err(SettingsError::because(format!("`{key}` is {value}; write {right}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_key_and_what_would_be_right() {
        let refusal = share("floor", 1.5).unwrap_err().to_string();
        assert_eq!(refusal, "`floor` is 1.5; write a number from 0 to 1");
        assert!(positive("days", 0.0).is_err() && positive("days", f64::INFINITY).is_err());
        assert!(not_negative("weight", f64::NAN).is_err() && not_negative("weight", 0.0).is_ok());
        assert!(at_least_one("limit", 0).is_err());
        assert!(waits(2.0, 1.0).unwrap_err().to_string().contains("2 or more"));
    }
}
