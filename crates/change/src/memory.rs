//! What is remembered of a page's last version, and of how its passages behaved so far.
//!
//! About 20 bytes and 14 for each passage. A visit that finds the same bytes changes nothing here,
//! so nothing is written for it.

use serde::{Deserialize, Serialize};

use crate::alignment::Mark;
use crate::attached::{Files, Held};
use crate::look::{Look, Part, Passage, Shown};
use crate::shingles::Sketch;

/// What is remembered of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    pub(crate) raw: u128,
    pub(crate) text: u64,
    pub(crate) sketch: Sketch,
    pub(crate) structure: u64,
    pub(crate) links: u64,
    pub(crate) images: Shown,
    pub(crate) style: Shown,
    pub(crate) slots: Vec<Slot>,
    /// Texts that came and went, each with how often.
    pub(crate) comings: Vec<(u32, u8)>,
    /// Texts of the last change that counts, until the next visit tells whether they stay.
    pub(crate) news: Vec<u32>,
}

/// A place on the page where a passage stands, whatever it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Slot {
    pub(crate) text: u32,
    pub(crate) masked: u32,
    pub(crate) words: u16,
    pub(crate) part: Part,
    /// The visit that saw it first.
    pub(crate) since: u32,
    /// Visits since then that found another text.
    pub(crate) changes: u16,
}

/// Visits that a place must have been seen in before it can be taken for volatile.
const FEWEST_VISITS: u32 = 4;
/// A text that came and went this often is no news.
const COMES_AND_GOES: u8 = 3;
/// Texts remembered that came and went.
const MOST_COMINGS: usize = 32;
/// Texts of a change that are looked for at the next visit.
const MOST_NEWS: usize = 16;

impl Memory {
    /// Of a page that was seen for the first time, at this visit.
    pub fn first(look: &Look, visit: u32) -> Memory {
        Memory::of(look, look.passages.iter().map(|passage| Slot::new(*passage, visit)).collect())
    }

    pub(crate) fn of(look: &Look, slots: Vec<Slot>) -> Memory {
        Memory {
            raw: look.raw,
            text: look.text,
            sketch: look.sketch,
            structure: look.structure,
            links: look.links,
            images: look.images.clone(),
            style: look.style.clone(),
            slots,
            comings: Vec::new(),
            news: Vec::new(),
        }
    }

    /// As it is stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_extend(self, vec![FORMAT]).unwrap_or_default()
    }

    /// As it was stored; `None` for what cannot be read.
    pub fn from_bytes(bytes: &[u8]) -> Option<Memory> {
        let (&FORMAT, body) = bytes.split_first()? else { return None };
        postcard::from_bytes(body).ok()
    }

    /// The files that belong to the page, as remembered.
    pub fn files(&self) -> Files {
        Files { styles: self.style.held.clone(), images: self.images.held.clone() }
    }

    /// The same, to be brought up to date.
    pub fn held_mut(&mut self) -> impl Iterator<Item = &mut Held> {
        self.style.held.iter_mut().chain(&mut self.images.held)
    }

    /// True when it waits for the next visit to tell whether a change stays.
    pub fn is_waiting(&self) -> bool {
        !self.news.is_empty()
    }

    pub(crate) fn words(&self) -> usize {
        self.slots.iter().map(|slot| usize::from(slot.words)).sum()
    }

    /// A text came or went.
    pub(crate) fn note_coming(&mut self, text: u32) {
        if let Some((_, times)) = self.comings.iter_mut().find(|(other, _)| *other == text) {
            *times = times.saturating_add(1);
            return;
        }
        if self.comings.len() >= MOST_COMINGS {
            self.comings.remove(0);
        }
        self.comings.push((text, 1));
    }

    /// Whether a text comes and goes.
    pub(crate) fn comes_and_goes(&self, text: u32) -> bool {
        let times = self.comings.iter().find(|(other, _)| *other == text).map(|(_, times)| *times);
        // It comes or goes once more now.
        times.is_some_and(|times| times + 1 >= COMES_AND_GOES)
    }

    pub(crate) fn wait_for(&mut self, news: impl Iterator<Item = u32>) {
        self.news = news.take(MOST_NEWS).collect();
    }
}

/// The first byte of what is stored.
const FORMAT: u8 = 2;

impl Slot {
    pub(crate) fn new(passage: Passage, visit: u32) -> Slot {
        let Passage { text, masked, words, part } = passage;
        Slot { text, masked, words, part, since: visit, changes: 0 }
    }

    /// The same place with what stands there now.
    pub(crate) fn with(self, passage: Passage) -> Slot {
        let changes = self.changes.saturating_add(u16::from(self.text != passage.text));
        Slot { since: self.since, changes, ..Slot::new(passage, self.since) }
    }

    /// Whether the place says something else at every other visit or more often, as of this visit.
    pub(crate) fn is_volatile(&self, visit: u32) -> bool {
        let visits = visit.saturating_sub(self.since);
        // The visit at hand is the one that found the next change.
        let changes = u32::from(self.changes) + 1;
        visits >= FEWEST_VISITS && changes * 2 >= visits
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { text: self.text, masked: self.masked }
    }
}

impl Passage {
    pub(crate) fn mark(&self) -> Mark {
        Mark { text: self.text, masked: self.masked }
    }
}
