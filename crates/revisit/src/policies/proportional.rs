//! Visits in proportion to how often a page changes.
//!
//! What one would do first, and wrong: Cho and Garcia-Molina (2000) showed that a plain round keeps
//! copies fresher, whatever the rates, for most visits go to pages that no visit keeps fresh.
//!
//! **Choose it when** every change is to be caught, not when copies are to be fresh. **Cost:** O(n)
//! an epoch. **Weakness:** see above.

use crate::allocation::{Allocation, Split, Tariff};
use crate::entry::Entry;
use crate::manner::{Manner, rate_settings};
use crate::optimum::Demand;

pub(crate) const ENTRY: Entry = Entry {
    name: "proportional",
    summary: "visits in proportion to how often a page changes: the classic mistake",
    settings: rate_settings!("even", "false"),
    may_starve: false,
    build: |settings| {
        Ok(Box::new(Allocation::new(Proportional, Manner::default().read(settings)?)))
    },
};

/// The price is changes per visit, the same for all pages.
struct Proportional;

impl Split for Proportional {
    fn tariff(&self, pages: &[Demand], budget: f64, _before: Option<Tariff>) -> Tariff {
        let rates: f64 = pages.iter().map(|page| page.rate).sum();
        Tariff::plain(rates / budget)
    }

    fn visits(&self, page: Demand, tariff: Tariff) -> f64 {
        page.rate / tariff.price
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{FIVE, visits_a_day, waits};

    #[test]
    fn a_page_that_changes_five_times_as_often_gets_five_times_as_much() {
        let expected = [1.0 / 3.0, 2.0 / 3.0, 1.0, 4.0 / 3.0, 5.0 / 3.0];
        visits_a_day(&waits("proportional", "", &FIVE, 5.0), &expected);
    }
}
