//! The split that keeps unseen changes few when visits come at random times.
//!
//! After Kolobov, Peres, Lu and Horvitz (2019): `ρ = (√(D² + 4·μ·D/λ) − D) / 2` visits a day, λ such
//! that they add up to the budget. `lambda-crawl` takes rates that are known, `lambda-learn`
//! estimates them every epoch and splits anew, `lambda-learn-even` does that and spaces visits evenly
//! instead of at random, which is worth three to five points of freshness. Where a rate is not
//! known, `lambda-crawl` estimates it too.
//!
//! **Choose it when** visits must not be foreseeable, or the published system is to be compared with.
//! **Cost:** O(n) an epoch, and an estimate for every page visited in it. **Weakness:** random visits;
//! all changes between two epochs wait for the next.

use crate::allocation::{Allocation, Split, Tariff};
use crate::entry::Entry;
use crate::manner::{EVEN_SETTINGS, Manner, RANDOM_SETTINGS};
use crate::optimum::{Demand, harmonic_random, price_for};
use crate::theory::Spacing;

pub(crate) const ENTRY: Entry = Entry {
    name: "lambda-crawl",
    summary: "LambdaCrawl: the fewest unseen changes with random visits, rates known",
    settings: RANDOM_SETTINGS,
    may_starve: false,
    build: |settings| {
        let manner = Manner { spacing: Spacing::Random, ..Manner::default() };
        Ok(Box::new(Allocation::new(LambdaCrawl, manner.read(settings)?)))
    },
};

pub(crate) const LEARN: Entry = Entry {
    name: "lambda-learn",
    summary: "LambdaLearnAndCrawl: as lambda-crawl, with rates learned every epoch",
    build: |settings| {
        let manner = Manner { spacing: Spacing::Random, is_blind: true, ..Manner::default() };
        Ok(Box::new(Allocation::new(LambdaCrawl, manner.read(settings)?)))
    },
    ..ENTRY
};

pub(crate) const LEARN_EVEN: Entry = Entry {
    name: "lambda-learn-even",
    summary: "as lambda-learn, with evenly spaced visits",
    settings: EVEN_SETTINGS,
    build: |settings| {
        let manner = Manner { is_blind: true, ..Manner::default() };
        Ok(Box::new(Allocation::new(LambdaCrawl, manner.read(settings)?)))
    },
    ..ENTRY
};

struct LambdaCrawl;

/// What a page of no importance is taken to matter, lest it is never visited.
const LEAST_WEIGHT: f64 = 1e-9;

/// The page, of some importance.
pub(super) fn weighted(page: Demand) -> Demand {
    Demand { weight: page.weight.max(LEAST_WEIGHT), ..page }
}

impl Split for LambdaCrawl {
    fn tariff(&self, pages: &[Demand], budget: f64, before: Option<Tariff>) -> Tariff {
        let visits = |page, price| harmonic_random(weighted(page), price);
        Tariff::plain(price_for(pages, budget, before.map(|tariff| tariff.price), visits))
    }

    fn visits(&self, page: Demand, tariff: Tariff) -> f64 {
        harmonic_random(weighted(page), tariff.price)
    }
}
