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
use crate::manner::{Manner, rate_settings};
use crate::optimum::{Demand, harmonic_random, price_for};
use crate::theory::Spacing;

pub(crate) const ENTRY: Entry = Entry {
    name: "lambda-crawl",
    summary: "LambdaCrawl: the fewest unseen changes with random visits, rates known",
    settings: rate_settings!("random", "false"),
    may_starve: false,
    build: |settings| {
        let manner = Manner { spacing: Spacing::Random, ..Manner::default() };
        Ok(Box::new(Allocation::new(LambdaCrawl, manner.read(settings)?)))
    },
};

pub(crate) const LEARN: Entry = Entry {
    name: "lambda-learn",
    summary: "LambdaLearnAndCrawl: as lambda-crawl, with rates learned every epoch",
    settings: rate_settings!("random", "true"),
    build: |settings| {
        let manner = Manner { spacing: Spacing::Random, is_blind: true, ..Manner::default() };
        Ok(Box::new(Allocation::new(LambdaCrawl, manner.read(settings)?)))
    },
    ..ENTRY
};

pub(crate) const LEARN_EVEN: Entry = Entry {
    name: "lambda-learn-even",
    summary: "as lambda-learn, with evenly spaced visits",
    settings: rate_settings!("even", "true"),
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

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, FIVE, close, waits};
    use crate::policy::Saw;

    #[test]
    fn a_visit_more_would_bring_the_same_on_every_page() {
        let waits = waits("lambda-crawl", "spacing = \"even\"", &FIVE, 5.0);
        let visits: Vec<f64> = waits.iter().map(|wait| 1.0 / wait).collect();
        close((visits.iter().sum::<f64>() * 1e5).round(), 5e5);
        // The slope of μ·ln(1 + D/ρ) is −μ·D/(ρ·(ρ + D)).
        let gains =
            FIVE.iter().zip(&visits).map(|((rate, _), visit)| rate / (visit * (visit + rate)));
        let gains: Vec<f64> = gains.collect();
        assert!(gains.iter().all(|gain| (gain / gains[0] - 1.0).abs() < 1e-4), "{gains:?}");
    }

    #[test]
    fn learning_looks_at_no_rate_that_is_known() {
        let waits = waits("lambda-learn-even", "", &FIVE, 5.0);
        assert!(waits.iter().all(|wait| (wait - 1.0).abs() < 1e-4), "{waits:?}");
    }

    #[test]
    fn a_quiet_visit_brings_the_rate_down_at_the_next_epoch() {
        let mut bench = Bench::new("lambda-learn-even", "");
        bench.policy.set_budget(0.0125);
        bench.admit();
        let first = bench.policy.account(bench.page, bench.due).rate;
        close(first.unwrap(), 1.386_294);
        bench.visit(Saw::Same);
        close(bench.visit(Saw::Same), 80.0);
        let mut moved = Vec::new();
        bench.policy.moved(bench.due, &mut moved);
        let rate = bench.policy.account(bench.page, bench.due).rate;
        assert!(rate.is_some_and(|rate| rate < 0.013), "{rate:?}");
    }
}
