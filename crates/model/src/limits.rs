//! Whether the numbers in a strategy's own table make sense, and what would.

use std::fmt::Display;

use crate::SettingsError;

/// Refuses what is no share of a whole.
pub fn share(key: &str, value: impl Into<f64> + Display + Copy) -> Result<(), SettingsError> {
    let is_right = (0.0..=1.0).contains(&value.into());
    refuse_unless(is_right, key, value, "a number from 0 to 1")
}

/// Refuses what is not above 0, endless or no number.
pub fn positive(key: &str, value: impl Into<f64> + Display + Copy) -> Result<(), SettingsError> {
    let number: f64 = value.into();
    refuse_unless(number.is_finite() && number > 0.0, key, value, "a number above 0")
}

/// Refuses what is negative, endless or no number.
pub fn not_negative(
    key: &str,
    value: impl Into<f64> + Display + Copy,
) -> Result<(), SettingsError> {
    let number: f64 = value.into();
    refuse_unless(number.is_finite() && number >= 0.0, key, value, "a number that is 0 or more")
}

/// Refuses 0.
pub fn at_least_one(key: &str, value: u32) -> Result<(), SettingsError> {
    refuse_unless(value > 0, key, value, "a whole number from 1")
}

/// Refuses what is not as it must be, saying what would be right.
pub fn refuse_unless(
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
        let refusal = share("decay", 1.5_f32).unwrap_err().to_string();
        assert_eq!(refusal, "`decay` is 1.5; write a number from 0 to 1");
        assert!(share("decay", f32::NAN).is_err() && share("decay", 1.0).is_ok());
        assert!(positive("days", 0.0).is_err() && positive("days", f64::INFINITY).is_err());
        assert!(not_negative("weight", f32::INFINITY).is_err());
        assert!(not_negative("weight", f64::NAN).is_err() && not_negative("weight", 0.0).is_ok());
        assert!(at_least_one("width", 0).is_err() && at_least_one("width", 1).is_ok());
    }
}
