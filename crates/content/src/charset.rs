//! Which encoding bytes are in, and the text they hold.
//!
//! In the order of the WHATWG standard: byte order mark, `Content-Type`
//! header, declaration in the page (`prescan`), detection. Text that is valid
//! UTF-8 and declared so, or only ASCII, is not copied.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memchr;

use crate::prescan::{LATE, OPENING, declared_encoding, encoding_in_content, xml_encoding};

/// The text of a page and how it was found.
#[derive(Debug)]
pub(crate) struct Decoded<'b> {
    pub(crate) text: Cow<'b, str>,
    /// Name of the encoding.
    pub(crate) charset: &'static str,
    /// Some bytes made no sense and stand as U+FFFD.
    pub(crate) has_replacements: bool,
}

/// Decodes HTML. `host` helps detection: pages under `.ru` are rarely in Greek.
pub(crate) fn decode_html<'b>(
    body: &'b [u8],
    content_type: Option<&[u8]>,
    host: Option<&str>,
) -> Decoded<'b> {
    let declared =
        content_type.and_then(encoding_in_content).or_else(|| declared_encoding(body, OPENING));
    decode(body, declared, || detect(body, host, LATE))
}

/// Decodes plain text, which declares nothing itself.
pub(crate) fn decode_plain<'b>(body: &'b [u8], content_type: Option<&[u8]>) -> Decoded<'b> {
    decode(body, content_type.and_then(encoding_in_content), || detect(body, None, 0))
}

/// Decodes XML, which declares its encoding in its first line, or shows by its
/// zeros that it is in UTF-16 (XML 1.0, appendix F).
pub(crate) fn decode_xml(body: &[u8]) -> Decoded<'_> {
    let shown = match body {
        [b'<', 0, ..] => Some(UTF_16LE),
        [0, b'<', ..] => Some(UTF_16BE),
        _ => None,
    };
    decode(body, shown.or_else(|| xml_encoding(body)), || detect(body, None, 0))
}

fn decode<'b>(
    body: &'b [u8],
    declared: Option<&'static Encoding>,
    detect: impl FnOnce() -> &'static Encoding,
) -> Decoded<'b> {
    let (encoding, bytes) = match Encoding::for_bom(body) {
        Some((encoding, length)) => (encoding, &body[length..]),
        None => (declared.unwrap_or_else(detect), body),
    };
    if encoding == UTF_8
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Decoded { text: text.into(), charset: UTF_8.name(), has_replacements: false };
    }
    let (text, has_replacements) = encoding.decode_without_bom_handling(bytes);
    Decoded { text, charset: encoding.name(), has_replacements }
}

/// The encoding the bytes look like. Bytes that are valid UTF-8 are UTF-8: the
/// chance that longer text in another encoding is so is negligible, and asking
/// is ten times cheaper than full detection. Else a late declaration counts,
/// looked for in the first `reach` bytes.
fn detect(body: &[u8], host: Option<&str>, reach: usize) -> &'static Encoding {
    let ascii = Encoding::ascii_valid_up_to(body);
    let has_escapes = memchr(ESCAPE, &body[..ascii]).is_some();
    if !has_escapes && Encoding::utf8_valid_up_to(&body[ascii..]) == body.len() - ascii {
        return UTF_8;
    }
    if let Some(declared) = declared_encoding(body, reach) {
        return declared;
    }
    // What stands before the first byte that is not ASCII says nothing.
    let start = if has_escapes { 0 } else { ascii.saturating_sub(CONTEXT) };
    let window = &body[start..];
    let is_whole = window.len() <= WINDOW;
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&window[..window.len().min(WINDOW)], is_whole);
    detector.guess(host.and_then(top_level_domain), Utf8Detection::Allow)
}

/// Opens the escape sequences of ISO-2022-JP, which is otherwise ASCII.
const ESCAPE: u8 = 0x1B;

/// Bytes before the first one that is not ASCII which detection sees.
const CONTEXT: usize = 256;

/// Bytes that detection sees at most: more of the same language adds little.
const WINDOW: usize = 64 << 10;

/// The last label of a host name in the only form that the detector takes.
fn top_level_domain(host: &str) -> Option<&[u8]> {
    let label = host.rsplit('.').next()?;
    let is_plain = label.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    (is_plain && !label.is_empty()).then_some(label.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &[u8], content_type: &str, charset: &str, text: &str) {
        let decoded = decode_html(body, Some(content_type.as_bytes()), None);
        assert_eq!((decoded.charset, decoded.text.as_ref()), (charset, text));
    }

    #[test]
    fn a_byte_order_mark_wins_over_the_header() {
        check(b"\xEF\xBB\xBF\xC3\xA9", "text/html; charset=koi8-r", "UTF-8", "é");
        check(b"\xFF\xFEa\0", "text/html; charset=utf-8", "UTF-16LE", "a");
    }

    #[test]
    fn the_header_wins_over_the_page() {
        let page = b"<meta charset=utf-8>\xE9";
        check(page, "text/html; charset=ISO-8859-1", "windows-1252", "<meta charset=utf-8>é");
        check(page, "text/html;charset=\"latin1\"", "windows-1252", "<meta charset=utf-8>é");
    }

    #[test]
    fn the_page_wins_over_detection() {
        check(b"<meta charset=koi8-r>\xC1", "text/html", "KOI8-R", "<meta charset=koi8-r>а");
        check(
            b"<meta charset=koi8-r>\xC1",
            "text/html; charset=x",
            "KOI8-R",
            "<meta charset=koi8-r>а",
        );
    }

    #[test]
    fn a_declaration_beyond_the_first_kilobyte_wins_over_detection() {
        let page = [&b" ".repeat(2000), &b"<meta charset=koi8-r>\xC1"[..]].concat();
        assert_eq!(decode_html(&page, None, None).charset, "KOI8-R");
    }

    #[test]
    fn undeclared_text_is_detected() {
        check("déjà vu".as_bytes(), "text/html", "UTF-8", "déjà vu");
        check(b"plain", "", "UTF-8", "plain");
        check(b"d\xE9j\xE0 vu", "", "windows-1252", "déjà vu");
    }

    #[test]
    fn utf_8_is_not_copied() {
        let body = "<meta charset=utf-8>é".as_bytes();
        assert!(matches!(decode_html(body, None, None).text, Cow::Borrowed(_)));
        assert!(matches!(decode_html(b"ascii", None, None).text, Cow::Borrowed(_)));
    }

    #[test]
    fn bytes_that_make_no_sense_are_replaced_and_said_so() {
        let decoded = decode_html(b"<meta charset=utf-8>\xFF", None, None);
        assert!(decoded.has_replacements);
        assert!(decoded.text.ends_with('\u{fffd}'));
    }

    #[test]
    fn odd_hosts_do_not_disturb_detection() {
        for host in ["", ".", "A.B", "xn--p1ai", "é", "1.2.3.4", "[::1]"] {
            assert_eq!(decode_html(b"d\xE9j\xE0 vu", None, Some(host)).charset, "windows-1252");
        }
    }
}
