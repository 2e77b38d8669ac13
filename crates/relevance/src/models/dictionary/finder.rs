//! Which entries of a dictionary stand in a page, and how often, in one pass (S2.1).
//!
//! An entry is a keyword with its synonyms, a regular expression, or two words
//! in a prescribed order. Entries are numbered in this order, as the topic
//! gives them. No entry runs over the edge of a text: a title, a heading, a
//! block.

use std::collections::HashMap;
use std::ops::Range;

use gannet_model::SettingsError;

use super::expressions::Expressions;
use crate::phrases::{Found, Phrases, Reader, tally};
use crate::topic::Topic;

/// Finds entries.
pub(super) struct Finder {
    phrases: Phrases,
    /// For which keywords each phrase stands: where they begin in the next list.
    starts: Vec<u32>,
    stands_for: Vec<u32>,
    expressions: Option<Expressions>,
    /// The entry that is the first expression.
    first_expression: u32,
    orders: Orders,
}

/// Words in prescribed order.
#[derive(Default)]
struct Orders {
    /// By the phrase that comes second.
    by_second: HashMap<u32, Vec<Order>>,
    /// By phrase, whether it stands in any order.
    is_ordered: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Order {
    entry: u32,
    first: u32,
    within: u32,
}

impl Finder {
    pub(super) fn new(topic: &Topic) -> Result<Finder, SettingsError> {
        let mut phrases = Phrases::new();
        let mut meanings: Vec<(u32, u32)> = Vec::new();
        for (keyword, entry) in topic.keywords().iter().zip(0..) {
            for text in std::iter::once(&keyword.text).chain(&keyword.synonyms) {
                meanings.push((phrases.add(text), entry));
            }
        }
        let patterns = topic.patterns();
        let first_expression = topic.keywords().len() as u32;
        let expressions =
            if patterns.is_empty() { None } else { Some(Expressions::new(patterns)?) };
        let mut orders = Orders::default();
        let first_order = first_expression + patterns.len() as u32;
        for (order, entry) in topic.word_orders().iter().zip(first_order..) {
            let first = phrases.add(&order.first);
            let second = phrases.add(&order.then);
            orders.add(second, Order { entry, first, within: order.within });
        }
        orders.is_ordered.resize(phrases.count(), false);
        let (starts, stands_for) = by_phrase(meanings, phrases.count());
        Ok(Finder { phrases, starts, stands_for, expressions, first_expression, orders })
    }

    /// The entries that stand in these texts, rising, and how often each does.
    pub(super) fn find<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Vec<(u32, u32)> {
        let mut entries = Vec::new();
        let mut ordered = Vec::new();
        let mut reader = Reader::default();
        for text in texts {
            ordered.clear();
            self.phrases.read(text, &mut reader, |found| {
                entries.extend_from_slice(self.meanings(found.phrase));
                if self.orders.is_ordered[found.phrase as usize] {
                    ordered.push(found);
                }
            });
            self.orders.each(&mut ordered, &self.phrases, |entry, _| entries.push(entry));
            if let Some(expressions) = &self.expressions {
                expressions.count(text, |place, count| {
                    let entry = self.first_expression + place as u32;
                    entries.extend(std::iter::repeat_n(entry, count));
                });
            }
        }
        tally(entries)
    }

    /// Where each entry stands in a text, in bytes, in the order of the text.
    pub(super) fn places(&self, text: &str) -> Vec<(Range<usize>, u32)> {
        let mut places = Vec::new();
        let mut ordered = Vec::new();
        let words = self.phrases.places(text, |found, place| {
            let meanings = self.meanings(found.phrase).iter();
            places.extend(meanings.map(|entry| (place.clone(), *entry)));
            if self.orders.is_ordered[found.phrase as usize] {
                ordered.push(found);
            }
        });
        self.orders.each(&mut ordered, &self.phrases, |entry, (from, to)| {
            places.push((words[from as usize].start..words[to as usize].end, entry));
        });
        if let Some(expressions) = &self.expressions {
            expressions.places(text, |place, range| {
                places.push((range, self.first_expression + place as u32));
            });
        }
        places.sort_by_key(|(place, entry)| (place.start, place.end, *entry));
        places
    }

    /// The keywords for which a phrase stands.
    fn meanings(&self, phrase: u32) -> &[u32] {
        let at = phrase as usize;
        &self.stands_for[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl Orders {
    fn add(&mut self, second: u32, order: Order) {
        for phrase in [order.first, second] {
            let at = phrase as usize;
            self.is_ordered.resize(self.is_ordered.len().max(at + 1), false);
            self.is_ordered[at] = true;
        }
        self.by_second.entry(second).or_default().push(order);
    }

    /// Calls `visit` with each order that is kept, once for each second phrase in reach of a
    /// first, and where it begins and ends, in words.
    fn each(&self, found: &mut [Found], phrases: &Phrases, mut visit: impl FnMut(u32, (u32, u32))) {
        found.sort_unstable_by_key(|one| (one.phrase, one.last));
        for seconds in found.chunk_by(|a, b| a.phrase == b.phrase) {
            let second = seconds[0].phrase;
            for order in self.by_second.get(&second).into_iter().flatten() {
                let from = found.partition_point(|one| one.phrase < order.first);
                let to = found.partition_point(|one| one.phrase <= order.first);
                for one in seconds {
                    let begins = one.last + 1 - phrases.length(second);
                    let before = found[from..to].partition_point(|first| first.last < begins);
                    let Some(first) = found[from..to][..before].last() else { continue };
                    if begins - first.last <= order.within {
                        let start = first.last + 1 - phrases.length(order.first);
                        visit(order.entry, (start, one.last));
                    }
                }
            }
        }
    }
}

/// Pairs of phrase and entry as one list of entries and where those of each phrase begin.
fn by_phrase(mut pairs: Vec<(u32, u32)>, phrases: usize) -> (Vec<u32>, Vec<u32>) {
    pairs.sort_unstable();
    pairs.dedup();
    let mut starts = vec![0_u32; phrases + 1];
    for (phrase, _) in &pairs {
        starts[*phrase as usize + 1] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    (starts, pairs.into_iter().map(|(_, entry)| entry).collect())
}
