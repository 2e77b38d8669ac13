//! Pages that are due and wait in the queues of their hosts: few enough that what is due later but
//! worth more need not wait behind them.

use std::collections::HashMap;
use std::time::Duration;

use gannet_model::{Fingerprint, HostId, Timestamp};

/// Pages that are called at the same time.
const MOST: usize = 64;
/// Pages of one host that are.
const MOST_OF_HOST: u32 = 2;
/// A page that has waited for so long no longer counts: its host is out of reach.
const COUNTS_FOR: Duration = Duration::from_secs(600);

/// Pages that are due and wait in the queues of their hosts.
#[derive(Debug, Default)]
pub(crate) struct Called {
    pages: HashMap<Fingerprint, (HostId, Timestamp)>,
    hosts: HashMap<HostId, u32>,
}

impl Called {
    pub(crate) fn len(&self) -> usize {
        self.pages.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// True when no further page is to be called.
    pub(crate) fn are_enough(&mut self, now: Timestamp) -> bool {
        if self.len() >= MOST {
            let is_old = |at: Timestamp| now.since(at) >= COUNTS_FOR;
            let old = self.pages.iter().filter(|(_, (_, at))| is_old(*at));
            let old: Vec<Fingerprint> = old.map(|(url, _)| *url).collect();
            old.into_iter().for_each(|url| self.remove(url));
        }
        self.len() >= MOST
    }

    /// Calls a page; false when enough of its host are called already.
    pub(crate) fn add(&mut self, url: Fingerprint, host: HostId, now: Timestamp) -> bool {
        let of_host = self.hosts.entry(host).or_default();
        if *of_host >= MOST_OF_HOST {
            return false;
        }
        if self.pages.insert(url, (host, now)).is_none() {
            *of_host += 1;
        }
        true
    }

    /// A page left the queue of its host, called or not.
    pub(crate) fn remove(&mut self, url: Fingerprint) {
        let Some((host, _)) = self.pages.remove(&url) else { return };
        if let Some(of_host) = self.hosts.get_mut(&host) {
            *of_host -= 1;
            if *of_host == 0 {
                self.hosts.remove(&host);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_000_000);

    #[test]
    fn a_host_has_few_and_all_together_have_enough() {
        let mut called = Called::default();
        assert!(called.add(Fingerprint(1), HostId(0), NOW));
        assert!(called.add(Fingerprint(2), HostId(0), NOW));
        assert!(!called.add(Fingerprint(3), HostId(0), NOW), "its host has enough to do");
        called.remove(Fingerprint(1));
        called.remove(Fingerprint(1));
        assert!(called.add(Fingerprint(3), HostId(0), NOW));
        for host in 1..MOST as u32 - 1 {
            assert!(!called.are_enough(NOW));
            assert!(called.add(Fingerprint(u64::from(host) + 10), HostId(host), NOW));
        }
        assert!(called.are_enough(NOW));
    }

    #[test]
    fn hosts_out_of_reach_do_not_hold_the_others_up() {
        let mut called = Called::default();
        for host in 0..MOST as u32 {
            called.add(Fingerprint(u64::from(host)), HostId(host), NOW);
        }
        assert!(called.are_enough(NOW + Duration::from_secs(599)));
        assert!(!called.are_enough(NOW + Duration::from_secs(600)));
    }
}
