//! Rust code without its comments and the contents of its literals.
//!
//! Rules about code must not trip over words in a comment or braces in a
//! string. Masked characters become spaces, so lines and columns stay.

/// Blanks comments and literals.
pub(crate) fn mask(code: &str) -> String {
    let mut masked = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = literal_length(rest, masked.chars().next_back());
        if length == 0 {
            masked.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        masked.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[length..];
    }
    masked
}

/// Length of the comment or literal that begins here; 0 when none does.
fn literal_length(rest: &str, before: Option<char>) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_length(rest);
    }
    if let Some(inside) = rest.strip_prefix('"') {
        return 1 + quoted_length(inside, '"');
    }
    let is_word_start = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if is_word_start && rest.starts_with(['r', 'b', 'c']) {
        return raw_length(rest);
    }
    rest.strip_prefix('\'').map_or(0, character_length)
}

fn block_comment_length(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Length up to and with the closing quote, minding backslashes.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// `r"…"`, `r#"…"#`, `br"…"`; a plain `b"…"` is left to the rule for quotes.
fn raw_length(rest: &str) -> usize {
    let prefix = rest.len() - rest.trim_start_matches(['b', 'c']).len();
    let Some(after) = rest[prefix..].strip_prefix('r').filter(|_| prefix <= 1) else {
        return 0;
    };
    let hashes = after.len() - after.trim_start_matches('#').len();
    if !after[hashes..].starts_with('"') {
        return 0;
    }
    let opening = prefix + 1 + hashes + 1;
    let closing = format!("\"{}", "#".repeat(hashes));
    match rest[opening..].find(&closing) {
        Some(at) => opening + at + closing.len(),
        None => rest.len(),
    }
}

/// `'x'` and `'\n'`, but not the lifetime `'a`.
fn character_length(inside: &str) -> usize {
    if inside.starts_with('\\') {
        return 1 + quoted_length(inside, '\'');
    }
    let mut characters = inside.chars();
    match (characters.next(), characters.next()) {
        (Some(c), Some('\'')) => 1 + c.len_utf8() + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, expected: &str) {
        assert_eq!(mask(code).split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn comments_and_literals_are_blank() {
        check("a // {\nb", "a b");
        check("a /* { /* } */ */ b", "a b");
        check(r#"a("{ \" }") b"#, "a( ) b");
        check("a(r#\"{ \" }\"#) b", "a( ) b");
        check("a('{', '\\'', b'}') b", "a( , , b ) b");
    }

    #[test]
    fn lifetimes_and_words_are_not_literals() {
        check("fn a<'a>(x: &'a str) {}", "fn a<'a>(x: &'a str) {}");
        check("for bar in r {}", "for bar in r {}");
    }

    #[test]
    fn lines_stay() {
        assert_eq!(mask("\"a\nb\"\nc").lines().count(), 3);
    }
}
