//! The budget spread evenly over all pages: each in turn, whatever it does.
//!
//! With n pages and B visits a day every page waits n/B days. Cho and Garcia-Molina (2000) showed
//! that this beats visiting pages in proportion to how often they change, whatever their rates.
//!
//! **Choose it when** nothing is known of the pages, or as the measure for anything cleverer.
//! **Cost:** O(1) a visit. **Weakness:** knows neither importance nor rates.

use gannet_model::SettingsError;
use serde::Deserialize;

use crate::allocation::{Allocation, Split, Tariff};
use crate::entry::Entry;
use crate::limits;
use crate::manner::Manner;
use crate::optimum::Demand;
use crate::span::{MINUTE, TEN_YEARS};

pub(crate) const ENTRY: Entry = Entry {
    name: "uniform",
    summary: "the budget spread evenly over all pages",
    settings: "shortest_days = 0.0007\nlongest_days = 3650.0",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        Ok(Box::new(Allocation::new(Uniform, config.manner()?)))
    },
};

/// `[revisit.uniform]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Never wait less than this, however large the budget.
    shortest_days: f64,
    /// Never wait more than this, however small the budget.
    longest_days: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config { shortest_days: MINUTE, longest_days: TEN_YEARS }
    }
}

impl Config {
    fn manner(&self) -> Result<Manner, SettingsError> {
        limits::waits(self.shortest_days, self.longest_days)?;
        let (shortest, longest) = (self.shortest_days, self.longest_days);
        Ok(Manner { shortest, longest, ..Manner::default() })
    }
}

/// The price is the wait in days.
struct Uniform;

impl Split for Uniform {
    const LOOKS_AT_RATES: bool = false;

    fn tariff(&self, pages: &[Demand], budget: f64, _before: Option<Tariff>) -> Tariff {
        Tariff::plain(pages.len() as f64 / budget)
    }

    fn visits(&self, _page: Demand, tariff: Tariff) -> f64 {
        1.0 / tariff.price
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{FIVE, visits_a_day, waits};

    #[test]
    fn every_page_gets_the_same() {
        visits_a_day(&waits("uniform", "", &FIVE, 2.5), &[0.5; 5]);
    }

    #[test]
    fn no_wait_is_longer_than_the_longest() {
        visits_a_day(&waits("uniform", "longest_days = 4.0", &FIVE, 0.01), &[0.25; 5]);
    }
}
