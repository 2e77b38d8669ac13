//! The split that keeps unseen changes few when visits are evenly spaced.
//!
//! The first unseen change of a page counts 1, the second 1/2, the third 1/3 and so on, as in
//! LambdaCrawl (Kolobov and others 2019); with even instead of random visits a visit more earns
//! `(w/l)·(x − 1 + e^−x)`, `x = l/f`. That grows without end as visits become rare, so that every
//! page of any weight gets some.
//!
//! **Choose it when** rates are known and no page may be given up. **Cost:** O(n) an epoch in which
//! something has changed. **Weakness:** copies are fresh for a little less time than could be.

use crate::allocation::{Allocation, Split, Tariff};
use crate::entry::Entry;
use crate::manner::{Manner, rate_settings};
use crate::optimum::{Demand, harmonic_even, price_for};
use crate::policies::lambda_crawl::weighted;

pub(crate) const ENTRY: Entry = Entry {
    name: "harmonic-optimal",
    summary: "the fewest unseen changes with even visits; no page is given up",
    settings: rate_settings!("even", "false"),
    may_starve: false,
    build: |settings| {
        Ok(Box::new(Allocation::new(HarmonicOptimal, Manner::default().read(settings)?)))
    },
};

struct HarmonicOptimal;

impl Split for HarmonicOptimal {
    fn tariff(&self, pages: &[Demand], budget: f64, before: Option<Tariff>) -> Tariff {
        let visits = |page, price| harmonic_even(weighted(page), price);
        Tariff::plain(price_for(pages, budget, before.map(|tariff| tariff.price), visits))
    }

    fn visits(&self, page: Demand, tariff: Tariff) -> f64 {
        harmonic_even(weighted(page), tariff.price)
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{FIVE, visits_a_day, waits};

    #[test]
    fn the_same_example_gives_every_page_something() {
        let waits = waits("harmonic-optimal", "", &FIVE, 5.0);
        visits_a_day(&waits, &[0.72, 0.92, 1.04, 1.13, 1.19]);
    }
}
