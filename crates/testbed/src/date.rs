//! Moments as HTTP writes them (RFC 9110, section 5.6.7, the preferred form).

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Writes microseconds since 1970 as an HTTP date; fractions are dropped.
pub(crate) fn http_date(micros: u64) -> String {
    let seconds = micros / 1_000_000;
    let days = seconds / 86_400;
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    let weekday = DAYS[(days % 7) as usize];
    let month = MONTHS[month as usize - 1];
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Reads an HTTP date in the preferred form into microseconds since 1970.
pub(crate) fn read_http_date(text: &str) -> Option<u64> {
    let mut words = text.split_ascii_whitespace().skip(1);
    let day: u64 = words.next()?.parse().ok()?;
    let name = words.next()?;
    let month = MONTHS.iter().position(|&month| month == name)? as u64 + 1;
    let year: u64 = words.next()?.parse().ok()?;
    let mut clock = words.next()?.split(':').map(str::parse::<u64>);
    let (hour, minute, second) = (clock.next()?.ok()?, clock.next()?.ok()?, clock.next()?.ok()?);
    if !(1970..=9999).contains(&year) || day == 0 || day > 31 {
        return None;
    }
    let days = days_before(year, month) + day - 1;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000)
}

/// The calendar date of a day since 1970 (Howard Hinnant's algorithm, for
/// days after 1970 only).
pub(crate) fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

/// How many days since 1970 come before the first of a month.
fn days_before(year: u64, month: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let shifted_month = (month + 9) % 12;
    let day_of_year = (153 * shifted_month + 2) / 5;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_standard_is_written_and_read() {
        let micros = 784_111_777_000_000;
        assert_eq!(http_date(micros), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(read_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), Some(micros));
    }

    #[test]
    fn dates_survive_the_round_trip() {
        for step in 0..2_000u64 {
            let micros = step * 997_331 * 1_000_000;
            assert_eq!(read_http_date(&http_date(micros)), Some(micros));
        }
    }

    #[test]
    fn nonsense_is_no_date() {
        for text in ["", "yesterday", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1 1:1:1"] {
            assert_eq!(read_http_date(text), None, "{text}");
        }
    }
}
