//! Where a host lives, settled before it is asked anything.
//!
//! A target is what stands between a name and a socket: the addresses were
//! looked up and approved once, and the exchange uses exactly these. A name
//! that changes its address in between gains nothing.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

/// The addresses to try for a host, in order. Invariant: at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Tried in this order; never empty.
    addresses: Arc<[IpAddr]>,
    /// The port to use instead of the URL's, from an override.
    port: Option<u16>,
    /// When to look again; `None` for what does not change.
    expires: Option<Instant>,
}

impl Target {
    /// A single address that never expires.
    pub fn fixed(address: IpAddr, port: Option<u16>) -> Target {
        Target { addresses: Arc::new([address]), port, expires: None }
    }

    /// What a look-up found; `None` when it found nothing.
    pub(crate) fn found(addresses: Arc<[IpAddr]>, expires: Instant) -> Option<Target> {
        (!addresses.is_empty()).then_some(Target { addresses, port: None, expires: Some(expires) })
    }

    /// The address asked first, and the one whose politeness counts.
    pub fn primary(&self) -> IpAddr {
        self.addresses[0]
    }

    /// All addresses, in the order tried.
    pub fn addresses(&self) -> &[IpAddr] {
        &self.addresses
    }

    /// When the host should be looked up again; `None` for never.
    pub fn expires(&self) -> Option<Instant> {
        self.expires
    }

    /// Where to connect for a URL of this port.
    pub(crate) fn sockets(&self, url_port: u16) -> impl Iterator<Item = SocketAddr> {
        let port = self.port.unwrap_or(url_port);
        self.addresses.iter().map(move |&address| SocketAddr::new(address, port))
    }
}
