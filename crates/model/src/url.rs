//! The address of a page.
//!
//! A [`PageUrl`] is an absolute `http` or `https` URL in WHATWG form without
//! fragment, credentials or trailing host dot. Which *further* spellings count
//! as the same page (tracking parameters, session ids…) is a choice, and is
//! made in `scope::canonical`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::Host;

/// Where a page lives.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PageUrl(Url);

/// The two schemes we speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Plain text.
    Http,
    /// Over TLS.
    Https,
}

/// 64 bits that stand for a URL wherever the whole text would cost too much.
///
/// XXH3-64 of the URL's text. It is a storage key: changing the function
/// changes the format of the data directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(pub u64);

/// Why a text is not the address of a page.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrlError {
    /// The WHATWG parser refuses it.
    #[error("not a URL: {0}")]
    Malformed(#[from] url::ParseError),
    /// `mailto:`, `ftp:`, `javascript:` and their like.
    #[error("the scheme {0:?} is not http or https")]
    OtherScheme(String),
    /// A host name of dots only.
    #[error("the URL names no host")]
    NoHost,
    /// Longer than any server accepts; traps make such URLs.
    #[error("the URL has {0} bytes, more than {max}", max = PageUrl::MAX_LENGTH)]
    TooLong(usize),
}

impl PageUrl {
    /// Longest URL kept. Browsers and servers agree on little beyond 2,000
    /// bytes; 4,096 leaves room for the honest exceptions.
    pub const MAX_LENGTH: usize = 4096;

    /// Reads an absolute URL.
    pub fn parse(input: &str) -> Result<PageUrl, UrlError> {
        PageUrl::from_url(Url::parse(input)?)
    }

    /// Takes a parsed URL, dropping its fragment, credentials and trailing host dot.
    pub fn from_url(mut url: Url) -> Result<PageUrl, UrlError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(UrlError::OtherScheme(url.scheme().to_owned()));
        }
        url.set_fragment(None);
        if !url.username().is_empty() || url.password().is_some() {
            url.set_username("").map_err(|()| UrlError::NoHost)?;
            url.set_password(None).map_err(|()| UrlError::NoHost)?;
        }
        let name = url.host_str().ok_or(UrlError::NoHost)?;
        if name.ends_with('.') {
            let bare = name.trim_end_matches('.').to_owned();
            if bare.is_empty() {
                return Err(UrlError::NoHost);
            }
            url.set_host(Some(&bare))?;
        }
        if url.as_str().len() > PageUrl::MAX_LENGTH {
            return Err(UrlError::TooLong(url.as_str().len()));
        }
        Ok(PageUrl(url))
    }

    /// Resolves a reference found on this page.
    pub fn join(&self, reference: &str) -> Result<PageUrl, UrlError> {
        PageUrl::from_url(self.0.join(reference)?)
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The parsed form, for callers that need its parts.
    pub fn as_url(&self) -> &Url {
        &self.0
    }

    /// Whom to ask for it.
    pub fn host(&self) -> Host {
        let name = self.0.host_str().unwrap_or_default();
        let text = match self.0.port() {
            Some(port) => format!("{name}:{port}"),
            None => name.to_owned(),
        };
        Host::parse(&text).unwrap_or_else(|_| unreachable!("a PageUrl always has a host"))
    }

    /// How to ask for it.
    pub fn scheme(&self) -> Scheme {
        if self.0.scheme() == "https" { Scheme::Https } else { Scheme::Http }
    }

    /// The port to connect to.
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or(80)
    }

    /// The path, always with its leading slash.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// Path and query, as a request line and `robots.txt` rules see them.
    pub fn path_and_query(&self) -> &str {
        &self.0[url::Position::BeforePath..url::Position::AfterQuery]
    }

    /// The 64 bits that stand for it.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(xxhash_rust::xxh3::xxh3_64(self.as_str().as_bytes()))
    }
}

impl Scheme {
    /// `http` or `https`.
    pub fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }
}

impl Hash for PageUrl {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for PageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PageUrl({})", self.0)
    }
}

impl fmt::Display for PageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for PageUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<PageUrl, UrlError> {
        PageUrl::parse(text)
    }
}

impl TryFrom<String> for PageUrl {
    type Error = UrlError;

    fn try_from(text: String) -> Result<PageUrl, UrlError> {
        PageUrl::parse(&text)
    }
}

impl From<PageUrl> for String {
    fn from(url: PageUrl) -> String {
        url.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(PageUrl::parse(input).unwrap().as_str(), expected);
    }

    #[test]
    fn fragments_credentials_and_trailing_dots_are_not_part_of_the_address() {
        check("http://Example.ORG./a/../b#top", "http://example.org/b");
        check("https://user:secret@example.org:443/", "https://example.org/");
    }

    #[test]
    fn other_schemes_are_refused_by_name() {
        let error = PageUrl::parse("mailto:a@example.org").unwrap_err();
        assert_eq!(error, UrlError::OtherScheme("mailto".to_owned()));
    }

    #[test]
    fn both_schemes_on_their_own_ports_are_one_host() {
        let plain = PageUrl::parse("http://a.example/").unwrap();
        let secure = PageUrl::parse("https://a.example/").unwrap();
        assert_eq!(plain.host(), secure.host());
        let other = PageUrl::parse("http://a.example:8080/").unwrap();
        assert_eq!(other.host().as_str(), "a.example:8080");
    }

    #[test]
    fn over_long_urls_are_refused() {
        let long = format!("http://a.example/{}", "x".repeat(PageUrl::MAX_LENGTH));
        assert!(matches!(PageUrl::parse(&long), Err(UrlError::TooLong(_))));
    }
}
