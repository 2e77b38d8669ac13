//! The hosts of a crawl, by name and by number.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use gannet_model::{Host, HostId, Timestamp};
use gannet_politeness::{Limits as GateLimits, Pace, PaceRules};
use gannet_store::{HostCounters, HostRecord};

use crate::config::Config;

/// Every host the crawl has come across.
pub(crate) struct HostTable {
    config: Arc<Config>,
    states: Vec<HostState>,
    by_name: HashMap<Host, HostId>,
}

/// What is known of one host.
pub(crate) struct HostState {
    /// What is stored.
    pub(crate) record: HostRecord,
    /// Where it lives, once looked up.
    pub(crate) address: Option<Address>,
    /// Exceptions for it; `None` when the general rules hold.
    terms: Option<Box<(PaceRules, GateLimits)>>,
}

/// Where a host lives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) ip: IpAddr,
    /// When to look again.
    pub(crate) expires: Timestamp,
}

impl HostTable {
    pub(crate) fn new(config: Arc<Config>) -> HostTable {
        HostTable { config, states: Vec::new(), by_name: HashMap::new() }
    }

    /// The number of this host, and whether it is new.
    pub(crate) fn intern(&mut self, name: &Host) -> (HostId, bool) {
        if let Some(id) = self.by_name.get(name) {
            return (*id, false);
        }
        let id = HostId(u32::try_from(self.states.len()).unwrap_or(u32::MAX));
        let record = HostRecord {
            name: name.clone(),
            pace: Pace::new(id),
            counters: HostCounters::default(),
        };
        self.add(id, record);
        (id, true)
    }

    /// Takes in a host that the store holds. Hosts come in order of their numbers.
    pub(crate) fn add(&mut self, id: HostId, record: HostRecord) {
        debug_assert_eq!(id.0 as usize, self.states.len(), "host numbers have no gaps");
        let config = &self.config;
        let is_exception = config.hosts.iter().any(|rule| rule.covers(&record.name));
        let terms = is_exception.then(|| Box::new(config.terms(&record.name)));
        self.by_name.insert(record.name.clone(), id);
        self.states.push(HostState { record, address: None, terms });
    }

    pub(crate) fn get(&self, id: HostId) -> &HostState {
        &self.states[id.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, id: HostId) -> &mut HostState {
        &mut self.states[id.0 as usize]
    }

    /// How fast this host is contacted.
    pub(crate) fn pace_rules(&self, id: HostId) -> &PaceRules {
        self.get(id).terms.as_ref().map_or(&self.config.pace, |terms| &terms.0)
    }

    /// How many requests may be under way to it.
    pub(crate) fn gate_limits(&self, id: HostId) -> GateLimits {
        self.get(id).terms.as_ref().map_or(self.config.gate, |terms| terms.1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (HostId, &HostState)> {
        self.states.iter().enumerate().map(|(at, state)| (HostId(at as u32), state))
    }

    /// After an unclean stop every host counts as contacted just now.
    pub(crate) fn restarted(&mut self, now: Timestamp) {
        for at in 0..self.states.len() {
            let (delay, _) = {
                let id = HostId(at as u32);
                self.get(id).record.pace.delay(self.pace_rules(id))
            };
            self.states[at].record.pace.restarted(now, delay);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }
}
