//! Is it polite to contact this host at this address now?
//!
//! The gate adds to the stored [`Pace`] what only the running crawl knows: how
//! many requests are in flight per host and per address, and when each address
//! was last used, so that hosts which share a server are spaced as one. It
//! lives in memory only; after an unclean stop [`Gate::restarted`] makes every
//! host and address count as just contacted, without touching each stored pace.
//!
//! Callers ask [`Gate::check`], then [`Gate::begin`], and when the response has
//! ended [`Gate::end`] with the same host and address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use gannet_model::{HostId, Timestamp};

use crate::pace::{Hold, Pace};

/// With fewer addresses than this a sweep is not worth its time.
const FEW_ADDRESSES: usize = 1024;

/// What is in flight, and which addresses were used lately.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Requests in flight per host; hosts without any are absent.
    hosts: HashMap<HostId, u32>,
    /// Keyed by canonical address: an IPv4 address written as IPv6 is the same server.
    addresses: HashMap<IpAddr, Address>,
    /// Nobody is contacted before this.
    floor: Timestamp,
    /// When this many addresses are known, those at rest are forgotten.
    sweep_at: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Address {
    in_flight: u32,
    not_before: Timestamp,
}

/// How many requests may be in flight at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// To one host.
    pub per_host: NonZeroU32,
    /// To one address. With none, addresses are not looked at, which suits hosts behind a large provider.
    pub per_address: Option<NonZeroU32>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { per_host: NonZeroU32::MIN, per_address: Some(NonZeroU32::MIN) }
    }
}

/// Whether a request may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Yes.
    Open,
    /// Not before this moment, for this reason.
    At(Timestamp, Hold),
    /// Not before something in flight has ended; nobody knows when, so ask again after the next
    /// [`Gate::end`] of what it names.
    Busy(Busy),
}

/// What must end first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// A request to the same host.
    Host,
    /// A request to another host at this address: park the host on it.
    Address(IpAddr),
}

impl Default for Gate {
    fn default() -> Gate {
        Gate::new()
    }
}

impl Gate {
    /// A gate with nothing in flight.
    pub fn new() -> Gate {
        Gate {
            hosts: HashMap::new(),
            addresses: HashMap::new(),
            floor: Timestamp::ZERO,
            sweep_at: FEW_ADDRESSES,
        }
    }

    /// Whether a request to `host` may begin now. With no `address` (not looked up yet) only the
    /// host is considered; check again once it is known.
    pub fn check(
        &self,
        host: HostId,
        address: Option<IpAddr>,
        pace: &Pace,
        limits: Limits,
        now: Timestamp,
    ) -> Opening {
        if self.in_flight(host) >= limits.per_host.get() {
            return Opening::Busy(Busy::Host);
        }
        let (mut ready_at, mut hold) = pace.ready_at();
        if let (Some(address), Some(limit)) = (address, limits.per_address) {
            let used = self.addresses.get(&address.to_canonical()).copied().unwrap_or_default();
            if used.in_flight >= limit.get() {
                return Opening::Busy(Busy::Address(address));
            }
            if used.not_before > ready_at {
                (ready_at, hold) = (used.not_before, Hold::SharedAddress);
            }
        }
        if self.floor > ready_at {
            (ready_at, hold) = (self.floor, Hold::JustRestarted);
        }
        if now < ready_at { Opening::At(ready_at, hold) } else { Opening::Open }
    }

    /// A request begins.
    pub fn begin(&mut self, host: HostId, address: Option<IpAddr>) {
        *self.hosts.entry(host).or_default() += 1;
        if let Some(address) = address {
            self.addresses.entry(address.to_canonical()).or_default().in_flight += 1;
        }
    }

    /// A request has ended at `now`; nobody at its address is contacted before `not_before`,
    /// which [`Pace::spaced_until`] gives. An end without its beginning changes no count.
    pub fn end(
        &mut self,
        host: HostId,
        address: Option<IpAddr>,
        not_before: Timestamp,
        now: Timestamp,
    ) {
        if let Some(in_flight) = self.hosts.get_mut(&host) {
            *in_flight = in_flight.saturating_sub(1);
            if *in_flight == 0 {
                self.hosts.remove(&host);
            }
        }
        if let Some(address) = address {
            let used = self.addresses.entry(address.to_canonical()).or_default();
            used.in_flight = used.in_flight.saturating_sub(1);
            used.not_before = used.not_before.max(not_before);
        }
        self.sweep(now);
    }

    /// After an unclean stop every host and every address counts as contacted just now.
    pub fn restarted(&mut self, now: Timestamp, delay: Duration) {
        self.floor = self.floor.max(now + delay);
    }

    /// How many requests to this host are in flight.
    pub fn in_flight(&self, host: HostId) -> u32 {
        self.hosts.get(&host).copied().unwrap_or(0)
    }

    /// How many hosts have a request in flight.
    pub fn busy_hosts(&self) -> usize {
        self.hosts.len()
    }

    /// Forgets addresses at rest whose wait is over. Running only when their number has doubled
    /// keeps both memory and the cost per request bounded.
    fn sweep(&mut self, now: Timestamp) {
        if self.addresses.len() < self.sweep_at {
            return;
        }
        self.addresses.retain(|_, used| used.in_flight > 0 || used.not_before > now);
        self.sweep_at = FEW_ADDRESSES.max(self.addresses.len() * 2);
    }
}

#[cfg(test)]
mod tests;
