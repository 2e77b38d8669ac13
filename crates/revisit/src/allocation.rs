//! Policies that split a budget over all pages and split it anew every epoch.
//!
//! A [`Split`] says how many visits a day a page gets at a price, and what the price is. This file
//! does what all of them need: it keeps what is known of the pages, estimates rates where they are
//! not known, splits anew when an epoch is over and something has changed, and turns visits a day
//! into moments. An epoch costs O(n) for n pages, and a visit O(1).

use gannet_model::Timestamp;
use serde::{Deserialize, Serialize};

use crate::estimators::{Gap, Outcome};
use crate::kept::{pack, unpack};
use crate::manner::Manner;
use crate::optimum::Demand;
use crate::policy::{Account, Facts, PageNumber, Policy, Saw, Visit};
use crate::span::{days_since, later};
use crate::table::Table;
use crate::theory::Spacing;

/// How a budget is split.
pub(crate) trait Split: Send {
    /// Whether it looks at rates of change.
    const LOOKS_AT_RATES: bool = true;

    /// What visits cost, so that the pages take what the budget gives. `before` is what they cost
    /// until now.
    fn tariff(&self, pages: &[Demand], budget: f64, before: Option<Tariff>) -> Tariff;

    /// Visits a day that a page gets.
    fn visits(&self, page: Demand, tariff: Tariff) -> f64;
}

/// What visits cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tariff {
    /// What a visit must bring.
    pub(crate) price: f64,
    /// Visits a day that every page gets, whatever it brings.
    pub(crate) floor: f64,
}

impl Tariff {
    /// No page gets visits that it does not earn.
    pub(crate) fn plain(price: f64) -> Tariff {
        Tariff { price, floor: 0.0 }
    }
}

/// A page that is known never to change is taken to change this often a day: once in thousands of
/// years, for all splits divide by rates.
const LEAST_KNOWN_RATE: f64 = 1e-6;

/// Until a budget is named it is such that the mean wait is this many days.
const UNTOLD_WAIT_DAYS: f64 = 30.0;

/// A page that could not be had is tried again after a day, or sooner where its wait is shorter.
const RETRY_DAYS: f64 = 1.0;

/// When pages have become more by this share there is a new split, before the epoch is over.
const GROWTH: f64 = 0.1;

/// A moment that moves by less than this share of its wait stays.
const TRIFLE: f64 = 0.02;

/// A visit that comes later than this share of its wait is not made up for.
const MOST_MADE_UP: f64 = 0.5;

/// A policy made of a split.
pub(crate) struct Allocation<S> {
    split: S,
    manner: Manner,
    /// Visits a day, once named.
    budget: Option<f64>,
    pages: Table<Page>,
    /// What visits cost since the last split.
    tariff: Option<Tariff>,
    /// When the epoch is over.
    epoch_ends: Timestamp,
    /// How many pages there were at the last split.
    split_over: usize,
    /// True when a split would find other numbers than the last one did.
    is_stale: bool,
}

/// What is known of a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Page {
    /// When it was last seen.
    seen: Timestamp,
    /// When it is to be visited.
    due: Timestamp,
    /// How many visits there were.
    visits: u32,
    /// True when the last of them failed.
    has_failed: bool,
    /// How much it matters.
    weight: f64,
    /// Its rate where that is known and to be used.
    known: Option<f64>,
    /// Its rate as of the last split.
    rate: f64,
    /// Visits a day as of the last split.
    frequency: f64,
    /// Visits a day that its moment was drawn for.
    drawn_for: f64,
    /// True when there was a visit since the rate was estimated.
    is_news: bool,
    /// What visits showed, the last one last.
    gaps: Vec<Gap>,
}

impl Page {
    fn demand(&self) -> Demand {
        Demand { rate: self.rate, weight: self.weight }
    }
}

impl<S: Split> Allocation<S> {
    pub(crate) fn new(split: S, manner: Manner) -> Allocation<S> {
        Allocation {
            split,
            manner,
            budget: None,
            pages: Table::default(),
            tariff: None,
            epoch_ends: Timestamp::ZERO,
            split_over: 0,
            is_stale: true,
        }
    }

    fn visits_per_day(&self) -> f64 {
        self.budget.unwrap_or(self.pages.len() as f64 / UNTOLD_WAIT_DAYS)
    }

    /// Visits a day at the last price; as many as every page gets where there is none yet.
    fn frequency(&self, page: Demand) -> f64 {
        match self.tariff {
            Some(tariff) => self.split.visits(page, tariff),
            None => self.visits_per_day() / self.pages.len().max(1) as f64,
        }
    }

    fn needs_split(&self, now: Timestamp) -> bool {
        let pages = self.pages.len();
        let grown = pages as f64 > self.split_over as f64 * (1.0 + GROWTH);
        self.is_stale && pages > 0 && (grown || self.tariff.is_none() || now >= self.epoch_ends)
    }

    /// Estimates what there is news of, and finds the new price.
    fn split_anew(&mut self, now: Timestamp) {
        let estimator = self.manner.estimator;
        let mut demands = Vec::with_capacity(self.pages.len());
        for (_, page) in self.pages.iter_mut() {
            if page.is_news && page.known.is_none() {
                page.rate = estimator.rate(&page.gaps);
            }
            page.is_news = false;
            demands.push(page.demand());
        }
        let budget = self.visits_per_day();
        self.tariff = Some(self.split.tariff(&demands, budget, self.tariff));
        self.split_over = demands.len();
        self.is_stale = false;
        self.epoch_ends = later(now, self.manner.epoch);
    }
}

impl Manner {
    /// Days from one visit to the next at so many visits a day; endless when there are none.
    fn wait(&self, number: PageNumber, page: &Page) -> f64 {
        if page.frequency <= 0.0 {
            return f64::INFINITY;
        }
        let draw = self.draw(number, page.visits);
        let times = match self.spacing {
            Spacing::Random => -draw.ln(),
            // Pages that were admitted together are not to come back together.
            Spacing::Even if page.visits == 0 => draw,
            Spacing::Even => 1.0,
        };
        (times / page.frequency).clamp(self.shortest, self.longest)
    }

    /// When a page is due after a visit. It is counted from when the visit was due, not from when
    /// it came, lest many small delays add up to visits that are never made.
    fn next_due(&self, due: Timestamp, wait: f64, now: Timestamp) -> Timestamp {
        let late = days_since(now, due);
        let is_soon = late < wait * MOST_MADE_UP;
        let left = if is_soon { (wait - late).max(self.shortest) } else { wait };
        later(now, left)
    }

    /// When a page that waits is due at its new frequency.
    fn moved_due(&self, number: PageNumber, page: &Page, now: Timestamp) -> Timestamp {
        if self.spacing == Spacing::Even || page.due == Timestamp::NEVER || page.frequency <= 0.0 {
            let from = if page.due == Timestamp::NEVER { now } else { page.seen };
            return later(from, self.wait(number, page)).max(now);
        }
        // What is left of a memoryless wait goes by as much faster as there are more visits.
        let left = days_since(page.due, now) * page.drawn_for / page.frequency;
        later(now, left.min(self.longest))
    }
}

impl<S: Split> Policy for Allocation<S> {
    fn admit(&mut self, page: PageNumber, facts: &Facts<'_>, now: Timestamp) -> Timestamp {
        let known = facts.known_rate.filter(|rate| rate.is_finite() && !self.manner.is_blind);
        let known = known.map(|rate| rate.max(LEAST_KNOWN_RATE));
        let mut rate = known.unwrap_or_default();
        if S::LOOKS_AT_RATES && known.is_none() {
            rate = self.manner.estimator.rate(&[]);
        }
        let fresh = Page {
            seen: now,
            due: Timestamp::NEVER,
            visits: 0,
            has_failed: false,
            weight: f64::from(facts.importance.max(0.0)),
            known,
            rate,
            frequency: 0.0,
            drawn_for: 0.0,
            is_news: false,
            gaps: Vec::new(),
        };
        let demand = fresh.demand();
        self.pages.put(page, fresh);
        self.is_stale = true;
        let frequency = self.frequency(demand);
        let Some(fresh) = self.pages.get_mut(page) else {
            return Timestamp::NEVER;
        };
        (fresh.frequency, fresh.drawn_for) = (frequency, frequency);
        fresh.due = later(now, self.manner.wait(page, fresh));
        fresh.due
    }

    fn visited(&mut self, page: PageNumber, visit: &Visit) -> Timestamp {
        let Some(known) = self.pages.get_mut(page) else {
            return later(visit.at, self.manner.longest);
        };
        known.visits = known.visits.wrapping_add(1);
        known.has_failed = visit.saw == Saw::Failed;
        let wait = self.manner.wait(page, known);
        if known.has_failed {
            known.due = later(visit.at, wait.min(RETRY_DAYS).max(self.manner.shortest));
            return known.due;
        }
        if S::LOOKS_AT_RATES && known.known.is_none() {
            let days = days_since(visit.at, known.seen) as f32;
            known.gaps.push(Gap { days, outcome: outcome(visit, known.seen) });
            let surplus = known.gaps.len().saturating_sub(self.manner.kept);
            known.gaps.drain(..surplus);
            known.is_news = true;
            self.is_stale = true;
        }
        known.seen = visit.at;
        known.drawn_for = known.frequency;
        known.due = self.manner.next_due(known.due, wait, visit.at);
        known.due
    }

    fn moved(&mut self, now: Timestamp, moved: &mut Vec<(PageNumber, Timestamp)>) {
        if !self.needs_split(now) {
            return;
        }
        self.split_anew(now);
        let Some(tariff) = self.tariff else {
            return;
        };
        for (number, page) in self.pages.iter_mut() {
            page.frequency = self.split.visits(page.demand(), tariff);
            // What is overdue keeps its place in the queue.
            if page.has_failed || page.due <= now {
                continue;
            }
            let due = self.manner.moved_due(number, page, now);
            let shift = days_since(due, page.due) + days_since(page.due, due);
            if shift > TRIFLE * days_since(page.due, page.seen) {
                (page.due, page.drawn_for) = (due, page.frequency);
                moved.push((number, due));
            }
        }
    }

    fn set_budget(&mut self, visits_per_day: f64) {
        let budget = Some(visits_per_day).filter(|visits| visits.is_finite() && *visits > 0.0);
        self.is_stale |= self.budget != budget;
        self.budget = budget;
    }

    fn weigh(&mut self, page: PageNumber, importance: f32) {
        if let Some(known) = self.pages.get_mut(page) {
            known.weight = f64::from(importance.max(0.0));
            self.is_stale = true;
        }
    }

    fn forget(&mut self, page: PageNumber) {
        self.is_stale |= self.pages.forget(page).is_some();
    }

    fn account(&self, page: PageNumber, now: Timestamp) -> Account {
        let Some(known) = self.pages.get(page) else {
            return Account::default();
        };
        let rate = S::LOOKS_AT_RATES.then_some(known.rate);
        Account {
            rate,
            importance: known.weight,
            fresh: rate.map(|rate| (-rate * days_since(now, known.seen)).exp()),
            price: self.tariff.map(|tariff| tariff.price),
            ..Account::default()
        }
    }

    fn page_state(&self, page: PageNumber, state: &mut Vec<u8>) {
        if let Some(known) = self.pages.get(page) {
            state.extend(pack(known));
        }
    }

    fn restore_page(&mut self, page: PageNumber, facts: &Facts<'_>, state: &[u8]) -> bool {
        let Some(known) = unpack::<Page>(state) else {
            return false;
        };
        self.pages.put(page, Page { weight: f64::from(facts.importance.max(0.0)), ..known });
        true
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&(self.tariff, self.epoch_ends, self.split_over as u64, self.is_stale)))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        type Kept = (Option<Tariff>, Timestamp, u64, bool);
        let Some((tariff, epoch_ends, split_over, is_stale)) = unpack::<Kept>(state) else {
            return false;
        };
        (self.tariff, self.epoch_ends, self.is_stale) = (tariff, epoch_ends, is_stale);
        self.split_over = usize::try_from(split_over).unwrap_or(0);
        true
    }
}

/// What a visit showed, as estimators take it. A date from before the last visit says nothing of
/// the change that was seen.
fn outcome(visit: &Visit, seen: Timestamp) -> Outcome {
    match visit.saw {
        Saw::Changed => match visit.modified {
            Some(date) if date > seen && date <= visit.at => {
                Outcome::ChangedBefore(days_since(visit.at, date) as f32)
            }
            _ => Outcome::Changed,
        },
        Saw::Same | Saw::Noise | Saw::Failed => Outcome::Same,
    }
}

#[cfg(test)]
#[path = "allocation_tests.rs"]
mod tests;
