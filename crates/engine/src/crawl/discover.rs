//! Links into the queue: new ones at the back of their worth, known ones moved up.

use gannet_frontier::{Entry, Mark, QueueKey};
use gannet_links::{Finding, LinkSight, Queued, Valued};
use gannet_model::{
    Fingerprint, Host, HostId, Link, LinkKind, PageUrl, Reason, Reasons, Rel, Timestamp, Worth,
};
use gannet_politeness::Tries;
use gannet_scope::Novelty;
use gannet_store::{Commit, Found, HostRecord, How, Status, UrlHead, UrlRecord};

use super::{Crawl, CrawlError, ordering};
use crate::journey::{Candidate, Reading};

/// Letters of a link's words that are kept: enough to recognise it.
const ANCHOR_KEPT: usize = 120;

/// What the links of one page change, while it is put together.
#[derive(Default)]
pub(super) struct Discovery {
    urls: Vec<(Fingerprint, UrlRecord)>,
    new_hosts: Vec<(HostId, HostRecord)>,
    /// Rows for the store and the frontier.
    queued: Vec<(HostId, QueueKey, Fingerprint)>,
    /// Rows of links that moved up.
    dequeued: Vec<(HostId, QueueKey)>,
    settled: Vec<Fingerprint>,
}

/// What remains to be done once the commit is in the store.
pub(super) struct Effects {
    queued: Vec<(HostId, QueueKey, Fingerprint)>,
    dequeued: Vec<(HostId, QueueKey)>,
    settled: Vec<Fingerprint>,
}

impl Discovery {
    /// How many relevant pages the links promise.
    pub(super) fn promise(&self) -> u32 {
        let new = self.urls.iter().filter(|(_, record)| record.last_visit.is_none());
        let worth: f32 = new.map(|(_, record)| record.worth.get().min(1.0)).sum();
        worth.round() as u32
    }

    /// True when the URL is among them.
    pub(super) fn holds(&self, url: Fingerprint) -> bool {
        self.urls.iter().any(|(other, _)| *other == url)
    }

    /// How many links were queued.
    pub(super) fn queued(&self) -> u32 {
        u32::try_from(self.queued.len() - self.dequeued.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn into_commit(self, commit: &mut Commit) -> Effects {
        commit.urls.extend(self.urls);
        commit.hosts.extend(self.new_hosts);
        commit.queued.extend(self.queued.iter().copied());
        commit.dequeued.extend(self.dequeued.iter().copied());
        Effects { queued: self.queued, dequeued: self.dequeued, settled: self.settled }
    }
}

impl Crawl {
    /// Tells the frontier what the store has just taken in.
    pub(super) fn apply(&mut self, effects: Effects) {
        for (host, _) in effects.dequeued {
            self.frontier.settled(host);
        }
        for (host, key, url) in effects.queued {
            self.known.set(url, Mark::queued(key.worth()));
            self.frontier.push(host, Entry { key, url });
        }
        for url in effects.settled {
            self.known.set(url, Mark::SETTLED);
        }
    }

    /// Lets the order and the trap watch learn what a page turned out to be.
    pub(super) fn learn_from(&mut self, host: HostId, record: &UrlRecord, reading: &Reading) {
        let links: Vec<Fingerprint> =
            reading.candidates.iter().map(|candidate| candidate.fingerprint).collect();
        // A page that is read again is no copy of itself.
        let is_copy = record.last_visit.is_none() && self.copies.meet(&reading.sketch);
        self.order.observe(&Finding {
            page: ordering::queued(record.url.fingerprint(), record),
            document: &reading.document,
            judgement: &reading.judgement,
            links: &links,
            is_copy,
        });
        let novelty = if is_copy { Novelty::Barren } else { Novelty::Novel };
        self.traps.observe(host, &record.url, novelty);
        self.parameters.observe(host, &record.url, reading.sketch.exact().0);
    }

    /// Follows the links of a page.
    pub(super) fn discover_links(
        &mut self,
        page: &UrlRecord,
        reading: &Reading,
        discovery: &mut Discovery,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        self.counters.links += reading.document.links.len() as u64;
        let unnamed = unnamed_link(&page.url);
        let is_first = page.last_visit.is_none();
        for candidate in &reading.candidates {
            // Each page vouches once for those it links to.
            if let Some(returns) = self.returns.as_mut().filter(|_| is_first) {
                returns.linked(candidate.fingerprint);
            }
            let mark = self.known.get(candidate.fingerprint);
            if mark == Some(Mark::SETTLED) {
                continue;
            }
            let link = candidate.link.and_then(|at| reading.document.links.get(at));
            let found = Found {
                at: now,
                parent: Some(page.url.fingerprint()),
                how: candidate.how,
                depth: page.found.depth + 1,
                redirects: 0,
                anchor: link.map_or_else(String::new, |link| shortened(&link.anchor)),
            };
            let host = self.intern(&candidate.url.host(), discovery);
            if mark.is_none()
                && let Some(because) = self.refusal(host, candidate)
            {
                self.note_skipped(candidate, host, found, because, discovery);
                continue;
            }
            let sight = LinkSight {
                page: ordering::queued(page.url.fingerprint(), page),
                document: &reading.document,
                judgement: &reading.judgement,
                link: link.unwrap_or(&unnamed),
                target: Queued {
                    fingerprint: candidate.fingerprint,
                    url: &candidate.url,
                    host,
                    depth: found.depth,
                    traits: &[],
                },
                is_again: false,
            };
            let Some(valued) = self.order.value(&sight) else { continue };
            match mark {
                None => self.enqueue(candidate, host, found, valued, discovery),
                Some(mark) if valued.is_news || mark.rises_to(valued.worth) => {
                    self.find_again(&sight, discovery)?;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Follows a redirect: the target takes the page's place, worth and depth.
    pub(super) fn discover_redirect(
        &mut self,
        page: &UrlRecord,
        target: &Candidate,
        depth: u32,
        discovery: &mut Discovery,
        now: Timestamp,
    ) {
        if self.known.get(target.fingerprint).is_some() {
            return;
        }
        let redirects = page.found.redirects.saturating_add(1);
        let mut target = target.clone();
        if redirects > self.config.limits.redirects {
            let most = self.config.limits.redirects;
            target.refusal = Some(format!("more than {most} redirects in a row"));
        }
        let found = Found {
            at: now,
            parent: Some(page.url.fingerprint()),
            how: match page.found.how {
                // A file stays one wherever it lies.
                file @ How::Attached(_) => file,
                _ => How::Redirect,
            },
            depth,
            redirects,
            anchor: page.found.anchor.clone(),
        };
        let reason = Reason::new("redirected", page.worth.get()).note("as its source");
        let valued =
            Valued { traits: page.traits.clone(), ..Valued::new(page.worth, Reasons::one(reason)) };
        self.add(&target, found, valued, discovery);
    }

    /// Queues the seeds that are not known yet.
    pub(super) fn add_seeds(&mut self, now: Timestamp) -> Result<(), CrawlError> {
        let seeds = self.config.seeds.clone();
        let discovery = self.vouched(seeds, How::Seed, now);
        let commit = Commit { crawl: Some(self.record.clone()), ..Commit::default() };
        self.commit_vouched(discovery, commit)
    }

    /// Queues what robots.txt names and is not known yet.
    pub(super) fn add_listed(
        &mut self,
        urls: Vec<PageUrl>,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        let discovery = self.vouched(urls, How::Listed, now);
        self.commit_vouched(discovery, Commit::default())
    }

    fn commit_vouched(
        &mut self,
        discovery: Discovery,
        mut commit: Commit,
    ) -> Result<(), CrawlError> {
        commit.counters = Some(self.counters);
        let effects = discovery.into_commit(&mut commit);
        self.store.commit(commit)?;
        self.apply(effects);
        Ok(())
    }

    /// URLs that somebody vouches for, as far as they are not known yet.
    fn vouched(&mut self, urls: Vec<PageUrl>, how: How, now: Timestamp) -> Discovery {
        let mut discovery = Discovery::default();
        for url in urls {
            let candidate = self.journey.candidate(url, how, None, 0);
            if discovery.holds(candidate.fingerprint)
                || self.known.get(candidate.fingerprint).is_some()
            {
                continue;
            }
            let found =
                Found { at: now, parent: None, how, depth: 0, redirects: 0, anchor: String::new() };
            let host = self.intern(&candidate.url.host(), &mut discovery);
            let valued = self.order.value_seed(&Queued {
                fingerprint: candidate.fingerprint,
                url: &candidate.url,
                host,
                depth: 0,
                traits: &[],
            });
            self.add(&candidate, found, valued, &mut discovery);
        }
        discovery
    }

    /// A URL never seen before: queued, or noted as not ours.
    pub(super) fn add(
        &mut self,
        candidate: &Candidate,
        found: Found,
        valued: Valued,
        discovery: &mut Discovery,
    ) {
        let host = self.intern(&candidate.url.host(), discovery);
        match self.refusal(host, candidate) {
            Some(because) => self.note_skipped(candidate, host, found, because, discovery),
            None => self.enqueue(candidate, host, found, valued, discovery),
        }
    }

    fn enqueue(
        &mut self,
        candidate: &Candidate,
        host: HostId,
        found: Found,
        valued: Valued,
        discovery: &mut Discovery,
    ) {
        let key = self.queue_key(valued.worth);
        discovery.queued.push((host, key, candidate.fingerprint));
        let record = UrlRecord {
            worth: valued.worth,
            reasons: valued.reasons,
            traits: valued.traits,
            ..new_record(candidate, host, Status::Queued { key }, found)
        };
        discovery.urls.push((candidate.fingerprint, record));
    }

    fn note_skipped(
        &mut self,
        candidate: &Candidate,
        host: HostId,
        found: Found,
        because: String,
        discovery: &mut Discovery,
    ) {
        self.counters.skipped += 1;
        discovery.settled.push(candidate.fingerprint);
        let record = UrlRecord { because, ..new_record(candidate, host, Status::Skipped, found) };
        discovery.urls.push((candidate.fingerprint, record));
    }

    fn refusal(&self, host: HostId, candidate: &Candidate) -> Option<String> {
        candidate.refusal.clone().or_else(|| self.foreseen(host, candidate))
    }

    /// What already speaks against a URL: a trap, or robots.txt as last read (S4.3).
    fn foreseen(&self, host: HostId, candidate: &Candidate) -> Option<String> {
        if let Some(trap) = self.trap(host, &candidate.url) {
            return Some(trap);
        }
        let access = self.access.get(&(host, candidate.url.scheme()))?;
        let ruling = access.last_known_ruling(candidate.url.path_and_query())?;
        (!ruling.allowed).then(|| format!("robots.txt: {}", ruling.rule.unwrap_or_default()))
    }

    /// Why an address is taken for a trap by what its host has shown.
    pub(super) fn trap(&self, host: HostId, url: &PageUrl) -> Option<String> {
        let trap = self.traps.verdict(host, url).or_else(|| self.parameters.verdict(host, url))?;
        Some(format!("trap: {trap}"))
    }

    fn intern(&mut self, name: &Host, discovery: &mut Discovery) -> HostId {
        let (host, is_new) = self.hosts.intern(name);
        if is_new {
            discovery.new_hosts.push((host, self.hosts.get(host).record.clone()));
        }
        host
    }

    /// A queued link was found again: its worth is that of all ways to it.
    fn find_again(
        &mut self,
        sight: &LinkSight<'_>,
        discovery: &mut Discovery,
    ) -> Result<(), CrawlError> {
        let url = sight.target.fingerprint;
        if self.leased.contains(&url) {
            return Ok(());
        }
        let Some(mut record) = self.store.url(url)? else {
            return Ok(());
        };
        let Status::Queued { key: old } = record.head.status else {
            return Ok(());
        };
        let target = ordering::queued(url, &record);
        let Some(valued) = self.order.value(&LinkSight { target, is_again: true, ..*sight }) else {
            return Ok(());
        };
        if valued.worth > old.worth() {
            let key = self.queue_key(valued.worth);
            record.head.status = Status::Queued { key };
            discovery.dequeued.push((record.head.host, old));
            discovery.queued.push((record.head.host, key, url));
        }
        record.worth = valued.worth;
        record.reasons = valued.reasons;
        record.traits = valued.traits;
        discovery.urls.push((url, record));
        Ok(())
    }
}

/// The record of a URL that was just found.
fn new_record(candidate: &Candidate, host: HostId, status: Status, found: Found) -> UrlRecord {
    UrlRecord {
        head: UrlHead { host, status },
        url: candidate.url.clone(),
        found,
        worth: Worth::ZERO,
        reasons: Reasons::none(),
        traits: Vec::new(),
        because: String::new(),
        tries: Tries::default(),
        last_visit: None,
    }
}

/// The first letters of a link's words.
fn shortened(anchor: &str) -> String {
    anchor.chars().take(ANCHOR_KEPT).collect()
}

/// What an order sees when a URL was found by other means than a link.
fn unnamed_link(page: &PageUrl) -> Link {
    Link {
        url: page.clone(),
        anchor: String::new(),
        title: String::new(),
        rel: Rel::default(),
        kind: LinkKind::Head,
        block: 0,
        span: (0, 0),
        trail: 0,
    }
}
