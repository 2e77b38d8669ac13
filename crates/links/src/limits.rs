//! Whether the numbers in a strategy's table make sense, and what would.

use std::fmt::Display;

use gannet_model::SettingsError;

/// Refuses what is no share of a whole.
pub(crate) fn share(key: &str, value: f32) -> Result<(), SettingsError> {
    refuse_unless((0.0..=1.0).contains(&value), key, value, "a number from 0 to 1")
}

/// Refuses what is negative, endless or no number.
pub(crate) fn not_negative(key: &str, value: f32) -> Result<(), SettingsError> {
    refuse_unless(value.is_finite() && value >= 0.0, key, value, "a number that is 0 or more")
}

/// Refuses 0.
pub(crate) fn at_least_one(key: &str, value: u32) -> Result<(), SettingsError> {
    refuse_unless(value > 0, key, value, "a whole number from 1")
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
        let refusal = share("decay", 1.5).unwrap_err().to_string();
        assert_eq!(refusal, "`decay` is 1.5; write a number from 0 to 1");
        assert!(share("decay", f32::NAN).is_err() && share("decay", 1.0).is_ok());
        assert!(not_negative("weight", f32::INFINITY).is_err());
        assert!(at_least_one("width", 0).is_err() && at_least_one("width", 1).is_ok());
    }
}
