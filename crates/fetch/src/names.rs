//! From a host's name to where it lives.
//!
//! Overrides first, then what is remembered, then the DNS. The resolver is
//! built at the first name that needs it, so that a crawl of overrides and
//! address literals works on a machine without name servers. Nothing leaves
//! here that the guard refuses.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use gannet_model::Host;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolverConfig,
};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::Name;

use crate::name_cache::{Answer, NameCache};
use crate::{FetchError, Guard, NameLimits, Overrides, Target};

/// Addresses kept per name. More would only be tried when these all fail.
const MAX_ADDRESSES: usize = 4;

/// How long "no such name" is believed when the answer does not say (RFC 2308
/// wants an SOA record; not every server sends one).
const UNSTATED_NEGATIVE_TTL: Duration = Duration::from_secs(300);

/// Looks names up.
pub(crate) struct Names {
    overrides: Overrides,
    limits: NameLimits,
    /// For one look-up, retries included.
    timeout: Duration,
    cache: Mutex<NameCache>,
    /// Built when first needed.
    resolver: OnceLock<TokioResolver>,
}

impl Names {
    pub(crate) fn new(overrides: Overrides, limits: NameLimits, timeout: Duration) -> Names {
        let cache = Mutex::new(NameCache::new(limits.max_cached));
        Names { overrides, limits, timeout, cache, resolver: OnceLock::new() }
    }

    /// Where a host lives, as far as the guard lets us go there.
    pub(crate) async fn resolve(&self, host: &Host, guard: &Guard) -> Result<Target, FetchError> {
        let name = host.name();
        if let Some(address) = literal(name) {
            return permit(host, guard, Target::fixed(address, None));
        }
        if let Some(target) = self.overrides.find(name) {
            return permit(host, guard, target.clone());
        }
        let now = Instant::now();
        let remembered = self.lock_cache().get(name, now);
        let (answer, expires) = match remembered {
            Some(known) => known,
            None => self.ask(host, now).await?,
        };
        match answer {
            Answer::NotFound => Err(FetchError::NameNotFound { host: host.clone() }),
            Answer::Addresses(all) => permit_some(host, guard, all, expires),
        }
    }

    /// Asks the DNS and remembers what it says.
    async fn ask(&self, host: &Host, now: Instant) -> Result<(Answer, Instant), FetchError> {
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| FetchError::NameLookup {
            host: host.clone(),
            source,
        };
        // A name the DNS cannot even carry has no address.
        let Ok(mut name) = Name::from_ascii(host.name()) else {
            return Err(FetchError::NameNotFound { host: host.clone() });
        };
        // Fully qualified: the search domains of this machine are no part of the web.
        name.set_fqdn(true);
        let resolver = self.resolver().map_err(|error| failed(Box::new(error)))?;
        let looked_up = tokio::time::timeout(self.timeout, resolver.lookup_ip(name)).await;
        let (answer, ttl) = match looked_up {
            Err(_) => return Err(failed(Box::new(io::Error::from(io::ErrorKind::TimedOut)))),
            Ok(Ok(found)) => {
                let ttl = found.valid_until().saturating_duration_since(now);
                let ttl = ttl.max(self.limits.min_ttl).min(self.limits.max_ttl);
                (Answer::Addresses(in_order(found.iter())), ttl)
            }
            Ok(Err(error)) => match negative_ttl(&error) {
                Some(ttl) => (Answer::NotFound, ttl.min(self.limits.max_negative_ttl)),
                None => return Err(failed(Box::new(error))),
            },
        };
        let expires = now + ttl;
        self.lock_cache().put(host.name(), answer.clone(), expires);
        Ok((answer, expires))
    }

    fn resolver(&self) -> Result<&TokioResolver, NetError> {
        if let Some(resolver) = self.resolver.get() {
            return Ok(resolver);
        }
        let mut builder = if self.limits.servers.is_empty() {
            TokioResolver::builder_tokio()?
        } else {
            let servers = self.limits.servers.iter().map(|&server| name_server(server)).collect();
            let config = ResolverConfig::from_parts(None, Vec::new(), servers);
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
        };
        let options = builder.options_mut();
        // Our own cache sits above and is bounded by name, not by record.
        options.cache_size = 0;
        // Almost every host with an IPv6 address has an IPv4 one as well: this
        // asks once instead of twice.
        options.ip_strategy = LookupIpStrategy::Ipv4thenIpv6;
        let built = builder.build()?;
        Ok(self.resolver.get_or_init(|| built))
    }

    fn lock_cache(&self) -> std::sync::MutexGuard<'_, NameCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The address in `127.0.0.1` or `[::1]`.
fn literal(name: &str) -> Option<IpAddr> {
    let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    bare.parse().ok()
}

fn name_server(server: SocketAddr) -> NameServerConfig {
    let mut config = NameServerConfig::udp_and_tcp(server.ip());
    for connection in &mut config.connections {
        let ConnectionConfig { port, .. } = connection;
        *port = server.port();
    }
    config
}

/// Lowest first. Servers rotate their answers; a stable order keeps one host at
/// one address, which is what politeness per address and kept connections need.
fn in_order(addresses: impl Iterator<Item = IpAddr>) -> Arc<[IpAddr]> {
    let mut addresses: Vec<IpAddr> = addresses.collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses.into()
}

/// How long to believe that the name has no address; `None` when the error says nothing of the kind.
fn negative_ttl(error: &NetError) -> Option<Duration> {
    let NetError::Dns(DnsError::NoRecordsFound(none)) = error else { return None };
    if !matches!(none.response_code, ResponseCode::NXDomain | ResponseCode::NoError) {
        return None;
    }
    let stated = none.negative_ttl.map(|seconds| Duration::from_secs(u64::from(seconds)));
    Some(stated.unwrap_or(UNSTATED_NEGATIVE_TTL))
}

fn permit(host: &Host, guard: &Guard, target: Target) -> Result<Target, FetchError> {
    let address = target.primary();
    if !guard.permits(address) {
        return Err(FetchError::ForbiddenAddress { host: host.clone(), address });
    }
    Ok(target)
}

/// Keeps the addresses that are permitted.
fn permit_some(
    host: &Host,
    guard: &Guard,
    all: Arc<[IpAddr]>,
    expires: Instant,
) -> Result<Target, FetchError> {
    let permitted = if all.len() <= MAX_ADDRESSES && all.iter().all(|&a| guard.permits(a)) {
        Arc::clone(&all)
    } else {
        all.iter().copied().filter(|&a| guard.permits(a)).take(MAX_ADDRESSES).collect()
    };
    Target::found(permitted, expires).ok_or_else(|| match all.first() {
        Some(&address) => FetchError::ForbiddenAddress { host: host.clone(), address },
        None => FetchError::NameNotFound { host: host.clone() },
    })
}

#[cfg(test)]
mod tests;
