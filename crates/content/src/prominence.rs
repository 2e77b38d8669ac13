//! How much each passage of a page counts as main content.
//!
//! Two things give navigation, footers and notices away: they are links or
//! scraps of text among links, and they repeat over a site's pages. The first
//! is seen on the page alone, without word lists and so in any language; the
//! second is asked of a [`SiteTemplate`]. Nothing is cut out: a passage gets a
//! weight, and a page that has no main content, a hub, keeps enough of it to
//! be judged.
//!
//! Every passage is evidence for or against standing in the main content:
//! unlinked text and sentences for, links and scraps against. The main content
//! is then the [stretch](crate::stretches) of passages with the greatest sum,
//! as in maximum subsequence segmentation (Pasternack and Roth 2009). So a
//! short line between paragraphs belongs to them, and a sentence alone in a
//! footer does not count much.

use gannet_model::{Document, Prominence};

use crate::stretches::stretches;
use crate::template::{SiteTemplate, fingerprint};

/// Weight of what is surely not main content. Not zero: on a page of nothing
/// else all passages then count alike.
const LEAST_WEIGHT: f32 = 0.05;

/// What the passages of a page without main content weigh at least. Below the
/// half that makes main content, so that hubs are told from articles.
const HUB_FLOOR: f32 = 0.4;

/// With so much evidence (two paragraphs) a page has main content, however many its links.
const CONTENT_EVIDENCE: i32 = 250;

/// A stretch counts fully when its evidence is this share of the best one's,
/// and proportionally less below: the parts of a page that holds several
/// articles all count, a footer's notice does not.
const FULL_SHARE: f32 = 0.8;

/// So much evidence (five paragraphs) counts fully whatever the rest of the page
/// has: the sections of a manual are cut apart by tables, and all are content.
const FULL_EVIDENCE: f32 = 1000.0;

/// A passage is evidence by its length up to so many bytes. A longer paragraph
/// is not surer content, and must not outweigh the rest of the page.
const MOST_BYTES: i32 = 200;

/// What every passage costs: many short ones in a row are a list of scraps.
const PASSAGE_COST: i32 = 40;

/// What the end of a sentence adds, and its absence takes. With the cost above,
/// any unlinked sentence is evidence for content, and a line without full stop
/// must be a long one.
const SENTENCE: i32 = 40;

/// When a site's template covers more than this share of a page, in percent,
/// the page is the double of others and the template says nothing about it.
const MOST_TEMPLATE: usize = 95;

/// How much each passage counts as main content, in the order of
/// [`Document::passages`]: half or more means main content.
///
/// Pure, and linear in the number of passages and links.
pub fn prominence(document: &Document, site: Option<&SiteTemplate>) -> Prominence {
    let mut passages = measure(document);
    if let Some(site) = site.filter(|site| site.is_telling()) {
        mark_template(document, site, &mut passages);
    }
    let evidence: Vec<i32> = passages.iter().map(Shape::evidence).collect();
    let stretches = stretches(&evidence);
    let linked: usize = passages.iter().map(|passage| passage.linked).sum();
    let best = stretches.iter().map(|stretch| stretch.sum).max().unwrap_or(0);
    // Among many links a lone sentence is no article; without links it is the whole page.
    let enough = CONTENT_EVIDENCE.min(i32::try_from(linked).unwrap_or(i32::MAX));
    let full = (best.max(enough).max(1) as f32 * FULL_SHARE).min(FULL_EVIDENCE);
    let floor = HUB_FLOOR * (1.0 - best.min(enough) as f32 / enough.max(1) as f32);

    let mut weights = vec![0.0; passages.len()];
    for stretch in stretches {
        let share = (stretch.sum as f32 / full).min(1.0);
        weights[stretch.range].fill(share);
    }
    let weights = weights.into_iter().zip(&passages).map(|(share, passage)| {
        let least = if passage.is_template { LEAST_WEIGHT } else { floor.max(LEAST_WEIGHT) };
        (share * passage.unlinked_share()).max(least)
    });
    Prominence::new(weights)
}

/// What of a passage can be seen without reading it.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    /// Where it begins in its block, in bytes.
    start: usize,
    bytes: usize,
    /// Bytes of it that stand in links.
    linked: usize,
    ends_sentence: bool,
    /// It repeats over the pages of the site.
    is_template: bool,
}

impl Shape {
    /// For main content when positive, against it when negative.
    fn evidence(&self) -> i32 {
        let bounded = |bytes: usize| i32::try_from(bytes).unwrap_or(MOST_BYTES).min(MOST_BYTES);
        let text = bounded(self.bytes - self.linked) - bounded(self.linked);
        let sentence = if self.ends_sentence { SENTENCE } else { -SENTENCE };
        let evidence = text + sentence - PASSAGE_COST;
        // A template passage never speaks for content, but not against what
        // stands around it either: in tables, labels repeat amid content.
        if self.is_template { evidence.min(0) } else { evidence }
    }

    /// Down from 1, which it is until half of the passage is linked, to 0 for all of it.
    fn unlinked_share(&self) -> f32 {
        if self.is_template {
            return 0.0;
        }
        let unlinked = (self.bytes - self.linked) as f32 / self.bytes.max(1) as f32;
        (2.0 * unlinked).min(1.0)
    }
}

/// Measures every passage of the document.
fn measure(document: &Document) -> Vec<Shape> {
    let expected = document.blocks.iter().map(|block| block.breaks.len() + 1).sum();
    let mut passages = Vec::with_capacity(expected);
    // The passages of block `n` are those from `firsts[n]` to `firsts[n + 1]`.
    let mut firsts = Vec::with_capacity(document.blocks.len() + 1);
    for block in &document.blocks {
        firsts.push(passages.len());
        passages.extend(block.passages().map(|(start, text)| {
            let text = text.trim_end_matches(' ');
            let ends_sentence = ends_sentence(text);
            Shape { start, bytes: text.len(), ends_sentence, ..Shape::default() }
        }));
    }
    firsts.push(passages.len());
    for link in &document.links {
        let next = link.block.saturating_add(1);
        if let (Some(first), Some(end)) = (firsts.get(link.block), firsts.get(next)) {
            add_linked(&mut passages[*first..*end], link.span);
        }
    }
    passages
}

/// Counts the bytes of a link in the passages of its block that it runs through.
fn add_linked(passages: &mut [Shape], (from, to): (usize, usize)) {
    let first = passages.partition_point(|passage| passage.start + passage.bytes <= from);
    for passage in passages[first..].iter_mut().take_while(|passage| passage.start < to) {
        let end = to.min(passage.start + passage.bytes);
        let linked = end.saturating_sub(from.max(passage.start));
        passage.linked = (passage.linked + linked).min(passage.bytes);
    }
}

fn mark_template(document: &Document, site: &SiteTemplate, passages: &mut [Shape]) {
    let (mut all, mut template) = (0, 0);
    for (passage, shape) in document.passages().zip(passages.iter_mut()) {
        shape.is_template = fingerprint(passage.text).is_some_and(|it| site.holds(it));
        all += shape.bytes;
        template += if shape.is_template { shape.bytes } else { 0 };
    }
    if template * 100 > all * MOST_TEMPLATE {
        passages.iter_mut().for_each(|shape| shape.is_template = false);
    }
}

/// True when a passage ends as sentences do in the scripts of the web, quotes
/// and brackets after the full stop aside. A colon or semicolon ends what a
/// list or quotation continues.
fn ends_sentence(passage: &str) -> bool {
    let is_closing = |c| matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）');
    let last = passage.chars().rev().take(MOST_CLOSING).find(|c| !is_closing(*c));
    last.is_some_and(|c| {
        matches!(c, '.' | '!' | '?' | ':' | ';' | '…')
            || matches!(c, '。' | '！' | '？' | '．' | '：' | '।' | '؟' | '۔' | '։' | '።')
    })
}

/// Quotes and brackets looked past at the end of a passage.
const MOST_CLOSING: usize = 4;
