//! The normal form of percent-escapes.
//!
//! RFC 3986 section 6.2.2: hexadecimal digits in capitals, and an unreserved
//! character (letters, digits, `-`, `.`, `_`, `~`) never escaped. Reserved
//! characters keep the spelling they came in, because `%2F` and `/` may name
//! different pages.
//!
//! A `%` that begins no escape stays as it is: browsers send it so, and some
//! servers read the old `%u00E9` spelling. To keep the form stable, an escape
//! is left alone where decoding it would turn such a stray `%` into an escape.

use std::borrow::Cow;

/// Rewrites path and query; borrows when nothing has to change.
pub(super) fn normalise(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let Some(first) = first_abnormal(bytes) else { return Cow::Borrowed(text) };
    let mut normal = String::with_capacity(text.len());
    normal.push_str(&text[..first]);
    let mut at = first;
    while at < bytes.len() {
        match escape_at(bytes, at) {
            Some(value) if is_unreserved(value) && !follows_stray(bytes, at) => {
                normal.push(char::from(value));
                at += 3;
            }
            Some(_) => {
                normal.push('%');
                normal.push(char::from(bytes[at + 1].to_ascii_uppercase()));
                normal.push(char::from(bytes[at + 2].to_ascii_uppercase()));
                at += 3;
            }
            None => {
                let end = text[at + 1..].find('%').map_or(text.len(), |next| at + 1 + next);
                normal.push_str(&text[at..end]);
                at = end;
            }
        }
    }
    Cow::Owned(normal)
}

/// Where the first escape stands that is not in normal form.
fn first_abnormal(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'%' {
            at += 1;
            continue;
        }
        let Some(value) = escape_at(bytes, at) else {
            at += 1;
            continue;
        };
        let is_lowercase = bytes[at + 1].is_ascii_lowercase() || bytes[at + 2].is_ascii_lowercase();
        if is_lowercase || (is_unreserved(value) && !follows_stray(bytes, at)) {
            return Some(at);
        }
        at += 3;
    }
    None
}

/// The byte that the escape beginning here stands for.
fn escape_at(bytes: &[u8], at: usize) -> Option<u8> {
    if bytes[at] != b'%' {
        return None;
    }
    let high = char::from(*bytes.get(at + 1)?).to_digit(16)?;
    let low = char::from(*bytes.get(at + 2)?).to_digit(16)?;
    u8::try_from(high * 16 + low).ok()
}

/// True when a `%` just before would take the decoded character as its digit.
///
/// That `%` is stray in both cases, since what follows it is not two digits.
fn follows_stray(bytes: &[u8], at: usize) -> bool {
    let is_percent = |back: usize| at >= back && bytes[at - back] == b'%';
    is_percent(1) || (is_percent(2) && bytes[at - 1].is_ascii_hexdigit())
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(normalise(input), expected);
        assert_eq!(normalise(expected), expected, "not stable");
    }

    #[test]
    fn unreserved_characters_are_decoded_and_digits_capital() {
        check("/%66oo%7e%2D", "/foo~-");
        check("/caf%c3%a9", "/caf%C3%A9");
        check("/a%2fb?c%3dd%26", "/a%2Fb?c%3Dd%26");
    }

    #[test]
    fn normal_text_is_borrowed() {
        assert!(matches!(normalise("/caf%C3%A9?x=%20%"), Cow::Borrowed(_)));
    }

    #[test]
    fn stray_percents_stay_and_never_become_escapes() {
        check("/100%", "/100%");
        check("/%u00e9", "/%u00e9");
        check("/%%341", "/%%341");
        check("/%4%31", "/%4%31");
        check("/%%34%31", "/%%341");
        check("/%zz%77%v", "/%zzw%v");
        check("?a=%&%41=2", "?a=%&A=2");
    }
}
