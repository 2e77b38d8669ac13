//! What the fetcher may do and how much of it.
//!
//! A plain struct with a default for every field. Reading it from a file is
//! the business of `cli`; nothing here looks at the environment.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;

use crate::Overrides;

/// Everything a [`Fetcher`](crate::Fetcher) must be told.
#[derive(Clone, Debug)]
pub struct Config {
    /// Who we say we are. Should name the crawler, its version and where to complain.
    pub user_agent: String,
    /// `Accept-Language` to send; none when absent.
    pub accept_language: Option<String>,
    /// How long to wait for what.
    pub timeouts: Timeouts,
    /// How much to accept.
    pub limits: Limits,
    /// How many connections to keep for later.
    pub pool: PoolLimits,
    /// How names are looked up.
    pub names: NameLimits,
    /// Where names lead whatever the DNS says. An override says *where*;
    /// whether the address may be talked to is still up to `allow_addresses`.
    pub overrides: Overrides,
    /// Addresses to talk to although they are private, local or reserved.
    pub allow_addresses: Vec<IpNet>,
    /// Offer HTTP/2 to servers that speak TLS.
    pub http2: bool,
    /// Certificate authorities to trust besides Mozilla's.
    pub extra_roots: Vec<RootCertificates>,
}

/// How long to wait for what. Each is counted from its own start.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For the connection, TLS included.
    pub connect: Duration,
    /// From the request until the head of the answer is here. A server that
    /// drips its head byte by byte is held to this too.
    pub first_byte: Duration,
    /// For everything together.
    pub whole: Duration,
    /// For one look-up of a name.
    pub lookup: Duration,
}

/// How much of an answer to accept.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of status line and headers.
    pub max_head_bytes: usize,
    /// Header lines. 100 is what the HTTP/1 parser holds without allocating.
    pub max_headers: usize,
    /// Bytes of body on the wire.
    pub max_body_bytes: u64,
    /// Bytes of body once unpacked.
    pub max_unpacked_bytes: u64,
    /// Unpacked bytes per byte on the wire, once more than 1 MiB is unpacked.
    pub max_ratio: u64,
}

/// How many idle connections to keep, and how long.
#[derive(Clone, Copy, Debug)]
pub struct PoolLimits {
    /// Idle connections kept; the longest idle goes first. Zero keeps none.
    pub max_idle: usize,
    /// How long a connection may lie idle. Common servers hang up after 5 s
    /// to 75 s; asking on a connection about to be closed wastes a round trip.
    pub idle: Duration,
}

/// How names are looked up and for how long the answers are believed.
#[derive(Clone, Debug)]
pub struct NameLimits {
    /// Names remembered; when full, half of them are forgotten, the soonest to expire first.
    pub max_cached: usize,
    /// An address is believed at least this long, whatever its TTL.
    pub min_ttl: Duration,
    /// An address is believed at most this long, whatever its TTL.
    pub max_ttl: Duration,
    /// "No such name" is believed at most this long.
    pub max_negative_ttl: Duration,
    /// Name servers to ask; those of the system when empty.
    pub servers: Vec<SocketAddr>,
}

/// Where further trusted certificate authorities come from.
#[derive(Clone, Debug)]
pub enum RootCertificates {
    /// A file of one or more PEM certificates.
    PemFile(PathBuf),
    /// One certificate in DER.
    Der(Vec<u8>),
}

impl Default for Config {
    fn default() -> Config {
        Config {
            user_agent: concat!("gannet/", env!("CARGO_PKG_VERSION")).to_owned(),
            accept_language: None,
            timeouts: Timeouts::default(),
            limits: Limits::default(),
            pool: PoolLimits::default(),
            names: NameLimits::default(),
            overrides: Overrides::default(),
            allow_addresses: Vec::new(),
            http2: true,
            extra_roots: Vec::new(),
        }
    }
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(20),
            whole: Duration::from_secs(60),
            lookup: Duration::from_secs(10),
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_head_bytes: 64 << 10,
            max_headers: 100,
            max_body_bytes: 10 << 20,
            max_unpacked_bytes: 50 << 20,
            // Honest pages reach 100 now and then (long tables of equal rows);
            // gzip of zeros is 1,032.
            max_ratio: 250,
        }
    }
}

impl Default for PoolLimits {
    fn default() -> PoolLimits {
        PoolLimits { max_idle: 512, idle: Duration::from_secs(30) }
    }
}

impl Default for NameLimits {
    fn default() -> NameLimits {
        NameLimits {
            max_cached: 100_000,
            min_ttl: Duration::from_secs(60),
            max_ttl: Duration::from_secs(24 * 3600),
            max_negative_ttl: Duration::from_secs(3600),
            servers: Vec::new(),
        }
    }
}
