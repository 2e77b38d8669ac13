//! Whether the numbers in a policy's table make sense, and what would: what all strategies check,
//! and waits.

use gannet_model::SettingsError;
pub(crate) use gannet_model::limits::{at_least_one, not_negative, positive, refuse_unless, share};

/// Refuses waits of which the longest is shorter than the shortest.
pub(crate) fn waits(shortest: f64, longest: f64) -> Result<(), SettingsError> {
    positive("shortest_days", shortest)?;
    positive("longest_days", longest)?;
    let right = format!("{shortest} or more, which is `shortest_days`");
    refuse_unless(longest >= shortest, "longest_days", longest, &right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_have_an_order() {
        assert!(waits(2.0, 1.0).unwrap_err().to_string().contains("2 or more"));
        assert!(waits(1.0, 2.0).is_ok());
    }
}
