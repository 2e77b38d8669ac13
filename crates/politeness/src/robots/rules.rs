//! One allow or disallow line, and which of two matching lines wins.

use std::cmp::Reverse;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{matching, octets};

/// What a rule does with the paths it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Verb {
    /// Sorts first, because it wins among rules of equal length.
    Allow,
    Disallow,
}

/// One allow or disallow line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rule {
    verb: Verb,
    /// The path as the file has it, to be shown as the reason.
    written: Box<str>,
    /// The path as it is compared; none when that is how it was written, which is the usual case.
    compared: Option<Box<str>>,
}

impl Rule {
    fn new(verb: Verb, written: &[u8], pattern: &[u8]) -> Rule {
        let compared = (pattern != written).then(|| text(pattern));
        Rule { verb, written: text(written), compared }
    }

    fn pattern(&self) -> &str {
        self.compared.as_deref().unwrap_or(&self.written)
    }

    pub(super) fn allows(&self) -> bool {
        self.verb == Verb::Allow
    }

    /// True when the rule speaks of this path, which is in the spelling of [`octets`].
    pub(super) fn covers(&self, path: &[u8]) -> bool {
        matching::covers(self.pattern().as_bytes(), path)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match self.verb {
            Verb::Allow => "Allow",
            Verb::Disallow => "Disallow",
        };
        write!(f, "{verb}: {}", self.written)
    }
}

/// The rules of a group, each once, so that the first which covers a path is the one that decides:
/// the most octets win, and allow wins among equals (RFC 9309 section 2.2.2).
pub(super) fn in_order_of_precedence(lines: &[(Verb, &[u8])]) -> Vec<Rule> {
    let mut rules = Vec::with_capacity(lines.len());
    for (verb, path) in lines {
        let pattern = octets::normalise_pattern(path);
        if *verb == Verb::Allow
            && let Some(directory) = directory_of_index(&pattern)
        {
            rules.push(Rule::new(*verb, path, &directory));
        }
        rules.push(Rule::new(*verb, path, &pattern));
    }
    rules.sort_by(|a, b| order(a).cmp(&order(b)));
    rules.dedup_by(|a, b| a.verb == b.verb && a.pattern() == b.pattern());
    rules
}

fn order(rule: &Rule) -> (Reverse<usize>, Verb, &str) {
    (Reverse(rule.pattern().len()), rule.verb, rule.pattern())
}

/// Who allows `/shop/index.html` allows `/shop/`, the same page: Google's parser reads it so, and
/// site owners test their files with it.
fn directory_of_index(pattern: &[u8]) -> Option<Vec<u8>> {
    let slash = memchr::memrchr(b'/', pattern)?;
    let is_index = pattern[slash..].starts_with(b"/index.htm");
    is_index.then(|| [&pattern[..=slash], b"$"].concat())
}

fn text(bytes: &[u8]) -> Box<str> {
    String::from_utf8_lossy(bytes).into()
}
