//! What a visit must bring: the one number that fits all waits to the budget.
//!
//! From time to time the price is worked out on a sample of pages, so that their visits add up to
//! the budget. Between, it follows what visits are worth when they are made: a page served late is
//! worth more than the price and raises it, one served ahead of its time lowers it.

use serde::{Deserialize, Serialize};

use super::draw::Draw;
use crate::policy::PageNumber;

/// The price and what sets it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Price {
    /// The logarithm of the price as worked out.
    base: f64,
    /// What experience adds to it.
    trim: f64,
    /// Visits a day; 0 while nobody said.
    budget: f64,
    /// Visits until it is worked out again.
    until_solved: u32,
    /// The weightiest pages, with their weights.
    top: Vec<(PageNumber, f64)>,
    /// Some of all pages.
    sample: Vec<PageNumber>,
    /// Pages ever admitted.
    admitted: u64,
    draw: Draw,
    /// The highest price since all waits were last gone through, and in the present round.
    ceiling: f64,
    round_ceiling: f64,
    /// The next page of the present round.
    round: Option<u32>,
}

/// The weightiest pages are all in the sample: with Zipf's law they are half of all.
const TOP: usize = 100;
/// Others are drawn.
const DRAWN: usize = 300;
/// Visits after which the price is worked out again.
const SOLVE_EVERY: u32 = 20_000;
/// Steps to the price at most.
const SOLVE_STEPS: usize = 12;
/// The demand is right when it differs by this share.
const SOLVED: f64 = 0.005;
/// How steeply the demand falls with the price, in logarithms: by a half where changes are rare, by
/// one where they are certain. Between the two, each step leaves a third of the error.
const DEMAND_SLOPE: f64 = 0.75;
/// The furthest the price goes at one step.
const LONGEST_STEP: f64 = 2.0;
/// The logarithm of the price lies between these.
const BOUNDS: (f64, f64) = (-60.0, 60.0);
/// How far the price follows what one visit is worth: two hundred visits make it.
const ADJUSTMENT: f64 = 0.005;
/// Of more pages than these one visit tells less: a price that swings makes all waits be worked out
/// again and again.
const FEW_PAGES: f64 = 10_000.0;
/// What a visit that was not made tells, as a logarithm: the price must soon find its way back.
const UNUSED: f64 = 6.0;
/// One visit tells no more than this, as a logarithm.
const MOST_NEWS: f64 = 1.0;
/// A lower price than this share of what waits were made with means that they are too long.
const STALE_WAITS: f64 = 0.1;
/// The logarithm of the first price, before there is anything to work it out from.
const FIRST: f64 = -5.0;

impl Price {
    pub(super) fn new() -> Price {
        Price {
            base: FIRST,
            trim: 0.0,
            budget: 0.0,
            until_solved: 0,
            top: Vec::new(),
            sample: Vec::new(),
            admitted: 0,
            draw: Draw::new(),
            ceiling: f64::MIN,
            round_ceiling: f64::MIN,
            round: None,
        }
    }

    /// The logarithm of the price.
    pub(super) fn ln(&self) -> f64 {
        self.base + self.trim
    }

    /// Visits a day; 0 while nobody said.
    pub(super) fn budget(&self) -> f64 {
        self.budget
    }

    pub(super) fn set_budget(&mut self, budget: f64) {
        self.budget = if budget.is_finite() { budget.max(0.0) } else { 0.0 };
        self.until_solved = 0;
    }

    /// A page came in. True when so many did that the price is to be worked out.
    pub(super) fn admit(&mut self, page: PageNumber, weight: f64) -> bool {
        self.admitted += 1;
        self.weigh(page, weight);
        if self.sample.len() < DRAWN {
            self.sample.push(page);
        } else if self.draw.below(self.admitted) < DRAWN as u64 {
            let place = self.draw.below(DRAWN as u64) as usize;
            self.sample[place] = page;
        }
        self.admitted.is_power_of_two()
    }

    /// A page has this weight by now.
    pub(super) fn weigh(&mut self, page: PageNumber, weight: f64) {
        if let Some(known) = self.top.iter_mut().find(|(other, _)| *other == page) {
            known.1 = weight;
            return;
        }
        if self.top.len() < TOP {
            self.top.push((page, weight));
            return;
        }
        let least = self.top.iter_mut().min_by(|one, other| one.1.total_cmp(&other.1));
        if let Some(least) = least.filter(|least| least.1 < weight) {
            *least = (page, weight);
        }
    }

    pub(super) fn forget(&mut self, page: PageNumber) {
        self.top.retain(|(other, _)| *other != page);
        self.sample.retain(|other| *other != page);
    }

    /// A visit is begun that is worth this much, as a logarithm: the price goes a little
    /// that way. `None` where it was not worth but some bound that made the page due.
    pub(super) fn visit(&mut self, worth: Option<f64>, pages: usize) {
        self.until_solved = self.until_solved.saturating_sub(1);
        if let Some(worth) = worth {
            let error = (worth - self.ln()).clamp(-MOST_NEWS, MOST_NEWS);
            self.trim += self.gain(pages) * error;
            self.rise();
        }
    }

    /// A visit could have been made and none was: the price falls.
    pub(super) fn idle(&mut self, pages: usize) {
        self.trim -= UNUSED * self.gain(pages);
    }

    /// How far the price follows what one visit of so many pages tells.
    fn gain(&self, pages: usize) -> f64 {
        ADJUSTMENT * (FEW_PAGES / pages.max(1) as f64).sqrt().min(1.0)
    }

    /// True when the price is to be worked out by now.
    pub(super) fn is_unsolved(&self) -> bool {
        self.until_solved == 0 && self.budget > 0.0
    }

    /// Works the price out: `rate` tells how often a day a page is visited at a price.
    pub(super) fn solve(&mut self, pages: usize, rate: impl Fn(PageNumber, f64) -> Option<f64>) {
        self.until_solved = SOLVE_EVERY;
        if self.budget <= 0.0 || pages == 0 {
            return;
        }
        let is_top = |page: PageNumber| self.top.iter().any(|(other, _)| *other == page);
        let others: Vec<PageNumber> =
            self.sample.iter().copied().filter(|page| !is_top(*page)).collect();
        let demand = |ln: f64| {
            let top: f64 = self.top.iter().filter_map(|(page, _)| rate(*page, ln)).sum();
            let rest: f64 = others.iter().filter_map(|page| rate(*page, ln)).sum();
            let each = rest / others.len().max(1) as f64;
            top + each * pages.saturating_sub(self.top.len()) as f64
        };
        let mut ln = self.base;
        for _ in 0..SOLVE_STEPS {
            let error = (demand(ln) / self.budget).ln();
            ln += (error / DEMAND_SLOPE).clamp(-LONGEST_STEP, LONGEST_STEP);
            ln = ln.clamp(BOUNDS.0, BOUNDS.1);
            if error.abs() < SOLVED {
                break;
            }
        }
        self.base = ln;
        self.rise();
    }

    fn rise(&mut self) {
        self.ceiling = self.ceiling.max(self.ln());
        self.round_ceiling = self.round_ceiling.max(self.ln());
    }

    /// The next page whose wait is to be worked out again, where waits were made at higher prices:
    /// what is due too late is not found by waiting for it.
    pub(super) fn next_stale(&mut self, end: u32) -> Option<PageNumber> {
        let Some(page) = self.round else {
            if self.ln() < self.ceiling - STALE_WAITS {
                self.round = Some(0);
                self.round_ceiling = self.ln();
            }
            return None;
        };
        if page >= end {
            self.round = None;
            self.ceiling = self.round_ceiling;
            return None;
        }
        self.round = Some(page + 1);
        Some(PageNumber(page))
    }
}
