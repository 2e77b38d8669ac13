//! What `&amp;` and its kind stand for.
//!
//! Character references as in section 13.2.5.72 on of the WHATWG standard.
//! Numbers and the names that pages really use are decoded here; the other of
//! the 2,231 names are left to `html5gum`, whose table this crate need not repeat.

use std::borrow::Cow;
use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use memchr::memchr;

/// Where a reference stands: attributes leave `&copy=` alone, for the sake of
/// addresses with parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Text,
    Attribute,
}

/// An attribute's value, decoded. Most hold no reference and are not copied.
#[inline]
pub(crate) fn decode_attribute(raw: &str) -> Cow<'_, str> {
    if memchr(b'&', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut decoded = String::with_capacity(raw.len());
    decode_pieces(raw, Place::Attribute, |piece| decoded.push_str(piece));
    Cow::Owned(decoded)
}

/// Hands `raw` to `sink` in pieces, references decoded.
#[inline]
pub(crate) fn decode_pieces(raw: &str, place: Place, mut sink: impl FnMut(&str)) {
    let mut rest = raw;
    while let Some(found) = memchr(b'&', rest.as_bytes()) {
        if found > 0 {
            sink(&rest[..found]);
        }
        rest = decode_first(&rest[found..], place, &mut sink);
    }
    if !rest.is_empty() {
        sink(rest);
    }
}

/// Decodes the reference at the start of `text` and returns what follows it.
/// An ampersand that opens no reference stands for itself.
fn decode_first<'a>(text: &'a str, place: Place, sink: &mut impl FnMut(&str)) -> &'a str {
    let bytes = text.as_bytes();
    if bytes.get(1) == Some(&b'#') {
        return decode_number(text, sink);
    }
    let end = 1 + bytes[1..]
        .iter()
        .take(LONGEST_NAME)
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let name = &text[1..end];
    let is_terminated = bytes.get(end) == Some(&b';');
    if is_terminated && let Ok(at) = COMMON.binary_search_by(|(known, _)| (*known).cmp(name)) {
        sink(COMMON[at].1);
        return &text[end + 1..];
    }
    let is_parameter = place == Place::Attribute && !is_terminated && bytes.get(end) == Some(&b'=');
    // No name is shorter than `lt`.
    if name.len() < 2 || is_parameter {
        sink(&text[..end]);
        return &text[end..];
    }
    let end = end + usize::from(is_terminated);
    sink(&decode_name(&text[..end], place));
    &text[end..]
}

/// Longer than `CounterClockwiseContourIntegral`, the longest name there is.
const LONGEST_NAME: usize = 40;

/// Decodes `&#…`.
fn decode_number<'a>(text: &'a str, sink: &mut impl FnMut(&str)) -> &'a str {
    let is_hex = matches!(text.as_bytes().get(2), Some(b'x' | b'X'));
    let (start, radix) = if is_hex { (3, 16) } else { (2, 10) };
    let digits = text[start..].bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let end = start + digits;
    if digits == 0 {
        sink(&text[..end]);
        return &text[end..];
    }
    // A number too large for 32 bits is as wrong as one beyond Unicode.
    let code = u32::from_str_radix(&text[start..end], radix).unwrap_or(u32::MAX);
    sink(character(code).encode_utf8(&mut [0; 4]));
    text[end..].strip_prefix(';').unwrap_or(&text[end..])
}

/// The character a number stands for: the C1 range means windows-1252.
fn character(code: u32) -> char {
    match code {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS_1252[(code - 0x80) as usize],
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// What 0x80 to 0x9F mean; the five codes that windows-1252 leaves open stay as they are.
#[rustfmt::skip]
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The names that pages use most, in byte order.
#[rustfmt::skip]
const COMMON: [(&str, &str); 80] = [
    ("Aacute", "Á"), ("Agrave", "À"), ("Aring", "Å"), ("Auml", "Ä"), ("Ccedil", "Ç"),
    ("Eacute", "É"), ("Egrave", "È"), ("Iacute", "Í"), ("Ntilde", "Ñ"), ("Oacute", "Ó"),
    ("Oslash", "Ø"), ("Ouml", "Ö"), ("Uacute", "Ú"), ("Uuml", "Ü"), ("aacute", "á"),
    ("acirc", "â"), ("acute", "´"), ("aelig", "æ"), ("agrave", "à"), ("amp", "&"),
    ("apos", "'"), ("aring", "å"), ("atilde", "ã"), ("auml", "ä"), ("bdquo", "„"),
    ("bull", "•"), ("ccedil", "ç"), ("cent", "¢"), ("copy", "©"), ("darr", "↓"),
    ("deg", "°"), ("eacute", "é"), ("ecirc", "ê"), ("egrave", "è"), ("euml", "ë"),
    ("euro", "€"), ("frac12", "½"), ("gt", ">"), ("hellip", "…"), ("iacute", "í"),
    ("icirc", "î"), ("iexcl", "¡"), ("iquest", "¿"), ("iuml", "ï"), ("laquo", "«"),
    ("larr", "←"), ("ldquo", "“"), ("lsaquo", "‹"), ("lsquo", "‘"), ("lt", "<"),
    ("mdash", "—"), ("middot", "·"), ("nbsp", "\u{a0}"), ("ndash", "–"), ("ntilde", "ñ"),
    ("oacute", "ó"), ("ocirc", "ô"), ("ograve", "ò"), ("oslash", "ø"), ("otilde", "õ"),
    ("ouml", "ö"), ("para", "¶"), ("plusmn", "±"), ("pound", "£"), ("quot", "\""),
    ("raquo", "»"), ("rarr", "→"), ("rdquo", "”"), ("reg", "®"), ("rsaquo", "›"),
    ("rsquo", "’"), ("sect", "§"), ("shy", "\u{ad}"), ("szlig", "ß"), ("thinsp", "\u{2009}"),
    ("times", "×"), ("trade", "™"), ("uacute", "ú"), ("ugrave", "ù"), ("uuml", "ü"),
];

/// Decodes `&name` or `&name;` by the full table. `reference` holds letters,
/// digits and its two marks only, so it may be wrapped in a tag safely.
fn decode_name(reference: &str, place: Place) -> String {
    let wrapped = match place {
        Place::Text => Cow::Borrowed(reference),
        Place::Attribute => Cow::Owned(format!("<a b=\"{reference}\">")),
    };
    let mut decoded = Vec::new();
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
        if let CallbackEvent::String { value } | CallbackEvent::AttributeValue { value } = event {
            decoded.extend_from_slice(value);
        }
        None::<Infallible>
    });
    let Ok(()) = Tokenizer::new_with_emitter(wrapped.as_ref(), emitter).finish();
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(place: Place, raw: &str, expected: &str) {
        let mut decoded = String::new();
        decode_pieces(raw, place, |piece| decoded.push_str(piece));
        assert_eq!(decoded, expected, "{raw:?} in {place:?}");
    }

    #[test]
    fn names_are_decoded_with_and_without_semicolon() {
        check(Place::Text, "a &lt; b &amp;&eacute;&notin;", "a < b &é∉");
        check(Place::Text, "&copy2 &ampx &notit;", "©2 &x ¬it;");
        check(Place::Text, "&NotEqualTilde;", "≂\u{338}");
    }

    #[test]
    fn addresses_in_attributes_keep_their_parameters() {
        check(Place::Attribute, "?a=1&copy=2&lang=en", "?a=1&copy=2&lang=en");
        check(Place::Attribute, "?a&amp;b&copyx&copy", "?a&b&copyx©");
        check(Place::Attribute, "&lt;&notit;", "<&notit;");
    }

    #[test]
    fn what_is_no_reference_stands_for_itself() {
        check(
            Place::Text,
            "AT&T & co &; &nonsense; &#; &#x; &#xg",
            "AT&T & co &; &nonsense; &#; &#x; &#xg",
        );
        check(Place::Text, "&", "&");
        check(Place::Text, "&é", "&é");
    }

    #[test]
    fn numbers_are_repaired_as_browsers_do() {
        check(Place::Text, "&#65;&#x42&#X43;&#150;", "ABC–");
        check(
            Place::Text,
            "&#0;&#xD800;&#1114112;&#99999999999999999999;",
            "\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
        );
    }

    #[test]
    fn the_common_names_agree_with_the_full_table() {
        assert!(COMMON.is_sorted_by(|a, b| a.0 < b.0));
        for (name, expected) in COMMON {
            assert_eq!(decode_name(&format!("&{name};"), Place::Text), expected, "{name}");
        }
    }
}
