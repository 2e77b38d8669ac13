//! A host's turn: may its best link be fetched now, and if not, what stands in the way?

use gannet_frontier::Entry;
use gannet_model::{Failure, HostId, Timestamp};
use gannet_politeness::{Access, Busy, Contact, Opening, Permission};
use gannet_store::{Commit, Status, UrlRecord, Visited};

use super::ordering::Chosen;
use super::{ACCESS_KEPT, Crawl, CrawlError};
use crate::step::{Step, Visit};
use gannet_frontier::Mark;

impl Crawl {
    /// Gives `host` its turn. `None` means that nothing came of it, and another host may be next.
    pub(super) fn turn(
        &mut self,
        host: HostId,
        body_limit: u64,
        now: Timestamp,
    ) -> Result<Option<Step>, CrawlError> {
        if !self.is_open(host, host, now) {
            return Ok(None);
        }
        let Some(chosen) = self.choose(host, now)? else {
            return Ok(None);
        };
        if self.leave_unchecked(host, &chosen) {
            return Ok(None);
        }
        if let Some(trap) = self.trap(host, &chosen.record.url) {
            // It was queued before its host showed what it is.
            self.skip(host, chosen.stored, chosen.record, trap)?;
            return Ok(None);
        }
        if self.fresh_address(host, now).is_none() {
            self.frontier.put_back(host, chosen.taken);
            self.frontier.occupy(host);
            let name = self.hosts.get(host).record.name.clone();
            return Ok(Some(Step::Resolve(host, name)));
        }
        self.ask_robots(host, chosen, body_limit, now)
    }

    /// Asks the gate; a host that may not be contacted is put where it waits.
    /// `contact` is who would be contacted, `host` whose turn it is.
    pub(super) fn is_open(&mut self, host: HostId, contact: HostId, now: Timestamp) -> bool {
        let address = self.fresh_address(contact, now);
        let pace = &self.hosts.get(contact).record.pace;
        match self.gate.check(contact, address, pace, self.hosts.gate_limits(contact), now) {
            Opening::Open => return true,
            Opening::At(at, _) => self.frontier.hold(host, at),
            Opening::Busy(Busy::Host) if host == contact => self.frontier.occupy(host),
            Opening::Busy(Busy::Host) => {
                // Only robots.txt at another host leads here; whoever is there will be done soon.
                self.frontier.hold(host, now + ELSEWHERE_BUSY);
            }
            Opening::Busy(Busy::Address(address)) => {
                self.frontier.occupy(host);
                self.parked.entry(address).or_default().push(host);
            }
        }
        false
    }

    fn ask_robots(
        &mut self,
        host: HostId,
        chosen: Chosen,
        body_limit: u64,
        now: Timestamp,
    ) -> Result<Option<Step>, CrawlError> {
        let scheme = chosen.record.url.scheme();
        self.load_access(host, scheme)?;
        let access = self.access.get(&(host, scheme)).unwrap_or(&Access::Unknown);
        match access.permits(chosen.record.url.path_and_query(), now) {
            Permission::Allowed { .. } => {
                Ok(Some(Step::Visit(self.lease(host, chosen, body_limit, now)?)))
            }
            Permission::AskFirst => {
                self.frontier.put_back(host, chosen.taken);
                self.robots_step(host, scheme, body_limit, now)
            }
            Permission::Disallowed { .. } if matches!(access, Access::Unreachable { .. }) => {
                // Nothing is known against this page: it waits with its host.
                let until = access.next_ask();
                self.frontier.put_back(host, chosen.taken);
                self.frontier.hold(host, until);
                Ok(None)
            }
            Permission::Disallowed { because } => {
                self.skip(host, chosen.stored, chosen.record, format!("robots.txt: {because}"))?;
                Ok(None)
            }
        }
    }

    fn lease(
        &mut self,
        host: HostId,
        chosen: Chosen,
        body_limit: u64,
        now: Timestamp,
    ) -> Result<Box<Visit>, CrawlError> {
        let Chosen { taken, stored, record } = chosen;
        let past = self.past(&record)?;
        let address = self.fresh_address(host, now);
        self.gate.begin(host, address);
        self.budget.page_begins(body_limit);
        self.leased.insert(stored.url);
        if self.gate.in_flight(host) >= self.hosts.gate_limits(host).per_host.get() {
            self.frontier.occupy(host);
        }
        Ok(Box::new(Visit {
            host,
            name: self.hosts.get(host).record.name.clone(),
            address,
            url: record.url.clone(),
            fingerprint: stored.url,
            depth: record.found.depth,
            validators: past.validators(),
            earlier: past.version(),
            body_limit,
            template: self.templates.of(host),
            entry: taken,
            stored,
            record,
            past,
        }))
    }

    /// Takes a link out of its queue for good, with the reason.
    fn skip(
        &mut self,
        host: HostId,
        entry: Entry,
        mut record: UrlRecord,
        because: String,
    ) -> Result<(), CrawlError> {
        record.head.status = Status::Skipped;
        record.because = because;
        self.counters.skipped += 1;
        let mut commit = Commit {
            urls: vec![(entry.url, record)],
            dequeued: vec![(host, entry.key)],
            counters: Some(self.counters),
            ..Commit::default()
        };
        self.no_return(entry.url, &mut commit)?;
        self.store.commit(commit)?;
        self.known.set(entry.url, Mark::SETTLED);
        self.frontier.settled(host);
        self.checked(entry.url);
        Ok(())
    }

    /// The host has no address: its best link pays for the attempt, the host waits.
    pub(super) fn unresolved(
        &mut self,
        host: HostId,
        failure: Failure,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        let rules = self.hosts.pace_rules(host).clone();
        let pace = &mut self.hosts.get_mut(host).record.pace;
        pace.completed(Contact::Failed(failure), &rules, now);
        let (ready_at, _) = pace.ready_at();
        self.frontier.hold(host, ready_at);
        let Some(entry) = self.frontier.take(host) else {
            return Ok(());
        };
        let Some((key, record)) = self.current(entry)? else {
            return Ok(());
        };
        let entry = Entry { key, url: entry.url };
        let outcome = Visited::Failed(failure, failure.to_string());
        self.settle_failure(host, entry, record, failure, (now, outcome), now)
    }

    /// The host's address, if it is known and not out of date.
    pub(super) fn fresh_address(&self, host: HostId, now: Timestamp) -> Option<std::net::IpAddr> {
        let address = self.hosts.get(host).address?;
        (now < address.expires).then_some(address.ip)
    }

    /// Brings a host's robots rules into memory if the store has them.
    pub(super) fn load_access(
        &mut self,
        host: HostId,
        scheme: gannet_model::Scheme,
    ) -> Result<(), CrawlError> {
        if self.access.contains_key(&(host, scheme)) {
            return Ok(());
        }
        if self.access.len() >= ACCESS_KEPT {
            // Dropping all is crude and rare: each host reads its own back at its next turn.
            self.access.clear();
        }
        let access = self.store.access(host, scheme)?.unwrap_or_default();
        self.access.insert((host, scheme), access);
        Ok(())
    }
}

/// How long a host waits for another that holds its robots.txt and is busy.
const ELSEWHERE_BUSY: std::time::Duration = std::time::Duration::from_secs(1);
