//! A page as the ordering sees it: its words as numbers, and how like the topic it and its blocks are.

use std::ops::ControlFlow;

use gannet_model::{Document, Link, PageUrl, words};

use crate::interest::Interest;
use crate::tally::ByNumber;

/// Words are told apart by this many numbers.
pub(super) const NUMBERS: usize = 1 << 20;
/// Words of a page that are read.
const WORDS_READ: usize = 800;
/// Words of a link, its surroundings on either side, its heading, and an address that count.
const ANCHOR_WORDS: usize = 12;
const CONTEXT_WORDS: usize = 8;
const HEADING_WORDS: usize = 10;
const ADDRESS_WORDS: usize = 16;
/// Bytes in which the surroundings of a link are looked for.
const CONTEXT_BYTES: usize = 120;

/// The number of a word. Numbers written in digits are all the same word.
pub(super) fn number(word: &str) -> u32 {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return 1;
    }
    shortened(words::number(word))
}

fn shortened(number: u64) -> u32 {
    (number >> (64 - NUMBERS.ilog2())) as u32
}

/// The page that was just observed.
#[derive(Default)]
pub(super) struct PageView {
    /// Cosine with the topic's words.
    pub(super) likeness: f32,
    blocks: Vec<BlockView>,
    words: Counts,
    /// Room for a word while it is read.
    buffer: String,
}

/// A block of it.
#[derive(Default)]
struct BlockView {
    likeness: f32,
    /// Words of its heading.
    heading: Vec<u32>,
}

/// How often each word stands on the page and in the block that is being read.
#[derive(Default)]
struct Counts {
    by_word: ByNumber<Count>,
    page: Sums,
    block: Sums,
    /// The number of the block that is being read.
    current: usize,
}

struct Count {
    /// What the word weighs in the topic.
    weight: f32,
    on_page: f32,
    in_block: f32,
    /// The block that `in_block` was counted in.
    block: usize,
}

/// What makes a cosine.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Of the counts with the topic's weights.
    product: f32,
    /// Of the counts with themselves.
    squares: f32,
}

impl Sums {
    /// Counts a word that weighs so much and was counted so often before.
    fn add(&mut self, weight: f32, before: f32) {
        self.product += weight;
        self.squares += 2.0 * before + 1.0;
    }

    fn likeness(self, interest: &Interest) -> f32 {
        interest.cosine(self.product, self.squares)
    }
}

impl Counts {
    fn clear(&mut self) {
        self.by_word.clear();
        self.page = Sums::default();
        self.begin_block(0);
    }

    fn begin_block(&mut self, number: usize) {
        self.current = number;
        self.block = Sums::default();
    }

    fn add(&mut self, word: &str, interest: &Interest) {
        let number = words::number(word);
        let block = self.current;
        let count = self.by_word.entry(number).or_insert_with(|| Count {
            weight: interest.weight(number),
            on_page: 0.0,
            in_block: 0.0,
            block,
        });
        if count.block != block {
            count.block = block;
            count.in_block = 0.0;
        }
        self.page.add(count.weight, count.on_page);
        self.block.add(count.weight, count.in_block);
        count.on_page += 1.0;
        count.in_block += 1.0;
    }
}

impl PageView {
    /// Reads another page.
    pub(super) fn read(&mut self, document: &Document, interest: &Interest) {
        let PageView { blocks, words: counts, buffer, .. } = self;
        let mut left = WORDS_READ;
        counts.clear();
        blocks.clear();
        words::each_word(&document.title, buffer, |word| counts.add(word, interest));
        for (number, block) in (1..).zip(&document.blocks) {
            counts.begin_block(number);
            let heading = block.heading.as_ref().map_or("", |heading| heading.text.as_str());
            for text in [heading, block.text.as_str()] {
                _ = words::walk(text, buffer, |_, word| {
                    if left == 0 {
                        return ControlFlow::Break(());
                    }
                    left -= 1;
                    counts.add(word, interest);
                    ControlFlow::Continue(())
                });
            }
            let heading = first_words(heading, HEADING_WORDS, buffer);
            blocks.push(BlockView { likeness: counts.block.likeness(interest), heading });
        }
        self.likeness = self.words.page.likeness(interest);
    }

    pub(super) fn block_likeness(&self, block: usize) -> f32 {
        self.blocks.get(block).map_or(0.0, |block| block.likeness)
    }

    /// Each of its words once.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        self.words.by_word.keys().map(|word| shortened(*word))
    }

    /// The words that stand at one of its links.
    pub(super) fn words_of(
        &mut self,
        document: &Document,
        link: &Link,
        interest: &Interest,
    ) -> LinkWords {
        let buffer = &mut self.buffer;
        let mut anchor = Vec::new();
        for text in [&link.anchor, &link.title] {
            extend_with_words(&mut anchor, text, ANCHOR_WORDS, buffer);
        }
        let block = document.blocks.get(link.block);
        LinkWords {
            anchor_likeness: interest.similarity([link.anchor.as_str(), link.title.as_str()]),
            anchor,
            context: block.map_or_else(Vec::new, |block| context(&block.text, link.span, buffer)),
            heading: self
                .blocks
                .get(link.block)
                .map_or_else(Vec::new, |block| block.heading.clone()),
        }
    }
}

/// What words stand at a link.
pub(super) struct LinkWords {
    pub(super) anchor: Vec<u32>,
    pub(super) context: Vec<u32>,
    pub(super) heading: Vec<u32>,
    /// Cosine of the link's own words with the topic's.
    pub(super) anchor_likeness: f32,
}

/// The words just before and just after a stretch of text.
fn context(text: &str, (start, end): (usize, usize), buffer: &mut String) -> Vec<u32> {
    let (start, end) = (start.min(text.len()), end.min(text.len()));
    let from = text.floor_char_boundary(start.saturating_sub(CONTEXT_BYTES));
    let to = text.ceil_char_boundary((end + CONTEXT_BYTES).min(text.len()));
    let before = text.get(from..start).unwrap_or_default();
    let after = text.get(end..to).unwrap_or_default();
    let mut found = Vec::with_capacity(CONTEXT_BYTES / 2);
    words::each_word(before, buffer, |word| found.push(number(word)));
    let surplus = found.len().saturating_sub(CONTEXT_WORDS);
    found.drain(..surplus);
    let most = found.len() + CONTEXT_WORDS;
    extend_with_words(&mut found, after, most, buffer);
    found
}

fn first_words(text: &str, most: usize, buffer: &mut String) -> Vec<u32> {
    let mut found = Vec::new();
    extend_with_words(&mut found, text, most, buffer);
    found
}

/// Adds words of a text until there are `most`.
fn extend_with_words(found: &mut Vec<u32>, text: &str, most: usize, buffer: &mut String) {
    _ = words::walk(text, buffer, |_, word| {
        if found.len() >= most {
            return ControlFlow::Break(());
        }
        found.push(number(word));
        ControlFlow::Continue(())
    });
}

/// The words of an address, and their cosine with the topic's.
pub(super) fn address_words(url: &PageUrl, interest: &Interest) -> (Vec<u32>, f32) {
    let host = url.host();
    let texts = [host.name(), url.path_and_query()];
    let mut found = Vec::new();
    for text in texts {
        extend_with_words(&mut found, text, ADDRESS_WORDS, &mut String::new());
    }
    (found, interest.similarity(texts))
}
