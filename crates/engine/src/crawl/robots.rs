//! Asking for a host's robots.txt, here or where it was redirected to.

use gannet_model::{Failure, HostId, PageUrl, Scheme, Timestamp};
use gannet_politeness::{Access, Contact, RobotsAnswer};
use gannet_store::Commit;

use super::{Crawl, CrawlError};
use crate::step::{RobotsTask, Step};

/// RFC 9309 asks for at least 500 KiB to be read, and no more than that is; a file may be larger
/// and is still a file. One beyond this is none that anybody meant.
const ROBOTS_BYTES: u64 = 5 << 20;

impl Crawl {
    /// The step that brings `host`'s rules closer; `None` if somebody must be waited for first.
    pub(super) fn robots_step(
        &mut self,
        host: HostId,
        scheme: Scheme,
        body_limit: u64,
        now: Timestamp,
    ) -> Result<Option<Step>, CrawlError> {
        let Some(url) = self.robots_url(host, scheme) else {
            // A redirect to what is no URL: the rules say what that means.
            self.learn(host, scheme, RobotsAnswer::Failed(Failure::BadRedirect), now)?;
            return Ok(None);
        };
        let (contact, is_new) = self.hosts.intern(&url.host());
        if is_new {
            let record = self.hosts.get(contact).record.clone();
            self.store.commit(Commit { hosts: vec![(contact, record)], ..Commit::default() })?;
        }
        if self.fresh_address(contact, now).is_none() {
            self.frontier.occupy(host);
            let askers = self.robots_elsewhere.entry(contact).or_default();
            askers.push((host, scheme));
            if askers.len() > 1 {
                // It is being looked up already, for another.
                return Ok(None);
            }
            self.frontier.occupy(contact);
            let name = self.hosts.get(contact).record.name.clone();
            return Ok(Some(Step::Resolve(contact, name)));
        }
        if !self.is_open(host, contact, now) {
            return Ok(None);
        }
        let address = self.fresh_address(contact, now);
        self.gate.begin(contact, address);
        let body_limit = body_limit.min(ROBOTS_BYTES);
        self.budget.robots_begins(body_limit);
        self.frontier.occupy(host);
        self.frontier.occupy(contact);
        Ok(Some(Step::Robots(RobotsTask {
            host: contact,
            name: self.hosts.get(contact).record.name.clone(),
            address,
            url,
            body_limit,
            asker: host,
            scheme,
        })))
    }

    /// Takes in what came of asking for robots.txt; `wire_bytes` is what came over the wire.
    pub fn robots_answered(
        &mut self,
        task: RobotsTask,
        answer: RobotsAnswer<'_>,
        contact: Contact<'_>,
        wire_bytes: u64,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        let is_too_large = answer == RobotsAnswer::Failed(Failure::BodyTooLarge);
        if is_too_large && task.body_limit < ROBOTS_BYTES {
            // The budget cut it short: nothing was learned, and nothing more is begun.
            self.budget.cut_short(task.body_limit);
            return self.robots_called_off(task, now);
        }
        self.under_way -= 1;
        self.budget.robots_ends(task.body_limit);
        self.paid(wire_bytes);
        self.counters.robots += 1;
        self.counters.wire_bytes += wire_bytes;
        self.end_contact(task.host, task.address, contact, now);
        self.learn(task.asker, task.scheme, answer, now)?;
        if task.asker != task.host {
            self.frontier.release(task.asker);
            let record = self.hosts.get(task.host).record.clone();
            self.store.commit(Commit { hosts: vec![(task.host, record)], ..Commit::default() })?;
        }
        Ok(())
    }

    /// A request for robots.txt was called off on its way.
    pub fn robots_called_off(
        &mut self,
        task: RobotsTask,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        self.under_way -= 1;
        self.budget.robots_ends(task.body_limit);
        self.called_off(task.host, task.address, now)?;
        if task.asker != task.host {
            self.frontier.release(task.asker);
        }
        Ok(())
    }

    /// Puts the lesson into the access table, the host's pace and the store.
    pub(super) fn learn(
        &mut self,
        host: HostId,
        scheme: Scheme,
        answer: RobotsAnswer<'_>,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        self.load_access(host, scheme)?;
        let access = self.access.entry((host, scheme)).or_default();
        access.learn(answer, &self.config.access, now);
        let access = access.clone();
        let rules = self.hosts.pace_rules(host).clone();
        let state = self.hosts.get_mut(host);
        state.record.pace.heed_crawl_delay(access.crawl_delay(), &rules);
        let (ready_at, _) = state.record.pace.ready_at();
        self.frontier.hold(host, ready_at);
        self.store.commit(Commit {
            access: vec![(host, scheme, access)],
            hosts: vec![(host, self.hosts.get(host).record.clone())],
            counters: Some(self.counters),
            ..Commit::default()
        })?;
        self.add_sitemaps(host, scheme, now)
    }

    /// Where to ask for the rules; `None` when a redirect leads to no URL.
    fn robots_url(&self, host: HostId, scheme: Scheme) -> Option<PageUrl> {
        let access = self.access.get(&(host, scheme)).unwrap_or(&Access::Unknown);
        match access.redirect_target() {
            Some(target) => PageUrl::parse(target).ok(),
            None => {
                let name = &self.hosts.get(host).record.name;
                PageUrl::parse(&format!("{}://{name}/robots.txt", scheme.as_str())).ok()
            }
        }
    }
}
