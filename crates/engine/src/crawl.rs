//! The heart: a state machine that says what to do next.
//!
//! `next(now)` names one step; the driver does it and reports back, and the
//! heart commits what it changed. No socket, no clock, no thread: the same
//! code runs the real crawl and the lab's. The only thing it touches is its
//! [`Store`], which the lab keeps in memory.

mod attached;
mod check;
mod discover;
mod learning;
mod ordering;
mod resume;
mod robots;
mod turn;
mod versions;
mod visited;
mod watching;

pub(crate) use versions::Past;

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use gannet_frontier::{Due, Entry, Frontier, Known, Mark, Next, QueueKey, Refill};
use gannet_links::{Order, build_order};
use gannet_model::{Fingerprint, HostId, Scheme, Timestamp};
use gannet_politeness::{Access, Contact, Gate, RobotsAnswer};
use gannet_scope::{ParameterWatch, TrapWatch};
use gannet_store::{
    Commit, Counters, CrawlRecord, CrawlState, Status, Store, StoreError, VisitNumber,
};

use crate::budget::{Budget, Room};
use crate::config::{Config, SetupError};
use crate::copies::Copies;
use crate::finish::FinishReason;
use crate::hosts::{Address, HostTable};
use crate::journey::Journey;
use crate::labelled::{Labelled, with_pages};
use crate::labels::Said;
use crate::questions::Candidates;
use crate::returns::Returns;
use crate::step::Step;
use crate::teaching::{Learned, Teacher};
use crate::templates::Templates;

/// The state machine at the heart of a crawl.
pub struct Crawl {
    config: Arc<Config>,
    journey: Arc<Journey>,
    store: Box<dyn Store>,
    order: Box<dyn Order>,
    pub(crate) frontier: Frontier,
    pub(crate) known: Known,
    gate: Gate,
    pub(crate) hosts: HostTable,
    /// What is known of hosts' robots.txt, as far as it was used lately.
    access: HashMap<(HostId, Scheme), Access>,
    traps: TrapWatch,
    parameters: ParameterWatch,
    /// The texts of pages: what repeats one is not new.
    copies: Copies,
    /// What repeats over the pages of each host.
    templates: Templates,
    /// Owns the newest model and teaches it.
    teacher: Teacher,
    /// What people said of pages, fetched or not.
    said: HashMap<Fingerprint, Said>,
    /// Pages that people should be asked about.
    candidates: Candidates,
    /// What was learned and not told yet.
    news: Vec<Learned>,
    pub(crate) budget: Budget,
    pub(crate) counters: Counters,
    /// The crawl's own record, as stored.
    record: CrawlRecord,
    /// The number of the next link to be queued.
    next_sequence: u64,
    next_visit: VisitNumber,
    /// Hosts that wait for another host at the same address.
    parked: HashMap<IpAddr, Vec<HostId>>,
    /// Hosts whose robots.txt is said to be at another host that is being looked up.
    robots_elsewhere: HashMap<HostId, Vec<(HostId, Scheme)>>,
    /// URLs being fetched.
    leased: HashSet<Fingerprint>,
    /// Links that were put back since one was last fetched, because others were better.
    put_back: u32,
    /// These, until the store is told of their new places.
    lowered: Commit,
    /// The pages to look at again, when nothing else is to be fetched.
    checks: Option<check::Checks>,
    /// Known pages and when they are due, in a watch.
    returns: Option<Returns>,
    /// How many pages had been fetched when what the ordering learned was last stored.
    order_stored_at: u64,
    /// Steps handed out and not yet reported back.
    pub(crate) under_way: usize,
    stopping: Option<FinishReason>,
    pub(crate) started: Timestamp,
    /// Time crawled in earlier runs.
    crawled_before: Duration,
}

/// Why a crawl cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrawlError {
    /// The settings do not make a crawl.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How many robots.txt are kept in memory; the store has the others.
const ACCESS_KEPT: usize = 20_000;

impl Crawl {
    /// Starts or resumes the crawl that `store` holds. `labels` is everything that people said
    /// so far; what they say later comes by [`Crawl::labelled`].
    pub fn open(
        config: Arc<Config>,
        journey: Arc<Journey>,
        store: Box<dyn Store>,
        labels: Vec<Labelled>,
        now: Timestamp,
    ) -> Result<Crawl, CrawlError> {
        let said: Vec<_> = labels.iter().map(|label| (label.url, label.said.clone())).collect();
        let (teacher, change) =
            Teacher::open(&config, journey.model(), store.learned()?, with_pages(labels), now);
        let interest = ordering::interest(&config.topic);
        let order = build_order(&config.order.name, &interest, &config.order.settings)
            .map_err(SetupError::from)?;
        let order = config.bounds.around(order, &interest);
        let body_limit = config.fetch.limits.max_body_bytes;
        let counters = store.counters()?;
        let mut crawl = Crawl {
            order,
            frontier: Frontier::new(),
            known: Known::new(),
            gate: Gate::new(),
            hosts: HostTable::new(config.clone()),
            access: HashMap::new(),
            traps: TrapWatch::new(&config.traps).map_err(SetupError::from)?,
            parameters: ParameterWatch::new(config.traps.idle_parameter_after),
            copies: Copies::default(),
            templates: Templates::default(),
            candidates: Candidates::new(learning::QUESTIONS, teacher.model().version()),
            teacher,
            said: HashMap::new(),
            news: Vec::new(),
            budget: Budget::new(config.limits.clone(), body_limit, now),
            counters,
            record: new_record(&config, &journey, now),
            next_sequence: 0,
            next_visit: 0,
            parked: HashMap::new(),
            robots_elsewhere: HashMap::new(),
            leased: HashSet::new(),
            put_back: 0,
            lowered: Commit::default(),
            checks: None,
            returns: None,
            order_stored_at: 0,
            under_way: 0,
            stopping: None,
            started: now,
            crawled_before: Duration::from_micros(counters.crawled_micros),
            config,
            journey,
            store,
        };
        crawl.resume(now)?;
        crawl.resume_order()?;
        crawl.resume_returns(now)?;
        crawl.adopt(change)?;
        crawl.note(&said)?;
        crawl.add_seeds(now)?;
        Ok(crawl)
    }

    /// What to do at `now`.
    pub fn next(&mut self, now: Timestamp) -> Result<Step, CrawlError> {
        let step = self.find_step(now)?;
        self.store_lowered()?;
        Ok(step)
    }

    fn find_step(&mut self, now: Timestamp) -> Result<Step, CrawlError> {
        if let Some(reason) = self.stopping {
            return Ok(self.wait_or_end(reason));
        }
        if let Room::Spent(reason) = self.budget.room(&self.counters, now) {
            return Ok(self.wait_or_end(reason));
        }
        if self.checks.as_ref().is_some_and(check::Checks::is_done) {
            return Ok(self.wait_or_end(FinishReason::Checked));
        }
        if let Some(until) = self.heed_schedule(now)? {
            return Ok(Step::Wait(until.min(self.budget.deadline())));
        }
        loop {
            let next = self.frontier.next(now);
            match next {
                Next::Due(due) => self.requeue(due)?,
                Next::Refill(refill) => {
                    self.store_lowered()?;
                    self.refill(refill)?;
                }
                Next::Host(host) => match self.budget.room(&self.counters, now) {
                    Room::Spent(reason) => return Ok(self.wait_or_end(reason)),
                    Room::Later => return Ok(Step::Wait(self.budget.deadline())),
                    Room::Yes(bytes) => {
                        if let Some(step) = self.turn(host, bytes, now)? {
                            self.under_way += 1;
                            self.pay(&step);
                            return Ok(step);
                        }
                    }
                },
                Next::Wait(_) | Next::Empty if self.returns.is_some() => {
                    let at = if let Next::Wait(at) = next { at } else { Timestamp::NEVER };
                    match self.watch_idle(at, now)? {
                        Some(until) if until <= now => {}
                        until => return Ok(Step::Wait(until.unwrap_or(at))),
                    }
                }
                Next::Wait(at) => return Ok(self.idle(at, now)),
                Next::Empty if self.under_way > 0 => return Ok(Step::Wait(self.budget.deadline())),
                Next::Empty if self.counters.answered == 0 => {
                    return Ok(Step::Done(FinishReason::NothingFetched));
                }
                Next::Empty => return Ok(Step::Done(FinishReason::Exhausted)),
            }
        }
    }

    /// When the time is up; [`Timestamp::NEVER`] without a time limit.
    pub fn deadline(&self) -> Timestamp {
        self.budget.deadline()
    }

    /// Hands out no further step; what is under way may still be reported.
    pub fn stop(&mut self, reason: FinishReason) {
        self.stopping.get_or_insert(reason);
    }

    /// Takes in where a host lives, or why nobody knows. `expires` says when to look again.
    pub fn resolved(
        &mut self,
        host: HostId,
        address: Result<(IpAddr, Timestamp), gannet_model::Failure>,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        self.under_way -= 1;
        let askers = self.robots_elsewhere.remove(&host).unwrap_or_default();
        match address {
            Ok((ip, expires)) => {
                self.hosts.get_mut(host).address = Some(Address { ip, expires });
                self.frontier.release(host);
                for (asker, _) in askers {
                    self.frontier.release(asker);
                }
                Ok(())
            }
            Err(failure) => {
                for (asker, scheme) in askers {
                    self.learn(asker, scheme, RobotsAnswer::Failed(failure), now)?;
                }
                self.unresolved(host, failure, now)
            }
        }
    }

    /// Writes that the crawl stopped in good order, and syncs.
    pub fn close(&mut self, reason: FinishReason, now: Timestamp) -> Result<(), CrawlError> {
        for change in self.teacher.close(now) {
            self.adopt(change)?;
        }
        self.spill_all()?;
        self.note_time(now);
        self.record.state = CrawlState::Stopped { at: now, reason: reason.name().to_owned() };
        let order = self.order_to_store(true);
        let mut commit = Commit {
            order,
            counters: Some(self.counters),
            crawl: Some(self.record.clone()),
            ..Commit::default()
        };
        self.last_watch_record(&mut commit);
        self.store.commit(commit)?;
        self.store.sync()?;
        Ok(())
    }

    /// Makes everything committed outlast a power cut.
    pub fn sync(&mut self) -> Result<(), CrawlError> {
        Ok(self.store.sync()?)
    }

    /// The journey that answers are read with.
    pub fn journey(&self) -> Arc<Journey> {
        self.journey.clone()
    }

    /// The memory of the crawl.
    pub fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// Nothing may be contacted before `at`.
    fn idle(&self, at: Timestamp, now: Timestamp) -> Step {
        let at = at.min(self.budget.deadline());
        if self.under_way > 0 {
            return Step::Wait(at);
        }
        if now >= self.budget.deadline() {
            return Step::Done(FinishReason::TimeLimit);
        }
        if self.counters.answered == 0 && self.is_hopeless() {
            return Step::Done(FinishReason::NothingFetched);
        }
        if at.since(now) > self.budget.limits().idle {
            return Step::Done(FinishReason::Idle { until: at });
        }
        Step::Wait(at)
    }

    /// True when every host with work is out of reach, or keeps its rules to itself. Only a crawl
    /// that got no answer at all asks: any other waits and sees.
    fn is_hopeless(&self) -> bool {
        let is_silent = |id: HostId| {
            [Scheme::Http, Scheme::Https].into_iter().any(|scheme| {
                matches!(self.access.get(&(id, scheme)), Some(Access::Unreachable { .. }))
            })
        };
        let mut with_work = self.hosts.iter().filter(|(id, _)| self.frontier.queued_of(*id) > 0);
        with_work.all(|(id, state)| state.record.pace.down_since().is_some() || is_silent(id))
    }

    /// Ends as soon as nothing is under way.
    fn wait_or_end(&self, reason: FinishReason) -> Step {
        if self.under_way > 0 { Step::Wait(Timestamp::NEVER) } else { Step::Done(reason) }
    }

    /// Reads the stretch of a queue that the frontier asks for.
    fn refill(&mut self, refill: Refill) -> Result<(), CrawlError> {
        match refill {
            Refill::Host(host, from, want) => {
                let stretch = self.store.queue(host, from, want)?;
                self.frontier.refilled_host(host, &stretch, stretch.len() == want);
            }
            Refill::Later(at, url, want) => {
                let stretch = self.store.scheduled((at, url), want)?;
                self.frontier.refilled_later(&stretch, stretch.len() == want);
            }
        }
        Ok(())
    }

    /// A scheduled visit's time has come: into its host's queue.
    fn requeue(&mut self, due: Due) -> Result<(), CrawlError> {
        let mut commit = Commit { unscheduled: vec![(due.at, due.url)], ..Commit::default() };
        let record = self.store.url(due.url)?;
        let current = record.filter(|r| r.head.status == Status::Scheduled { due: due.at });
        let Some(mut record) = current else {
            self.store.commit(commit)?;
            return Ok(());
        };
        let key = self.queue_key(due.worth);
        record.head.status = Status::Queued { key };
        commit.urls.push((due.url, record));
        commit.queued.push((due.host, key, due.url));
        self.store.commit(commit)?;
        self.known.set(due.url, Mark::queued(due.worth));
        self.frontier.push(due.host, Entry { key, url: due.url });
        Ok(())
    }

    fn queue_key(&mut self, worth: gannet_model::Worth) -> QueueKey {
        let key = QueueKey::new(worth, self.next_sequence);
        self.next_sequence += 1;
        key
    }

    /// A contact with `host` ended: its pace, its gate and whoever waited for its address.
    fn end_contact(
        &mut self,
        host: HostId,
        address: Option<IpAddr>,
        contact: Contact<'_>,
        now: Timestamp,
    ) {
        let rules = self.hosts.pace_rules(host).clone();
        let pace = &mut self.hosts.get_mut(host).record.pace;
        pace.completed(contact, &rules, now);
        let (ready_at, _) = pace.ready_at();
        let spaced_until = pace.spaced_until();
        self.gate.end(host, address, spaced_until, now);
        self.frontier.hold(host, ready_at);
        self.release_parked(address);
    }

    fn release_parked(&mut self, address: Option<IpAddr>) {
        let waiting = address.and_then(|address| self.parked.remove(&address));
        for host in waiting.into_iter().flatten() {
            self.frontier.release(host);
        }
    }

    /// Counts the time of this run into the counters.
    fn note_time(&mut self, now: Timestamp) {
        let crawled = self.crawled_before + now.since(self.started);
        self.counters.crawled_micros = u64::try_from(crawled.as_micros()).unwrap_or(u64::MAX);
    }
}

/// The record of a crawl that begins now.
fn new_record(config: &Config, journey: &Journey, now: Timestamp) -> CrawlRecord {
    CrawlRecord {
        created: now,
        topic: config.topic.to_string(),
        definition: serde_json::to_string(&config.topic).ok(),
        model: config.model.name.clone(),
        order: config.order.name.clone(),
        scope: journey.scope().to_string(),
        state: CrawlState::Running { since: now },
    }
}
