//! The line that opens a record of an ARC 1.0 file, the format before WARC.
//!
//! `URL IP-address Archive-date Content-type Archive-length`. Addresses with
//! spaces in them were written as they are, so the line is read from its end.
//! We read ARC and never write it.

use crate::{Fields, RecordKind};

/// What the line says.
pub(crate) struct ArcLine {
    pub(crate) kind: RecordKind,
    /// The line's values under the names that WARC has for them.
    pub(crate) fields: Fields,
    /// Length of the content; none when the line's number makes no sense.
    pub(crate) length: Option<u64>,
}

/// How the first record of every ARC file begins.
pub(crate) const FILE_MARK: &[u8] = b"filedesc://";

/// Reads the line; none when it is not one.
pub(crate) fn parse(line: &[u8]) -> Option<ArcLine> {
    let text = std::str::from_utf8(line).ok()?;
    let mut words = text.rsplitn(5, ' ');
    let (length, media_type, date) = (words.next()?, words.next()?, words.next()?);
    let (address, url) = (words.next()?, words.next()?);
    let is_date = date.len() >= 8 && date.bytes().all(|byte| byte.is_ascii_digit());
    if !is_date || !url.contains(':') {
        return None;
    }
    let is_file_mark = line.starts_with(FILE_MARK);
    let mut fields = Fields::default();
    fields.push("WARC-Target-URI", url);
    fields.push("WARC-IP-Address", address);
    if let Some(date) = warc_date(date) {
        fields.push("WARC-Date", &date);
    }
    fields.push("Content-Type", media_type);
    Some(ArcLine {
        kind: if is_file_mark { RecordKind::Warcinfo } else { RecordKind::Response },
        fields,
        length: length.trim().parse().ok(),
    })
}

/// Fourteen digits as RFC 3339.
fn warc_date(digits: &str) -> Option<String> {
    let part = |from: usize, to: usize| digits.get(from..to);
    Some(format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4)?,
        part(4, 6)?,
        part(6, 8)?,
        part(8, 10)?,
        part(10, 12)?,
        part(12, 14)?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_may_hold_spaces() {
        let line = b"http://example.com/a b c 93.184.216.119 20140216050221 text/html 1591";
        let parsed = parse(line).unwrap();
        assert_eq!(parsed.fields.get("WARC-Target-URI"), Some("http://example.com/a b c"));
        assert_eq!(parsed.fields.get("WARC-Date"), Some("2014-02-16T05:02:21Z"));
        assert_eq!(parsed.length, Some(1591));
        assert_eq!(parsed.kind, RecordKind::Response);
    }

    #[test]
    fn other_lines_are_refused_and_bad_lengths_told() {
        assert!(parse(b"<p>one two three four five six</p>").is_none());
        assert!(parse(b"WARC/1.0").is_none());
        let bad = parse(b"http://example.com/ 1.2.3.4 20140401000000 text/html -1").unwrap();
        assert_eq!(bad.length, None);
    }
}
