//! What the linear model sees of a page: hashed words by field, and the topic's keywords.
//!
//! One pass over the words. Each word counts in the field it stands in, as
//! much as its passage is main content; words side by side in title, headings
//! and link text count as a pair. Pairs of the text do not: measured, they gave
//! 0.002 of F1 for twice the time. Names are not kept: a feature is a number,
//! and whoever wants its name reads the page again.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::keywords::{Keywords, Sighting};
use crate::sight::{Field, Sight};
use crate::words;

/// Where a feature stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A word of the text.
    Text,
    /// Two words side by side in the title, a heading or the link that led here.
    Pair,
    /// A word of the title.
    Title,
    /// A word of a heading.
    Heading,
    /// A word of the address.
    Address,
    /// A word of the link that led here.
    Anchor,
}

impl Place {
    pub(super) const ALL: [Place; 6] =
        [Place::Text, Place::Pair, Place::Title, Place::Heading, Place::Address, Place::Anchor];

    /// True where words side by side count as a pair.
    fn has_pairs(self) -> bool {
        matches!(self, Place::Title | Place::Heading | Place::Anchor)
    }

    /// How it is called when a feature is named.
    pub(super) fn name(self) -> &'static str {
        match self {
            Place::Text => "text",
            Place::Pair => "pair",
            Place::Title => "title",
            Place::Heading => "heading",
            Place::Address => "address",
            Place::Anchor => "link",
        }
    }
}

/// Bits of a word's hash that tell words of one place apart. A model knows some ten thousand
/// words, so at most a few in a hundred of them share a number with another.
const HASH_BITS: u32 = 20;

/// The number of a feature: its place above the bits of its word.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub(super) struct Feature(u32);

impl Feature {
    fn new(place: Place, hash: u64) -> Feature {
        // The high bits are the better mixed ones.
        Feature(((place as u32) << HASH_BITS) | (hash >> (64 - HASH_BITS)) as u32)
    }

    pub(super) fn place(self) -> Place {
        Place::ALL[(self.0 >> HASH_BITS) as usize % Place::ALL.len()]
    }

    pub(super) fn number(self) -> u32 {
        self.0
    }
}

/// What the model sees of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Features {
    /// Each feature once, with how much it counts: the logarithm of its occurrences.
    pub(super) found: Vec<(Feature, f32)>,
    /// Where each of them stands first.
    spots: Vec<Spot>,
    /// What was seen of the topic's keywords.
    pub(super) keywords: Sighting,
}

/// A place on a page: the number of a [stretch](stretches) and a byte in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spot {
    stretch: u32,
    at: u32,
}

/// Words of the text that are read. Measured, 500 to 2000 judge the same, and every page waits for
/// each of them.
const WORDS_READ: u32 = 600;
/// Passages that count less than this are not read.
const LEAST_PROMINENCE: f32 = 0.05;

/// Reads a page.
pub(super) fn read(page: &Sight<'_>, keywords: &Keywords) -> Features {
    TALLY.with_borrow_mut(|tally| {
        let mut seen = Sighting::default();
        let mut follow = keywords.follow();
        let mut buffer = String::new();
        let mut words_left = WORDS_READ;
        for (number, stretch) in (0..).zip(stretches(page)) {
            let Stretch { place, text, weight } = stretch;
            if place == Place::Text && (words_left == 0 || weight < LEAST_PROMINENCE) {
                continue;
            }
            let mut spot_before = Spot::default();
            _ = words::walk(text, &mut buffer, |at, word| {
                let hash = words::number(word);
                let spot = Spot { stretch: number, at: at as u32 };
                tally.add(Feature::new(place, hash), weight, spot);
                let before = follow.word(hash, place, weight, &mut seen);
                if place.has_pairs() {
                    if let Some(before) = before {
                        let both = Feature::new(Place::Pair, pair(before, hash));
                        tally.add(both, weight, spot_before);
                    }
                    spot_before = spot;
                }
                if place == Place::Text {
                    words_left -= 1;
                    if words_left == 0 {
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            });
            follow.part_ends();
        }
        let (found, spots) = tally.take();
        Features { found, spots, keywords: seen }
    })
}

impl Features {
    /// The name of one of the features [found](Features::found) on this page, by its place there.
    pub(super) fn name(&self, page: &Sight<'_>, at: usize) -> Option<String> {
        let spot = *self.spots.get(at)?;
        let place = self.found.get(at)?.0.place();
        let stretch = stretches(page).nth(spot.stretch as usize)?;
        let wanted = if place == Place::Pair { 2 } else { 1 };
        let mut words: Vec<String> = Vec::with_capacity(wanted);
        _ = words::walk(stretch.text.get(spot.at as usize..)?, &mut String::new(), |_, word| {
            words.push(word.to_owned());
            if words.len() < wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let words = words.join(" ");
        Some(match place {
            Place::Text | Place::Pair => words,
            other => format!("{}: {words}", other.name()),
        })
    }
}

/// The feature of a word of the text.
pub(super) fn of_word(word: &str) -> Feature {
    Feature::new(Place::Text, words::number(word))
}

/// Words that stand together in one place and count the same.
struct Stretch<'a> {
    place: Place,
    text: &'a str,
    weight: f32,
}

/// All that is to be read of a page.
fn stretches<'a>(page: &Sight<'a>) -> impl Iterator<Item = Stretch<'a>> {
    let whole = |place, text| Stretch { place, text, weight: 1.0 };
    let url = page.url.map(|url| url.as_url());
    let address = url.into_iter().flat_map(|url| {
        let host = url.host_str().unwrap_or_default();
        [host, url.path(), url.query().unwrap_or_default()]
    });
    let outside = std::iter::once(whole(Place::Anchor, page.anchor))
        .chain(address.map(move |text| whole(Place::Address, text)));
    outside.chain(page.parts().map(|part| {
        let place = match part.field {
            Field::Title => Place::Title,
            Field::Heading => Place::Heading,
            Field::Text => Place::Text,
        };
        Stretch { place, text: part.text, weight: part.prominence }
    }))
}

/// The hash of two words side by side.
#[inline]
fn pair(first: u64, second: u64) -> u64 {
    (first.rotate_left(21) ^ second).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

thread_local! {
    /// Counting table, used again from page to page: making it costs more than reading a page.
    static TALLY: RefCell<Tally> = RefCell::new(Tally::new());
}

/// Counts features.
struct Tally {
    slots: Vec<(u32, f32)>,
    /// Slots in use, and where the feature of each stands first.
    used: Vec<u32>,
    spots: Vec<Spot>,
}

/// No feature has this number.
const FREE: u32 = u32::MAX;
/// Slots at first: four times as many as a page has different words.
const FIRST_SLOTS: usize = 1 << 12;

impl Tally {
    fn new() -> Tally {
        Tally { slots: vec![(FREE, 0.0); FIRST_SLOTS], used: Vec::new(), spots: Vec::new() }
    }

    #[inline]
    fn add(&mut self, feature: Feature, weight: f32, spot: Spot) {
        let at = self.place_of(feature);
        let slot = &mut self.slots[at];
        if slot.0 == feature.0 {
            slot.1 += weight;
            return;
        }
        *slot = (feature.0, weight);
        self.used.push(at as u32);
        self.spots.push(spot);
        if self.used.len() * 2 > self.slots.len() {
            self.grow();
        }
    }

    /// The slot of a feature, or the free one that will be its own.
    #[inline]
    fn place_of(&self, feature: Feature) -> usize {
        let last = self.slots.len() - 1;
        let mut at = feature.0.wrapping_mul(0x9e37_79b1) as usize >> 7 & last;
        while self.slots[at].0 != feature.0 && self.slots[at].0 != FREE {
            at = (at + 1) & last;
        }
        at
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![(FREE, 0.0); size]);
        for nth in 0..self.used.len() {
            let slot = old[self.used[nth] as usize];
            let at = self.place_of(Feature(slot.0));
            self.slots[at] = slot;
            self.used[nth] = at as u32;
        }
    }

    /// What was counted, each count as the model takes it, and where it stands; the table is empty
    /// again.
    fn take(&mut self) -> (Vec<(Feature, f32)>, Vec<Spot>) {
        let mut found = Vec::with_capacity(self.used.len());
        for at in self.used.drain(..) {
            let slot = &mut self.slots[at as usize];
            found.push((Feature(slot.0), gain(slot.1)));
            slot.0 = FREE;
        }
        (found, std::mem::take(&mut self.spots))
    }
}

/// What occurrences count: the second less than the first. One counts 1.
#[inline]
fn gain(occurrences: f32) -> f32 {
    (1.0 + occurrences).log2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topic;
    use gannet_model::{Block, Document, PageUrl, Prominence};

    fn document(title: &str, text: &str) -> Document {
        let block = Block { text: text.to_owned(), ..Block::default() };
        Document { title: title.to_owned(), blocks: vec![block], ..Document::default() }
    }

    fn keywords() -> Keywords {
        Keywords::new(&Topic::from_words("gannet").unwrap())
    }

    #[test]
    fn each_feature_comes_once_and_has_a_name() {
        let document = document("Gannets", "they dive and they dive");
        let url = PageUrl::parse("http://birds.example/sula?x=1").unwrap();
        let page = Sight { url: Some(&url), anchor: "diving birds", ..Sight::from(&document) };
        let features = read(&page, &keywords());
        let mut named: Vec<(String, f32)> = features
            .found
            .iter()
            .enumerate()
            .map(|(at, (_, weight))| (features.name(&page, at).unwrap(), *weight))
            .collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        let twice = gain(2.0);
        let expected = [
            ("address: 1", 1.0),
            ("address: birds", 1.0),
            ("address: example", 1.0),
            ("address: sula", 1.0),
            ("address: x", 1.0),
            ("and", 1.0),
            ("dive", twice),
            ("diving birds", 1.0),
            ("link: birds", 1.0),
            ("link: diving", 1.0),
            ("they", twice),
            ("title: gannets", 1.0),
        ];
        let expected: Vec<_> =
            expected.iter().map(|(name, weight)| ((*name).to_owned(), *weight)).collect();
        assert_eq!(named, expected);
    }

    #[test]
    fn navigation_counts_less() {
        let mut page = document("", "home gannet");
        page.blocks[0].breaks = vec![5];
        let prominence = Prominence::new([0.1, 1.0]);
        let sight = Sight { prominence: Some(&prominence), ..Sight::from(&page) };
        let features = read(&sight, &keywords());
        let weight = |word: &str| {
            let found = features.found.iter().find(|(feature, _)| *feature == of_word(word));
            found.map_or(0.0, |(_, weight)| *weight)
        };
        assert_eq!((weight("home"), weight("gannet")), (gain(0.1), 1.0));
    }

    #[test]
    fn a_text_without_end_is_read_in_part_and_all_is_counted_that_is_read() {
        let text: String = (0..50_000).map(|number| format!("w{number} ")).collect();
        let features = read(&(&document("", &text)).into(), &keywords());
        // A few share a number.
        let most = WORDS_READ as usize;
        assert!((most - 20..=most).contains(&features.found.len()), "{}", features.found.len());
        let again = read(&(&document("", "short")).into(), &keywords());
        assert_eq!(again.found.len(), 1);
    }
}
