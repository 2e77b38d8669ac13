//! Text cut into words, in lower case.
//!
//! A word is a run of letters and digits. Apostrophes inside it are dropped,
//! everything else ends it: `don't` is `dont`, `plunge-diving` is two words.
//! So is `l'oiseau`, for no French page is about `loiseau`, and every Chinese
//! character is a word.

use std::ops::{ControlFlow, Range};

/// What a byte is to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Ends it.
    Other,
    /// A digit or a lower-case letter.
    Lower,
    /// An upper-case letter.
    Upper,
    /// An apostrophe, or a byte beyond ASCII: to be looked at more closely.
    Odd,
}

/// One look per byte instead of several comparisons.
const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut at = 0;
    while at < 256 {
        kinds[at] = match at as u8 {
            b'a'..=b'z' | b'0'..=b'9' => Kind::Lower,
            b'A'..=b'Z' => Kind::Upper,
            b'\'' | 128.. => Kind::Odd,
            _ => Kind::Other,
        };
        at += 1;
    }
    kinds
};

/// Calls `visit` with each word of `text` in lower case.
pub fn each_word(text: &str, buffer: &mut String, mut visit: impl FnMut(&str)) {
    _ = walk(text, buffer, |_, word| {
        visit(word);
        ControlFlow::Continue(())
    });
}

/// Calls `visit` with each word of `text` in lower case and where it begins, in bytes, until `visit`
/// has seen enough.
///
/// Every page goes through here, so words of lower-case ASCII letters, which
/// most are, are handed on as they stand in the text, without a copy, and those
/// with capitals are copied as a whole.
pub fn walk(
    text: &str,
    buffer: &mut String,
    mut visit: impl FnMut(usize, &str) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let bytes = text.as_bytes();
    let kind_at = |at: usize| bytes.get(at).map_or(Kind::Other, |byte| KINDS[usize::from(*byte)]);
    let mut at = 0;
    while at < bytes.len() {
        if kind_at(at) == Kind::Other {
            at += 1;
            continue;
        }
        let start = at;
        while kind_at(at) == Kind::Lower {
            at += 1;
        }
        if kind_at(at) == Kind::Other {
            visit(start, &text[start..at])?;
            continue;
        }
        while matches!(kind_at(at), Kind::Lower | Kind::Upper) {
            at += 1;
        }
        if kind_at(at) == Kind::Other {
            buffer.clear();
            buffer.push_str(&text[start..at]);
            buffer.make_ascii_lowercase();
            visit(start, buffer)?;
            continue;
        }
        at = start + odd_word(&text[start..], buffer);
        if !buffer.is_empty() {
            visit(start, buffer)?;
        }
    }
    ControlFlow::Continue(())
}

/// Puts the word at the start of `text` into `buffer`, letter by letter; tells how many bytes it
/// took, at least one character.
fn odd_word(text: &str, buffer: &mut String) -> usize {
    buffer.clear();
    for (at, c) in text.char_indices() {
        if c.is_ascii_alphanumeric() {
            buffer.push(c.to_ascii_lowercase());
        } else if is_word_of_its_own(c) {
            if buffer.is_empty() {
                buffer.push(c);
                return c.len_utf8();
            }
            return at;
        } else if c.is_alphanumeric() {
            buffer.extend(c.to_lowercase());
        } else if buffer.is_empty() {
            return c.len_utf8();
        } else if !is_apostrophe(c) || ELIDED.contains(&buffer.as_str()) {
            return at;
        }
    }
    text.len()
}

/// Short words of French, Italian and Catalan that lean on the next one: `l'oiseau` is two words.
const ELIDED: [&str; 17] = [
    "l", "d", "c", "j", "m", "n", "s", "t", "qu", "un", "dell", "all", "nell", "dall", "sull",
    "quell", "jusqu",
];

/// Calls `visit` with each word of `text` in lower case and where it stands, in bytes, for showing
/// places to a person.
pub fn each_word_at(text: &str, mut visit: impl FnMut(Range<usize>, &str)) {
    _ = walk(text, &mut String::new(), |start, word| {
        let rest = &text[start..];
        let mut copy = String::new();
        let length = match rest.get(..word.len()) {
            Some(same) if same.eq_ignore_ascii_case(word) => word.len(),
            _ => odd_word(rest, &mut copy),
        };
        let length = rest[..length].trim_end_matches(is_apostrophe).len();
        visit(start..start + length, word);
        ControlFlow::Continue(())
    });
}

/// Chinese characters and Japanese letters: there are no blanks to tell where words end, so each
/// is one, and a word of several is a phrase.
fn is_word_of_its_own(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{02bc}')
}

/// The words of a keyword or phrase, single blanks between them.
pub fn normal_form(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    each_word(text, &mut String::new(), |word| words.push(word.to_owned()));
    words.join(" ")
}

/// The number of a word: 64 bits, the high ones mixed best. It is kept with what models and
/// orderings learned, so it never changes.
#[inline]
pub fn number(word: &str) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = word.len() as u64;
    let mut chunks = word.as_bytes().chunks_exact(8);
    for chunk in &mut chunks {
        let eight = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        state = (state ^ eight).wrapping_mul(MIX);
        state ^= state >> 32;
    }
    let mut last = [0; 8];
    let rest = chunks.remainder();
    last[..rest.len()].copy_from_slice(rest);
    state = (state ^ u64::from_le_bytes(last)).wrapping_mul(MIX);
    (state ^ (state >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(normal_form(text), expected);
    }

    #[test]
    fn words_are_runs_of_letters_and_digits_in_lower_case() {
        check("Plunge-diving, 40 metres!", "plunge diving 40 metres");
        check("Don't o'clock", "dont oclock");
        check("L’oiseau qu'il y a, dell'acqua 'n'", "l oiseau qu il y a dell acqua n");
        check("ÉTÉ Straße 東京", "été straße 東 京");
        check("' -- '", "");
        check("the birds' nest", "the birds nest");
        check("caféine naïve—end…", "caféine naïve end");
    }

    /// The definition, letter by letter, without any shortcut.
    fn plainly(text: &str) -> String {
        let mut words = vec![String::new()];
        for c in text.chars() {
            let word = words.last_mut().unwrap();
            if c.is_ascii_alphanumeric() {
                word.push(c.to_ascii_lowercase());
            } else if is_word_of_its_own(c) {
                words.extend([c.to_string(), String::new()]);
            } else if !c.is_ascii() && c.is_alphanumeric() {
                word.extend(c.to_lowercase());
            } else if !is_apostrophe(c) || word.is_empty() || ELIDED.contains(&word.as_str()) {
                words.push(String::new());
            }
        }
        words.retain(|word| !word.is_empty());
        words.join(" ")
    }

    proptest! {
        #[test]
        fn the_shortcut_changes_nothing(text in "[a-zA-Z0-9 ',.’éÉß東—\u{301}-]{0,60}") {
            prop_assert_eq!(normal_form(&text), plainly(&text));
        }

        #[test]
        fn words_stand_where_they_are_said_to(text in "[a-zA-Z0-9 ',.’éÉß東—\u{301}-]{0,60}") {
            let mut words = Vec::new();
            let mut last = 0;
            each_word_at(&text, |place, word| {
                assert!(last <= place.start && normal_form(&text[place.clone()]) == word);
                last = place.end;
                words.push(word.to_owned());
            });
            prop_assert_eq!(words.join(" "), normal_form(&text));
        }
    }
}
