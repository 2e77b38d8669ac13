//! How a span of time reads in a reason: `45 s`, `10 min`, `6 h`, `3 days`.

use std::time::Duration;

/// The span in the largest unit that it fills at least once, rounded to the nearest whole.
pub(crate) fn span(span: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let seconds = span.as_secs();
    let rounded = |unit: u64| seconds.saturating_add(unit / 2) / unit;
    match seconds {
        0 if !span.is_zero() => format!("{} ms", span.as_millis()),
        0..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{} min", rounded(MINUTE)),
        HOUR..DAY => format!("{} h", rounded(HOUR)),
        _ if rounded(DAY) == 1 => "1 day".to_owned(),
        _ => format!("{} days", rounded(DAY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_in_their_largest_unit() {
        let read = |seconds| span(Duration::from_secs(seconds));
        assert_eq!([read(0), read(59), read(60), read(600)], ["0 s", "59 s", "1 min", "10 min"]);
        assert_eq!([read(21_600), read(86_400), read(604_800)], ["6 h", "1 day", "7 days"]);
        assert_eq!(span(Duration::from_millis(250)), "250 ms");
    }
}
