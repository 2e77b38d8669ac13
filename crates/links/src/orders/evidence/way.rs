//! A way to a link: how it looked on one page. Kept with the link until it is followed.

use serde::{Deserialize, Serialize};

use super::Config;
use super::regression::{Feature, Field};

/// All that is kept with a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Traits {
    pub(super) ways: Vec<Way>,
    /// Pages that link there, relevant ones and others, as far as they were counted.
    pub(super) relevant_parents: u16,
    pub(super) other_parents: u16,
}

/// How a link looked on one page. Words are numbers: see [`super::page::number`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Way {
    /// The page.
    pub(super) parent: u64,
    /// Stands for links that are set alike between the same two hosts.
    pub(super) alike: u64,
    pub(super) is_parent_relevant: bool,
    pub(super) parent_score: f32,
    /// Cosines with the topic's words.
    pub(super) page_likeness: f32,
    pub(super) block_likeness: f32,
    pub(super) anchor_likeness: f32,
    /// Links on the page.
    pub(super) crowd: u16,
    pub(super) is_same_host: bool,
    pub(super) anchor: Vec<u32>,
    pub(super) context: Vec<u32>,
    pub(super) heading: Vec<u32>,
}

impl Traits {
    /// As kept; `None` for what another ordering kept, or nothing.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Traits> {
        let (&FORMAT, body) = bytes.split_first()? else { return None };
        postcard::from_bytes(body).ok()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        postcard::to_extend(self, vec![FORMAT]).unwrap_or_default()
    }

    /// With one way more, the last: the oldest is forgotten when there are too many.
    pub(super) fn add(&mut self, way: Way) {
        self.count_parent(way.is_parent_relevant);
        if self.is_full() {
            self.ways.remove(0);
        }
        self.ways.push(way);
    }

    /// Counts a page that links there.
    pub(super) fn count_parent(&mut self, is_relevant: bool) {
        let parents = match is_relevant {
            true => &mut self.relevant_parents,
            false => &mut self.other_parents,
        };
        *parents = parents.saturating_add(1);
    }

    /// True when another way could only take the place of one.
    pub(super) fn is_full(&self) -> bool {
        self.ways.len() >= MOST_WAYS
    }
}

/// Ways to one link that are remembered.
const MOST_WAYS: usize = 4;

/// The first byte of what is kept: tells it from what other orderings keep.
const FORMAT: u8 = 0xE2;

/// Steps in which likenesses and crowds are told apart.
const LIKENESS_STEPS: f32 = 8.0;

impl Way {
    /// What the regression sees of it, without what is switched off.
    #[inline]
    pub(super) fn features(&self, config: &Config) -> impl Iterator<Item = Feature> + Clone + '_ {
        let likeness = (self.page_likeness.sqrt() * LIKENESS_STEPS) as u64;
        let relevant = u64::from(self.is_parent_relevant);
        let crowd = f32::from(self.crowd).ln_1p() as u64;
        let heading: &[u32] = if config.blocks { &self.heading } else { &[] };
        let yields = if config.yields { 0.5 } else { 0.0 };
        let plain = [
            Feature::new(Field::Alike, self.alike, yields),
            Feature::new(Field::Likeness, likeness, 0.5),
            Feature::new(Field::Nearness, u64::from(self.is_same_host) << 1 | relevant, 0.7),
            Feature::new(Field::Crowd, crowd << 1 | relevant, 0.5),
        ];
        Feature::of_words(Field::Anchor, &self.anchor)
            .chain(Feature::of_words(Field::Context, &self.context))
            .chain(Feature::of_words(Field::Heading, heading))
            .chain(plain)
    }
}
