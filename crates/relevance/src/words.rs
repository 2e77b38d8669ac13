//! Text cut into words, in lower case.
//!
//! A word is a run of letters and digits, with apostrophes and hyphens inside
//! it dropped or splitting it: `don't` is `dont`, `plunge-diving` is two words.

/// Calls `visit` with each word of `text` in lower case.
pub(crate) fn each_word(text: &str, buffer: &mut String, mut visit: impl FnMut(&str)) {
    buffer.clear();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            buffer.push(c.to_ascii_lowercase());
        } else if !c.is_ascii() && c.is_alphanumeric() {
            buffer.extend(c.to_lowercase());
        } else if is_apostrophe(c) && !buffer.is_empty() {
            // Inside a word it is dropped; behind one it makes no difference.
        } else if !buffer.is_empty() {
            visit(buffer);
            buffer.clear();
        }
    }
    if !buffer.is_empty() {
        visit(buffer);
        buffer.clear();
    }
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
    }
}
