//! Where names lead whatever the DNS says.
//!
//! Written as a hosts file, with two extensions: an address may carry a port,
//! and a name may be `*.example.org` (that name and every one below, as in host
//! rules) or `*` (every name). Exact names win over patterns, longer patterns
//! over shorter ones.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use crate::Target;

/// A set of overrides, ready to be asked.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Names in lower case; the first line for a name wins, as in a hosts file.
    exact: HashMap<Box<str>, Target>,
    /// Suffixes with their leading dot; empty for `*`.
    suffixes: Vec<(Box<str>, Target)>,
}

/// One name or pattern and where it leads.
#[derive(Clone, Debug)]
pub struct Override {
    /// `example.org`, `*.example.org` or `*`.
    pub pattern: String,
    /// Where it lives.
    pub address: IpAddr,
    /// The port to use instead of the URL's.
    pub port: Option<u16>,
}

/// Why a line is not an override.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum OverrideError {
    /// The first word is no address.
    #[error(
        "line {line}: {text:?} is not an address (write 127.0.0.1, 127.0.0.1:8080 or [::1]:8080)"
    )]
    Address {
        /// Counted from 1.
        line: usize,
        /// The word.
        text: String,
    },
    /// A name is no name.
    #[error("line {line}: {text:?} is not a name (write example.org, *.example.org or *)")]
    Name {
        /// Counted from 1.
        line: usize,
        /// The word.
        text: String,
    },
    /// An address without a name.
    #[error("line {line}: no name follows the address")]
    NoName {
        /// Counted from 1.
        line: usize,
    },
}

impl Overrides {
    /// Reads lines of `address[:port] name...`; `#` starts a comment.
    pub fn parse(text: &str) -> Result<Overrides, OverrideError> {
        let mut overrides = Overrides::default();
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(word) = words.next() else { continue };
            let (address, port) = parse_address(word).ok_or_else(|| OverrideError::Address {
                line: line_number,
                text: word.to_owned(),
            })?;
            let mut names = words.peekable();
            if names.peek().is_none() {
                return Err(OverrideError::NoName { line: line_number });
            }
            for name in names {
                let entry = Override { pattern: name.to_owned(), address, port };
                if !overrides.add(entry) {
                    return Err(OverrideError::Name { line: line_number, text: name.to_owned() });
                }
            }
        }
        Ok(overrides)
    }

    /// Adds one; false when its pattern is no name or pattern. An earlier entry of the same name stays.
    pub fn add(&mut self, entry: Override) -> bool {
        let target = Target::fixed(entry.address, entry.port);
        let pattern = entry.pattern.trim_end_matches('.').to_ascii_lowercase();
        let suffix = pattern.strip_prefix('*');
        let is_name = |text: &str| !text.is_empty() && !text.contains(['*', '/', ':', '@']);
        let is_fine = match suffix {
            None => is_name(&pattern),
            Some("") => true,
            Some(suffix) => suffix.strip_prefix('.').is_some_and(is_name),
        };
        if !is_fine {
            return false;
        }
        match suffix {
            Some(suffix) => self.suffixes.push((suffix.into(), target)),
            None => {
                self.exact.entry(pattern.into()).or_insert(target);
            }
        }
        true
    }

    /// Where a name in lower case leads, if anywhere: an exact name beats a pattern, a longer
    /// pattern a shorter one, and of equals the first counts. `*.example.org` covers
    /// `example.org` itself, as host rules do.
    pub fn find(&self, name: &str) -> Option<&Target> {
        let covers =
            |suffix: &str| name.ends_with(suffix) || suffix.strip_prefix('.') == Some(name);
        self.exact.get(name).or_else(|| {
            let hits = self.suffixes.iter().rev().filter(|(suffix, _)| covers(suffix));
            hits.max_by_key(|(suffix, _)| suffix.len()).map(|(_, target)| target)
        })
    }
}

impl FromIterator<Override> for Overrides {
    /// Entries whose pattern is no name are left out.
    fn from_iter<I: IntoIterator<Item = Override>>(entries: I) -> Overrides {
        let mut overrides = Overrides::default();
        for entry in entries {
            overrides.add(entry);
        }
        overrides
    }
}

impl FromStr for Overrides {
    type Err = OverrideError;

    fn from_str(text: &str) -> Result<Overrides, OverrideError> {
        Overrides::parse(text)
    }
}

/// Reads `127.0.0.1`, `::1`, `127.0.0.1:8080` or `[::1]:8080`.
fn parse_address(word: &str) -> Option<(IpAddr, Option<u16>)> {
    if let Ok(address) = word.parse::<IpAddr>() {
        return Some((address, None));
    }
    let socket: SocketAddr = word.parse().ok()?;
    Some((socket.ip(), Some(socket.port())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, name: &str, expected: Option<&str>) {
        let overrides = Overrides::parse(text).unwrap();
        let found = overrides.find(name).map(|t| t.sockets(80).next().unwrap().to_string());
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn names_lead_where_the_hosts_file_says() {
        let text = "# a web of our own\n127.0.1.2 a.test B.test. # two names\n\n[::1]:81 c.test\n";
        check(text, "a.test", Some("127.0.1.2:80"));
        check(text, "b.test", Some("127.0.1.2:80"));
        check(text, "c.test", Some("[::1]:81"));
        check(text, "x.a.test", None);
    }

    #[test]
    fn patterns_cover_what_is_below_and_exact_names_win() {
        let text = "127.0.0.2:8080 *.test\n127.0.0.3 a.test\n127.0.0.4 *";
        check(text, "x.y.test", Some("127.0.0.2:8080"));
        check(text, "a.test", Some("127.0.0.3:80"));
        check(text, "test", Some("127.0.0.2:8080"));
        check(text, "example", Some("127.0.0.4:80"));
        check("127.0.0.2 *.test", "nottest", None);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| Overrides::parse(text).unwrap_err();
        let word = |text: &str| text.to_owned();
        assert_eq!(
            error("\nlocalhost a"),
            OverrideError::Address { line: 2, text: word("localhost") }
        );
        assert_eq!(error("::1 a*b"), OverrideError::Name { line: 1, text: word("a*b") });
        assert_eq!(error("::1 *a"), OverrideError::Name { line: 1, text: word("*a") });
        assert_eq!(error("::1 # none"), OverrideError::NoName { line: 1 });
    }

    #[test]
    fn the_most_specific_pattern_wins_whatever_the_order() {
        let overrides =
            Overrides::parse("127.0.0.1 *\n127.0.0.2 *.x.test\n127.0.0.3 deep.x.test").unwrap();
        let address = |name: &str| overrides.find(name).unwrap().primary().to_string();
        assert_eq!(address("other.test"), "127.0.0.1");
        assert_eq!(address("www.x.test"), "127.0.0.2");
        assert_eq!(address("x.test"), "127.0.0.2", "a family includes its head");
        assert_eq!(address("deep.x.test"), "127.0.0.3");
    }
}
