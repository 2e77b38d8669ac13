//! Links that wait, as far as memory goes, to be weighed anew without asking the store.

use std::collections::{HashMap, VecDeque};

use gannet_model::{Fingerprint, HostId, Spread};

use super::way::Traits;
use super::yields::Place;
use crate::tally::ByNumber;

/// Links remembered; of more, the oldest are weighed only when their turn comes.
const MOST_HELD: usize = 1 << 15;

#[derive(Default)]
pub(super) struct Waiting {
    held: HashMap<Fingerprint, Held, Spread>,
    /// Links of each page, in their order on it.
    by_parent: ByNumber<Vec<Fingerprint>>,
    /// All of them, the next to be weighed first.
    turns: VecDeque<Fingerprint>,
}

/// A link that waits.
pub(super) struct Held {
    pub(super) host: HostId,
    pub(super) place: Place,
    pub(super) traits: Traits,
    /// What it was last weighed at.
    pub(super) log_odds: f32,
}

impl Waiting {
    /// Remembers a link, in place of what was known of it.
    pub(super) fn note(&mut self, link: Fingerprint, held: Held) {
        if self.held.insert(link, held).is_none() {
            self.turns.push_back(link);
            self.forget_oldest();
        }
    }

    /// A link stands on this page, behind those told before.
    pub(super) fn stands_on(&mut self, page: u64, link: Fingerprint) {
        let links = self.by_parent.entry(page).or_default();
        if links.last() != Some(&link) {
            links.push(link);
        }
    }

    /// A link waits no longer.
    pub(super) fn forget(&mut self, link: Fingerprint) -> Option<Held> {
        // Its row in `turns` goes when its turn comes; its page's list keeps it for its place there.
        self.held.remove(&link)
    }

    pub(super) fn get(&self, link: Fingerprint) -> Option<&Held> {
        self.held.get(&link)
    }

    pub(super) fn get_mut(&mut self, link: Fingerprint) -> Option<&mut Held> {
        self.held.get_mut(&link)
    }

    /// Up to `most` links that stand nearest to this one on a page.
    pub(super) fn beside(&self, link: Fingerprint, parent: u64, most: usize) -> Vec<Fingerprint> {
        let mut found = Vec::new();
        let Some(links) = self.by_parent.get(&parent) else { return found };
        let place = links.iter().position(|other| *other == link).unwrap_or(0);
        for step in 1..links.len() {
            let around = [place.checked_sub(step), Some(place + step)];
            for at in around.into_iter().flatten() {
                if found.len() >= most {
                    return found;
                }
                if let Some(near) = links.get(at)
                    && self.held.contains_key(near)
                {
                    found.push(*near);
                }
            }
        }
        found
    }

    /// Up to `most` links whose turn it is.
    pub(super) fn in_turn(&mut self, most: usize) -> Vec<Fingerprint> {
        let turns = self.turns.len().min(most);
        let mut found: Vec<Fingerprint> = self.turns.drain(..turns).collect();
        found.retain(|link| self.held.contains_key(link));
        self.turns.extend(&found);
        found
    }

    fn forget_oldest(&mut self) {
        while self.held.len() > MOST_HELD {
            let Some(oldest) = self.turns.pop_front() else { return };
            if let Some(held) = self.held.remove(&oldest) {
                for way in &held.traits.ways {
                    self.by_parent.remove(&way.parent);
                }
            }
        }
    }
}
