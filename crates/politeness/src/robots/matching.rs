//! Does a pattern cover a path? In linear time, whatever the pattern.
//!
//! A pattern holds only `*` wildcards and perhaps a final `$`, so taking the
//! leftmost occurrence of each piece in turn never has to be undone. There is
//! no backtracking that a hostile file with many wildcards could provoke.

use memchr::{memchr, memmem, memrchr};

/// True when `pattern` covers `path`, both in the spelling of the sibling module `octets`.
pub(super) fn covers(pattern: &[u8], path: &[u8]) -> bool {
    let (body, is_anchored) = match pattern.strip_suffix(b"$") {
        Some(body) => (body, true),
        None => (pattern, false),
    };
    let Some(star) = memchr(b'*', body) else {
        return if is_anchored { path == body } else { path.starts_with(body) };
    };
    let Some(mut rest) = path.strip_prefix(&body[..star]) else {
        return false;
    };
    let mut pieces = &body[star + 1..];
    if is_anchored {
        let (middle, last) = match memrchr(b'*', pieces) {
            Some(last_star) => (&pieces[..last_star], &pieces[last_star + 1..]),
            None => (&pieces[..0], pieces),
        };
        let Some(before_last) = rest.strip_suffix(last) else {
            return false;
        };
        (pieces, rest) = (middle, before_last);
    }
    for piece in pieces.split(|byte| *byte == b'*').filter(|piece| !piece.is_empty()) {
        let Some(at) = memmem::find(rest, piece) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every way a wildcard can stretch, tried one after the other: slow and evidently right.
    fn covers_by_trying_all(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            [b'$'] => path.is_empty(),
            [b'*', rest @ ..] => (0..=path.len()).any(|at| covers_by_trying_all(rest, &path[at..])),
            [byte, rest @ ..] => {
                path.first() == Some(byte) && covers_by_trying_all(rest, &path[1..])
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn agrees_with_trying_every_stretch(pattern in "[/ab*]{0,9}[$]?", path in "/[/ab]{0,12}") {
            prop_assert_eq!(
                covers(pattern.as_bytes(), path.as_bytes()),
                covers_by_trying_all(pattern.as_bytes(), path.as_bytes()),
                "{} on {}", pattern, path
            );
        }
    }

    #[test]
    fn the_last_piece_before_an_anchor_may_not_overlap_the_first() {
        assert!(!covers(b"/ab*b$", b"/ab"));
        assert!(covers(b"/ab*b$", b"/abb"));
    }

    #[test]
    fn a_hostile_rule_with_many_wildcards_is_refused_quickly() {
        let pattern = format!("/{}b$", "*a".repeat(60));
        let path = format!("/{}", "a".repeat(100_000));
        assert!(!covers(pattern.as_bytes(), path.as_bytes()));
        let pattern = format!("/{}*b", "*a".repeat(60));
        assert!(!covers(pattern.as_bytes(), path.as_bytes()));
    }
}
