//! Known pages and the times they are due, with what the day's budget leaves for them.
//!
//! New links and returns compete in one queue by what a request brings. The value of a return is in
//! weighted days of freshness; a new relevant page brings as many as an average page has between
//! two visits. That is the unit in which both are told as worth, so one price rules both: slots
//! that go to links worth less than the price could have gone to returns, and the policy is told
//! so.

use std::collections::HashMap;
use std::time::Duration;

use gannet_model::{Fingerprint, HostId, Timestamp, Worth};
use gannet_revisit::{Facts, Hint, Next, PageNumber, Schedule, Visit, build_policy};
use gannet_store::{ReturnRecord, SpendingRecord, Store, WatchRecord};

use crate::allowance::{Allowance, DailyBudget};
use crate::called::Called;
use crate::config::{Chosen, SetupError};
use crate::outlook::SeenSpans;
use crate::page_numbers::PageNumbers;
use crate::progress::WatchProgress;

/// How a watch is run.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchConfig {
    /// The revisit policy.
    pub policy: Chosen,
    /// What may be used in a day, for new pages and known ones together.
    pub budget: DailyBudget,
}

impl Default for WatchConfig {
    fn default() -> WatchConfig {
        let policy = Chosen::named(gannet_revisit::DEFAULT_POLICY);
        WatchConfig { policy, budget: DailyBudget::default() }
    }
}

/// The share of the budget that returns get before anything is known: half.
const FIRST_SHARE: f64 = 0.5;
/// The weight of one slot in that share.
const SLOT_WEIGHT: f64 = 0.005;
/// Slots after which the policy is told of its budget.
const TOLD_EVERY: u32 = 50;
/// What the policy learned is stored again once visits have written so many times its bytes: a
/// small watch stores it with almost every visit, a large one now and then.
const BYTES_PER_VISIT: usize = 2000;
/// How often a watch without a budget may find that nothing is due.
const IDLE_EVERY: Duration = Duration::from_secs(60);

/// The shortest wait.
const AT_ONCE: Duration = Duration::from_secs(1);

/// Known pages and the times they are due.
pub(crate) struct Returns {
    policy_name: String,
    schedule: Schedule,
    pages: PageNumbers,
    /// Known pages that link to each page.
    links_in: Vec<u16>,
    /// Pages of each host.
    hosts: HashMap<HostId, u32>,
    pub(crate) allowance: Allowance,
    called: Called,
    importance_sum: f64,
    /// The share of the slots that links worth more than the price leave.
    returning: f64,
    slots: u32,
    /// Visits since what the policy learned was stored, and how many bytes that took.
    visits: usize,
    state_bytes: usize,
    /// The price as last seen, in the policy's unit.
    price: f64,
    /// Requests a day that politeness leaves, for watches without a budget.
    polite_rate: f64,
    idle_until: Timestamp,
    /// What the visits of this run showed.
    seen: SeenSpans,
}

/// Pages that are looked at to tell how fresh all are.
const SAMPLED: usize = 4096;

/// What is kept of a page besides what its policy keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageFacts {
    pub(crate) host: HostId,
    pub(crate) group: u64,
    pub(crate) importance: f32,
}

/// What a slot was used for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Slot {
    /// A known page.
    Return,
    /// A new link of this worth.
    Link(Worth),
    /// A robots.txt.
    Robots,
}

impl Returns {
    /// An empty schedule, its policy as an earlier run left it.
    pub(crate) fn open(
        config: &WatchConfig,
        store: &dyn Store,
        now: Timestamp,
    ) -> Result<Returns, ReturnsError> {
        let policy =
            build_policy(&config.policy.name, &config.policy.settings).map_err(SetupError::from)?;
        let mut schedule = Schedule::new(policy);
        let before = store.watch()?.filter(|before| before.policy == config.policy.name);
        if let Some(before) = &before {
            // What cannot be read is learned anew.
            schedule.restore_state(&before.state);
        }
        let spending = store.spending()?;
        Ok(Returns {
            policy_name: config.policy.name.clone(),
            schedule,
            pages: PageNumbers::default(),
            links_in: Vec::new(),
            hosts: HashMap::new(),
            allowance: Allowance::new(config.budget, spending, now),
            called: Called::default(),
            importance_sum: 0.0,
            returning: spending.map_or(FIRST_SHARE, |before| before.returning),
            slots: spending.map_or(0, |before| before.slots),
            visits: 0,
            state_bytes: 0,
            price: 0.0,
            polite_rate: 0.0,
            idle_until: Timestamp::ZERO,
            seen: SeenSpans::default(),
        })
    }

    /// True when pages' states were written by another policy.
    pub(crate) fn is_other_policy(&self, store: &dyn Store) -> Result<bool, ReturnsError> {
        Ok(store.watch()?.is_none_or(|before| before.policy != self.policy_name))
    }

    /// How many pages are known.
    pub(crate) fn len(&self) -> usize {
        self.pages.len()
    }

    /// The number of a page.
    pub(crate) fn number(&self, url: Fingerprint) -> Option<PageNumber> {
        self.pages.get(url)
    }

    /// The schedule, for those who only look.
    pub(crate) fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The page of a number.
    pub(crate) fn url(&self, page: PageNumber) -> Option<Fingerprint> {
        self.pages.url(page)
    }

    /// Takes in a page as an earlier run left it.
    pub(crate) fn restore(
        &mut self,
        url: Fingerprint,
        name: &str,
        record: &ReturnRecord,
        is_other_policy: bool,
    ) {
        let facts = Facts {
            host: record.host,
            host_name: name,
            group: record.group,
            importance: record.importance,
            known_rate: None,
            links: &[],
        };
        let state = if is_other_policy { &[] } else { record.state.as_slice() };
        let page = PageNumber(record.number);
        self.schedule.restore_as(page, &facts, state, record.due, record.seen);
        self.note(url, page, &facts, record.links_in);
    }

    /// All pages of an earlier run are in.
    pub(crate) fn restored(&mut self) {
        self.schedule.restored();
    }

    /// Takes in a page that was seen for the first time; when it is due.
    pub(crate) fn admit(&mut self, url: Fingerprint, facts: &Facts<'_>, seen: Timestamp) {
        let (page, _) = self.schedule.admit(facts, seen);
        self.note(url, page, facts, 0);
    }

    fn note(&mut self, url: Fingerprint, page: PageNumber, facts: &Facts<'_>, links_in: u16) {
        self.pages.put(url, page);
        let at = page.0 as usize;
        if at >= self.links_in.len() {
            self.links_in.resize(at + 1, 0);
        }
        self.links_in[at] = links_in;
        *self.hosts.entry(facts.host).or_default() += 1;
        self.importance_sum += f64::from(facts.importance);
    }

    /// A page is not to be visited again.
    pub(crate) fn forget(&mut self, url: Fingerprint, kept: &ReturnRecord) {
        let Some(page) = self.pages.remove(url) else { return };
        self.importance_sum -= f64::from(kept.importance);
        self.schedule.forget(page);
        if let Some(pages) = self.hosts.get_mut(&kept.host) {
            *pages = pages.saturating_sub(1);
        }
    }

    /// Another page links to this one.
    pub(crate) fn linked(&mut self, url: Fingerprint) {
        if let Some(page) = self.pages.get(url) {
            let count = &mut self.links_in[page.0 as usize];
            *count = count.saturating_add(1);
        }
    }

    /// How many known pages link to a page.
    pub(crate) fn links_in(&self, page: PageNumber) -> u16 {
        self.links_in.get(page.0 as usize).copied().unwrap_or(0)
    }

    /// What a visit to a known page showed, and how important it was before and is now.
    pub(crate) fn visited(
        &mut self,
        page: PageNumber,
        visit: &Visit,
        before: f32,
        importance: f32,
    ) {
        if importance != before {
            self.importance_sum += f64::from(importance) - f64::from(before);
            self.schedule.weigh(page, importance);
        }
        self.schedule.visited(page, visit);
        self.visits += 1;
    }

    /// Something said that a page may have changed.
    /// `Some` when that moves its time.
    pub(crate) fn told(
        &mut self,
        url: Fingerprint,
        hint: Hint,
        now: Timestamp,
    ) -> Option<PageNumber> {
        let page = self.pages.get(url)?;
        self.schedule.told(page, hint, now).map(|_| page)
    }

    /// What is to be kept of a page.
    pub(crate) fn record(
        &self,
        page: PageNumber,
        facts: PageFacts,
        seen: Timestamp,
    ) -> ReturnRecord {
        let PageFacts { host, group, importance } = facts;
        let mut state = Vec::new();
        self.schedule.page_state(page, &mut state);
        ReturnRecord {
            number: page.0,
            host,
            group,
            importance,
            links_in: self.links_in(page),
            seen,
            due: self.schedule.due(page).unwrap_or(seen),
            state,
        }
    }

    /// What the watch knows besides its pages, now and then or when asked to.
    pub(crate) fn watch_record(&mut self, is_last: bool) -> Option<WatchRecord> {
        if !is_last && self.visits * BYTES_PER_VISIT <= self.state_bytes {
            return None;
        }
        self.visits = 0;
        let state = self.schedule.state().unwrap_or_default();
        self.state_bytes = state.len();
        Some(WatchRecord { policy: self.policy_name.clone(), state })
    }

    /// What was used of the budget.
    pub(crate) fn spending(&self) -> SpendingRecord {
        let (since, spent) = self.allowance.spent();
        SpendingRecord { since, spent, returning: self.returning, slots: self.slots }
    }

    /// The next page that is due.
    pub(crate) fn call(&mut self, now: Timestamp) -> Option<PageNumber> {
        match self.schedule.next(now) {
            Next::Visit { page, .. } => Some(page),
            Next::At(_) | Next::Empty => None,
        }
    }

    /// A page that was called goes into the queue of its host; its worth there. `None` when the
    /// host has enough to do: the page waits.
    pub(crate) fn enter(
        &mut self,
        page: PageNumber,
        host: HostId,
        now: Timestamp,
    ) -> Option<Worth> {
        if !self.called.add(self.pages.url(page)?, host, now) {
            return None;
        }
        let account = self.schedule.account(page, now);
        self.price = account.price.unwrap_or(self.price);
        Some(match account.value {
            Some(value) => Worth::new((value / self.unit()) as f32),
            None => Worth::new(1.0),
        })
    }

    /// A page that was called cannot be visited before this.
    pub(crate) fn put_back(&mut self, page: PageNumber, due: Timestamp) {
        self.schedule.put_back(page, due);
    }

    /// A page left the queue of its host, called or not.
    pub(crate) fn left(&mut self, url: Fingerprint) {
        self.called.remove(url);
    }

    /// True when no page waits in the queue of its host.
    pub(crate) fn is_none_called(&self) -> bool {
        self.called.is_empty()
    }

    /// True when as many pages wait in the queues of their hosts as may. Those that have waited for
    /// long no longer count: their hosts are out of reach.
    pub(crate) fn are_enough_called(&mut self, now: Timestamp) -> bool {
        self.called.are_enough(now)
    }

    /// Weighted days of freshness that a new relevant page brings: as many as an average page has
    /// between two visits.
    fn unit(&self) -> f64 {
        let pages = (self.len() as f64).max(1.0);
        let importance = (self.importance_sum / pages).max(f64::MIN_POSITIVE);
        let days = pages / self.requests_per_day().max(1.0);
        importance * days
    }

    /// The price in the unit of worth.
    pub(crate) fn price_worth(&self) -> f64 {
        self.price / self.unit()
    }

    fn requests_per_day(&self) -> f64 {
        self.allowance.requests_per_day().unwrap_or(self.polite_rate)
    }

    /// Tells how many requests a day politeness leaves.
    pub(crate) fn set_polite_rate(&mut self, per_day: f64) {
        self.polite_rate = per_day;
        self.tell_budget();
    }

    /// A host has come in that allows so many requests a day.
    pub(crate) fn add_polite_rate(&mut self, per_day: f64) {
        self.set_polite_rate(self.polite_rate + per_day);
    }

    /// True when this is the only page of its host.
    pub(crate) fn is_first_of(&self, host: HostId) -> bool {
        self.hosts.get(&host) == Some(&1)
    }

    /// The hosts that have known pages.
    pub(crate) fn hosts(&self) -> impl Iterator<Item = HostId> {
        self.hosts.iter().filter(|(_, pages)| **pages > 0).map(|(host, _)| *host)
    }

    /// A request was made.
    pub(crate) fn use_slot(&mut self, slot: Slot) {
        let price = self.price_worth();
        let is_for_returns = match slot {
            Slot::Return => true,
            Slot::Link(worth) => f64::from(worth.get()) < price,
            Slot::Robots => false,
        };
        self.count_slot(is_for_returns);
    }

    fn count_slot(&mut self, is_for_returns: bool) {
        let share = if is_for_returns { 1.0 } else { 0.0 };
        // The first slots count for more: what was assumed before them is soon forgotten.
        let weight = (1.0 / (f64::from(self.slots) + 2.0)).max(SLOT_WEIGHT);
        self.returning += weight * (share - self.returning);
        self.slots = self.slots.saturating_add(1);
        if self.slots.is_multiple_of(TOLD_EVERY) || self.slots.is_power_of_two() {
            self.tell_budget();
        }
    }

    /// The policy's budget: what links worth more than the price leave.
    pub(crate) fn tell_budget(&mut self) {
        self.schedule.set_budget(self.requests_per_day() * self.returning);
    }

    /// A request could be made, and neither a link nor a page is there for it. The policy may
    /// name a page before its time.
    pub(crate) fn idle(&mut self, now: Timestamp) -> Option<PageNumber> {
        if now < self.idle_until {
            return None;
        }
        if let Some((page, _)) = self.schedule.idle(now) {
            return Some(page);
        }
        self.count_slot(true);
        let slot = Duration::try_from_secs_f64(24.0 * 3600.0 / self.requests_per_day().max(1.0));
        let slot = slot.unwrap_or(IDLE_EVERY);
        let is_budgeted = self.allowance.requests_per_day().is_some();
        self.idle_until = now + if is_budgeted { slot } else { IDLE_EVERY };
        None
    }

    /// How the pages of the watch are doing.
    pub(crate) fn progress(&self, now: Timestamp) -> WatchProgress {
        let step = self.len().div_ceil(SAMPLED).max(1);
        let (mut weight, mut fresh) = (0.0, 0.0);
        for number in (0..self.links_in.len()).step_by(step) {
            let page = PageNumber(u32::try_from(number).unwrap_or(u32::MAX));
            if self.schedule.due(page).is_some() {
                let account = self.schedule.account(page, now);
                weight += account.importance;
                fresh += account.importance * account.fresh.unwrap_or(0.0);
            }
        }
        WatchProgress {
            pages: self.len(),
            due: self.schedule.due_by(now) + self.called.len(),
            expected: fresh / f64::max(weight, f64::MIN_POSITIVE),
            measured: (self.seen.visits > 0).then(|| self.seen.measured()),
        }
    }

    /// A page was found as it was, or changed, after so long.
    pub(crate) fn saw(&mut self, span: Duration, is_changed: bool) {
        self.seen.add(span, is_changed);
    }

    /// When a watch with nothing to do looks again: when a page is due, or when the next slot
    /// finds nothing to do either.
    pub(crate) fn look_again(&self, now: Timestamp) -> Timestamp {
        let due = self.schedule.first().unwrap_or(Timestamp::NEVER);
        due.min(self.idle_until).max(now + AT_ONCE)
    }
}

/// Why a watch cannot begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReturnsError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Store(#[from] gannet_store::StoreError),
}
