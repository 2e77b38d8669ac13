//! `path_over`: the path has too many segments.

use std::fmt;

use super::{Candidate, Condition, Entry, RuleKind};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "path_over",
        example: "{ path_over = 6 }",
        holds: "the path has more segments; /a/b/ has two",
    },
    build: |value, _| Ok(Box::new(PathOver(value.count(&ENTRY.kind)?))),
};

#[derive(Debug)]
struct PathOver(u32);

impl Condition for PathOver {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        let segments = candidate.url.path().split('/').filter(|segment| !segment.is_empty());
        segments.count() > self.0 as usize
    }
}

impl fmt::Display for PathOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let segments = if self.0 == 1 { "segment" } else { "segments" };
        write!(f, "its path has more than {} {segments}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::check;

    #[test]
    fn segments_are_counted_without_the_empty_ones() {
        check("{ path_over = 2 }", "http://a.org/a/b/", false);
        check("{ path_over = 2 }", "http://a.org/a/b/c", true);
        check("{ path_over = 0 }", "http://a.org/", false);
    }
}
