//! Text without what no reader sees: case of letters, kinds of white space, spellings of the same
//! character.
//!
//! Quotation marks and dashes are folded to their plain forms, for a change of these is a change
//! of style. Digits can be masked, to tell "only numbers moved" from other edits.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Appends what counts of a text to `normal`, white space folded to single spaces.
pub(crate) fn append(text: &str, normal: &mut Vec<u8>) {
    if text.is_ascii() {
        append_ascii(text, normal);
    } else if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        folded(text.chars().flat_map(char::to_lowercase), normal);
    } else {
        folded(text.chars().nfc().flat_map(char::to_lowercase), normal);
    }
}

/// The same for plain text, which most is, word by word instead of character by character.
fn append_ascii(text: &str, normal: &mut Vec<u8>) {
    for word in text.as_bytes().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let is_first = normal.is_empty();
        if !is_first {
            normal.push(b' ');
        }
        let start = normal.len();
        normal.extend_from_slice(word);
        normal[start..].make_ascii_lowercase();
    }
}

fn folded(chars: impl Iterator<Item = char>, normal: &mut Vec<u8>) {
    let mut gap = !normal.is_empty();
    for char in chars {
        if is_unseen(char) {
            continue;
        }
        if char.is_whitespace() {
            gap = true;
            continue;
        }
        if gap && !normal.is_empty() {
            normal.push(b' ');
        }
        gap = false;
        let mut bytes = [0; 4];
        normal.extend_from_slice(plain(char).encode_utf8(&mut bytes).as_bytes());
    }
}

/// Characters without width: soft hyphens, joiners, marks of direction and order.
fn is_unseen(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}')
}

fn plain(char: char) -> char {
    match char {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        char => char.to_ascii_lowercase(),
    }
}

/// Appends a text to `masked` with every run of digits as one mark, whatever its length.
pub(crate) fn append_masked(normal: &[u8], masked: &mut Vec<u8>) {
    let mut is_number = false;
    for &byte in normal {
        let is_digit = byte.is_ascii_digit();
        if !is_digit || !is_number {
            masked.push(if is_digit { b'0' } else { byte });
        }
        is_number = is_digit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> String {
        let mut normal = Vec::new();
        append(text, &mut normal);
        String::from_utf8(normal).unwrap()
    }

    #[test]
    fn what_no_reader_sees_is_folded() {
        for (text, expected) in [
            ("  A  plain\n text ", "a plain text"),
            ("“Quoted” – it’s", "\"quoted\" - it's"),
            ("soft\u{ad}ened\u{200b}", "softened"),
            ("cafe\u{301}", "café"),
            ("ÉTÉ\u{a0}2024", "été 2024"),
            ("", ""),
        ] {
            assert_eq!(normal(text), expected);
            assert_eq!(normal(expected), expected);
        }
    }

    #[test]
    fn numbers_are_masked_whatever_their_length() {
        let masked = |text: &str| {
            let mut masked = Vec::new();
            append_masked(text.as_bytes(), &mut masked);
            String::from_utf8(masked).unwrap()
        };
        assert_eq!(masked("page 9 of 10"), "page 0 of 0");
        assert_eq!(masked("page 12 of 7"), "page 0 of 0");
        assert_eq!(masked("é1"), "é0");
    }
}
