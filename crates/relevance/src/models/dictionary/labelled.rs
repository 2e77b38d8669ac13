//! The pages of which a person said whether they are relevant, by what was found in them.
//!
//! They are remembered for two reasons: a page labelled again must count once,
//! with its last label, and the threshold is tuned on all of them together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::counts::Contribution;

/// Labelled pages by the fingerprints of their texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Labelled(BTreeMap<u64, Page>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Page {
    is_relevant: bool,
    found: Vec<(u32, u32)>,
}

/// Pages remembered at most: more than anybody labels, and a few hundred kilobytes.
const MOST: usize = 10_000;
/// Pages that a threshold is tuned on at most, spread evenly: it is tuned again after every page.
const TUNED_ON: usize = 1_000;

impl Labelled {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_known(&self, fingerprint: u64) -> bool {
        self.0.contains_key(&fingerprint)
    }

    /// What a page added to the counts when it was last labelled.
    pub(super) fn get(&self, fingerprint: u64) -> Option<Contribution<'_>> {
        self.0.get(&fingerprint).map(Page::contribution)
    }

    /// Remembers a page, while there is room.
    pub(super) fn insert(&mut self, fingerprint: u64, page: Contribution<'_>) {
        if self.0.len() < MOST || self.is_known(fingerprint) {
            let page = Page { is_relevant: page.is_relevant, found: page.found.to_vec() };
            self.0.insert(fingerprint, page);
        }
    }

    /// Pages to tune a threshold on.
    pub(super) fn sample(&self) -> impl Iterator<Item = Contribution<'_>> {
        let every = self.0.len().div_ceil(TUNED_ON).max(1);
        self.0.values().step_by(every).map(Page::contribution)
    }

    /// True when no entry that was found is beyond so many.
    pub(super) fn fits(&self, entries: usize) -> bool {
        let mut found = self.0.values().flat_map(|page| &page.found);
        found.all(|(entry, _)| (*entry as usize) < entries)
    }
}

impl Page {
    fn contribution(&self) -> Contribution<'_> {
        Contribution { found: &self.found, is_relevant: self.is_relevant }
    }
}
