//! `host`: the host is exactly this one.

use std::fmt;

use gannet_model::{Host, PageUrl};

use crate::words::WordSet;

use super::{Candidate, Condition, Entry, RuleKind};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "host",
        example: r#"{ host = ["www.example.org", "example.org:8080"] }"#,
        holds: "the host is exactly one of these, with the port when it is not the scheme's own",
    },
    build: |value, _| {
        let hosts = value.texts(&ENTRY.kind)?;
        let read = hosts.into_iter().map(read_host).collect::<Option<WordSet>>();
        Ok(Box::new(ExactHost(read.ok_or_else(|| value.wrong(&ENTRY.kind))?)))
    },
};

#[derive(Debug)]
struct ExactHost(WordSet);

/// A host as URLs spell it. Read through a URL, so that IDN and addresses get one form.
fn read_host(text: &str) -> Option<String> {
    let host = Host::parse(text).ok().filter(|_| !text.contains('*'))?;
    let url = PageUrl::parse(&format!("http://{host}/")).ok()?;
    Some(url.host().as_str().to_owned())
}

impl Condition for ExactHost {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        self.0.contains(candidate.host())
    }
}

impl fmt::Display for ExactHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its host is {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_refused};

    #[test]
    fn only_the_host_itself_counts() {
        check("{ host = \"Example.org\" }", "https://example.org/x", true);
        check("{ host = \"example.org\" }", "http://www.example.org/", false);
        check("{ host = \"example.org\" }", "http://example.org:8080/", false);
        check("{ host = \"example.org:8080\" }", "http://example.org:8080/", true);
        check("{ host = [\"[::1]\", \"bücher.de\"] }", "http://xn--bcher-kva.de/", true);
    }

    #[test]
    fn what_is_no_host_is_refused() {
        check_refused("{ host = \"http://a.org/\" }", "write { host = ");
    }
}
