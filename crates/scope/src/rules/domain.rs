//! `domain`: the host is a domain or lies below it.

use std::fmt;

use gannet_model::Host;

use crate::words::WordSet;

use super::{Candidate, Condition, Entry, RuleKind};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "domain",
        example: r#"{ domain = ["example.org", "example.net"] }"#,
        holds: "the host is one of the domains or a subdomain of one, on any port",
    },
    build: |value, _| {
        let domains = value.texts(&ENTRY.kind)?;
        let read = domains.into_iter().map(read_domain).collect::<Option<WordSet>>();
        Ok(Box::new(Domain(read.ok_or_else(|| value.wrong(&ENTRY.kind))?)))
    },
};

#[derive(Debug)]
struct Domain(WordSet);

/// A domain as URLs spell it: lower case, punycode; nothing when it is not one.
pub(crate) fn read_domain(text: &str) -> Option<String> {
    // `*.example.org` is meant to leave out example.org itself, or is it? Say it plainly.
    if text.starts_with(['.', '*', '[']) {
        return None;
    }
    let ascii = idna::domain_to_ascii(text).ok()?;
    let host = Host::parse(&ascii).ok()?;
    host.port().is_none().then(|| host.name().to_owned())
}

impl Condition for Domain {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        self.0.covers_host(candidate.host_name())
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its host is in the domain {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_prose, check_refused};

    #[test]
    fn a_domain_holds_itself_and_what_is_below() {
        check("{ domain = \"example.org\" }", "http://example.org/", true);
        check("{ domain = \"Example.ORG.\" }", "http://a.b.example.org:8080/", true);
        check("{ domain = \"example.org\" }", "http://badexample.org/", false);
        check("{ domain = [\"b.org\", \"bücher.de\"] }", "http://www.bücher.de/", true);
    }

    #[test]
    fn it_speaks_and_refuses() {
        check_prose(
            "{ domain = [\"a.org\", \"b.org\"] }",
            "its host is in the domain a.org or b.org",
        );
        check_refused("{ domain = \"http://a.org/\" }", "write { domain = ");
        check_refused("{ domain = \"*.a.org\" }", "write { domain = ");
        check_refused("{ domain = \"a.org:80\" }", "write { domain = ");
    }
}
