//! Visits in proportion to importance, however often a page changes.
//!
//! After LambdaCrawlApprox of Kolobov and others (2019): where importance over rate of change is
//! about the same for all pages, this is the optimum for unseen changes, and it needs no rates.
//!
//! **Choose it when** importance is known well and rates are not. **Cost:** O(n) an epoch in which
//! pages or weights have changed. **Weakness:** spends on what matters even if it never changes;
//! pages of no importance are visited once in ten years.

use gannet_model::SettingsError;
use serde::Deserialize;

use crate::allocation::{Allocation, Split, Tariff};
use crate::entry::Entry;
use crate::limits;
use crate::manner::Manner;
use crate::optimum::Demand;
use crate::span::{MINUTE, TEN_YEARS};
use crate::theory::Spacing;

pub(crate) const ENTRY: Entry = Entry {
    name: "importance-proportional",
    summary: "visits in proportion to importance, whatever the rates (LambdaCrawlApprox)",
    settings: "epoch_days = 1.0\n\
        shortest_days = 0.0007\n\
        longest_days = 3650.0\n\
        spacing = \"even\"\n\
        seed = 0",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        Ok(Box::new(Allocation::new(ImportanceProportional, config.manner()?)))
    },
};

/// `[revisit.importance-proportional]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Days between two splits.
    epoch_days: f64,
    /// Never wait less than this.
    shortest_days: f64,
    /// Never wait more than this, however little a page matters.
    longest_days: f64,
    /// Whether visits are `even` or at `random` times.
    spacing: Spacing,
    /// What random moments are drawn from.
    seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            epoch_days: 1.0,
            shortest_days: MINUTE,
            longest_days: TEN_YEARS,
            spacing: Spacing::Even,
            seed: 0,
        }
    }
}

impl Config {
    fn manner(&self) -> Result<Manner, SettingsError> {
        limits::waits(self.shortest_days, self.longest_days)?;
        limits::positive("epoch_days", self.epoch_days)?;
        Ok(Manner {
            epoch: self.epoch_days,
            shortest: self.shortest_days,
            longest: self.longest_days,
            spacing: self.spacing,
            seed: self.seed,
            ..Manner::default()
        })
    }
}

/// The price is importance per visit a day.
struct ImportanceProportional;

/// What a page of no importance at all still gets: less than one visit in ten years.
const LEAST_VISITS: f64 = 1e-4;

impl Split for ImportanceProportional {
    const LOOKS_AT_RATES: bool = false;

    fn tariff(&self, pages: &[Demand], budget: f64, _before: Option<Tariff>) -> Tariff {
        let weights: f64 = pages.iter().map(|page| page.weight).sum();
        Tariff { price: weights / budget, floor: LEAST_VISITS }
    }

    fn visits(&self, page: Demand, tariff: Tariff) -> f64 {
        let earned = page.weight / tariff.price;
        if earned.is_finite() { earned.max(tariff.floor) } else { tariff.floor }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{visits_a_day, waits};

    #[test]
    fn rates_do_not_count_and_importance_does() {
        let pages = [(1.0, 1.0), (0.1, 2.0), (5.0, 3.0), (0.001, 4.0)];
        let waits = waits("importance-proportional", "", &pages, 1.0);
        visits_a_day(&waits, &[0.1, 0.2, 0.3, 0.4]);
    }

    #[test]
    fn pages_of_no_importance_are_not_given_up() {
        let waits = waits("importance-proportional", "", &[(1.0, 0.0), (1.0, 1.0)], 1.0);
        assert_eq!(waits[0], 3_650.0);
    }
}
