//! `depth_over`: the URL was found too many links from a seed.

use std::fmt;

use super::{Candidate, Condition, Entry, RuleKind};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "depth_over",
        example: "{ depth_over = 5 }",
        holds: "the URL is more links away from the nearest seed",
    },
    build: |value, _| Ok(Box::new(DepthOver(value.count(&ENTRY.kind)?))),
};

#[derive(Debug)]
pub(crate) struct DepthOver(pub(crate) u32);

impl Condition for DepthOver {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        candidate.depth > self.0
    }
}

impl fmt::Display for DepthOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let links = if self.0 == 1 { "link" } else { "links" };
        write!(f, "it is more than {} {links} from a seed", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check_at, check_prose, check_refused};

    #[test]
    fn the_limit_itself_is_within() {
        check_at("{ depth_over = 5 }", "http://a.org/", 5, false);
        check_at("{ depth_over = 5 }", "http://a.org/", 6, true);
    }

    #[test]
    fn it_speaks_and_refuses() {
        check_prose("{ depth_over = 1 }", "it is more than 1 link from a seed");
        check_refused("{ depth_over = -1 }", "depth_over = -1 says nothing");
    }
}
