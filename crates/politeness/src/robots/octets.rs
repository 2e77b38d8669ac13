//! Paths and patterns in one spelling, so that octets can be compared.
//!
//! RFC 9309 section 2.2.2 compares after percent-encoding is normalised. The
//! spelling chosen here, for both sides: unreserved octets bare, octets that no
//! URI may hold encoded, hexadecimal digits in upper case, everything reserved
//! as it came (`%2F` is not `/`). Two octets are special to patterns: a literal
//! `*` or `$` is always spelt `%2A` or `%24`, as the table in the RFC has it.
//! The apostrophe is always encoded, because URL parsers encode it in queries only.

use std::borrow::Cow;

/// A path with its query, as rules see it.
pub(super) fn normalise_path(path: &str) -> Cow<'_, [u8]> {
    let bytes = path.as_bytes();
    let is_rooted = bytes.first() == Some(&b'/');
    if is_rooted && bytes.iter().copied().all(is_plain) {
        return Cow::Borrowed(bytes);
    }
    let mut spelt = Vec::with_capacity(bytes.len() + 16);
    if !is_rooted {
        spelt.push(b'/');
    }
    respell(bytes, &mut spelt);
    Cow::Owned(spelt)
}

/// A rule's path, in which `*` is a wildcard and a final `$` an anchor. The result is ASCII.
pub(super) fn normalise_pattern(pattern: &[u8]) -> Cow<'_, [u8]> {
    let (body, anchor) = match pattern.strip_suffix(b"$") {
        Some(body) => (body, &b"$"[..]),
        None => (pattern, &b""[..]),
    };
    let is_rooted = matches!(body.first(), Some(b'/' | b'*'));
    if is_rooted && body.iter().copied().all(is_plain) {
        return Cow::Borrowed(pattern);
    }
    let mut spelt = Vec::with_capacity(pattern.len() + 1);
    // A rule without its first slash can only mean the path with it.
    if !is_rooted {
        spelt.push(b'/');
    }
    for (index, piece) in body.split(|byte| *byte == b'*').enumerate() {
        // A run of wildcards says no more than one of them.
        if index > 0 && spelt.last() != Some(&b'*') {
            spelt.push(b'*');
        }
        respell(piece, &mut spelt);
    }
    spelt.extend_from_slice(anchor);
    Cow::Owned(spelt)
}

fn respell(bytes: &[u8], spelt: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, encoded_octet(after)) {
            (b'%', Some(octet)) => {
                rest = &after[2..];
                if is_unreserved(octet) { spelt.push(octet) } else { encode(octet, spelt) }
            }
            // A percent sign that encodes nothing stands for itself, on both sides.
            (b'%', None) => spelt.push(byte),
            _ if is_plain(byte) => spelt.push(byte),
            _ => encode(byte, spelt),
        }
    }
}

fn encoded_octet(after_percent: &[u8]) -> Option<u8> {
    let digit = |index: usize| char::from(*after_percent.get(index)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

fn encode(octet: u8, spelt: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    spelt.extend([b'%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
}

/// True for an octet that stays as it is when met bare.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'%' | b'*'
                | b'$'
                | b'\''
                | b'"'
                | b'<'
                | b'>'
                | b'\\'
                | b'^'
                | b'`'
                | b'{'
                | b'|'
                | b'}'
        )
}

fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&normalise_path(path)), expected);
    }

    #[test]
    fn unreserved_octets_are_bare_and_others_encoded_in_upper_case() {
        check("/foo/bar/%62%61%7a", "/foo/bar/baz");
        check("/ツ", "/%E3%83%84");
        check("/%e3%83%84", "/%E3%83%84");
        check("/a b{c}", "/a%20b%7Bc%7D");
    }

    #[test]
    fn what_is_reserved_stays_as_it_came() {
        check("/a%2fb/c:d?e=%26&f", "/a%2Fb/c:d?e=%26&f");
    }

    #[test]
    fn a_literal_star_or_dollar_in_a_path_is_no_wildcard() {
        check("/a*$", "/a%2A%24");
    }

    #[test]
    fn a_percent_sign_that_encodes_nothing_stays() {
        check("/100%", "/100%");
        check("/talk%3Mediation", "/talk%3Mediation");
    }

    #[test]
    fn a_path_begins_with_a_slash() {
        check("", "/");
        check("?a", "/?a");
    }

    #[test]
    fn patterns_keep_wildcards_and_the_final_anchor_only() {
        assert_eq!(normalise_pattern(b"/a***b$c$").as_ref(), b"/a*b%24c$");
        assert_eq!(normalise_pattern(b"private/").as_ref(), b"/private/");
        assert_eq!(normalise_pattern(b"*.gif$").as_ref(), b"*.gif$");
        assert_eq!(normalise_pattern(b"/\xff").as_ref(), b"/%FF");
    }
}
