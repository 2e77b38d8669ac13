//! The split that keeps copies fresh for the most time when visits come at random times.
//!
//! After Azar, Horvitz, Lubetzky, Peres and Shahaf (2018): `ρ = max(0, √(μ·D/ν) − D)` visits a day,
//! with ν found exactly after sorting the pages. `azar` takes known rates; `azar-learned` estimates
//! them and gives every page at least two fifths of an even share, which is BLLC(0.4) as Kolobov and
//! others (2019) ran it. `spacing = "even"` gives the carousel of the paper, which is 99 % of what
//! can be had.
//!
//! **Choose it when** the published systems are to be compared with. **Cost:** O(n log n) an epoch.
//! **Weakness:** random visits; without a floor pages that change often starve.

use crate::allocation::{Allocation, Split, Tariff};
use crate::entry::Entry;
use crate::manner::{Manner, rate_settings};
use crate::optimum::{Demand, binary_random, binary_random_price};
use crate::theory::Spacing;

pub(crate) const ENTRY: Entry = Entry {
    name: "azar",
    summary: "the most time fresh with random visits; pages that change too often get none",
    settings: rate_settings!("random", "false"),
    may_starve: true,
    build: |settings| {
        let manner = Manner { spacing: Spacing::Random, ..Manner::default() };
        Ok(Box::new(Allocation::new(Azar { floor: 0.0 }, manner.read(settings)?)))
    },
};

pub(crate) const LEARNED: Entry = Entry {
    name: "azar-learned",
    summary: "BLLC(0.4): as azar, with rates learned every epoch and a floor for every page",
    settings: rate_settings!("random", "true"),
    may_starve: false,
    build: |settings| {
        let manner = Manner { spacing: Spacing::Random, is_blind: true, ..Manner::default() };
        Ok(Box::new(Allocation::new(Azar { floor: FLOOR }, manner.read(settings)?)))
    },
};

/// The share of an even split that every page gets: the best of those that were published.
const FLOOR: f64 = 0.4;

struct Azar {
    /// The share of an even split that every page gets.
    floor: f64,
}

impl Split for Azar {
    fn tariff(&self, pages: &[Demand], budget: f64, _before: Option<Tariff>) -> Tariff {
        let floor = self.floor * budget / pages.len() as f64;
        Tariff { price: binary_random_price(pages, budget, floor), floor }
    }

    fn visits(&self, page: Demand, tariff: Tariff) -> f64 {
        binary_random(page, tariff.price, tariff.floor)
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{visits_a_day, waits};

    /// Roots 1 and 2, rates 1 and 4: the page that changes more often earns nothing.
    const TWO: [(f64, f32); 2] = [(1.0, 1.0), (4.0, 1.0)];

    #[test]
    fn worked_by_hand() {
        let even = "spacing = \"even\"";
        visits_a_day(&waits("azar", even, &TWO, 1.0), &[1.0, 0.0]);
        // With four visits a day: 1·9/3 − 1 and 2·9/3 − 4.
        visits_a_day(&waits("azar", even, &TWO, 4.0), &[2.0, 2.0]);
    }

    #[test]
    fn the_floor_keeps_every_page() {
        let settings = "spacing = \"even\"\nblind = false";
        visits_a_day(&waits("azar-learned", settings, &TWO, 1.0), &[0.8, 0.2]);
    }
}
