//! `glob`: the whole URL has this shape.
//!
//! `*` stands for anything but `/`, `**` for anything. `?` is itself: it
//! begins the query of a URL far too often to be a wildcard.

use std::fmt;

use regex::bytes::Regex;

use super::pattern::compile;
use super::{Candidate, Condition, Entry, RuleKind};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "glob",
        example: r#"{ glob = "https://*.example.org/docs/**" }"#,
        holds: "the whole URL has the shape; * is anything but /, ** is anything",
    },
    build: |value, _| {
        let globs = value.texts(&ENTRY.kind)?;
        let shapes: Vec<String> = globs.iter().map(|glob| to_regex(glob)).collect();
        let regex = compile(ENTRY.kind.name, &format!("^(?:{})$", shapes.join("|")))?;
        Ok(Box::new(Glob { regex, said: globs.join(" or ") }))
    },
};

#[derive(Debug)]
struct Glob {
    regex: Regex,
    /// The globs as the user wrote them.
    said: String,
}

fn to_regex(glob: &str) -> String {
    let anything = glob.split("**").map(|part| {
        let part: Vec<String> = part.split('*').map(regex::escape).collect();
        part.join("[^/]*")
    });
    anything.collect::<Vec<_>>().join(".*")
}

impl Condition for Glob {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        self.regex.is_match(candidate.url.as_str().as_bytes())
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the URL has the shape {}", self.said)
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_prose};

    #[test]
    fn one_star_stops_at_a_slash_and_two_do_not() {
        check("{ glob = \"https://*.example.org/*\" }", "https://a.example.org/b", true);
        check("{ glob = \"https://*.example.org/*\" }", "https://a.example.org/b/c", false);
        check("{ glob = \"https://*.example.org/**\" }", "https://a.example.org/b/c", true);
        check("{ glob = \"**/c\" }", "https://a.example.org/b/c", true);
        check("{ glob = \"**example**\" }", "https://a.example.org/b/c", true);
    }

    #[test]
    fn everything_else_is_itself() {
        check("{ glob = \"http://a.org/b?c=*\" }", "http://a.org/b?c=1", true);
        check("{ glob = \"http://a.org/b?c=*\" }", "http://a.org/bxc=1", false);
        check("{ glob = \"http://a.org/\" }", "http://aXorg/", false);
        check_prose("{ glob = \"**.pdf\" }", "the URL has the shape **.pdf");
    }
}
