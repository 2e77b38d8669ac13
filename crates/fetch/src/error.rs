//! Why an exchange brought no answer, in terms of what the caller does next.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use gannet_model::{Failure, Host};

/// The cause below an error of ours.
pub(crate) type Cause = Box<dyn Error + Send + Sync>;

/// Why an exchange brought no answer. [`FetchError::failure`] is the name under
/// which it is remembered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The name has no address.
    #[error("{host} has no address")]
    NameNotFound {
        /// Whose name.
        host: Host,
    },
    /// The name servers did not answer, or not to the point.
    #[error("cannot look up {host}")]
    NameLookup {
        /// Whose name.
        host: Host,
        /// What the resolver said.
        #[source]
        source: Cause,
    },
    /// Every address of the host is one we do not talk to.
    #[error("{host} is at {address}, which is private, local or reserved and not allowed")]
    ForbiddenAddress {
        /// Who lives there.
        host: Host,
        /// The first such address.
        address: IpAddr,
    },
    /// Nobody accepts the connection.
    #[error("cannot connect to {host} at {address}")]
    Refused {
        /// Who should have.
        host: Host,
        /// The last address tried.
        address: SocketAddr,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// It took too long.
    #[error("{host} took longer than {limit:?} to {phase}")]
    Timeout {
        /// Who was slow.
        host: Host,
        /// At what.
        phase: Phase,
        /// The limit that was passed.
        limit: Duration,
    },
    /// The TLS handshake failed.
    #[error("no TLS with {host}")]
    Tls {
        /// With whom.
        host: Host,
        /// What the TLS library said.
        #[source]
        source: io::Error,
    },
    /// The connection broke before the answer was whole.
    #[error("the connection to {host} broke before the answer was whole")]
    Broken {
        /// Whose connection.
        host: Host,
        /// How it broke.
        #[source]
        source: Cause,
    },
    /// What came is not HTTP.
    #[error("{host} does not speak HTTP")]
    NotHttp {
        /// Who does not.
        host: Host,
        /// What was wrong with it.
        #[source]
        source: Cause,
    },
    /// The head is larger than allowed.
    #[error("the head of {host}'s answer has more than {max_bytes} bytes or {max_lines} lines")]
    HeadTooLarge {
        /// Whose head.
        host: Host,
        /// The limit in bytes.
        max_bytes: usize,
        /// The limit in header lines.
        max_lines: usize,
    },
    /// The body is larger than allowed.
    #[error("the body of {host}'s answer has more than {limit} bytes")]
    BodyTooLarge {
        /// Whose body.
        host: Host,
        /// The limit, of the request or of the configuration.
        limit: u64,
    },
    /// The body unpacks to more than allowed.
    #[error("the body of {host}'s answer unpacks to more than {limit}")]
    UnpacksTooLarge {
        /// Whose body.
        host: Host,
        /// The limit that was passed.
        limit: UnpackLimit,
    },
    /// The body does not unpack.
    #[error("the body of {host}'s answer is not {encoding}: {reason}")]
    BadEncoding {
        /// Whose body.
        host: Host,
        /// As what it failed to unpack.
        encoding: &'static str,
        /// What was wrong with it.
        reason: String,
    },
}

/// What the server was slow at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Accepting the connection and TLS.
    Connect,
    /// Beginning to answer.
    FirstByte,
    /// Answering in full.
    Whole,
}

/// Which limit on unpacking was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnpackLimit {
    /// So many bytes.
    Bytes(u64),
    /// So many unpacked bytes per byte on the wire.
    Ratio(u64),
}

/// Why there is no fetcher.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// `user_agent` or `accept_language` cannot be sent as a header.
    #[error("{field} cannot be sent as a header: {text:?}")]
    NotAHeader {
        /// Which field.
        field: &'static str,
        /// What it says.
        text: String,
    },
    /// A file of root certificates cannot be read.
    #[error("cannot read root certificates from {path}")]
    RootsUnreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: Cause,
    },
    /// A root certificate is not one.
    #[error("not a root certificate")]
    BadRoot(#[source] Cause),
    /// The TLS library has no common ground with itself.
    #[error("cannot set up TLS")]
    Tls(#[source] Cause),
}

impl FetchError {
    /// The name under which this is remembered and politeness decides.
    pub fn failure(&self) -> Failure {
        match self {
            FetchError::NameNotFound { .. } => Failure::NameNotFound,
            FetchError::NameLookup { .. } => Failure::NameLookup,
            FetchError::ForbiddenAddress { .. } => Failure::ForbiddenAddress,
            FetchError::Refused { .. } => Failure::Refused,
            FetchError::Timeout { .. } => Failure::Timeout,
            FetchError::Tls { .. } => Failure::Tls,
            FetchError::Broken { .. } => Failure::Broken,
            FetchError::NotHttp { .. } => Failure::NotHttp,
            FetchError::HeadTooLarge { .. } => Failure::HeadTooLarge,
            FetchError::BodyTooLarge { .. } => Failure::BodyTooLarge,
            FetchError::UnpacksTooLarge { .. } => Failure::UnpacksTooLarge,
            FetchError::BadEncoding { .. } => Failure::BadEncoding,
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Connect => "accept the connection",
            Phase::FirstByte => "begin its answer",
            Phase::Whole => "answer in full",
        })
    }
}

impl fmt::Display for UnpackLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnpackLimit::Bytes(bytes) => write!(f, "{bytes} bytes"),
            UnpackLimit::Ratio(ratio) => write!(f, "{ratio} times its size"),
        }
    }
}
