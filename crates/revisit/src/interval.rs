//! Policies that keep one wait a page and change it after each visit.
//!
//! A [`Rule`] says how. This file does what all of them need: it keeps the notes, keeps the waits
//! within their bounds and retries pages that could not be had. Rules of this kind know no budget:
//! they name a time, the schedule serves what is due in turn, and what is due may be more or less
//! than can be fetched.

use gannet_model::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::kept::{pack, unpack};
use crate::policy::{Account, Facts, PageNumber, Policy, Saw, Visit};
use crate::span::{days_since, later};
use crate::table::Table;

/// How long to wait for a page.
pub(crate) trait Rule: Send {
    /// What is to be known of a page at its next visit.
    type Note: Serialize + DeserializeOwned + Send;

    /// A page was seen for the first time: what to note, and how many days to wait.
    fn first(&mut self, facts: &Facts<'_>) -> (Self::Note, f64);

    /// A visit told whether the page had changed: how many days to wait.
    fn next(&mut self, note: &mut Self::Note, sight: &Sight<'_>) -> f64;

    /// The shortest and the longest wait in days.
    fn bounds(&self) -> (f64, f64);

    /// How long pages wait in the mean when the budget goes round: pages over visits a day. For
    /// rules that look at it; most do not.
    fn set_mean_wait(&mut self, days: f64) {
        let _ = days;
    }

    /// What was learned over all pages.
    fn state(&self) -> Option<Vec<u8>> {
        None
    }

    /// Takes up what an earlier run learned over all pages.
    fn restore(&mut self, state: &[u8]) -> bool {
        let _ = state;
        false
    }
}

/// A visit that told something, with what led up to it.
pub(crate) struct Sight<'a> {
    /// The visit.
    pub(crate) visit: &'a Visit,
    /// Days since the page was last seen.
    pub(crate) elapsed: f64,
    /// Days that were to be waited.
    pub(crate) wait: f64,
    /// How much the page matters.
    pub(crate) importance: f64,
}

impl Sight<'_> {
    /// True when the page says something else.
    pub(crate) fn has_changed(&self) -> bool {
        self.visit.saw == Saw::Changed
    }
}

/// A page that could not be had is tried again after a day, or sooner where the wait is shorter.
const RETRY_DAYS: f64 = 1.0;

/// A policy made of a rule.
pub(crate) struct Interval<R: Rule> {
    rule: R,
    pages: Table<Page<R::Note>>,
    /// Visits a day, once named.
    budget: Option<f64>,
}

/// What is known of a page.
#[derive(Serialize, Deserialize)]
struct Page<N> {
    /// When it was last seen.
    seen: Timestamp,
    /// Days to wait from then on.
    wait: f64,
    /// How much it matters; for people.
    importance: f32,
    /// What the rule noted.
    note: N,
}

impl<R: Rule> Interval<R> {
    pub(crate) fn new(rule: R) -> Interval<R> {
        Interval { rule, pages: Table::default(), budget: None }
    }

    fn tell_mean_wait(&mut self) {
        if let Some(budget) = self.budget {
            self.rule.set_mean_wait(self.pages.len().max(1) as f64 / budget);
        }
    }
}

impl<R: Rule> Policy for Interval<R> {
    fn admit(&mut self, page: PageNumber, facts: &Facts<'_>, now: Timestamp) -> Timestamp {
        let (shortest, longest) = self.rule.bounds();
        let (note, wait) = self.rule.first(facts);
        let wait = wait.clamp(shortest, longest);
        self.pages.put(page, Page { seen: now, wait, importance: facts.importance, note });
        self.tell_mean_wait();
        later(now, wait)
    }

    fn visited(&mut self, page: PageNumber, visit: &Visit) -> Timestamp {
        let (shortest, longest) = self.rule.bounds();
        let Some(known) = self.pages.get_mut(page) else {
            return later(visit.at, longest);
        };
        if visit.saw == Saw::Failed {
            return later(visit.at, known.wait.min(RETRY_DAYS).max(shortest));
        }
        let elapsed = days_since(visit.at, known.seen);
        let sight = Sight {
            visit,
            elapsed,
            wait: known.wait,
            importance: f64::from(known.importance.max(0.0)),
        };
        known.wait = self.rule.next(&mut known.note, &sight).clamp(shortest, longest);
        known.seen = visit.at;
        later(visit.at, known.wait)
    }

    fn set_budget(&mut self, visits_per_day: f64) {
        self.budget = Some(visits_per_day).filter(|visits| visits.is_finite() && *visits > 0.0);
        self.tell_mean_wait();
    }

    fn weigh(&mut self, page: PageNumber, importance: f32) {
        if let Some(known) = self.pages.get_mut(page) {
            known.importance = importance;
        }
    }

    fn forget(&mut self, page: PageNumber) {
        self.pages.forget(page);
        self.tell_mean_wait();
    }

    fn account(&self, page: PageNumber, _now: Timestamp) -> Account {
        let importance = self.pages.get(page).map_or(0.0, |known| f64::from(known.importance));
        Account { importance, ..Account::default() }
    }

    fn page_state(&self, page: PageNumber, state: &mut Vec<u8>) {
        if let Some(known) = self.pages.get(page) {
            state.extend(pack(known));
        }
    }

    fn restore_page(&mut self, page: PageNumber, facts: &Facts<'_>, state: &[u8]) -> bool {
        let Some(known) = unpack::<Page<R::Note>>(state) else {
            return false;
        };
        self.pages.put(page, Page { importance: facts.importance, ..known });
        self.tell_mean_wait();
        true
    }

    fn state(&self) -> Option<Vec<u8>> {
        self.rule.state()
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        self.rule.restore(state)
    }
}
