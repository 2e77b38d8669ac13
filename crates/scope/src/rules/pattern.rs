//! `pattern`: a regular expression is found in the URL.
//!
//! Matching takes linear time whatever the pattern; its memory is limited,
//! since a pattern such as `(\w{100}){100}` would compile to gigabytes.

use std::fmt;

use regex::bytes::{Regex, RegexBuilder};

use super::{Candidate, Condition, Entry, RuleKind, RuleProblem};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "pattern",
        example: r#"{ pattern = "/calendar/[0-9]{4}" }"#,
        holds: "one of the regular expressions is found anywhere in the URL; anchor with ^ and $",
    },
    build: |value, _| {
        let patterns = value.texts(&ENTRY.kind)?;
        for pattern in &patterns {
            compile(ENTRY.kind.name, pattern)?;
        }
        let joined = patterns.iter().map(|pattern| format!("(?:{pattern})")).collect::<Vec<_>>();
        let regex = compile(ENTRY.kind.name, &joined.join("|"))?;
        let said = patterns.join(" or ");
        Ok(Box::new(Pattern { regex, said }))
    },
};

/// Most memory that one rule's patterns may compile to.
const MOST_MEMORY: usize = 1 << 20;

#[derive(Debug)]
struct Pattern {
    regex: Regex,
    /// The patterns as the user wrote them.
    said: String,
}

/// Compiles within limits. Bytes, because URLs are ASCII and Unicode classes are large.
pub(crate) fn compile(kind: &'static str, pattern: &str) -> Result<Regex, RuleProblem> {
    RegexBuilder::new(pattern)
        .unicode(false)
        .size_limit(MOST_MEMORY)
        .dfa_size_limit(MOST_MEMORY)
        .build()
        .map_err(|cause| RuleProblem::BadPattern {
            kind,
            pattern: pattern.to_owned(),
            cause: Box::new(cause),
        })
}

impl Condition for Pattern {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        self.regex.is_match(candidate.url.as_str().as_bytes())
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the URL matches {}", self.said)
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_prose, check_refused};

    #[test]
    fn patterns_are_found_anywhere() {
        check("{ pattern = \"/calendar/\" }", "http://a.org/x/calendar/y", true);
        check("{ pattern = \"^/calendar/\" }", "http://a.org/calendar/", false);
        check("{ pattern = ['\\d{4}', 'b$'] }", "http://a.org/b", true);
        check("{ pattern = ['(?i)LOGIN'] }", "http://a.org/login", true);
    }

    #[test]
    fn it_speaks_and_refuses() {
        check_prose("{ pattern = ['/a/', '/b/'] }", "the URL matches /a/ or /b/");
        check_refused("{ pattern = '(' }", "pattern \"(\" cannot be used: regex parse error");
        check_refused("{ pattern = '(a{1000}){1000}' }", "exceeds size limit");
    }
}
