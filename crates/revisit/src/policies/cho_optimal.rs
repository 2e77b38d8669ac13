//! The split that keeps copies fresh for the most time when visits are evenly spaced.
//!
//! After Cho and Garcia-Molina (2003), with importance: a page that changes `l` times a day and is
//! visited `f` times a day earns `(w/l)·(1 − (1 + x)·e^−x)` for one visit more, `x = l/f`, and that
//! is the same for all pages. Pages that change too often for what they matter earn less than the
//! price at any `f`: they get no visits at all.
//!
//! **Choose it when** rates are known, and as the mark that others are measured against.
//! **Cost:** O(n) an epoch in which something has changed. **Weakness:** hopeless pages starve, and
//! with estimated rates a page that once looked hopeless is never looked at again.

use crate::allocation::{Allocation, Split, Tariff};
use crate::entry::Entry;
use crate::manner::{Manner, rate_settings};
use crate::optimum::{Demand, binary_even, price_for};

pub(crate) const ENTRY: Entry = Entry {
    name: "cho-optimal",
    summary: "the most time fresh with even visits; pages that change too often get none",
    settings: rate_settings!("even", "false"),
    may_starve: true,
    build: |settings| Ok(Box::new(Allocation::new(ChoOptimal, Manner::default().read(settings)?))),
};

struct ChoOptimal;

impl Split for ChoOptimal {
    fn tariff(&self, pages: &[Demand], budget: f64, before: Option<Tariff>) -> Tariff {
        Tariff::plain(price_for(pages, budget, before.map(|tariff| tariff.price), binary_even))
    }

    fn visits(&self, page: Demand, tariff: Tariff) -> f64 {
        binary_even(page, tariff.price)
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{FIVE, visits_a_day, waits};

    #[test]
    fn the_published_example_starves_the_fastest_page() {
        let waits = waits("cho-optimal", "", &FIVE, 5.0);
        visits_a_day(&waits, &[1.15, 1.36, 1.35, 1.14, 0.0]);
        assert_eq!(waits[4], f64::INFINITY);
    }
}
