//! The page cut at its headings, with the links where they stand (S5.1).
//!
//! Text is written once, into the block or heading that is open. An open link
//! remembers where it began; its words are cut out of that text when it, or
//! the block around it, ends. So every byte is copied at most twice, however
//! links and headings are nested or left open.

use gannet_model::{Block, Heading, Link, Note};

use crate::Limits;
use crate::folded::{Folded, Gap};
use crate::references::{Place, decode_pieces};

/// Blocks and links in the making.
pub(crate) struct Outline<'l> {
    limits: &'l Limits,
    blocks: Vec<Block>,
    links: Vec<Link>,
    /// Text of the open block, which is the last of `blocks`.
    text: Folded,
    /// The heading being read, if any; text goes there instead.
    heading: Option<OpenHeading>,
    /// Headings that enclose the open block, outermost first: level and block.
    ancestors: Vec<(u8, usize)>,
    /// The link being read, if any.
    anchor: Option<OpenAnchor>,
    /// Bytes of text that may still be read.
    text_left: usize,
    /// Limits that cut something, in the order they did.
    cuts: Vec<&'static str>,
}

/// A heading whose end tag has not come.
#[derive(Default)]
struct OpenHeading {
    level: u8,
    text: Folded,
    /// What its images say of themselves; used when it has no words.
    alternative: Folded,
    /// Containers opened inside it and not closed.
    containers: usize,
}

/// A link whose end tag has not come.
struct OpenAnchor {
    /// Which of the links.
    link: usize,
    /// Where it began, or went on, in the text being written.
    since: usize,
    /// What its images, or `aria-label`, say; used when it has no words.
    alternative: Folded,
    /// Tables around it: the end of a cell at this depth ends it.
    tables: usize,
}

impl<'l> Outline<'l> {
    /// An empty outline for a page of `length` bytes.
    pub(crate) fn new(limits: &'l Limits, length: usize) -> Outline<'l> {
        // Pages have about one link in 300 bytes; growing the list in steps costs copies.
        let expected_links = (length / 300).min(limits.max_links).min(1000);
        Outline {
            limits,
            blocks: vec![Block::default()],
            links: Vec::with_capacity(expected_links),
            text: Folded::default(),
            heading: None,
            ancestors: Vec::new(),
            anchor: None,
            text_left: limits.max_text_bytes,
            cuts: Vec::new(),
        }
    }

    /// Index of the open block.
    pub(crate) fn block(&self) -> usize {
        self.blocks.len() - 1
    }

    /// Adds visible text, its references undecoded.
    pub(crate) fn add_text(&mut self, raw: &str) {
        let raw = self.within_budget(raw);
        let text = writing(&mut self.heading, &mut self.text);
        decode_pieces(raw, Place::Text, |piece| text.push(piece));
    }

    /// Adds visible text in which `&` is only `&`.
    pub(crate) fn add_raw_text(&mut self, raw: &str) {
        let raw = self.within_budget(raw);
        writing(&mut self.heading, &mut self.text).push(raw);
    }

    /// Ends a word, a line or a passage. A heading is one passage whatever stands in it.
    #[inline]
    pub(crate) fn separate(&mut self, gap: Gap) {
        match &mut self.heading {
            Some(heading) => heading.text.separate(gap.min(Gap::Space)),
            None => self.text.separate(gap),
        }
    }

    /// A heading begins: so does a block.
    pub(crate) fn open_heading(&mut self, level: u8) {
        self.close_heading();
        if self.blocks.len() >= self.limits.max_blocks.max(1) {
            self.note_cut("blocks");
            return;
        }
        self.settle_anchor();
        self.finish_block();
        while self.ancestors.last().is_some_and(|(above, _)| *above >= level) {
            self.ancestors.pop();
        }
        let parent = self.ancestors.last().map(|(_, block)| *block);
        let block = self.blocks.len();
        self.ancestors.push((level, block));
        self.blocks.push(Block {
            heading: Some(Heading { level, text: String::new() }),
            parent,
            ..Block::default()
        });
        self.heading = Some(OpenHeading { level, ..OpenHeading::default() });
        if let Some(anchor) = &mut self.anchor {
            anchor.since = 0;
            let link = &mut self.links[anchor.link];
            // A link around a heading, as cards have it, belongs to what the heading opens.
            if link.anchor.is_empty() {
                link.block = block;
                link.span = (0, 0);
            }
        }
    }

    /// The open heading, if any, ends; its block's text begins.
    pub(crate) fn close_heading(&mut self) {
        if self.heading.is_none() {
            return;
        }
        self.settle_anchor();
        if let Some(anchor) = &mut self.anchor {
            anchor.since = 0;
        }
        let Some(open) = self.heading.take() else { return };
        let words = if open.text.is_empty() { open.alternative } else { open.text };
        let block = self.block();
        self.blocks[block].heading = Some(Heading { level: open.level, text: words.into_text() });
    }

    /// A container begins.
    #[inline]
    pub(crate) fn open_container(&mut self) {
        if let Some(heading) = &mut self.heading {
            heading.containers += 1;
        }
    }

    /// A container ends, and with it a heading left open inside it.
    #[inline]
    pub(crate) fn close_container(&mut self) {
        let Some(heading) = &mut self.heading else { return };
        match heading.containers.checked_sub(1) {
            Some(containers) => heading.containers = containers,
            None => self.close_heading(),
        }
    }

    /// Adds a link without words of its own in the text.
    pub(crate) fn add_link(&mut self, mut link: Link) -> bool {
        if self.links.len() >= self.limits.max_links {
            self.note_cut("links");
            return false;
        }
        let here = if self.heading.is_some() { 0 } else { self.text.len() };
        link.block = self.block();
        link.span = (here, here);
        self.links.push(link);
        true
    }

    /// A link begins whose words follow. `label` speaks for it if none do.
    pub(crate) fn open_anchor(&mut self, link: Link, label: &str, tables: usize) {
        self.close_anchor();
        if !self.add_link(link) {
            return;
        }
        let mut alternative = Folded::default();
        alternative.push(label);
        let since = writing(&mut self.heading, &mut self.text).len();
        self.anchor = Some(OpenAnchor { link: self.links.len() - 1, since, alternative, tables });
    }

    /// The open link, if any, ends.
    pub(crate) fn close_anchor(&mut self) {
        self.settle_anchor();
        let Some(open) = self.anchor.take() else { return };
        let link = &mut self.links[open.link];
        if link.anchor.is_empty() {
            link.anchor = open.alternative.into_text();
        }
    }

    /// A cell of a table nested `tables` deep begins or ends: a link left open
    /// in that table ends.
    pub(crate) fn cross_cell(&mut self, tables: usize) {
        if self.anchor.as_ref().is_some_and(|anchor| anchor.tables >= tables.max(1)) {
            self.close_anchor();
        }
    }

    /// An image says in words what it shows.
    pub(crate) fn add_alternative(&mut self, words: &str) {
        let anchor = self.anchor.as_mut().map(|anchor| &mut anchor.alternative);
        let heading = self.heading.as_mut().map(|heading| &mut heading.alternative);
        for alternative in anchor.into_iter().chain(heading) {
            alternative.separate(Gap::Space);
            alternative.push(words);
        }
    }

    /// Notes, once, that a limit cut something.
    pub(crate) fn note_cut(&mut self, limit: &'static str) {
        if !self.cuts.contains(&limit) {
            self.cuts.push(limit);
        }
    }

    /// Ends all that is open.
    pub(crate) fn finish(mut self) -> (Vec<Block>, Vec<Link>, Vec<Note>) {
        self.close_anchor();
        self.close_heading();
        self.finish_block();
        let cuts = self.cuts.into_iter().map(|limit| Note::Cut { limit: limit.to_owned() });
        (self.blocks, self.links, cuts.collect())
    }

    /// Gives the open link the words written since it began or went on.
    fn settle_anchor(&mut self) {
        let Some(anchor) = &mut self.anchor else { return };
        let is_heading = self.heading.is_some();
        let written = writing(&mut self.heading, &mut self.text).as_str();
        let end = written.len();
        let gap = usize::from(written.as_bytes().get(anchor.since) == Some(&b' '));
        let start = anchor.since + gap;
        let words = &written[start..];
        anchor.since = end;
        let link = &mut self.links[anchor.link];
        if !words.is_empty() {
            if !link.anchor.is_empty() {
                link.anchor.push(' ');
            }
            link.anchor.push_str(words);
        }
        if is_heading {
            return;
        }
        let block = self.blocks.len() - 1;
        self.blocks[block].linked_chars += words.chars().count();
        if link.block == block && !words.is_empty() {
            link.span = (start, end);
        }
    }

    fn finish_block(&mut self) {
        let block = self.block();
        (self.blocks[block].text, self.blocks[block].breaks) = self.text.take();
    }

    /// As much of `raw` as may still be read.
    #[inline]
    fn within_budget<'r>(&mut self, raw: &'r str) -> &'r str {
        if raw.len() <= self.text_left {
            self.text_left -= raw.len();
            return raw;
        }
        self.note_cut("text");
        let kept = raw.floor_char_boundary(self.text_left);
        self.text_left = 0;
        &raw[..kept]
    }
}

/// Where text goes now. A function of the two fields, so that the others stay free.
#[inline]
fn writing<'f>(heading: &'f mut Option<OpenHeading>, text: &'f mut Folded) -> &'f mut Folded {
    match heading {
        Some(heading) => &mut heading.text,
        None => text,
    }
}
