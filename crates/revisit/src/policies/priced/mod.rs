//! A page is visited when a visit brings as much as it costs: one price for all pages.
//!
//! What is known of a page's rate is a [distribution](crate::posterior); from it follows what a
//! visit would bring after any wait, and so the wait at which that is the price. The price fits
//! the visits of all pages to the budget. What sitemaps, feeds and neighbours tell makes time pass
//! faster for a page, as far as they were found to be right before. See `docs/design/revisit.md`.
//!
//! **Choose it when** nothing speaks against it. **Cost:** 24 bytes a page and about a
//! microsecond a visit. **Weakness:** rates are taken to hold: a page that changes at nine every
//! morning is visited as often, but not at nine.

mod draw;
mod hubs;
mod kin;
mod pages;
mod price;
mod settings;
mod trust;
mod visit;

use gannet_model::Timestamp;
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::kept::{pack, unpack};
use crate::policy::{Account, Facts, Hint, PageNumber, Policy, Visit};
use crate::posterior::Posterior;
use crate::span::{days_since, later};
use draw::spread;
use hubs::Hubs;
use kin::{Host, Kin};
use pages::{Page, Pages, Suspicion, Teller};
use price::Price;
use settings::{Config, SETTINGS};

pub(crate) const ENTRY: Entry = Entry {
    name: "priced",
    summary: "a page is visited when a visit brings as much as it costs, as far as is known of it",
    settings: SETTINGS,
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Priced::new(config)))
    },
};

struct Priced {
    config: Config,
    pages: Pages,
    kin: Kin,
    hubs: Hubs,
    price: Price,
    /// The sum of all weights.
    weights: f64,
    /// How much later than planned pages are visited, over all hosts.
    lateness: f32,
    /// The mean of what a visit costs in bytes, where bytes are counted.
    mean_bytes: f64,
    /// True when what an earlier run learned was taken up: its price knows the pages already.
    is_restored: bool,
    /// Pages that neighbours made due sooner.
    moved: Vec<(PageNumber, Timestamp)>,
}

/// The longest wait takes at most this share of all visits.
const OLD_PAGES: f64 = 0.25;
/// A page may be visited before its time by this share of its wait, rather than none at all.
const MOST_EARLY: f64 = 0.7;
/// A wait this near to a bound was made by it.
const NEAR_BOUND: f64 = 1.1;
/// Bytes of an answer that nothing changed.
const BYTES_OF_304: f64 = 400.0;

impl Priced {
    fn new(config: Config) -> Priced {
        Priced {
            kin: Kin::new(config.first_rate),
            config,
            pages: Pages::default(),
            hubs: Hubs::default(),
            price: Price::new(),
            weights: 0.0,
            lateness: 0.0,
            mean_bytes: 0.0,
            is_restored: false,
            moved: Vec::new(),
        }
    }

    /// What is known of a page's rate.
    fn known(&self, page: &Page) -> Posterior {
        page.with(self.kin.prior(page.group))
    }

    /// The same for changes that nobody tells of.
    fn untold(&self, page: &Page, known: Posterior) -> Posterior {
        if !page.marks.is_listed() || !self.config.hints {
            return known;
        }
        let pace = self.host(page).silence.pace();
        Posterior { a: known.a, b: known.b / pace }
    }

    /// The host of a page.
    fn host(&self, page: &Page) -> &Host {
        &self.kin.hosts[self.kin.groups[page.group as usize].host as usize]
    }

    /// How much a page matters, with the new links that it brings.
    fn importance(&self, number: PageNumber, page: &Page) -> f64 {
        let links = self.hubs.links_per_day(number);
        let mean = self.weights / self.pages.len().max(1) as f64;
        page.weight() + self.config.new_link * links * mean
    }

    /// What a visit costs beside that of others, when it finds a change with this chance.
    fn cost(&self, page: &Page, changed: f64) -> f64 {
        if self.config.by_bytes <= 0.0 || self.mean_bytes <= 0.0 {
            return 1.0;
        }
        let bytes = BYTES_OF_304 + changed * page.marks.bytes();
        1.0 - self.config.by_bytes + self.config.by_bytes * bytes / self.mean_bytes
    }

    /// Days to wait from the last visit, at a price of this logarithm.
    fn wait(&self, number: PageNumber, page: &Page, price: f64) -> f64 {
        self.wait_knowing(number, page, self.known(page), price)
    }

    /// The same where it is known what is known of the page.
    fn wait_knowing(&self, number: PageNumber, page: &Page, known: Posterior, price: f64) -> f64 {
        let longest = self.longest();
        let importance = self.importance(number, page);
        if importance <= 0.0 {
            return longest;
        }
        let known = self.untold(page, known);
        let worth = (price + f64::from(self.host(page).surcharge)).exp() / importance;
        let theta = self.config.theta;
        let mut wait = known.wait_for(worth * self.cost(page, 0.5), theta);
        if self.config.by_bytes > 0.0 {
            let changed = 1.0 - known.fresh(wait);
            wait = known.wait_for(worth * self.cost(page, changed), theta);
        }
        if !page.suspicion.is_none() {
            let shrunk = (known.b + wait) * (-page.suspicion.log() / known.a).exp() - known.b;
            wait = shrunk.max(0.0);
        }
        wait *= 1.0 + self.config.jitter * spread(number.0, page.last);
        wait.min(longest).max(self.config.min_gap)
    }

    /// The longest wait there is.
    fn longest(&self) -> f64 {
        let budget = self.price.budget();
        if budget <= 0.0 {
            return self.config.max_age;
        }
        self.config.max_age.max(self.pages.len() as f64 / (budget * OLD_PAGES))
    }

    /// When a page is due.
    fn due(&self, number: PageNumber, page: &Page) -> Timestamp {
        self.due_knowing(number, page, self.known(page))
    }

    /// The same where it is known what is known of the page.
    fn due_knowing(&self, number: PageNumber, page: &Page, known: Posterior) -> Timestamp {
        let last = Timestamp::from_secs(page.last.into());
        later(last, self.wait_knowing(number, page, known, self.price.ln()))
    }

    /// What a visit after so many days is worth, as a logarithm to be compared with the price;
    /// `None` where the page is visited for another reason.
    fn worth(&self, number: PageNumber, page: &Page, known: Posterior, days: f64) -> Option<f64> {
        let is_bound =
            days <= self.config.min_gap * NEAR_BOUND || days * NEAR_BOUND >= self.longest();
        let importance = self.importance(number, page);
        // A change of many pages comes as a surge and is soon over: no price could follow it.
        let is_surge = page.marks.has(Teller::Neighbour) && !page.suspicion.is_none();
        if is_bound || is_surge || importance <= 0.0 {
            return None;
        }
        let known = self.untold(page, known);
        let felt = felt_days(page, &known, days);
        let cost = match self.config.by_bytes > 0.0 {
            true => self.cost(page, 1.0 - known.fresh(felt)),
            false => 1.0,
        };
        let worth = importance * known.value(felt, self.config.theta) / cost;
        Some(worth.ln() - f64::from(self.host(page).surcharge))
    }

    /// Works the price out when it is time to.
    fn settle_price(&mut self) {
        if !self.price.is_unsolved() {
            return;
        }
        let mut price = std::mem::replace(&mut self.price, Price::new());
        // The longest wait depends on the budget, which the rates are asked for.
        self.price.set_budget(price.budget());
        price.solve(self.pages.len(), |number, ln| {
            let page = self.pages.get(number)?;
            let calm = Page { suspicion: Suspicion::NONE, ..*page };
            Some(1.0 / self.wait(number, &calm, ln))
        });
        self.price = price;
    }
}

impl Policy for Priced {
    fn admit(&mut self, page: PageNumber, facts: &Facts<'_>, now: Timestamp) -> Timestamp {
        self.forget(page);
        let group = self.kin.group(facts.group, facts.host);
        let weight = f64::from(facts.importance).max(0.0);
        self.pages.put(page, Page::new(seconds(now), weight, group));
        self.kin.join(&mut self.pages, page);
        self.weights += weight;
        if self.price.admit(page, weight) {
            self.price.set_budget(self.price.budget());
        }
        self.settle_price();
        self.pages.get(page).map_or(Timestamp::NEVER, |known| self.due(page, known))
    }

    fn visited(&mut self, page: PageNumber, visit: &Visit) -> Timestamp {
        let due = self.learn_visit(page, visit);
        self.settle_price();
        due
    }

    fn confirm(&mut self, page: PageNumber, due: Timestamp, now: Timestamp) -> Timestamp {
        let Some(known) = self.pages.get(page) else {
            return due;
        };
        let rate = self.known(known);
        let by_now = self.due_knowing(page, known, rate);
        if by_now > now {
            return by_now;
        }
        let days = days_since(now, Timestamp::from_secs(known.last.into()));
        let worth = self.worth(page, known, rate, days);
        self.price.visit(worth, self.pages.len());
        due
    }

    fn planned(&self, page: PageNumber, due: Timestamp) -> Timestamp {
        self.pages.get(page).map_or(due, |known| self.due(page, known))
    }

    fn may_advance(&mut self, page: PageNumber, due: Timestamp, now: Timestamp) -> bool {
        let Some(known) = self.pages.get(page) else {
            return false;
        };
        let last = Timestamp::from_secs(known.last.into());
        let (waited, wait) = (days_since(now, last), days_since(due, last));
        if waited < self.config.min_gap || waited < wait * (1.0 - MOST_EARLY) {
            self.price.idle(self.pages.len());
            return false;
        }
        let worth = self.worth(page, known, self.known(known), waited);
        self.price.visit(worth, self.pages.len());
        true
    }

    fn told(&mut self, page: PageNumber, hint: Hint, now: Timestamp) -> Option<Timestamp> {
        if !self.config.hints {
            return None;
        }
        let (teller, date) = match hint {
            Hint::Sitemap(date) => (Teller::Sitemap, date),
            Hint::Feed(date) => (Teller::Feed, date),
            Hint::Told => (Teller::Person, now),
        };
        let known = self.pages.get_mut(page)?;
        if seconds(date) <= known.last || known.marks.has(teller) {
            return None;
        }
        known.marks.add(teller);
        let host = self.kin.groups[known.group as usize].host;
        let chance = self.kin.believes(host, teller);
        if chance <= 0.0 {
            return None;
        }
        known.suspicion = known.suspicion.and(chance);
        let known = *known;
        Some(self.due(page, &known).max(now))
    }

    fn moved(&mut self, _now: Timestamp, moved: &mut Vec<(PageNumber, Timestamp)>) {
        moved.append(&mut self.moved);
        if let Some(page) = self.price.next_stale(self.pages.end())
            && let Some(known) = self.pages.get(page)
        {
            moved.push((page, self.due(page, known)));
        }
    }

    fn set_budget(&mut self, visits_per_day: f64) {
        self.price.set_budget(visits_per_day);
        self.settle_price();
    }

    fn expect(&mut self, pages: usize) {
        self.pages.expect(pages);
        self.kin.expect(pages);
    }

    fn weigh(&mut self, page: PageNumber, importance: f32) {
        if let Some(known) = self.pages.get_mut(page) {
            let weight = f64::from(importance).max(0.0);
            self.weights += weight - known.weight();
            known.set_weight(weight);
            self.price.weigh(page, weight);
        }
    }

    fn forget(&mut self, page: PageNumber) {
        let Some(known) = self.pages.get(page) else {
            return;
        };
        self.weights -= known.weight();
        self.kin.leave(&mut self.pages, page);
        self.pages.remove(page);
        self.hubs.forget(page);
        self.price.forget(page);
    }

    fn account(&self, page: PageNumber, now: Timestamp) -> Account {
        let Some(known) = self.pages.get(page) else {
            return Account::default();
        };
        let rate = self.known(known);
        let untold = self.untold(known, rate);
        let days = days_since(now, Timestamp::from_secs(known.last.into()));
        let felt = felt_days(known, &untold, days);
        let importance = self.importance(page, known);
        Account {
            rate: Some(rate.mean()),
            rate_between: Some(rate.bounds()),
            importance,
            fresh: Some(untold.fresh(felt)),
            value: Some(importance * untold.value(felt, self.config.theta)),
            price: Some(self.price.ln().exp()),
        }
    }

    fn page_state(&self, page: PageNumber, state: &mut Vec<u8>) {
        if let Some(known) = self.pages.get(page) {
            let links = self.hubs.links_per_day(page) as f32;
            let Page { last, a, b, suspicion, marks, .. } = *known;
            state.extend(pack(&KeptPage { last, a, b, suspicion, marks, links }));
        }
    }

    fn restore_page(&mut self, page: PageNumber, facts: &Facts<'_>, state: &[u8]) -> bool {
        let Some(kept) = unpack::<KeptPage>(state) else {
            return false;
        };
        self.forget(page);
        let group = self.kin.group(facts.group, facts.host);
        let weight = f64::from(facts.importance).max(0.0);
        let KeptPage { last, a, b, suspicion, marks, links } = kept;
        let fresh = Page::new(last, weight, group);
        self.pages.put(page, Page { a, b, suspicion, marks, ..fresh });
        self.kin.join(&mut self.pages, page);
        self.weights += weight;
        self.hubs.put(page, links.into());
        if !self.is_restored && self.price.admit(page, weight) {
            self.price.set_budget(self.price.budget());
        }
        true
    }

    fn state(&self) -> Option<Vec<u8>> {
        let Priced { price, lateness, mean_bytes, .. } = self;
        Some(pack(&(self.kin.keep(), price, lateness, mean_bytes)))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some((kin, price, lateness, mean_bytes)) = unpack(state) else {
            return false;
        };
        if !self.kin.restore(kin) {
            return false;
        }
        (self.price, self.lateness, self.mean_bytes) = (price, lateness, mean_bytes);
        self.is_restored = true;
        true
    }
}

/// What is kept of a page with the crawl.
#[derive(Debug, Serialize, Deserialize)]
struct KeptPage {
    last: u32,
    a: f32,
    b: f32,
    suspicion: Suspicion,
    marks: pages::Marks,
    links: f32,
}

/// The days that a page could have changed in, with what was said of it as further days.
fn felt_days(page: &Page, known: &Posterior, days: f64) -> f64 {
    if page.suspicion.is_none() {
        return days;
    }
    (known.b + days) * (page.suspicion.log() / known.a).exp() - known.b
}

fn seconds(time: Timestamp) -> u32 {
    u32::try_from(time.as_secs()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
