//! A page as the ordering sees it: its words as numbers, and how like the topic it and its blocks are.

use gannet_model::{Document, Link, PageUrl, words};

use crate::interest::Interest;
use crate::tally::Tally;

/// Words are told apart by this many numbers.
pub(super) const NUMBERS: usize = 1 << 20;
/// Words of a page that are read.
const WORDS_READ: usize = 1500;
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
    blocks: Vec<f32>,
    tally: Tally,
    /// Steps since the last relevant page on the way to this one.
    pub(super) distance: u8,
}

/// Words of some text with the sums that make a cosine.
#[derive(Default)]
struct Text {
    tally: Tally,
    product: f32,
}

impl Text {
    fn add(&mut self, word: &str, interest: &Interest) {
        let number = words::number(word);
        self.tally.add(number);
        self.product += interest.weight(number);
    }

    fn likeness(&self, interest: &Interest) -> f32 {
        interest.cosine(self.product, self.tally.squares())
    }
}

impl PageView {
    pub(super) fn new(document: &Document, interest: &Interest) -> PageView {
        let mut page = Text::default();
        let mut left = WORDS_READ;
        let mut buffer = String::new();
        words::each_word(&document.title, &mut buffer, |word| page.add(word, interest));
        let blocks = document.blocks.iter().map(|held| {
            let mut block = Text::default();
            let heading = held.heading.iter().map(|heading| heading.text.as_str());
            for text in heading.chain(std::iter::once(held.text.as_str())) {
                _ = words::walk(text, &mut buffer, |_, word| {
                    if left == 0 {
                        return std::ops::ControlFlow::Break(());
                    }
                    left -= 1;
                    block.add(word, interest);
                    std::ops::ControlFlow::Continue(())
                });
            }
            page.product += block.product;
            let likeness = block.likeness(interest);
            for (word, count) in block.tally.iter() {
                page.tally.add_times(word, count);
            }
            likeness
        });
        let blocks = blocks.collect();
        PageView { likeness: page.likeness(interest), blocks, tally: page.tally, distance: 0 }
    }

    pub(super) fn block_likeness(&self, block: usize) -> f32 {
        self.blocks.get(block).copied().unwrap_or(0.0)
    }

    /// Each of its words once, in order of their numbers.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> + use<> {
        let mut words: Vec<u32> = self.tally.iter().map(|(word, _)| shortened(word)).collect();
        words.sort_unstable();
        words.dedup();
        words.into_iter()
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

pub(super) fn words_of(document: &Document, link: &Link, interest: &Interest) -> LinkWords {
    let mut anchor = Text::default();
    let mut anchor_words = Vec::new();
    for text in [&link.anchor, &link.title] {
        words::each_word(text, &mut String::new(), |word| {
            anchor.add(word, interest);
            if anchor_words.len() < ANCHOR_WORDS {
                anchor_words.push(number(word));
            }
        });
    }
    let block = document.blocks.get(link.block);
    let heading = block.and_then(|block| block.heading.as_ref());
    LinkWords {
        anchor_likeness: anchor.likeness(interest),
        anchor: anchor_words,
        context: block.map_or_else(Vec::new, |block| context(&block.text, link.span)),
        heading: heading.map_or_else(Vec::new, |heading| first_words(&heading.text, HEADING_WORDS)),
    }
}

/// The words just before and just after a stretch of text.
fn context(text: &str, (start, end): (usize, usize)) -> Vec<u32> {
    let (start, end) = (start.min(text.len()), end.min(text.len()));
    let from = text.floor_char_boundary(start.saturating_sub(CONTEXT_BYTES));
    let to = text.ceil_char_boundary((end + CONTEXT_BYTES).min(text.len()));
    let before = text.get(from..start).unwrap_or_default();
    let after = text.get(end..to).unwrap_or_default();
    let mut found = Vec::new();
    words::each_word(before, &mut String::new(), |word| found.push(number(word)));
    let surplus = found.len().saturating_sub(CONTEXT_WORDS);
    found.drain(..surplus);
    found.extend(first_words(after, CONTEXT_WORDS));
    found
}

fn first_words(text: &str, most: usize) -> Vec<u32> {
    let mut found = Vec::new();
    _ = words::walk(text, &mut String::new(), |_, word| {
        found.push(number(word));
        match found.len() < most {
            true => std::ops::ControlFlow::Continue(()),
            false => std::ops::ControlFlow::Break(()),
        }
    });
    found
}

/// The words of an address, and their cosine with the topic's.
pub(super) fn address_words(url: &PageUrl, interest: &Interest) -> (Vec<u32>, f32) {
    let mut tally = Text::default();
    let mut found = Vec::new();
    let host = url.host();
    for text in [host.name(), url.path_and_query()] {
        words::each_word(text, &mut String::new(), |word| {
            tally.add(word, interest);
            if found.len() < ADDRESS_WORDS {
                found.push(number(word));
            }
        });
    }
    let likeness = tally.likeness(interest);
    (found, likeness)
}
