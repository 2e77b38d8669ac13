//! Connections kept for the next request to the same place.
//!
//! Bounded in number and in time. There is no background task: what has lain
//! too long is closed at the next use of the pool, or when the caller asks.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use gannet_model::Scheme;

use crate::PoolLimits;

/// Idle things by place; `C` is a connection, or anything in tests.
pub(crate) struct Pool<C> {
    idle: HashMap<Arc<Place>, Vec<Idle<C>>>,
    /// Every idle connection by age: tickets grow.
    by_age: BTreeMap<u64, Arc<Place>>,
    next_ticket: u64,
    limits: PoolLimits,
}

/// Where a connection leads. The name belongs to it: two names at one address
/// have different certificates and may be different servers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) scheme: Scheme,
    pub(crate) name: Box<str>,
    pub(crate) socket: SocketAddr,
}

struct Idle<C> {
    connection: C,
    ticket: u64,
    since: Instant,
}

impl<C> Pool<C> {
    pub(crate) fn new(limits: PoolLimits) -> Pool<C> {
        Pool { idle: HashMap::new(), by_age: BTreeMap::new(), next_ticket: 0, limits }
    }

    /// The connection to this place that was used last.
    pub(crate) fn take(&mut self, place: &Place, now: Instant) -> Option<C> {
        self.close_idle(now);
        let waiting = self.idle.get_mut(place)?;
        let found = waiting.pop();
        if waiting.is_empty() {
            self.idle.remove(place);
        }
        let found = found?;
        self.by_age.remove(&found.ticket);
        Some(found.connection)
    }

    /// Keeps a connection, closing the longest idle one when there are too many.
    pub(crate) fn put(&mut self, place: Place, connection: C, now: Instant) {
        self.close_idle(now);
        if self.limits.max_idle == 0 {
            return;
        }
        if self.by_age.len() >= self.limits.max_idle {
            self.drop_oldest();
        }
        let place = Arc::new(place);
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.by_age.insert(ticket, Arc::clone(&place));
        self.idle.entry(place).or_default().push(Idle { connection, ticket, since: now });
    }

    /// Closes what has lain too long.
    pub(crate) fn close_idle(&mut self, now: Instant) {
        while let Some(since) = self.oldest_since() {
            if now.saturating_duration_since(since) < self.limits.idle {
                return;
            }
            self.drop_oldest();
        }
    }

    /// How many connections are kept.
    pub(crate) fn len(&self) -> usize {
        self.by_age.len()
    }

    fn oldest_since(&self) -> Option<Instant> {
        let (_, place) = self.by_age.first_key_value()?;
        Some(self.idle.get(place)?.first()?.since)
    }

    fn drop_oldest(&mut self) {
        let Some((_, place)) = self.by_age.pop_first() else { return };
        let Some(waiting) = self.idle.get_mut(&place) else { return };
        // The oldest of all is the oldest of its place: tickets grow within each.
        waiting.remove(0);
        if waiting.is_empty() {
            self.idle.remove(&place);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn place(name: &str) -> Place {
        let socket = "127.0.0.1:80".parse().unwrap();
        Place { scheme: Scheme::Http, name: name.into(), socket }
    }

    fn pool(max_idle: usize) -> Pool<u32> {
        Pool::new(PoolLimits { max_idle, idle: Duration::from_secs(30) })
    }

    #[test]
    fn a_connection_is_given_once_and_only_to_its_place() {
        let (mut pool, now) = (pool(8), Instant::now());
        pool.put(place("a"), 1, now);
        assert_eq!(pool.take(&place("b"), now), None);
        assert_eq!(pool.take(&place("a"), now), Some(1));
        assert_eq!(pool.take(&place("a"), now), None);
        assert_eq!((pool.len(), pool.idle.len()), (0, 0));
    }

    #[test]
    fn the_longest_idle_makes_room() {
        let (mut pool, now) = (pool(2), Instant::now());
        pool.put(place("a"), 1, now);
        pool.put(place("b"), 2, now);
        pool.put(place("a"), 3, now);
        assert_eq!(pool.len(), 2);
        assert_eq!(pool.take(&place("a"), now), Some(3));
        assert_eq!(pool.take(&place("a"), now), None);
        assert_eq!(pool.take(&place("b"), now), Some(2));
    }

    #[test]
    fn what_lay_too_long_is_closed() {
        let (mut pool, now) = (pool(8), Instant::now());
        pool.put(place("a"), 1, now);
        pool.put(place("a"), 2, now + Duration::from_secs(20));
        pool.close_idle(now + Duration::from_secs(30));
        assert_eq!(pool.len(), 1);
        assert_eq!(pool.take(&place("a"), now + Duration::from_secs(31)), Some(2));
    }
}
