//! `parameter`: the query names a parameter.

use std::fmt;

use crate::words::WordSet;

use super::{Candidate, Condition, Entry, RuleKind};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "parameter",
        example: r#"{ parameter = ["sort", "replytocom"] }"#,
        holds: "the query has a parameter of one of these names, spelt exactly so",
    },
    build: |value, _| Ok(Box::new(Parameter(value.texts(&ENTRY.kind)?.into_iter().collect()))),
};

#[derive(Debug)]
struct Parameter(WordSet);

impl Condition for Parameter {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        let Some(query) = candidate.query() else { return false };
        query.split('&').any(|parameter| {
            let name = parameter.split_once('=').map_or(parameter, |(name, _)| name);
            self.0.contains(name)
        })
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its query has the parameter {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_prose};

    #[test]
    fn names_count_and_values_do_not() {
        check("{ parameter = \"sort\" }", "http://a.org/?a=1&sort=2", true);
        check("{ parameter = \"sort\" }", "http://a.org/?sort", true);
        check("{ parameter = \"sort\" }", "http://a.org/?a=sort&sorted=1", false);
        check_prose("{ parameter = \"sort\" }", "its query has the parameter sort");
    }
}
