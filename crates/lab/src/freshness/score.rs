//! How long copies were stale, and what visits brought.

use serde::Serialize;

use super::population::{Known, Population};

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// The share of time that copies were fresh, weighted by importance.
    #[serde(rename = "F")]
    pub fresh: f64,
    /// Mean of `1 + 1/2 + … + 1/N` over the `N` changes that copies lack, weighted.
    #[serde(rename = "H")]
    pub harmonic: f64,
    /// Mean days since the first change that a copy lacks, 0 while it is fresh, weighted.
    pub age_days: f64,
    /// Mean days from a change to the visit that shows it, weighted.
    pub delay_days: f64,
    /// The share of visits that found nothing new.
    pub wasted: f64,
    /// The share of the visits there were that were made.
    pub used: f64,
    /// The share of pages that were never visited in the time that counts.
    pub starved: f64,
    /// The share of time that copies were fresh, every page alike.
    pub fresh_unweighted: f64,
}

/// Counts while a run goes on.
#[derive(Debug)]
pub(super) struct Score<'a> {
    population: &'a Population,
    pages: Vec<Copy>,
    fresh: f64,
    fresh_plain: f64,
    harmonic: f64,
    age: f64,
    delay: f64,
    delay_weight: f64,
    visits: u64,
    wasted: u64,
    slots: u64,
}

/// The copy of a page.
#[derive(Clone, Copy, Debug, Default)]
struct Copy {
    /// When it was taken, in days.
    seen: f64,
    /// The first change that it lacks.
    next: usize,
    is_visited: bool,
}

impl<'a> Score<'a> {
    pub(super) fn new(population: &'a Population) -> Score<'a> {
        Score {
            population,
            pages: vec![Copy::default(); population.pages.len()],
            fresh: 0.0,
            fresh_plain: 0.0,
            harmonic: 0.0,
            age: 0.0,
            delay: 0.0,
            delay_weight: 0.0,
            visits: 0,
            wasted: 0,
            slots: 0,
        }
    }

    /// A visit could be made.
    pub(super) fn slot(&mut self, now: f64) {
        self.slots += u64::from(self.counts(now));
    }

    /// A page is visited: whether it changed since it was last seen, and when that was the last
    /// time.
    pub(super) fn visit(&mut self, page: u32, now: f64) -> Option<f64> {
        let before = self.pages[page as usize];
        let end = self.settle(page, now);
        let last = (end > before.next).then(|| self.known(page).changes[end - 1]);
        if self.counts(now) {
            self.visits += 1;
            self.wasted += u64::from(last.is_none());
        }
        let is_visited = before.is_visited || self.counts(now);
        self.pages[page as usize] = Copy { seen: now, next: end, is_visited };
        last
    }

    fn known(&self, page: u32) -> &'a Known {
        &self.population.pages[page as usize]
    }

    fn counts(&self, now: f64) -> bool {
        now >= self.population.counted_from
    }

    /// Adds up the time since the page was last seen; tells where the changes by `now` end.
    fn settle(&mut self, page: u32, now: f64) -> usize {
        let known = self.known(page);
        let copy = self.pages[page as usize];
        let begin = self.population.counted_from;
        let lasted = |from: f64, to: f64| (to.min(now) - from.max(begin)).max(0.0);
        let changes = &known.changes[copy.next..];
        let unseen = changes.iter().take_while(|change| **change <= now).count();
        let first = changes.first().copied().unwrap_or(f64::INFINITY);
        let fresh = lasted(copy.seen, first);
        self.fresh += known.importance * fresh;
        self.fresh_plain += fresh;
        let mut lack = 0.0;
        for (at, change) in changes[..unseen].iter().enumerate() {
            lack += 1.0 / (at as f64 + 1.0);
            let until = changes.get(at + 1).copied().unwrap_or(f64::INFINITY);
            self.harmonic += known.importance * lack * lasted(*change, until);
            if *change >= begin {
                self.delay += known.importance * (now - change);
                self.delay_weight += known.importance;
            }
        }
        if unseen > 0 {
            // The integral of the time since the first change, over what counts of it.
            let (from, to) = (begin.max(first) - first, now.max(begin) - first);
            self.age += known.importance * (to * to - from * from).max(0.0) / 2.0;
        }
        copy.next + unseen
    }

    /// Ends the run.
    pub(super) fn finish(mut self) -> Figures {
        let end = self.population.days;
        for page in 0..self.pages.len() as u32 {
            self.settle(page, end);
        }
        let span = end - self.population.counted_from;
        let whole = self.population.importance() * span;
        let pages = self.pages.len().max(1) as f64;
        let starved = self.pages.iter().filter(|page| !page.is_visited).count();
        Figures {
            fresh: self.fresh / whole,
            harmonic: self.harmonic / whole,
            age_days: self.age / whole,
            delay_days: self.delay / self.delay_weight.max(f64::MIN_POSITIVE),
            wasted: self.wasted as f64 / self.visits.max(1) as f64,
            used: self.visits as f64 / self.slots.max(1) as f64,
            starved: starved as f64 / pages,
            fresh_unweighted: self.fresh_plain / (pages * span),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn staleness_is_added_up_by_hand() {
        let page = |importance, changes: &[f64]| Known {
            importance,
            rate: 0.1,
            group: 0,
            changes: changes.to_vec(),
        };
        let population = Population {
            pages: vec![page(3.0, &[5.0, 12.0, 14.0]), page(1.0, &[])],
            days: 20.0,
            counted_from: 10.0,
            mean_rate: 0.1,
        };
        let mut score = Score::new(&population);
        assert_eq!(score.visit(0, 11.0), Some(5.0));
        assert_eq!(score.visit(0, 16.0), Some(14.0));
        assert_eq!(score.visit(1, 18.0), None);
        score.slot(1.0);
        (0..4).for_each(|_| score.slot(15.0));
        let found = score.finish();
        // Page 0: stale 10..11 (one change), 12..14 (one), 14..16 (two); page 1 always fresh.
        near(found.fresh, (3.0 * 5.0 + 10.0) / 40.0);
        near(found.fresh_unweighted, 15.0 / 20.0);
        near(found.harmonic, 3.0 * (1.0 + 2.0 + 2.0 * 1.5) / 40.0);
        near(found.age_days, 3.0 * ((36.0 - 25.0) / 2.0 + 16.0 / 2.0) / 40.0);
        near(found.delay_days, (4.0 + 2.0) / 2.0);
        near(found.wasted, 1.0 / 3.0);
        near(found.used, 3.0 / 4.0);
        near(found.starved, 0.0);
    }
}
