//! Moments as people name them: `2d` ago, a date, a date with a time.

use std::time::Duration;

use gannet_model::Timestamp;

/// The moment that `text` names, as of `now`.
pub(crate) fn parse(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    let text = text.trim();
    if let Some(span) = span(text) {
        return Ok(now.before(span));
    }
    let whole = match text.len() {
        DATE => format!("{text}T00:00:00Z"),
        _ => text.replacen(' ', "T", 1),
    };
    let whole = if whole.ends_with('Z') { whole } else { format!("{whole}Z") };
    let is_without_seconds = whole.len() == "2026-11-02T10:00Z".len();
    let whole = if is_without_seconds { whole.replace('Z', ":00Z") } else { whole };
    whole.parse().map_err(|_| {
        format!(
            "{text:?} is no moment; write 2d, 12h or 30m (ago), 2026-11-02 or 2026-11-02T10:00Z"
        )
    })
}

/// Letters of a date without a time.
const DATE: usize = "2026-11-02".len();

fn span(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: u64 = number.parse().ok()?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        _ => return None,
    };
    number.checked_mul(seconds).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_dates_and_times_are_understood() {
        let now: Timestamp = "2026-11-16T12:00:00Z".parse().unwrap();
        for (text, expected) in [
            ("2d", "2026-11-14T12:00:00Z"),
            ("90m", "2026-11-16T10:30:00Z"),
            ("2026-11-02", "2026-11-02T00:00:00Z"),
            ("2026-11-02 10:00", "2026-11-02T10:00:00Z"),
            ("2026-11-02T10:00:07Z", "2026-11-02T10:00:07Z"),
        ] {
            assert_eq!(parse(text, now), Ok(expected.parse().unwrap()), "{text}");
        }
        for text in ["", "d", "soon", "2x", "ü"] {
            assert!(parse(text, now).unwrap_err().contains("moment"), "{text}");
        }
    }
}
