//! `protocol`: the URL's scheme.

use std::fmt;

use gannet_model::Scheme;

use super::{Candidate, Condition, Entry, RuleKind, Setting};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "protocol",
        example: r#"{ protocol = "https" }"#,
        holds: "the URL's scheme is this one, http or https",
    },
    build: |value, _| match value {
        Setting::Text(text) if text == "http" => Ok(Box::new(Protocol(Scheme::Http))),
        Setting::Text(text) if text == "https" => Ok(Box::new(Protocol(Scheme::Https))),
        _ => Err(value.wrong(&ENTRY.kind)),
    },
};

#[derive(Debug)]
struct Protocol(Scheme);

impl Condition for Protocol {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        candidate.url.scheme() == self.0
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its protocol is {}", self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_prose, check_refused};

    #[test]
    fn the_schemes_are_told_apart() {
        check("{ protocol = \"https\" }", "https://a.org/", true);
        check("{ protocol = \"https\" }", "http://a.org/", false);
        check_prose("{ protocol = \"http\" }", "its protocol is http");
        check_refused("{ protocol = \"ftp\" }", "write { protocol = ");
    }
}
