//! Whom we talk to: the unit of politeness and of the frontier's queues.
//!
//! A [`Host`] is a name or address with its port when that is not the
//! scheme's own. `http` and `https` on their default ports are one host: it is
//! the same server that would feel our requests.

use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A host we talk to. Invariant: lowercase, non-empty, no trailing dot before the port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Host(Box<str>);

/// A small number that stands for a host inside one crawl: queues and gates are keyed by it.
///
/// Given out in order of discovery and never reused; the store keeps the name behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HostId(pub u32);

/// The text names no host.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostError {
    /// Nothing is left once dots and blanks are gone.
    #[error("a host name is empty")]
    Empty,
    /// A path, a scheme or a blank is in it.
    #[error("not a host name: {0:?} (write example.org or example.org:8080)")]
    NotAName(String),
}

impl Host {
    /// Reads `example.org` or `example.org:8080`.
    pub fn parse(input: &str) -> Result<Host, HostError> {
        let lower = input.trim().to_ascii_lowercase();
        let has_stray = |c: char| c.is_whitespace() || matches!(c, '/' | '@' | '?' | '#');
        if lower.contains(has_stray) {
            return Err(HostError::NotAName(input.to_owned()));
        }
        let (name, port) = split_port(&lower);
        let name = name.trim_end_matches('.');
        if name.is_empty() {
            return Err(HostError::Empty);
        }
        Ok(match port {
            Some(port) => Host(format!("{name}:{port}").into()),
            None => Host(name.into()),
        })
    }

    /// The name with its port, as it stands in a URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name or address alone.
    pub fn name(&self) -> &str {
        split_port(&self.0).0
    }

    /// The port, when it is not the scheme's own.
    pub fn port(&self) -> Option<u16> {
        split_port(&self.0).1
    }
}

/// Splits a trailing `:8080` off, leaving IPv6 brackets alone.
fn split_port(text: &str) -> (&str, Option<u16>) {
    let Some((name, port)) = text.rsplit_once(':') else {
        return (text, None);
    };
    let is_inside_brackets = name.contains('[') && !name.ends_with(']');
    match port.parse() {
        Ok(port) if !name.is_empty() && !is_inside_brackets => (name, Some(port)),
        _ => (text, None),
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Host {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Host {
    type Error = HostError;

    fn try_from(text: String) -> Result<Host, HostError> {
        Host::parse(&text)
    }
}

impl From<Host> for String {
    fn from(host: Host) -> String {
        host.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, name: &str, port: Option<u16>) {
        let host = Host::parse(input).unwrap();
        assert_eq!((host.name(), host.port()), (name, port));
    }

    #[test]
    fn names_are_lowered_and_lose_the_trailing_dot() {
        check("WWW.Example.ORG.", "www.example.org", None);
        check("example.org.:8080", "example.org", Some(8080));
        check("[::1]:80", "[::1]", Some(80));
        check("[::1]", "[::1]", None);
    }

    #[test]
    fn what_is_not_a_name_is_refused() {
        assert_eq!(Host::parse(" . "), Err(HostError::Empty));
        assert!(matches!(Host::parse("http://a/"), Err(HostError::NotAName(_))));
    }
}
