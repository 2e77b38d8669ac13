//! Why a request brought no usable answer.
//!
//! `fetch` names the failure, `politeness` decides from the name whether and
//! when to try again, `store` keeps it, `explain` prints it. An answer with an
//! error status is not a failure in this sense: the server spoke.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a request brought no usable answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Failure {
    /// The name has no address.
    NameNotFound,
    /// The name could not be looked up this time.
    NameLookup,
    /// Every address of the name is one we never talk to.
    ForbiddenAddress,
    /// Nobody listens there.
    Refused,
    /// No connection, or no first byte, or no whole body within its time.
    Timeout,
    /// The TLS handshake failed.
    Tls,
    /// The connection broke before the answer was whole.
    Broken,
    /// What came is not HTTP.
    NotHttp,
    /// The head of the answer is larger than allowed.
    HeadTooLarge,
    /// The body is larger than allowed.
    BodyTooLarge,
    /// The body unpacks to more than allowed, in bytes or in ratio.
    UnpacksTooLarge,
    /// The body does not unpack as its `Content-Encoding` says.
    BadEncoding,
    /// Too many redirects lead here.
    TooManyRedirects,
    /// A redirect status whose `Location` leads nowhere we can go.
    BadRedirect,
}

impl Failure {
    /// True when the host as a whole could not be reached, so that its other pages would fare no better.
    pub fn is_of_host(self) -> bool {
        match self {
            Failure::NameNotFound
            | Failure::NameLookup
            | Failure::ForbiddenAddress
            | Failure::Refused
            | Failure::Timeout
            | Failure::Tls => true,
            Failure::Broken
            | Failure::NotHttp
            | Failure::HeadTooLarge
            | Failure::BodyTooLarge
            | Failure::UnpacksTooLarge
            | Failure::BadEncoding
            | Failure::TooManyRedirects
            | Failure::BadRedirect => false,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure::NameNotFound => "the host name has no address",
            Failure::NameLookup => "the host name could not be looked up",
            Failure::ForbiddenAddress => "the address is private, local or otherwise not allowed",
            Failure::Refused => "the connection was refused",
            Failure::Timeout => "the server took too long",
            Failure::Tls => "the TLS handshake failed",
            Failure::Broken => "the connection broke before the answer was whole",
            Failure::NotHttp => "the answer is not HTTP",
            Failure::HeadTooLarge => "the answer's head is larger than allowed",
            Failure::BodyTooLarge => "the body is larger than allowed",
            Failure::UnpacksTooLarge => "the body unpacks to more than allowed",
            Failure::BadEncoding => "the body does not unpack as its Content-Encoding says",
            Failure::TooManyRedirects => "too many redirects",
            Failure::BadRedirect => "the redirect leads nowhere we can go",
        })
    }
}
