//! `query`: the URL has a query, or has none.

use std::fmt;

use super::{Candidate, Condition, Entry, RuleKind};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "query",
        example: "{ query = true }",
        holds: "the URL has a query (true), or has none (false)",
    },
    build: |value, _| Ok(Box::new(HasQuery(value.truth(&ENTRY.kind)?))),
};

#[derive(Debug)]
struct HasQuery(bool);

impl Condition for HasQuery {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        candidate.query().is_some() == self.0
    }
}

impl fmt::Display for HasQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 { "it has a query" } else { "it has no query" })
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_prose};

    #[test]
    fn queries_are_seen() {
        check("{ query = true }", "http://a.org/?b", true);
        check("{ query = true }", "http://a.org/b", false);
        check("{ query = false }", "http://a.org/b", true);
        check_prose("{ query = false }", "it has no query");
    }
}
