//! Text cut into words, in lower case.
//!
//! A word is a run of letters and digits. Apostrophes inside it are dropped,
//! everything else ends it: `don't` is `dont`, `plunge-diving` is two words.

/// Calls `visit` with each word of `text` in lower case.
///
/// Every page goes through here, so words of lower-case ASCII letters, which
/// most are, are handed on as they stand in the text, without a copy.
pub(crate) fn each_word(text: &str, buffer: &mut String, mut visit: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_word_start(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let mut is_lower = true;
        while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
            is_lower &= !bytes[at].is_ascii_uppercase();
            at += 1;
        }
        let is_plain = bytes.get(at).is_none_or(|next| next.is_ascii() && *next != b'\'');
        if is_plain && is_lower && at > start {
            visit(&text[start..at]);
        } else {
            at = start + odd_word(&text[start..], buffer);
            if !buffer.is_empty() {
                visit(buffer);
            }
        }
    }
}

/// True where a word may begin: at a letter or digit, or at what may be one beyond ASCII.
fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// Puts the word at the start of `text` into `buffer`, letter by letter; tells how many bytes it
/// took, at least one character.
fn odd_word(text: &str, buffer: &mut String) -> usize {
    buffer.clear();
    for (at, c) in text.char_indices() {
        if c.is_ascii_alphanumeric() {
            buffer.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            buffer.extend(c.to_lowercase());
        } else if !(is_apostrophe(c) && !buffer.is_empty()) {
            return at.max(if buffer.is_empty() { c.len_utf8() } else { at });
        }
    }
    text.len()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{02bc}')
}

/// The words of a keyword or phrase, single blanks between them.
pub(crate) fn normal_form(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    each_word(text, &mut String::new(), |word| words.push(word.to_owned()));
    words.join(" ")
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
        check("Don't l’oiseau", "dont loiseau");
        check("ÉTÉ Straße 東京", "été straße 東京");
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
            } else if !c.is_ascii() && c.is_alphanumeric() {
                word.extend(c.to_lowercase());
            } else if !(is_apostrophe(c) && !word.is_empty()) {
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
    }
}
