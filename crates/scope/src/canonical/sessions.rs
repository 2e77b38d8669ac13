//! Session identifiers that stand in the path.
//!
//! Java servers append `;jsessionid=…` to a segment, ASP.NET inserts a segment
//! `(S(…))`. Other path parameters (`;v=2`) are part of the page's name and stay.

use std::borrow::Cow;

use super::parameters::NameSet;

/// Shortest value that an ASP.NET segment must hold: its own have 24 characters.
const ASP_SHORTEST: usize = 20;

/// Length of a session in the oldest form, `(4hqa0555fwsecu455xqckv45)`.
const ASP_BARE: usize = 24;

/// Shortest value that counts as a session identifier under an ambiguous name.
///
/// PHP makes 26 characters or more, phpBB and vBulletin 32.
const LIKELY_SHORTEST: usize = 24;

/// Removes session identifiers from a path; borrows when there are none.
pub(super) fn strip_path<'a>(path: &'a str, names: &NameSet) -> Cow<'a, str> {
    let mut kept = String::new();
    let mut has_changed = false;
    let mut ends_in_session = false;
    for segment in path.split('/').skip(1) {
        let stripped = strip_parameters(segment, names);
        ends_in_session = is_asp_session(&stripped);
        has_changed |= ends_in_session || matches!(stripped, Cow::Owned(_));
        if !ends_in_session {
            kept.push('/');
            kept.push_str(&stripped);
        }
    }
    if !has_changed {
        return Cow::Borrowed(path);
    }
    // The directory that the session stood in remains.
    if ends_in_session {
        kept.push('/');
    }
    Cow::Owned(kept)
}

/// True when the value could hardly be anything but random: long, letters and digits.
pub(super) fn looks_random(value: &str) -> bool {
    value.len() >= LIKELY_SHORTEST
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && value.bytes().any(|byte| byte.is_ascii_digit())
}

/// Removes `;jsessionid=…` and its like from one segment.
fn strip_parameters<'a>(segment: &'a str, names: &NameSet) -> Cow<'a, str> {
    let Some((name, parameters)) = segment.split_once(';') else {
        return Cow::Borrowed(segment);
    };
    let is_session =
        |parameter: &&str| parameter.split_once('=').is_some_and(|(name, _)| names.contains(name));
    // Without its parameters the segment would mean "here" or "up": another page.
    let is_dots = matches!(name, "." | "..");
    if is_dots || !parameters.split(';').any(|parameter| is_session(&parameter)) {
        return Cow::Borrowed(segment);
    }
    let mut kept = name.to_owned();
    for parameter in parameters.split(';').filter(|parameter| !is_session(parameter)) {
        kept.push(';');
        kept.push_str(parameter);
    }
    Cow::Owned(kept)
}

/// True for `(S(…))`, `(A(…)S(…)F(…))` and the bare form of ASP.NET 1.
fn is_asp_session(segment: &str) -> bool {
    let Some(inner) = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    if inner.len() == ASP_BARE && looks_random(inner) {
        return true;
    }
    let mut rest = inner;
    while let Some((letter, after)) = rest.split_once('(') {
        let Some((value, next)) = after.split_once(')') else { return false };
        let is_letter = matches!(letter, "A" | "S" | "F" | "X" | "a" | "s" | "f" | "x");
        let is_value = value.len() >= ASP_SHORTEST
            && value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if !is_letter || !is_value {
            return false;
        }
        rest = next;
    }
    rest.is_empty() && !inner.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::parameters::SESSION_PARAMETERS;
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let names = NameSet::new(SESSION_PARAMETERS.iter().copied());
        assert_eq!(strip_path(path, &names), expected);
        assert_eq!(strip_path(expected, &names), expected, "not stable");
    }

    #[test]
    fn java_sessions_leave_their_segment() {
        check("/a/page.do;jsessionid=0A1B.node1!99", "/a/page.do");
        check("/a;JSESSIONID=1/b;v=2;jsessionid=3;w", "/a/b;v=2;w");
        check("/;jsessionid=1", "/");
    }

    #[test]
    fn asp_sessions_take_their_segment_with_them() {
        check("/(S(4hqa0555fwsecu455xqckv45))/m.aspx", "/m.aspx");
        check("/(4hqa0555fwsecu455xqckv45)/m.aspx", "/m.aspx");
        check("/a/(S(4hqa0555fwsecu455xqckv45))", "/a/");
        check("/(S(4hqa0555fwsecu455xqckv45));jsessionid=1/b", "/b");
    }

    #[test]
    fn what_only_looks_like_a_session_stays() {
        check("/a;v=2/b", "/a;v=2/b");
        check("/(S(5))/x", "/(S(5))/x");
        check("/wiki/Mercury_(planet)", "/wiki/Mercury_(planet)");
        check("/()", "/()");
        check("/..;jsessionid=1/b", "/..;jsessionid=1/b");
    }
}
