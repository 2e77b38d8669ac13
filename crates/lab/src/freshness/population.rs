//! Pages, what they are worth, and when they change.

use super::chance::Chance;

/// Pages whose changes are known.
#[derive(Clone, Debug)]
pub struct Population {
    /// Its pages.
    pub pages: Vec<Known>,
    /// Days from the first visit of all pages to the end.
    pub days: f64,
    /// The day from which on is counted: what comes before is for learning.
    pub counted_from: f64,
    /// Changes a day of a page, on average: budgets are multiples of it.
    pub mean_rate: f64,
}

/// A page all of whose changes are known.
#[derive(Clone, Debug)]
pub struct Known {
    /// How much its freshness matters.
    pub importance: f64,
    /// How often it changes in a day.
    pub rate: f64,
    /// Pages that are made alike have the same.
    pub group: u64,
    /// When it changes, in days, in order.
    pub changes: Vec<f64>,
}

/// How much pages matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Importance {
    /// The first page as much as the second and third together, and so on.
    Zipf,
    /// All alike.
    Flat,
}

impl Population {
    /// Gives pages importance by chance.
    pub(super) fn weigh(&mut self, importance: Importance, chance: &mut Chance) {
        let mut weights: Vec<f64> = (1..=self.pages.len())
            .map(|rank| match importance {
                Importance::Zipf => 1.0 / rank as f64,
                Importance::Flat => 1.0,
            })
            .collect();
        chance.shuffle(&mut weights);
        let sum: f64 = weights.iter().sum();
        for (page, weight) in self.pages.iter_mut().zip(weights) {
            page.importance = weight / sum;
        }
    }

    /// The sum of all importance.
    pub(super) fn importance(&self) -> f64 {
        self.pages.iter().map(|page| page.importance).sum()
    }
}
