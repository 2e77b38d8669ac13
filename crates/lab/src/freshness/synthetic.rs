//! Made-up pages.

use super::chance::Chance;
use super::population::{Importance, Known, Population};

/// A made-up population.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synthetic {
    /// Log-normal rates, importance by Zipf's law.
    LognormalZipf,
    /// Log-normal rates, all pages of the same importance.
    LognormalFlat,
    /// The rates that Cho and Garcia-Molina found on 270 sites, all of the same importance.
    Buckets,
    /// Log-normal rates, importance by Zipf's law; half of the pages change at random, a quarter
    /// in bursts, a quarter by the clock.
    Mix,
}

/// Names on the command line.
pub(super) const NAMES: [(&str, Synthetic); 4] = [
    ("ln2-zipf", Synthetic::LognormalZipf),
    ("ln2-flat", Synthetic::LognormalFlat),
    ("buckets", Synthetic::Buckets),
    ("mix", Synthetic::Mix),
];

/// Pages when nobody says how many.
pub(super) const USUAL_PAGES: usize = 10_000;
/// Days of a run, and the day from which on is counted.
pub(super) const DAYS: f64 = 900.0;
pub(super) const COUNTED_FROM: f64 = 400.0;
/// The median rate: once in 60 days.
const MEDIAN_RATE: f64 = 1.0 / 60.0;
/// The spread of the rates' logarithms.
const SIGMA: f64 = 2.0;
/// Shares of pages, and days between their changes: more than daily, weekly, monthly, in four
/// months, more seldom (Cho and Garcia-Molina, VLDB 2000).
const BUCKETS: [(f64, f64); 5] =
    [(0.23, 1.0), (0.15, 7.0), (0.16, 30.0), (0.16, 120.0), (0.30, 730.0)];
/// Shares of pages that change in bursts, and by the clock.
const BURSTS: f64 = 0.25;
const CLOCK: f64 = 0.25;
/// Changes that each change of a burst brings on, and how soon in days.
const BRANCHING: f64 = 0.7;
const BURST_DAYS: f64 = 0.5;
/// How far changes by the clock stray, as a share of the time between them.
const CLOCK_JITTER: f64 = 0.02;

impl Synthetic {
    /// The pages of a seed.
    pub(super) fn draw(self, pages: usize, seed: u64) -> Population {
        let mut chance = Chance::seeded(seed, "pages");
        let rates: Vec<f64> = (0..pages).map(|at| self.rate(at, pages, &mut chance)).collect();
        let importance = match self {
            Synthetic::LognormalZipf | Synthetic::Mix => Importance::Zipf,
            Synthetic::LognormalFlat | Synthetic::Buckets => Importance::Flat,
        };
        let kind = |chance: &mut Chance| match (self, chance.share()) {
            (Synthetic::Mix, share) if share < BURSTS => Habit::Bursts,
            (Synthetic::Mix, share) if share < BURSTS + CLOCK => Habit::Clock,
            _ => Habit::Random,
        };
        let page = |(at, rate): (usize, f64)| {
            let mut chance = Chance::seeded(seed, &format!("page {at}"));
            let habit = kind(&mut chance);
            let changes = habit.changes(rate, &mut chance);
            Known { importance: 1.0, rate, group: at as u64, changes }
        };
        let pages: Vec<Known> = rates.into_iter().enumerate().map(page).collect();
        let mut population = of_pages(pages);
        population.weigh(importance, &mut chance);
        population
    }

    fn rate(self, at: usize, pages: usize, chance: &mut Chance) -> f64 {
        if self != Synthetic::Buckets {
            return MEDIAN_RATE * (SIGMA * chance.normal()).exp();
        }
        let mut place = (at as f64 + 0.5) / pages as f64;
        for (share, days) in BUCKETS {
            if place < share {
                return 1.0 / days;
            }
            place -= share;
        }
        1.0 / BUCKETS[BUCKETS.len() - 1].1
    }
}

/// Pages of given rates and importance that change at random.
pub(super) fn of_rates(rates: &[(f64, f64)], seed: u64) -> Population {
    let page = |(at, (rate, importance)): (usize, &(f64, f64))| {
        let mut chance = Chance::seeded(seed, &format!("page {at}"));
        let changes = Habit::Random.changes(*rate, &mut chance);
        Known { importance: *importance, rate: *rate, group: at as u64, changes }
    };
    of_pages(rates.iter().enumerate().map(page).collect())
}

fn of_pages(pages: Vec<Known>) -> Population {
    let mean_rate = pages.iter().map(|page| page.rate).sum::<f64>() / pages.len().max(1) as f64;
    Population { pages, days: DAYS, counted_from: COUNTED_FROM, mean_rate }
}

/// How a page changes.
enum Habit {
    Random,
    Bursts,
    Clock,
}

impl Habit {
    fn changes(&self, rate: f64, chance: &mut Chance) -> Vec<f64> {
        match self {
            Habit::Random => at_random(rate, chance),
            Habit::Bursts => in_bursts(rate, chance),
            Habit::Clock => by_the_clock(rate, chance),
        }
    }
}

fn at_random(rate: f64, chance: &mut Chance) -> Vec<f64> {
    let mut changes = Vec::new();
    let mut now = chance.gap(rate);
    while now < DAYS {
        changes.push(now);
        now += chance.gap(rate);
    }
    changes
}

/// A Hawkes process of this mean rate: changes bring on others.
fn in_bursts(rate: f64, chance: &mut Chance) -> Vec<f64> {
    let mut open = at_random(rate * (1.0 - BRANCHING), chance);
    let mut changes = Vec::new();
    while let Some(change) = open.pop() {
        changes.push(change);
        for _ in 0..chance.count(BRANCHING) {
            let next = change + chance.gap(1.0 / BURST_DAYS);
            if next < DAYS {
                open.push(next);
            }
        }
    }
    changes.sort_by(f64::total_cmp);
    changes
}

fn by_the_clock(rate: f64, chance: &mut Chance) -> Vec<f64> {
    let period = 1.0 / rate;
    let mut changes = Vec::new();
    let mut tick = chance.share() * period;
    while tick < DAYS {
        changes.push((tick + CLOCK_JITTER * period * chance.normal()).clamp(0.0, DAYS));
        tick += period;
    }
    changes.sort_by(f64::total_cmp);
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_habit_keeps_the_rate() {
        for kind in [Synthetic::LognormalZipf, Synthetic::Mix, Synthetic::Buckets] {
            let drawn = kind.draw(2_000, 1);
            let changes: usize = drawn.pages.iter().map(|page| page.changes.len()).sum();
            let expected = drawn.mean_rate * DAYS * drawn.pages.len() as f64;
            let ratio = changes as f64 / expected;
            assert!((ratio - 1.0).abs() < 0.1, "{kind:?}: {ratio}");
            assert!((drawn.importance() - 1.0).abs() < 1e-9);
            for page in &drawn.pages {
                assert!(page.changes.is_sorted());
            }
        }
    }

    #[test]
    fn a_seed_fixes_all() {
        let changes = |seed| Synthetic::Mix.draw(50, seed).pages[7].changes.clone();
        assert_eq!(changes(3), changes(3));
        assert_ne!(changes(3), changes(4));
    }
}
