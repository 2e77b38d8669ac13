//! The watch in the heart: known pages are called when they are due and the day's budget allows it.

use std::ops::ControlFlow;
use std::time::Duration;

use gannet_frontier::{Entry, Mark};
use gannet_model::{
    Fingerprint, Happening, HostId, Judgement, PageUrl, Scheme, Significance, Timestamp, Validators,
};
use gannet_revisit::{Facts, Hint, PageNumber, Saw, Visit as Seen};
use gannet_store::{Answer, Commit, ReturnRecord, Status, UrlRecord, VisitRecord, Visited};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Crawl, CrawlError};
use crate::evidence::newest_page;
use crate::progress::WatchProgress;
use crate::returns::{PageFacts, Returns, ReturnsError, Slot};
use crate::step::Step;

/// What a visit brought besides the page itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Brought {
    /// Relevant pages that its new links promise.
    pub(super) new_links: u32,
    /// Pages whose changes it tells of, when it is a feed or a sitemap.
    pub(super) listed: u32,
}

/// Sitemaps of one robots.txt that are read.
const MOST_SITEMAPS: usize = 16;
/// What the freshness of a page is worth at least, however little it is about the topic: it may
/// come to be.
const LEAST_RELEVANCE: f32 = 0.01;
/// What is left of the importance of a page that is gone: it may come back.
const GONE_SHARE: f32 = 0.1;
/// A page whose turn another request has is looked for again after this.
const BUSY_FOR: Duration = Duration::from_secs(600);

impl From<ReturnsError> for CrawlError {
    fn from(error: ReturnsError) -> CrawlError {
        match error {
            ReturnsError::Setup(error) => error.into(),
            ReturnsError::Store(error) => error.into(),
        }
    }
}

impl Crawl {
    /// Takes up the times of all known pages. Pages that were fetched before anybody watched are
    /// due as if they had been admitted then.
    pub(super) fn resume_returns(&mut self, now: Timestamp) -> Result<(), CrawlError> {
        let Some(watch) = self.config.watch.clone() else { return Ok(()) };
        let mut returns = Returns::open(&watch, self.store.as_ref(), now)?;
        let is_other = returns.is_other_policy(self.store.as_ref())?;
        let hosts = &self.hosts;
        self.store.each_return(&mut |url, record| {
            let name = hosts.get(record.host).record.name.name();
            returns.restore(url, name, &record, is_other);
        })?;
        returns.restored();
        self.returns = Some(returns);
        self.admit_older_pages()?;
        self.measure_politeness();
        Ok(())
    }

    fn admit_older_pages(&mut self) -> Result<(), CrawlError> {
        let mut older = Vec::new();
        let returns = self.returns.as_ref();
        self.store.each_url(&mut |url, record| {
            let is_new = returns.is_some_and(|returns| returns.number(url).is_none());
            if is_new && matches!(record.head.status, Status::Fetched | Status::Gone) {
                older.push(record);
            }
            ControlFlow::Continue(())
        })?;
        for record in older {
            let Some((_, visit)) = newest_page(self.store.as_ref(), &record)? else { continue };
            let Visited::Page(_, facts) = &visit.outcome else { continue };
            let mut commit = Commit::default();
            self.admit(&record, &facts.judgement, Brought::default(), visit.at, &mut commit);
            self.store.commit(commit)?;
        }
        Ok(())
    }

    /// How many requests a day the hosts of known pages allow.
    fn measure_politeness(&mut self) {
        let Some(returns) = &self.returns else { return };
        let per_day = returns.hosts().map(|host| self.polite_rate(host)).sum();
        if let Some(returns) = &mut self.returns {
            returns.set_polite_rate(per_day);
        }
    }

    /// How many requests a day a host allows.
    fn polite_rate(&self, host: HostId) -> f64 {
        const DAY: f64 = 24.0 * 3600.0;
        let (delay, _) = self.hosts.get(host).record.pace.delay(self.hosts.pace_rules(host));
        DAY / delay.as_secs_f64().max(1.0)
    }

    /// Calls the pages that are due, if there is room for them; `Some` when nothing may begin
    /// before that time.
    pub(super) fn heed_schedule(
        &mut self,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, CrawlError> {
        let Some(returns) = &mut self.returns else { return Ok(None) };
        let ready = returns.allowance.ready_at(now);
        if ready > now {
            return Ok(Some(ready));
        }
        while let Some(returns) = &mut self.returns {
            if returns.are_enough_called(now) {
                break;
            }
            let Some(page) = returns.call(now) else { break };
            self.enter(page, now)?;
        }
        Ok(None)
    }

    /// Puts a page that is due into the queue of its host; false when it has to wait.
    fn enter(&mut self, page: PageNumber, now: Timestamp) -> Result<bool, CrawlError> {
        let Some(returns) = &mut self.returns else { return Ok(false) };
        let Some(url) = returns.url(page) else { return Ok(false) };
        let record = self.store.url(url)?;
        let Some(mut record) = record.filter(|_| !self.leased.contains(&url)) else {
            returns.put_back(page, now + BUSY_FOR);
            return Ok(false);
        };
        let host = record.head.host;
        match record.head.status {
            Status::Fetched | Status::Gone => {}
            // A retry has a time of its own.
            Status::Scheduled { due } => {
                returns.put_back(page, due.max(now + BUSY_FOR));
                return Ok(false);
            }
            _ => {
                returns.put_back(page, now + BUSY_FOR);
                return Ok(false);
            }
        }
        // A host that rests for long is left alone until then.
        let (ready, _) = self.hosts.get(host).record.pace.ready_at();
        if ready > now + BUSY_FOR {
            returns.put_back(page, ready);
            return Ok(false);
        }
        let Some(worth) = returns.enter(page, host, now) else {
            let (delay, _) = self.hosts.get(host).record.pace.delay(self.hosts.pace_rules(host));
            returns.put_back(page, now + delay.max(Duration::from_secs(1)));
            return Ok(false);
        };
        let mut commit = Commit::default();
        let files = self.files_to_ask(url, &mut commit)?;
        let mut queued = Vec::new();
        for file in files {
            let Some(file) = self.store.url(file)? else { continue };
            if matches!(file.head.status, Status::Fetched) {
                self.put_in_queue(file, worth, &mut commit, &mut queued);
            }
        }
        record.worth = worth;
        self.put_in_queue(record, worth, &mut commit, &mut queued);
        self.store.commit(commit)?;
        for (host, entry) in queued {
            self.known.set(entry.url, Mark::queued(entry.key.worth()));
            self.frontier.push(host, entry);
        }
        Ok(true)
    }

    fn put_in_queue(
        &mut self,
        mut record: UrlRecord,
        worth: gannet_model::Worth,
        commit: &mut Commit,
        queued: &mut Vec<(HostId, Entry)>,
    ) {
        let (host, url) = (record.head.host, record.url.fingerprint());
        let key = self.queue_key(worth);
        record.head.status = Status::Queued { key };
        commit.queued.push((host, key, url));
        commit.urls.push((url, record));
        queued.push((host, Entry { key, url }));
    }

    /// Whether a URL is a known page that is visited again.
    pub(super) fn is_returning(&self, url: Fingerprint) -> bool {
        self.returns.as_ref().is_some_and(|returns| returns.number(url).is_some())
    }

    /// A request begins: it is paid for.
    pub(super) fn pay(&mut self, step: &Step) {
        let Some(returns) = &mut self.returns else { return };
        match step {
            Step::Visit(visit) => {
                returns.allowance.begin();
                if returns.number(visit.fingerprint).is_some() {
                    returns.left(visit.fingerprint);
                    returns.use_slot(Slot::Return);
                } else {
                    returns.use_slot(Slot::Link(visit.record.worth));
                }
            }
            Step::Robots(_) => {
                returns.allowance.begin();
                returns.use_slot(Slot::Robots);
            }
            Step::Resolve(..) | Step::Wait(_) | Step::Done(_) => {}
        }
    }

    /// A request ended: its bytes are paid for.
    pub(super) fn paid(&mut self, bytes: u64) {
        if let Some(returns) = &mut self.returns {
            returns.allowance.end(bytes);
        }
    }

    /// Nothing can be fetched before `at`: when a watch looks again, which is now if its policy
    /// names a page before its time. `None` when nobody watches.
    pub(super) fn watch_idle(
        &mut self,
        at: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, CrawlError> {
        let Some(returns) = &mut self.returns else { return Ok(None) };
        if returns.is_none_called()
            && let Some(page) = returns.idle(now)
            && self.enter(page, now)?
        {
            return Ok(Some(now));
        }
        let again = self.returns.as_ref().map_or(at, |returns| returns.look_again(now));
        Ok(Some(at.min(again).min(self.budget.deadline())))
    }

    /// Notes a visit in the schedule, and what is to be kept of that.
    pub(super) fn note_return(
        &mut self,
        record: &UrlRecord,
        visit: &VisitRecord,
        brought: Brought,
        commit: &mut Commit,
    ) -> Result<(), CrawlError> {
        let Some(returns) = &mut self.returns else { return Ok(()) };
        let url = visit.url;
        returns.left(url);
        let number = returns.number(url);
        match (&visit.outcome, number) {
            (Visited::Page(_, facts), None) => {
                self.admit(record, &facts.judgement, brought, visit.at, commit);
            }
            (_, Some(page)) => {
                if let Some(kept) = self.store.page_return(url)? {
                    self.returned(page, &kept, record, visit, brought, commit);
                }
            }
            (_, None) => {}
        }
        if let Some(returns) = &mut self.returns {
            commit.watch = returns.watch_record(false);
            commit.spending = Some(returns.spending());
        }
        Ok(())
    }

    /// Takes in what a feed or a sitemap says of known pages, and what is to be kept of that.
    pub(super) fn heed_hints(
        &mut self,
        hints: &[(Fingerprint, Hint)],
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        let mut commit = Commit::default();
        for (url, hint) in hints {
            let Some(returns) = &mut self.returns else { break };
            let Some(page) = returns.told(*url, *hint, now) else { continue };
            if let Some(kept) = self.store.page_return(*url)? {
                let record = returns.record(page, facts_of(&kept), kept.seen);
                commit.returns.push((*url, Some(record)));
            }
        }
        if !commit.returns.is_empty() {
            self.store.commit(commit)?;
        }
        Ok(())
    }

    /// Queues the sitemaps that a host's robots.txt names, in a watch.
    pub(super) fn add_sitemaps(
        &mut self,
        host: HostId,
        scheme: Scheme,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        let access = self.access.get(&(host, scheme)).filter(|_| self.returns.is_some());
        let Some(access) = access else { return Ok(()) };
        let sitemaps = access.sitemaps().iter().filter_map(|url| PageUrl::parse(url).ok());
        let sitemaps: Vec<PageUrl> = sitemaps.take(MOST_SITEMAPS).collect();
        self.add_listed(sitemaps, now)
    }

    fn admit(
        &mut self,
        record: &UrlRecord,
        judgement: &Judgement,
        brought: Brought,
        seen: Timestamp,
        commit: &mut Commit,
    ) {
        let importance = self.importance(record, judgement, 0, brought);
        let host = record.head.host;
        let (group, url) = (group(&record.url), record.url.fingerprint());
        let Some(returns) = &mut self.returns else { return };
        let facts = Facts {
            host,
            host_name: self.hosts.get(host).record.name.name(),
            group,
            importance,
            known_rate: None,
            links: &[],
        };
        returns.admit(url, &facts, seen);
        if let Some(page) = returns.number(url) {
            let facts = PageFacts { host, group, importance };
            commit.returns.push((url, Some(returns.record(page, facts, seen))));
        }
        if returns.is_first_of(host) {
            let per_day = self.polite_rate(host);
            if let Some(returns) = &mut self.returns {
                returns.add_polite_rate(per_day);
            }
        }
    }

    /// A page is not to be fetched any more: it is not returned to either.
    pub(super) fn no_return(
        &mut self,
        url: Fingerprint,
        commit: &mut Commit,
    ) -> Result<(), CrawlError> {
        let Some(returns) = &mut self.returns else { return Ok(()) };
        returns.left(url);
        if let Some(kept) = self.store.page_return(url)? {
            returns.forget(url, &kept);
            commit.returns.push((url, None));
        }
        Ok(())
    }

    /// How the watch is doing.
    pub(crate) fn watch_progress(&self, now: Timestamp) -> Option<WatchProgress> {
        self.returns.as_ref().map(|returns| returns.progress(now))
    }

    fn returned(
        &mut self,
        page: PageNumber,
        kept: &ReturnRecord,
        record: &UrlRecord,
        visit: &VisitRecord,
        brought: Brought,
        commit: &mut Commit,
    ) {
        let links_in = self.returns.as_ref().map_or(0, |returns| returns.links_in(page));
        let importance = match &visit.outcome {
            _ if visit.happening == Some(Happening::Gone) => kept.importance * GONE_SHARE,
            Visited::Page(_, facts) => self.importance(record, &facts.judgement, links_in, brought),
            _ => kept.importance,
        };
        let counts_files = !self.journey.wishes().is_empty();
        let Some(returns) = &mut self.returns else { return };
        if record.head.status == Status::Redirected {
            returns.forget(visit.url, kept);
            commit.returns.push((visit.url, None));
            return;
        }
        let answer = answer(&visit.outcome);
        let seen = Seen {
            at: visit.ended,
            saw: saw(visit, counts_files),
            modified: answer.and_then(|answer| modified(&answer.validators)),
            bytes: answer.map_or(0, |answer| answer.wire_bytes),
            took_ms: u32::try_from(visit.ended.since(visit.at).as_millis()).unwrap_or(u32::MAX),
            new_links: brought.new_links,
        };
        // What failed showed nothing: the page was last seen before.
        let is_seen = seen.saw != Saw::Failed;
        if is_seen {
            returns.saw(visit.at.since(kept.seen), seen.saw == Saw::Changed);
        }
        returns.visited(page, &seen, kept.importance, importance);
        let facts = PageFacts { importance, ..facts_of(kept) };
        let seen_at = if is_seen { visit.at } else { kept.seen };
        commit.returns.push((visit.url, Some(returns.record(page, facts, seen_at))));
    }

    /// How much the freshness of a page matters: relevance, links that lead to it, the user's word.
    /// A feed or a sitemap stands for the pages whose changes it tells.
    fn importance(
        &self,
        record: &UrlRecord,
        judgement: &Judgement,
        links_in: u16,
        brought: Brought,
    ) -> f32 {
        let is_list = brought.listed > 0;
        let relevance = if is_list { 1.0 } else { judgement.score.get().max(LEAST_RELEVANCE) };
        let authority = 1.0 + (f32::from(links_in) + brought.listed as f32).ln_1p();
        relevance * authority * self.config.weight(&record.url.host())
    }

    /// What is kept when the crawl ends in good order.
    pub(super) fn last_watch_record(&mut self, commit: &mut Commit) {
        if let Some(returns) = &mut self.returns {
            commit.watch = returns.watch_record(true);
            commit.spending = Some(returns.spending());
        }
    }
}

/// What is kept of a page besides what its policy keeps.
fn facts_of(kept: &ReturnRecord) -> PageFacts {
    PageFacts { host: kept.host, group: kept.group, importance: kept.importance }
}

/// A number for the host and directory of a page: what is made alike tends to change together.
fn group(url: &PageUrl) -> u64 {
    let directory = url.path().rsplit_once('/').map_or("", |(directory, _)| directory);
    xxh3_64_with_seed(directory.as_bytes(), xxh3_64_with_seed(url.host().as_str().as_bytes(), 0))
}

fn answer(outcome: &Visited) -> Option<&Answer> {
    match outcome {
        Visited::Page(answer, _)
        | Visited::Answered(answer)
        | Visited::Redirected(answer, _)
        | Visited::Unchanged(answer)
        | Visited::File(answer) => Some(answer),
        Visited::Failed(..) => None,
    }
}

fn modified(validators: &Validators) -> Option<Timestamp> {
    let date = httpdate::parse_http_date(validators.last_modified.as_deref()?).ok()?;
    Some(date.into())
}

/// What a visit showed of its page. A change of the look alone counts where files are watched.
fn saw(visit: &VisitRecord, counts_files: bool) -> Saw {
    let significance = visit.change.as_ref().map(|change| change.significance);
    let least = if counts_files { Significance::Cosmetic } else { Significance::Minor };
    match (&visit.outcome, visit.happening) {
        (_, Some(Happening::Gone | Happening::Back)) => Saw::Changed,
        (Visited::Answered(_) | Visited::Failed(..) | Visited::Redirected(..), _) => Saw::Failed,
        _ if significance.is_some_and(|significance| significance >= least) => Saw::Changed,
        (Visited::Unchanged(_), _) => Saw::Same,
        (_, Some(Happening::Changed)) if significance.is_none() => Saw::Changed,
        _ => Saw::Noise,
    }
}
