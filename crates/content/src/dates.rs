//! Moments as feeds and sitemaps write them.
//!
//! Two families: numbers from year to second (W3C date and time formats,
//! RFC 3339, with or without time) and names of months (RFC 822 with two or
//! four digits of year, RFC 850, asctime). Without a zone UTC is meant. What
//! is no date, or lies before 1970, is no error to anyone: `None`.

use gannet_model::Timestamp;

/// The moment that `text` names.
pub(crate) fn read_date(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    // No date is longer; what is, need not be looked through.
    if text.len() > LONGEST {
        return None;
    }
    read_numeric(text).or_else(|| read_named(text))
}

const LONGEST: usize = 64;

/// A date and time of day somewhere, before it is placed on earth.
#[derive(Default)]
struct Civil {
    year: i16,
    month: i8,
    day: i8,
    hour: i8,
    minute: i8,
    second: i8,
    /// Seconds east of Greenwich.
    offset: i64,
}

impl Civil {
    fn moment(&self) -> Option<Timestamp> {
        let date = jiff::civil::Date::new(self.year, self.month, self.day).ok()?;
        // A leap second is the end of the one before it.
        let second = self.second.min(59);
        let time = jiff::civil::Time::new(self.hour, self.minute, second, 0).ok()?;
        let there = date.to_datetime(time).to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        let seconds = there.timestamp().as_second() - self.offset;
        u64::try_from(seconds).ok().map(Timestamp::from_secs)
    }
}

/// `2024`, `2024-05`, `2024-05-06`, `2024-05-06T07:08`, `2024-05-06 07:08:09.5+02:00`.
fn read_numeric(text: &str) -> Option<Timestamp> {
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], text[at + 1..].trim()),
        None => (text, ""),
    };
    let mut parts = date.split('-');
    let year = parts.next().filter(|year| year.len() == 4)?;
    let mut civil = Civil {
        year: number(year)?.try_into().ok()?,
        month: small(parts.next().unwrap_or("1"))?,
        day: small(parts.next().unwrap_or("1"))?,
        ..Civil::default()
    };
    if parts.next().is_some() {
        return None;
    }
    if !time.is_empty() {
        let zone = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
        civil.set_time(&time[..zone])?;
        civil.offset = read_offset(&time[zone..])?;
    }
    civil.moment()
}

/// `Mon, 06 May 2024 07:08:09 GMT`, `6 May 24 7:08 -0400`, `Mon May  6 07:08:09 2024`.
fn read_named(text: &str) -> Option<Timestamp> {
    let mut civil = Civil::default();
    let mut numbers = Vec::new();
    for token in text.split([' ', ',', '\t', '\n']).filter(|token| !token.is_empty()) {
        if token.contains(':') && token.starts_with(|c: char| c.is_ascii_digit()) {
            civil.set_time(token)?;
        } else if let Some(month) = read_month(token) {
            civil.month = month;
        } else if token.starts_with(['+', '-']) || is_zone(token) {
            civil.offset = read_offset(token)?;
        } else if let Some((day, rest)) = token.split_once('-') {
            // RFC 850: 06-May-24.
            let (month, year) = rest.split_once('-')?;
            civil.month = read_month(month)?;
            numbers.extend([day, year]);
        } else if token.starts_with(|c: char| c.is_ascii_digit()) {
            numbers.push(token);
        }
    }
    let [day, year] = numbers[..] else { return None };
    civil.day = small(day)?;
    civil.year = full_year(year)?;
    civil.moment()
}

impl Civil {
    /// `07:08`, `07:08:09`, `07:08:09.123`.
    fn set_time(&mut self, text: &str) -> Option<()> {
        let mut parts = text.trim().split(':');
        self.hour = small(parts.next()?)?;
        self.minute = small(parts.next()?)?;
        let second = parts.next().unwrap_or("0");
        self.second = small(second.split(['.', ',']).next()?)?;
        parts.next().is_none().then_some(())
    }
}

/// The months by the first three letters of their English names.
fn read_month(token: &str) -> Option<i8> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let opening =
        token.get(..3).filter(|_| token.bytes().all(|byte| byte.is_ascii_alphabetic()))?;
    let at = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(opening))?;
    i8::try_from(at + 1).ok()
}

/// Zones that RFC 822 names, in hours.
const ZONES: [(&str, i64); 12] = [
    ("Z", 0),
    ("UT", 0),
    ("UTC", 0),
    ("GMT", 0),
    ("EST", -5),
    ("EDT", -4),
    ("CST", -6),
    ("CDT", -5),
    ("MST", -7),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
];

fn is_zone(token: &str) -> bool {
    ZONES.iter().any(|(name, _)| name.eq_ignore_ascii_case(token))
}

/// Seconds east of Greenwich: `Z`, `EST`, `+0200`, `+02:00`, `+02`; nothing is UTC.
fn read_offset(text: &str) -> Option<i64> {
    if let Some((_, hours)) = ZONES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Some(hours * 3600);
    }
    let (sign, digits) = match text.as_bytes().first() {
        None => return Some(0),
        Some(b'+') => (1, &text[1..]),
        Some(b'-') => (-1, &text[1..]),
        Some(_) => return None,
    };
    let digits = digits.replace(':', "");
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = if minutes.is_empty() { "0" } else { minutes };
    let (hours, minutes) = (i64::from(small(hours)?), i64::from(small(minutes)?));
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Two digits mean 1950 to 2049 (RFC 2822, section 4.3).
fn full_year(text: &str) -> Option<i16> {
    let year = i16::try_from(number(text)?).ok()?;
    match text.len() {
        4 => Some(year),
        2 if year < 50 => Some(year + 2000),
        2 => Some(year + 1900),
        _ => None,
    }
}

/// One or two digits.
fn small(text: &str) -> Option<i8> {
    if text.len() > 2 {
        return None;
    }
    i8::try_from(number(text)?).ok()
}

/// Digits only: no sign, no white space.
fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = read_date(text).map(|it| it.to_string()).unwrap_or_default();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn numbers_from_year_to_second_are_dates() {
        check("2024", "2024-01-01T00:00:00Z");
        check("2024-05", "2024-05-01T00:00:00Z");
        check(" 2024-05-06\n", "2024-05-06T00:00:00Z");
        check("2024-05-06T07:08Z", "2024-05-06T07:08:00Z");
        check("2024-05-06T07:08:09.123+02:00", "2024-05-06T05:08:09Z");
        check("2024-05-06 07:08:09", "2024-05-06T07:08:09Z");
        check("2024-05-06T23:30:60-0130", "2024-05-07T01:00:59Z");
    }

    #[test]
    fn names_of_months_make_dates() {
        check("Mon, 06 May 2024 07:08:09 GMT", "2024-05-06T07:08:09Z");
        check("6 may 24 7:08 EST", "2024-05-06T12:08:00Z");
        check("Mon, 6 May 2024 07:08:09 +0200", "2024-05-06T05:08:09Z");
        check("Monday, 06-May-99 07:08:09 GMT", "1999-05-06T07:08:09Z");
        check("Mon May  6 07:08:09 2024", "2024-05-06T07:08:09Z");
        check("Thu, 31 Sept 2024", "");
        check("6 September 2024", "2024-09-06T00:00:00Z");
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in ["", "yesterday", "2024-13-01", "2024-02-30", "12:30", "24-05-06", "1969-12-31"]
        {
            check(text, "");
        }
        check("2024-05-06T07:08:09+99:00", "");
        check("May 2024", "");
        check(&"1 May 2024 ".repeat(1000), "");
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[0-9TZ:+. ,MaySep-]{0,40}|\\PC{0,40}") {
            let _ = read_date(&text);
        }

        #[test]
        fn what_timestamps_print_is_read_back(seconds in 0..4_000_000_000_u64) {
            let moment = Timestamp::from_secs(seconds);
            prop_assert_eq!(read_date(&moment.to_string()), Some(moment));
        }
    }
}
