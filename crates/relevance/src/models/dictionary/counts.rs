//! In how many relevant and irrelevant pages each entry was found: `W = Nr/Pr − Ni/Pi` (S2.3).
//!
//! A model that learns from every page makes a new set of counts for each, so
//! these share all that did not change: of a hundred thousand entries, only
//! those few hundred that lie beside a found one are copied.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Counts of every entry.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    pages: Pages,
    /// Slices of the entries' counts, in order.
    slices: Vec<Arc<[Seen; SLICE]>>,
    /// The sum of what stands for each entry's counts: the same for the same counts, however they
    /// came about.
    sum: u64,
}

/// How many pages were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pages {
    /// Pr.
    pub(super) relevant: u32,
    /// Pi.
    pub(super) irrelevant: u32,
}

/// Where an entry was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// Nr.
    pub(super) relevant: u32,
    /// Ni.
    pub(super) irrelevant: u32,
    /// In how many pages.
    pub(super) pages: u32,
}

/// What one page adds: how often each entry counts, and whether the page is relevant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contribution<'a> {
    pub(super) found: &'a [(u32, u32)],
    pub(super) is_relevant: bool,
}

/// Entries in a slice: 3 KB, small beside a page.
const SLICE: usize = 256;

impl Counts {
    /// No page judged yet.
    pub(super) fn new(entries: usize) -> Counts {
        let empty = Arc::new([Seen::default(); SLICE]);
        Counts { pages: Pages::default(), slices: vec![empty; entries.div_ceil(SLICE)], sum: 0 }
    }

    pub(super) fn pages(&self) -> Pages {
        self.pages
    }

    pub(super) fn of(&self, entry: u32) -> Seen {
        let at = entry as usize;
        self.slices.get(at / SLICE).map_or(Seen::default(), |slice| slice[at % SLICE])
    }

    /// Adds a judged page.
    pub(super) fn add(&mut self, page: Contribution<'_>) {
        self.change(page, |number, by| number.saturating_add(by));
    }

    /// Takes back a page that was added.
    pub(super) fn take_back(&mut self, page: Contribution<'_>) {
        self.change(page, |number, by| number.saturating_sub(by));
    }

    fn change(&mut self, page: Contribution<'_>, step: impl Fn(u32, u32) -> u32) {
        let pages = match page.is_relevant {
            true => &mut self.pages.relevant,
            false => &mut self.pages.irrelevant,
        };
        *pages = step(*pages, 1);
        for (entry, times) in page.found {
            let mut seen = self.of(*entry);
            let side = if page.is_relevant { &mut seen.relevant } else { &mut seen.irrelevant };
            *side = step(*side, *times);
            seen.pages = step(seen.pages, 1);
            self.set(*entry, seen);
        }
    }

    /// Replaces an entry's counts.
    fn set(&mut self, entry: u32, seen: Seen) {
        let at = entry as usize;
        let Some(slice) = self.slices.get_mut(at / SLICE) else { return };
        let place = &mut Arc::make_mut(slice)[at % SLICE];
        self.sum = self.sum.wrapping_sub(stamp(entry, *place)).wrapping_add(stamp(entry, seen));
        *place = seen;
    }

    /// `Nr/Pr − Ni/Pi`; without pages of a kind, that term is 0.
    pub(super) fn weight(&self, entry: u32) -> f32 {
        weight(self.of(entry), self.pages)
    }

    /// The same, as if one of the pages had not been added.
    pub(super) fn weight_without(&self, entry: u32, times: u32, is_relevant: bool) -> f32 {
        let (mut seen, mut pages) = (self.of(entry), self.pages);
        if is_relevant {
            seen.relevant = seen.relevant.saturating_sub(times);
            pages.relevant = pages.relevant.saturating_sub(1);
        } else {
            seen.irrelevant = seen.irrelevant.saturating_sub(times);
            pages.irrelevant = pages.irrelevant.saturating_sub(1);
        }
        weight(seen, pages)
    }

    /// A number that changes with the counts.
    pub(super) fn stamp(&self) -> u64 {
        let Pages { relevant, irrelevant } = self.pages;
        self.sum.wrapping_add(mix(u64::from(relevant) << 32 | u64::from(irrelevant)))
    }

    /// The entries that were found, for keeping.
    pub(super) fn found(&self) -> Vec<(u32, Seen)> {
        let all = self.slices.iter().flat_map(|slice| slice.iter());
        let found = (0_u32..).zip(all).filter(|(_, seen)| **seen != Seen::default());
        found.map(|(entry, seen)| (entry, *seen)).collect()
    }

    /// Counts that were kept; `None` when they are not those of so many entries.
    pub(super) fn restored(entries: usize, pages: Pages, found: &[(u32, Seen)]) -> Option<Counts> {
        let mut counts = Counts { pages, ..Counts::new(entries) };
        for (entry, seen) in found {
            if *entry as usize >= entries {
                return None;
            }
            counts.set(*entry, *seen);
        }
        Some(counts)
    }
}

fn weight(seen: Seen, pages: Pages) -> f32 {
    let share = |count: u32, of: u32| if of == 0 { 0.0 } else { count as f32 / of as f32 };
    share(seen.relevant, pages.relevant) - share(seen.irrelevant, pages.irrelevant)
}

/// What stands for an entry's counts in the sum; nothing stands for none.
fn stamp(entry: u32, seen: Seen) -> u64 {
    if seen == Seen::default() {
        return 0;
    }
    let counts = u64::from(seen.relevant) << 32 | u64::from(seen.irrelevant);
    mix(mix(mix(u64::from(entry)) ^ counts) ^ u64::from(seen.pages))
}

/// Spreads every bit over all others (the finaliser of SplitMix64).
fn mix(number: u64) -> u64 {
    let number = (number ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts(pages: &[(&[(u32, u32)], bool)]) -> Counts {
        let mut counts = Counts::new(1_000);
        for (found, is_relevant) in pages {
            counts.add(Contribution { found, is_relevant: *is_relevant });
        }
        counts
    }

    #[test]
    fn the_weight_is_the_difference_of_the_rates() {
        let pages: [(&[(u32, u32)], bool); 6] = [
            (&[(0, 1), (999, 1)], true),
            (&[(0, 1)], true),
            (&[(0, 1), (500, 1)], false),
            (&[], false),
            (&[], false),
            (&[], false),
        ];
        let counts = counts(&pages);
        assert_eq!(counts.weight(0), 2.0 / 2.0 - 1.0 / 4.0);
        assert_eq!(counts.weight(999), 1.0 / 2.0);
        assert_eq!(counts.weight(500), -1.0 / 4.0);
        assert_eq!(counts.weight(1), 0.0);
    }

    #[test]
    fn without_pages_of_a_kind_its_term_is_zero() {
        assert_eq!(counts(&[]).weight(0), 0.0);
        assert_eq!(counts(&[(&[(0, 3)], true)]).weight(0), 3.0);
        assert_eq!(counts(&[(&[(0, 1)], false)]).weight(0), -1.0);
    }

    proptest! {
        #[test]
        fn the_stamp_tells_counts_apart_and_nothing_else(
            pages in prop::collection::vec(
                (prop::collection::btree_map(0_u32..600, 1_u32..3, 0..5), any::<bool>()), 0..8),
            other in (prop::collection::btree_map(0_u32..600, 1_u32..3, 0..5), any::<bool>()),
        ) {
            let list = |found: &std::collections::BTreeMap<u32, u32>| {
                found.iter().map(|(entry, times)| (*entry, *times)).collect::<Vec<_>>()
            };
            let mut forth = Counts::new(600);
            let mut back = Counts::new(600);
            for (found, is_relevant) in &pages {
                forth.add(Contribution { found: &list(found), is_relevant: *is_relevant });
            }
            for (found, is_relevant) in pages.iter().rev() {
                back.add(Contribution { found: &list(found), is_relevant: *is_relevant });
            }
            prop_assert_eq!(forth.stamp(), back.stamp());
            let restored = Counts::restored(600, forth.pages(), &forth.found()).unwrap();
            prop_assert_eq!(restored.stamp(), forth.stamp());
            let found = list(&other.0);
            let page = Contribution { found: &found, is_relevant: other.1 };
            back.add(page);
            prop_assert_ne!(forth.stamp(), back.stamp());
            for (entry, times) in &found {
                let without = back.weight_without(*entry, *times, other.1);
                prop_assert_eq!(without, forth.weight(*entry));
            }
            back.take_back(page);
            prop_assert_eq!(forth.stamp(), back.stamp());
        }
    }
}
