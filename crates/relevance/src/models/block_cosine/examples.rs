//! The labelled pages that the model was taught, block by block.
//!
//! What is remembered is bounded and does not depend on the order of lessons:
//! of too many pages of a kind, those with the smallest fingerprints stay. A
//! page taught again is known by its last label.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::table::{Table, most_frequent};
use super::vector::Vector;
use crate::experience::{home_of, term_of};
use crate::fingerprint::{self, Fingerprint};
use crate::language::{self, Language};
use crate::{Sight, words};

/// Pages remembered of a kind at most.
const MOST_OF_A_KIND: usize = 500;
/// Blocks remembered of a page at most, from its beginning.
const BLOCKS_OF_A_PAGE: usize = 64;
/// Different terms remembered of a page at most, the most frequent ones.
const TERMS_OF_A_PAGE: usize = 400;

/// Labelled pages by the fingerprints of their texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Examples(BTreeMap<u64, Example>);

/// A labelled page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Example {
    pub(super) is_relevant: bool,
    /// Its language's code; empty when unknown.
    language: String,
    /// Its terms, sorted.
    terms: Vec<String>,
    blocks: Vec<Block>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Block {
    /// Of all its terms, also of those that are not remembered.
    squares: u64,
    length: u32,
    /// Terms by their places and how often each occurs.
    counts: Vec<(u16, u32)>,
}

impl Examples {
    /// Remembers a page; false when it says nothing new.
    pub(super) fn add(&mut self, page: &Sight<'_>, is_relevant: bool) -> bool {
        let Some(fingerprint) = fingerprint::of_text(page).map(Fingerprint::get) else {
            return false;
        };
        let example = Example::read(page, is_relevant);
        if self.0.get(&fingerprint) == Some(&example) {
            return false;
        }
        self.0.insert(fingerprint, example);
        let of_kind = self.0.iter().filter(|(_, page)| page.is_relevant == is_relevant);
        if of_kind.clone().count() > MOST_OF_A_KIND
            && let Some(largest) = of_kind.map(|(fingerprint, _)| *fingerprint).next_back()
        {
            self.0.remove(&largest);
            return largest != fingerprint;
        }
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pages by the fingerprints of their texts.
    pub(super) fn pages(&self) -> impl Iterator<Item = (u64, &Example)> {
        self.0.iter().map(|(fingerprint, page)| (*fingerprint, page))
    }

    /// The language of most pages that show theirs.
    pub(super) fn home(&self) -> Option<Language> {
        let known = self.0.values().filter(|page| !page.language.is_empty());
        let languages = known.map(|page| Language::from_code(&page.language));
        let mut languages = languages.peekable();
        languages.peek()?;
        Some(home_of(languages))
    }

    /// True when every block refers to terms that its page has.
    pub(super) fn are_sound(&self) -> bool {
        self.0.values().all(|page| {
            let mut counts = page.blocks.iter().flat_map(|block| &block.counts);
            counts.all(|(term, _)| usize::from(*term) < page.terms.len())
        })
    }
}

/// The most frequent terms of relevant pages, with `n_i / n_max` (S5.2).
pub(super) fn learned<'a>(
    pages: impl Iterator<Item = &'a Example>,
    top: usize,
) -> Vec<(String, f32)> {
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for page in pages.filter(|page| page.is_relevant) {
        for (term, count) in page.blocks.iter().flat_map(|block| &block.counts) {
            *counts.entry(&page.terms[usize::from(*term)]).or_default() += u64::from(*count);
        }
    }
    most_frequent(&counts, top)
}

impl Example {
    fn read(page: &Sight<'_>, is_relevant: bool) -> Example {
        let language = language::detect(page.document);
        let (mut lower, mut stem) = (String::new(), String::new());
        let mut blocks: Vec<(u32, HashMap<String, u32>)> = Vec::new();
        for part in page.parts().filter(|part| part.block < BLOCKS_OF_A_PAGE) {
            blocks.resize(blocks.len().max(part.block + 1), (0, HashMap::new()));
            let (length, counts) = &mut blocks[part.block];
            words::each_word(part.text, &mut lower, |word| {
                let Some(term) = term_of(word, language, &mut stem) else { return };
                *length += 1;
                match counts.get_mut(term) {
                    Some(count) => *count += 1,
                    None => {
                        counts.insert(term.to_owned(), 1);
                    }
                }
            });
        }
        let terms = terms(&blocks);
        let blocks = blocks.iter().map(|(length, counts)| Block::of(*length, counts, &terms));
        let blocks = blocks.collect();
        Example { is_relevant, language: language.code().to_owned(), terms, blocks }
    }

    pub(super) fn language(&self) -> Language {
        Language::from_code(&self.language)
    }

    /// Each block as a reader would read it by this table.
    pub(super) fn vectors(&self, table: &Table) -> Vec<Vector> {
        let places: Vec<Option<u32>> = self.terms.iter().map(|term| table.find(term)).collect();
        let vector = |block: &Block| {
            let found = block
                .counts
                .iter()
                .filter_map(|(term, count)| Some((places[usize::from(*term)]?, *count)));
            let mut found: Vec<_> = found.collect();
            found.sort_unstable();
            found.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                kept.1 = kept.1.saturating_add(if is_same { next.1 } else { 0 });
                is_same
            });
            Vector { found, squares: block.squares, length: block.length }
        };
        self.blocks.iter().map(vector).collect()
    }
}

/// The most frequent terms of all blocks, sorted.
fn terms(blocks: &[(u32, HashMap<String, u32>)]) -> Vec<String> {
    let mut totals: HashMap<&str, u64> = HashMap::new();
    for (term, count) in blocks.iter().flat_map(|(_, counts)| counts) {
        *totals.entry(term).or_default() += u64::from(*count);
    }
    let mut sorted: Vec<(&str, u64)> = totals.into_iter().collect();
    sorted.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    sorted.truncate(TERMS_OF_A_PAGE);
    let mut terms: Vec<String> = sorted.into_iter().map(|(term, _)| term.to_owned()).collect();
    terms.sort_unstable();
    terms
}

impl Block {
    fn of(length: u32, counts: &HashMap<String, u32>, terms: &[String]) -> Block {
        let squares = counts.values().map(|count| u64::from(*count).pow(2)).sum();
        let counts =
            terms.iter().zip(0..).filter_map(|(term, place)| Some((place, *counts.get(term)?)));
        Block { squares, length, counts: counts.collect() }
    }
}
