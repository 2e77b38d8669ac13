//! What sitemaps say of made-up and recorded pages, truly or not.

use super::chance::Chance;
use super::population::Population;

/// How good a sitemap is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signals {
    /// There is none.
    None,
    /// It tells of some changes, and of some that there are not.
    Sitemap {
        /// The share of changes that it tells of.
        recall: f64,
        /// The share of what it tells that is so.
        precision: f64,
    },
    /// It says every day that every page was changed today.
    Lying,
}

/// Something said of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Said {
    /// When, in days.
    pub(super) day: f64,
    /// Of which page.
    pub(super) page: u32,
}

impl Signals {
    /// All that is said, in order.
    pub(super) fn draw(&self, population: &Population, seed: u64) -> Vec<Said> {
        let mut said = match *self {
            Signals::None => Vec::new(),
            Signals::Sitemap { recall, precision } => sitemap(population, recall, precision, seed),
            Signals::Lying => lies(population),
        };
        said.sort_by(|one, other| one.day.total_cmp(&other.day).then(one.page.cmp(&other.page)));
        said
    }
}

fn sitemap(population: &Population, recall: f64, precision: f64, seed: u64) -> Vec<Said> {
    let mut said = Vec::new();
    for (page, known) in (0..).zip(&population.pages) {
        let mut chance = Chance::seeded(seed, &format!("sitemap {page}"));
        let told = known.changes.iter().filter(|_| chance.is(recall));
        said.extend(told.map(|day| Said { day: *day, page }));
        let rate_of_false = known.rate * recall * (1.0 - precision) / precision;
        if rate_of_false <= 0.0 {
            continue;
        }
        let mut day = chance.gap(rate_of_false);
        while day < population.days {
            said.push(Said { day, page });
            day += chance.gap(rate_of_false);
        }
    }
    said
}

fn lies(population: &Population) -> Vec<Said> {
    let pages = population.pages.len() as u32;
    let days = (1..).map(f64::from).take_while(|day| *day < population.days);
    days.flat_map(|day| (0..pages).map(move |page| Said { day, page })).collect()
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::Synthetic;
    use super::*;

    #[test]
    fn a_sitemap_has_the_recall_and_the_precision_asked_for() {
        let population = Synthetic::LognormalZipf.draw(1000, 1);
        let said = Signals::Sitemap { recall: 0.5, precision: 0.2 }.draw(&population, 1);
        let is_true = |said: &&Said| {
            let changes = &population.pages[said.page as usize].changes;
            changes.contains(&said.day)
        };
        let hits = said.iter().filter(is_true).count() as f64;
        let changes: usize = population.pages.iter().map(|page| page.changes.len()).sum();
        assert!((hits / changes as f64 - 0.5).abs() < 0.02);
        assert!((hits / said.len() as f64 - 0.2).abs() < 0.02);
        assert!(said.is_sorted_by(|one, other| one.day <= other.day));
    }
}
