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
    /// What was seen of the topic's keywords.
    pub(super) keywords: Sighting,
}

/// Words of the text that are read: more hardly changes what a page is about, and every page
/// waits for it.
const WORDS_READ: u32 = 1000;
/// Passages that count less than this are not read.
const LEAST_PROMINENCE: f32 = 0.05;

/// Reads a page.
pub(super) fn read(page: &Sight<'_>, keywords: &Keywords) -> Features {
    TALLY.with_borrow_mut(|tally| {
        let mut seen = Sighting::default();
        let mut follow = keywords.follow();
        let mut words_read = 0;
        visit_words(page, |place, word, weight| {
            let Some(word) = word else {
                follow.part_ends();
                return Going::On;
            };
            let hash = hash(word);
            words_read += u32::from(place == Place::Text);
            tally.add(Feature::new(place, hash), weight);
            if let Some(before) = follow.word(hash, place, weight, &mut seen)
                && place.has_pairs()
            {
                tally.add(Feature::new(Place::Pair, pair(before, hash)), weight);
            }
            if words_read < WORDS_READ { Going::On } else { Going::Past }
        });
        Features { found: tally.take(), keywords: seen }
    })
}

/// Calls `visit` with each feature of a page by name, as often as it occurs, until `visit` has
/// seen enough: to find the names of features that [`read`] gave.
pub(super) fn names(
    page: &Sight<'_>,
    mut visit: impl FnMut(Feature, &dyn Fn() -> String) -> ControlFlow<()>,
) {
    let mut before = String::new();
    let mut words_read = 0;
    let mut is_over = false;
    visit_words(page, |place, word, _| {
        let Some(word) = word else {
            before.clear();
            return if is_over { Going::Past } else { Going::On };
        };
        words_read += u32::from(place == Place::Text);
        let mut tell = |feature, name: &dyn Fn() -> String| {
            is_over = is_over || visit(feature, name).is_break();
        };
        tell(Feature::new(place, hash(word)), &|| match place {
            Place::Text | Place::Pair => word.to_owned(),
            other => format!("{}: {word}", other.name()),
        });
        if place.has_pairs() {
            if !before.is_empty() {
                let number = Feature::new(Place::Pair, pair(hash(&before), hash(word)));
                tell(number, &|| format!("{before} {word}"));
            }
            before.clear();
            before.push_str(word);
        }
        if words_read < WORDS_READ && !is_over { Going::On } else { Going::Past }
    });
}

/// The feature of a word of the text.
pub(super) fn of_word(word: &str) -> Feature {
    Feature::new(Place::Text, hash(word))
}

/// Whether the rest of the text is read.
#[derive(PartialEq, Eq)]
enum Going {
    /// It is.
    On,
    /// It is passed over; what is not text is read all the same.
    Past,
}

/// Calls `visit` with each word, where it stands and how much it counts, and with `None` after
/// each part. What is short and telling comes first, so that a long text cannot crowd it out.
fn visit_words(page: &Sight<'_>, mut visit: impl FnMut(Place, Option<&str>, f32) -> Going) {
    let mut buffer = String::new();
    let mut part = |place, text: &str, weight| {
        let mut going = Going::On;
        words::each_word(text, &mut buffer, |word| {
            if going == Going::On {
                going = visit(place, Some(word), weight);
            }
        });
        visit(place, None, weight);
        going
    };
    part(Place::Anchor, page.anchor, 1.0);
    if let Some(url) = page.url {
        let url = url.as_url();
        part(Place::Address, url.host_str().unwrap_or_default(), 1.0);
        part(Place::Address, url.path(), 1.0);
        part(Place::Address, url.query().unwrap_or_default(), 1.0);
    }
    let mut going = Going::On;
    for piece in page.parts() {
        match piece.field {
            Field::Title => _ = part(Place::Title, piece.text, 1.0),
            Field::Heading => _ = part(Place::Heading, piece.text, 1.0),
            Field::Text if going == Going::On && piece.prominence >= LEAST_PROMINENCE => {
                going = part(Place::Text, piece.text, piece.prominence);
            }
            Field::Text => {}
        }
    }
}

/// A quick hash of a word that mixes well into its high bits. It is kept with what was learned, so
/// it never changes.
#[inline]
pub(super) fn hash(word: &str) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = word.len() as u64;
    let mut chunks = word.as_bytes().chunks_exact(8);
    for chunk in &mut chunks {
        let eight = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        state = (state ^ eight).wrapping_mul(MIX);
        state ^= state >> 32;
    }
    let mut last = [0; 8];
    let rest = chunks.remainder();
    last[..rest.len()].copy_from_slice(rest);
    state = (state ^ u64::from_le_bytes(last)).wrapping_mul(MIX);
    (state ^ (state >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
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
    /// Slots in use.
    used: Vec<u32>,
}

/// No feature has this number.
const FREE: u32 = u32::MAX;
/// Slots at first; a page of two thousand words fills half of them.
const FIRST_SLOTS: usize = 1 << 13;

impl Tally {
    fn new() -> Tally {
        Tally { slots: vec![(FREE, 0.0); FIRST_SLOTS], used: Vec::new() }
    }

    #[inline]
    fn add(&mut self, feature: Feature, weight: f32) {
        let last = self.slots.len() - 1;
        let mut at = feature.0.wrapping_mul(0x9e37_79b1) as usize >> 7 & last;
        loop {
            let slot = &mut self.slots[at];
            if slot.0 == feature.0 {
                slot.1 += weight;
                return;
            }
            if slot.0 == FREE {
                *slot = (feature.0, weight);
                self.used.push(at as u32);
                if self.used.len() * 2 > self.slots.len() {
                    self.grow();
                }
                return;
            }
            at = (at + 1) & last;
        }
    }

    fn grow(&mut self) {
        let counted: Vec<_> = self.used.drain(..).map(|at| self.slots[at as usize]).collect();
        self.slots = vec![(FREE, 0.0); self.slots.len() * 2];
        for (feature, weight) in counted {
            self.add(Feature(feature), weight);
        }
    }

    /// What was counted, each count as the model takes it; the table is empty again.
    fn take(&mut self) -> Vec<(Feature, f32)> {
        let mut found = Vec::with_capacity(self.used.len());
        for at in self.used.drain(..) {
            let slot = &mut self.slots[at as usize];
            found.push((Feature(slot.0), gain(slot.1)));
            slot.0 = FREE;
        }
        found
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
        let mut named = Vec::new();
        for (feature, weight) in &features.found {
            let mut name = String::new();
            names(&page, |found, tell| {
                if found != *feature {
                    return ControlFlow::Continue(());
                }
                name = tell();
                ControlFlow::Break(())
            });
            named.push((name, *weight));
        }
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
