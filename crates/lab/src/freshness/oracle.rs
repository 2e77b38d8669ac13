//! What could be reached by whoever knew every rate: closed forms, nothing is run.
//!
//! Freshness is that of the best visits for freshness, harmonic staleness that of the best visits
//! for it. Both are evenly spaced and for pages that change at random.

use gannet_revisit::{
    Demand, Spacing, age, binary_even, freshness, harmonic_even, harmonic_staleness, price_for,
    waste,
};

use super::population::Population;
use super::score::Figures;

/// The figures that the closed forms give for so many visits a day.
pub(super) fn oracle(population: &Population, visits_per_day: f64) -> Figures {
    let pages = population.pages.iter().filter(|page| page.rate > 0.0);
    let pages: Vec<Demand> =
        pages.map(|page| Demand { rate: page.rate, weight: page.importance }).collect();
    let all = population.importance();
    let never_changes = population.pages.iter().filter(|page| page.rate <= 0.0);
    let never_changes: f64 = never_changes.map(|page| page.importance).sum();
    let price = price_for(&pages, visits_per_day, None, binary_even);
    let visits = |page: &Demand| binary_even(*page, price);
    // A page that is not visited at all is stale from its first change on.
    let fresh = |page: &Demand| match visits(page) {
        0.0 => 0.0,
        visits => page.weight * freshness(page.rate / visits, Spacing::Even),
    };
    let wasted = |page: &Demand| match visits(page) {
        0.0 => 0.0,
        visits => visits * waste(page.rate / visits, Spacing::Even),
    };
    let starved = pages.iter().filter(|page| visits(page) <= 0.0).count();
    let harmonic_price = price_for(&pages, visits_per_day, None, harmonic_even);
    let harmonic = |page: &Demand| {
        let ratio = page.rate / harmonic_even(*page, harmonic_price);
        page.weight * harmonic_staleness(ratio, Spacing::Even)
    };
    let old = |page: &Demand| {
        let visits = harmonic_even(*page, harmonic_price);
        page.weight * age(page.rate / visits, Spacing::Even) / visits
    };
    let is_weighty = |page: &&Demand| page.weight > 0.0;
    Figures {
        fresh: (pages.iter().map(fresh).sum::<f64>() + never_changes) / all,
        harmonic: pages.iter().filter(is_weighty).map(harmonic).sum::<f64>() / all,
        age_days: pages.iter().filter(is_weighty).map(old).sum::<f64>() / all,
        delay_days: f64::NAN,
        wasted: pages.iter().map(wasted).sum::<f64>() / visits_per_day,
        used: 1.0,
        starved: starved as f64 / population.pages.len().max(1) as f64,
        fresh_unweighted: f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::Synthetic;
    use super::*;

    #[test]
    fn the_best_there_is_is_as_computed_before() {
        // Table 1 of the specification: 0.950 and 0.059 at the mean rate, give or take the draw.
        let population = Synthetic::LognormalZipf.draw(10_000, 1);
        let visits = population.mean_rate * 10_000.0;
        let found = oracle(&population, visits);
        assert!((found.fresh - 0.950).abs() < 0.01, "{}", found.fresh);
        assert!((found.harmonic - 0.059).abs() < 0.01, "{}", found.harmonic);
    }
}
