//! What a `Retry-After` header asks for, in either of its forms (RFC 9110 section 10.2.3).

use std::time::Duration;

use gannet_model::Timestamp;

/// How long the server asks us to stay away from `now` on.
///
/// None when the value says nothing useful: it is no span and no date, or it asks for no wait at all.
pub(crate) fn wait(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    let asked = in_seconds(value).or_else(|| until_date(value, now))?;
    (!asked.is_zero()).then_some(asked)
}

/// Digits alone by the RFC; a fraction is tolerated, since some servers send `1.5`.
/// More digits than a number holds mean a very long wait, not none.
fn in_seconds(value: &str) -> Option<Duration> {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if value.is_empty() || !is_number(value) {
        return None;
    }
    let seconds: f64 = value.parse().ok()?;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

fn until_date(value: &str, now: Timestamp) -> Option<Duration> {
    let date = httpdate::parse_http_date(value).ok()?;
    Some(Timestamp::from(date).since(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(784_111_717);

    #[track_caller]
    fn check(value: &str, expected: Option<u64>) {
        assert_eq!(wait(value, NOW), expected.map(Duration::from_secs), "{value:?}");
    }

    #[test]
    fn seconds_are_understood() {
        check("120", Some(120));
        check(" 7 ", Some(7));
        assert_eq!(wait("1.5", NOW), Some(Duration::from_millis(1500)));
        assert_eq!(wait("99999999999999999999999", NOW), Some(Duration::MAX));
    }

    #[test]
    fn all_three_date_forms_are_understood() {
        check("Sun, 06 Nov 1994 08:49:37 GMT", Some(60));
        check("Sunday, 06-Nov-94 08:49:37 GMT", Some(60));
        check("Sun Nov  6 08:49:37 1994", Some(60));
    }

    #[test]
    fn what_asks_for_nothing_is_none() {
        for value in ["", "0", "-5", "soon", "1.2.3", ".", "Sun, 06 Nov 1994 08:00:00 GMT"] {
            check(value, None);
        }
    }
}
