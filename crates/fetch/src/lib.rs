//! Bring the bytes: one polite-sized HTTP exchange with one known address.
//!
//! [`Fetcher::resolve`] says where a host lives; [`Fetcher::fetch`] asks that
//! address for one page and brings back the whole answer, within limits that
//! hold. This crate never follows a redirect, never tries again later, and
//! never decides whether a host may be contacted now: those belong to the
//! engine, `politeness` and the frontier.

mod body;
mod config;
mod connection;
mod dial;
mod error;
mod fetcher;
mod guard;
mod name_cache;
mod names;
mod overrides;
mod pool;
mod request;
mod target;
mod unpack;
mod wire;

#[cfg(test)]
mod loopback;

pub use config::{Config, Limits, NameLimits, PoolLimits, RootCertificates, Timeouts};
pub use error::{FetchError, Phase, SetupError, UnpackLimit};
pub use fetcher::Fetcher;
pub use guard::Guard;
pub use overrides::{Override, OverrideError, Overrides};
pub use request::{Accept, Request};
pub use target::Target;
pub use unpack::unpack_body;
