//! What a finished visit changes: one visit, one commit.

use gannet_frontier::{Due, Entry, Mark};
use gannet_model::{Failure, Happening, HostId, PageUrl, Significance, Timestamp};
use gannet_politeness::{Contact, Outcome, Retry};
use gannet_store::{
    Answer, Commit, PageFacts, Status, UrlRecord, VisitNumber, VisitRecord, Visited,
};

use super::discover::Discovery;
use super::learning::Read;
use super::versions::{Missed, Past, Versioned};
use super::watching::Brought;
use super::{Crawl, CrawlError, ordering};
use crate::hosts::Address;
use crate::journey::{Answered, Candidate, Content, Reading};
use crate::step::{Kept, Report, Visit};

impl Crawl {
    /// Takes in what came of a visit. The evidence, if any, is in the archive already.
    pub fn visited(
        &mut self,
        visit: Visit,
        report: Report,
        kept: Option<Kept>,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        self.under_way -= 1;
        self.budget.page_ends(visit.body_limit);
        self.leased.remove(&visit.fingerprint);
        self.note_time(now);
        self.paid(match &report {
            Report::Answered(answered) => answered.answer.wire_bytes,
            _ => 0,
        });
        match report {
            Report::Answered(answered) => self.answered(visit, *answered, kept, now),
            Report::Failed { failure: Failure::BodyTooLarge, .. }
                if self.budget.cut_short(visit.body_limit) =>
            {
                // Not the page's fault: it stays queued for a run with more to spend.
                self.frontier.put_back(visit.host, visit.entry);
                self.called_off(visit.host, visit.address, now)
            }
            Report::Failed { failure, message, asked_at } => {
                self.end_contact(visit.host, visit.address, Contact::Failed(failure), now);
                let outcome = Visited::Failed(failure, message);
                let Visit { host, stored: entry, record, .. } = visit;
                self.settle_failure(host, entry, record, failure, (asked_at, outcome), now)
            }
            Report::Moved(ip) => {
                self.gate.end(visit.host, visit.address, Timestamp::ZERO, now);
                self.release_parked(visit.address);
                let state = self.hosts.get_mut(visit.host);
                let expires = state.address.map_or(now, |address| address.expires);
                state.address = Some(Address { ip, expires });
                self.frontier.put_back(visit.host, visit.entry);
                self.frontier.release(visit.host);
                Ok(())
            }
            Report::CalledOff => {
                self.frontier.put_back(visit.host, visit.entry);
                self.called_off(visit.host, visit.address, now)
            }
        }
    }

    /// A request was called off on its way: its host counts as contacted just now.
    pub(super) fn called_off(
        &mut self,
        host: HostId,
        address: Option<std::net::IpAddr>,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        let rules = self.hosts.pace_rules(host).clone();
        let record = &mut self.hosts.get_mut(host).record;
        let (delay, _) = record.pace.delay(&rules);
        record.pace.restarted(now, delay);
        let record = record.clone();
        self.gate.end(host, address, record.pace.spaced_until(), now);
        self.frontier.hold(host, record.pace.ready_at().0);
        self.release_parked(address);
        Ok(self.store.commit(Commit { hosts: vec![(host, record)], ..Commit::default() })?)
    }

    fn answered(
        &mut self,
        visit: Visit,
        answered: Answered,
        kept: Option<Kept>,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        self.count_answer(&visit, &answered, now);
        let Visit { host, stored: entry, record, url, depth, past, .. } = visit;
        let mut settled = Settled {
            asked_at: answered.asked_at,
            kept,
            ordinal: past.next_ordinal(),
            ..Settled::new(entry)
        };
        let Answered { answer, content, .. } = answered;
        let mut arrival = Arrival { host, entry, record, url, depth, past, read: None };
        let outcome = match content {
            Content::Page(reading) => {
                self.page_came(&mut arrival, reading, answer, &mut settled, now)?
            }
            Content::File(code) => {
                let Arrival { record, past, .. } = &mut arrival;
                record.tries.decide(Outcome::Answered(answer.status), &self.config.retry, now);
                let (outcome, versioned) = self.file_came(record, code, answer, past)?;
                settled.versioned = versioned;
                outcome
            }
            Content::Redirect(target) => {
                self.redirect_came(&mut arrival, target, answer, &mut settled, now)
            }
            Content::Nothing => self.nothing_came(&mut arrival, answer, &mut settled, now)?,
        };
        self.settle(host, arrival.record, outcome, settled, now)?;
        self.hasten_risen();
        arrival.read.map_or(Ok(()), |read| self.study(read, now))
    }

    fn page_came(
        &mut self,
        arrival: &mut Arrival,
        mut reading: Box<Reading>,
        answer: Answer,
        settled: &mut Settled,
        now: Timestamp,
    ) -> Result<Visited, CrawlError> {
        let Arrival { host, entry, record, url, past, read, .. } = arrival;
        let status = answer.status;
        record.tries.decide(Outcome::Answered(status), &self.config.retry, now);
        if let Some(said) = self.said.get(&entry.url) {
            reading.judgement = said.judgement(&reading.judgement);
        }
        let files = self.files_of(&reading)?;
        reading.look.hold(files);
        settled.versioned = self.compare_version(*host, record, &reading.look, past)?;
        record.because = format!("answered {status}");
        record.head.status = Status::Fetched;
        if settled.versioned.is_stand_in {
            record.because = format!("answered {status} with what stands for gone pages");
            record.head.status = Status::Gone;
        }
        if settled.versioned.same_as.is_some() {
            return Ok(past.unchanged(answer));
        }
        self.page(*host, record, &reading, settled, past, now)?;
        self.discover_files(record, &reading, &mut settled.discovery, now);
        self.heed_hints(&reading.hints, now)?;
        settled.listed = u32::try_from(reading.hints.len()).unwrap_or(u32::MAX);
        let facts = facts(url, &reading, settled.discovery.queued());
        if !past.has_page() {
            let (url, anchor) = (url.clone(), record.found.anchor.clone());
            *read = Some(Read { host: *host, fingerprint: entry.url, url, anchor, reading });
        }
        Ok(Visited::Page(answer, facts))
    }

    fn redirect_came(
        &mut self,
        arrival: &mut Arrival,
        target: Option<Box<Candidate>>,
        answer: Answer,
        settled: &mut Settled,
        now: Timestamp,
    ) -> Visited {
        let Arrival { entry, record, depth, past, .. } = arrival;
        let status = answer.status;
        record.tries.decide(Outcome::Answered(status), &self.config.retry, now);
        self.counters.redirects += 1;
        let Some(target) = target else {
            record.because = Failure::BadRedirect.to_string();
            record.head.status = Status::Failed;
            return Visited::Redirected(answer, None);
        };
        settled.versioned.happening = past.has_page().then_some(Happening::Moved);
        record.because = format!("answered {status}, leads to {}", target.url);
        record.head.status = Status::Redirected;
        self.discover_redirect(record, &target, *depth, &mut settled.discovery, now);
        // What was said of a page is said of where it moved to.
        if let Some(said) = self.said.get(&entry.url).cloned() {
            self.said.entry(target.fingerprint).or_insert(said);
        }
        Visited::Redirected(answer, Some(target.url))
    }

    fn nothing_came(
        &mut self,
        arrival: &mut Arrival,
        answer: Answer,
        settled: &mut Settled,
        now: Timestamp,
    ) -> Result<Visited, CrawlError> {
        let Arrival { host, entry, record, past, .. } = arrival;
        let status = answer.status;
        let retry = record.tries.decide(Outcome::Answered(status), &self.config.retry, now);
        if status == 304 && past.has_page() {
            if let Some(versioned) = self.compare_attached(entry.url)? {
                settled.versioned = versioned;
            }
            settled.versioned.same_as = past.version().map(|version| version.number);
            record.head.status = if past.is_stand_in() { Status::Gone } else { Status::Fetched };
            record.because = "not modified".to_owned();
            return Ok(past.unchanged(answer));
        }
        let missed = self.missed(*host, *entry, record, status, past, now)?;
        self.miss(*host, *entry, record, retry, missed, settled);
        Ok(Visited::Answered(answer))
    }

    /// Ends the contact with the host, and counts what it cost.
    fn count_answer(&mut self, visit: &Visit, answered: &Answered, now: Timestamp) {
        let status = answered.answer.status;
        let contact = Contact::Answered {
            status,
            retry_after: answered.retry_after.as_deref(),
            took: answered.took,
        };
        self.end_contact(visit.host, visit.address, contact, now);
        self.counters.answered += 1;
        self.counters.wire_bytes += answered.answer.wire_bytes;
        self.counters.body_bytes += answered.answer.body_bytes;
        let host = &mut self.hosts.get_mut(visit.host).record.counters;
        host.bytes += answered.answer.wire_bytes;
        if status >= 400 {
            host.errors += 1;
            self.counters.errors += 1;
        }
    }

    /// Counts a page, lets the order learn from it and follows its links.
    fn page(
        &mut self,
        host: HostId,
        record: &UrlRecord,
        reading: &Reading,
        settled: &mut Settled,
        past: &Past,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        let is_relevant = reading.judgement.is_relevant();
        if past.has_page() {
            // It is counted and known already; only an edit may bring new links.
            let change = settled.versioned.change.as_ref();
            if change.is_none_or(|change| change.channels.most() <= Significance::Noise) {
                return Ok(());
            }
            self.learn_from(host, record, reading);
            return self.discover_links(record, reading, &mut settled.discovery, now);
        }
        self.counters.fetched += 1;
        self.counters.relevant += u64::from(is_relevant);
        let counters = &mut self.hosts.get_mut(host).record.counters;
        counters.fetched += 1;
        counters.relevant += u64::from(is_relevant);
        self.learn_from(host, record, reading);
        self.discover_links(record, reading, &mut settled.discovery, now)
    }

    /// A request that brought no usable answer: again later, or never.
    pub(super) fn settle_failure(
        &mut self,
        host: HostId,
        entry: Entry,
        mut record: UrlRecord,
        failure: Failure,
        (asked_at, outcome): (Timestamp, Visited),
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        self.counters.failures += 1;
        self.hosts.get_mut(host).record.counters.failures += 1;
        let retry = record.tries.decide(Outcome::Failed(failure), &self.config.retry, now);
        let past = self.past(&record)?;
        let ordinal = past.next_ordinal();
        let mut settled = Settled { asked_at, ordinal, ..Settled::new(entry) };
        let missed = if past.has_page() { Missed::Kept } else { Missed::Unknown };
        self.miss(host, entry, &mut record, retry, missed, &mut settled);
        self.settle(host, record, outcome, settled, now)
    }

    /// An answer that brought no page: again later, never, or as it was.
    fn miss(
        &mut self,
        host: HostId,
        entry: Entry,
        record: &mut UrlRecord,
        retry: Retry,
        missed: Missed,
        settled: &mut Settled,
    ) {
        match missed {
            Missed::Gone { is_news } => {
                settled.versioned.happening = is_news.then_some(Happening::Gone);
            }
            Missed::Doubtful(due) => settled.again = Some(due),
            Missed::Kept if !matches!(retry, Retry::Again { .. }) => {
                record.head.status = Status::Fetched;
                if let Retry::GiveUp { because } = retry {
                    record.because = format!("{because}; the copy stays");
                }
            }
            Missed::Kept | Missed::Unknown => {
                self.decide_again(host, entry, record, retry, settled);
            }
        }
    }

    fn decide_again(
        &mut self,
        host: HostId,
        entry: Entry,
        record: &mut UrlRecord,
        retry: Retry,
        settled: &mut Settled,
    ) {
        match retry {
            Retry::Again { at, because } => {
                record.head.status = Status::Scheduled { due: at };
                record.because = because;
                let worth = record.worth;
                settled.again = Some(Due { at, url: entry.url, host, worth });
            }
            Retry::GiveUp { because } => {
                if record.found.how.file().is_none() {
                    self.order.observe_miss(&ordering::queued(entry.url, record));
                }
                record.head.status = Status::Failed;
                record.because = because;
            }
            Retry::Done => {
                record.head.status = Status::Fetched;
                record.because = "not modified".to_owned();
            }
        }
    }

    /// Commits a visit as a whole, then tells the frontier.
    fn settle(
        &mut self,
        host: HostId,
        mut record: UrlRecord,
        outcome: Visited,
        settled: Settled,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        let url = settled.entry.url;
        let number: VisitNumber = self.next_visit;
        self.next_visit += 1;
        let visit = VisitRecord {
            url: settled.entry.url,
            at: settled.asked_at,
            ended: now,
            outcome,
            archived: settled.kept.map(|kept| kept.at),
            previous: record.last_visit,
            ordinal: settled.ordinal,
            // The version has its own.
            digest: settled
                .kept
                .filter(|_| settled.versioned.same_as.is_none())
                .map(|kept| kept.digest),
            same_as: settled.versioned.same_as,
            happening: settled.versioned.happening,
            change: settled.versioned.change,
            persisted: settled.versioned.persisted,
        };
        record.last_visit = Some(number);
        let brought = Brought { new_links: settled.discovery.promise(), listed: settled.listed };
        let order = self.order_to_store(false);
        let mut commit = Commit {
            order,
            dequeued: vec![(host, settled.entry.key)],
            scheduled: settled.again.into_iter().collect(),
            hosts: vec![(host, self.hosts.get(host).record.clone())],
            visits: Vec::new(),
            memories: settled.versioned.memory.map(|memory| (url, memory)).into_iter().collect(),
            churn: settled.versioned.churn.map(|churn| (host, churn)).into_iter().collect(),
            counters: Some(self.counters),
            ..Commit::default()
        };
        self.note_return(&record, &visit, brought, &mut commit)?;
        commit.visits.push((number, visit));
        commit.urls.push((settled.entry.url, record));
        let effects = settled.discovery.into_commit(&mut commit);
        self.store.commit(commit)?;

        self.known.set(settled.entry.url, Mark::SETTLED);
        self.frontier.settled(host);
        self.checked(settled.entry.url);
        if let Some(due) = settled.again {
            self.frontier.schedule(due);
        }
        self.apply(effects);
        Ok(())
    }
}

/// A visit that got an answer.
struct Arrival {
    host: HostId,
    entry: Entry,
    record: UrlRecord,
    url: PageUrl,
    depth: u32,
    past: Past,
    /// The page, when there is something to learn from it.
    read: Option<Read>,
}

/// What a finished visit changes, while it is put together.
struct Settled {
    entry: Entry,
    asked_at: Timestamp,
    kept: Option<Kept>,
    ordinal: u32,
    versioned: Versioned,
    again: Option<Due>,
    discovery: Discovery,
    /// Pages whose changes the page tells of, when it is a feed or a sitemap.
    listed: u32,
}

impl Settled {
    fn new(entry: Entry) -> Settled {
        Settled {
            entry,
            asked_at: Timestamp::ZERO,
            kept: None,
            ordinal: 1,
            versioned: Versioned::default(),
            again: None,
            discovery: Discovery::default(),
            listed: 0,
        }
    }
}

fn facts(url: &PageUrl, reading: &Reading, new_links: u32) -> PageFacts {
    let document = &reading.document;
    PageFacts {
        title: document.title.clone(),
        language: document.language.clone(),
        canonical: document.canonical.clone().filter(|canonical| canonical != url),
        judgement: reading.judgement.clone(),
        links: u32::try_from(document.links.len()).unwrap_or(u32::MAX),
        new_links,
        notes: document.notes.clone(),
    }
}
