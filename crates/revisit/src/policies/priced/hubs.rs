//! Pages that lead to new pages: relevant new links a day, as a mean that fades.
//!
//! Few pages do, so only those are noted.

use std::collections::HashMap;

use crate::policy::PageNumber;

/// Links a day of the pages that brought any.
#[derive(Debug, Default)]
pub(super) struct Hubs(HashMap<PageNumber, f32>);

/// Days after which a visit counts for a third.
const FADES: f64 = 30.0;
/// A page that brings less is no hub.
const LEAST: f64 = 0.01;
/// More links a day bring no more: a page of links made by a machine has no end of them.
const MOST: f64 = 100.0;

impl Hubs {
    pub(super) fn links_per_day(&self, page: PageNumber) -> f64 {
        if self.0.is_empty() {
            return 0.0;
        }
        self.0.get(&page).copied().unwrap_or(0.0).into()
    }

    /// Learns how many links a visit brought that looked back on so many days.
    pub(super) fn learn(&mut self, page: PageNumber, links: u32, days: f64) {
        let before = self.links_per_day(page);
        if links == 0 && before == 0.0 {
            return;
        }
        let kept = (-days / FADES).exp();
        let found = f64::from(links) / days.max(f64::MIN_POSITIVE);
        self.put(page, before * kept + found.min(MOST) * (1.0 - kept));
    }

    pub(super) fn put(&mut self, page: PageNumber, links_per_day: f64) {
        if links_per_day < LEAST {
            self.0.remove(&page);
        } else {
            self.0.insert(page, links_per_day as f32);
        }
    }

    pub(super) fn forget(&mut self, page: PageNumber) {
        self.0.remove(&page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_is_worth_what_it_brings_and_is_forgotten_when_it_brings_nothing() {
        let mut hubs = Hubs::default();
        let page = PageNumber(3);
        (0..200).for_each(|_| hubs.learn(page, 4, 2.0));
        assert!((hubs.links_per_day(page) - 2.0).abs() < 0.01);
        (0..200).for_each(|_| hubs.learn(page, 0, 2.0));
        assert_eq!(hubs.links_per_day(page), 0.0);
        assert!(hubs.0.is_empty());
    }
}
