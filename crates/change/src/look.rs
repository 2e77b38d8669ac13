//! What a version looks like, boiled down to hashes: what two versions are compared by.

use gannet_model::{Document, FileKind, Link, Prominence, spread};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use crate::attached::{FileCode, Files, Held, MOST_FILES};
use crate::normal;
use crate::shingles::{Sketch, Sketcher};
use crate::version::{Attached, Version};

/// A version of a page, boiled down.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Of all bytes.
    pub(crate) raw: u128,
    /// Of all text in one piece, however it is cut into passages.
    pub(crate) text: u64,
    /// Headings and passages in their order.
    pub(crate) passages: Vec<Passage>,
    /// Of the text.
    pub(crate) sketch: Sketch,
    pub(crate) structure: u64,
    pub(crate) links: u64,
    pub(crate) images: Shown,
    pub(crate) style: Shown,
}

/// A heading or passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    /// Of its text.
    pub(crate) text: u32,
    /// Of its text with digits masked.
    pub(crate) masked: u32,
    pub(crate) words: u16,
    pub(crate) part: Part,
}

/// What part of the page a passage belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Part {
    /// A link among links, away from the main text.
    Navigation,
    /// Away from the main text.
    Margin,
    /// The main text, as far as one can tell.
    Main,
}

/// Files that belong to a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shown {
    /// Of their addresses.
    pub(crate) addresses: u64,
    /// Those that are fetched for their own sake.
    pub(crate) held: Vec<Held>,
}

/// Passages that count less than this are away from the main text.
const MAIN: f32 = 0.5;
/// Passages told apart; the rest of a longer page is one.
const MOST_PASSAGES: usize = 1024;

impl Look {
    /// At a version.
    pub fn at(version: &Version<'_>) -> Look {
        let document = version.document;
        let mut reader = TextReader::new();
        reader.read(document, version.prominence);
        let links = document.links.iter().map(|link| xxh3_64(link.url.as_str().as_bytes()));
        Look {
            raw: xxh3_128(version.body),
            text: reader.whole.digest(),
            sketch: reader.sketcher.finish(),
            passages: reader.passages,
            structure: document.structure,
            links: links.fold(0, |sum, link| sum.wrapping_add(spread(link))),
            images: Shown::new(
                document.images.iter().map(|image| image.url.as_str()),
                version.images,
                FileKind::Image,
            ),
            style: Shown::new(
                document.stylesheets.iter().map(|sheet| sheet.as_str()),
                version.styles,
                FileKind::Style,
            ),
        }
    }

    /// Takes in what is known of the files that belong to the page.
    pub fn hold(&mut self, files: Files) {
        self.style.held = files.styles;
        self.images.held = files.images;
    }

    pub(crate) fn files(&self) -> Files {
        Files { styles: self.style.held.clone(), images: self.images.held.clone() }
    }

    /// Words of the text.
    pub(crate) fn words(&self) -> usize {
        self.passages.iter().map(|passage| usize::from(passage.words)).sum()
    }
}

impl Shown {
    /// Addresses lose their query: a change of it is mostly a build's number.
    fn new<'a>(
        addresses: impl Iterator<Item = &'a str>,
        held: &[Attached],
        kind: FileKind,
    ) -> Shown {
        let bare = |address: &'a str| address.split(['?', '#']).next().unwrap_or_default();
        let addresses = addresses.map(|address| spread(xxh3_64(bare(address).as_bytes())));
        let held = held.iter().take(MOST_FILES).map(|file| Held {
            file: xxh3_64(file.url.as_bytes()),
            code: Some(FileCode::of(kind, &file.body)),
        });
        Shown { addresses: addresses.fold(0, u64::wrapping_add), held: held.collect() }
    }
}

/// Reads the text of a page, passage by passage.
struct TextReader {
    passages: Vec<Passage>,
    whole: Xxh3,
    sketcher: Sketcher,
    /// Room for the passage at hand.
    normal: Vec<u8>,
    masked: Vec<u8>,
}

impl TextReader {
    fn new() -> TextReader {
        TextReader {
            passages: Vec::new(),
            whole: Xxh3::new(),
            sketcher: Sketcher::new(),
            normal: Vec::new(),
            masked: Vec::new(),
        }
    }

    fn read(&mut self, document: &Document, prominence: &Prominence) {
        let mut parts = parts(document, prominence).into_iter();
        self.add(&document.title, Part::Main);
        for block in &document.blocks {
            if let Some(heading) = &block.heading {
                self.add(&heading.text, Part::Main);
            }
            for (_, text) in block.passages() {
                self.add(text, parts.next().unwrap_or(Part::Main));
            }
        }
    }

    fn add(&mut self, text: &str, part: Part) {
        self.normal.clear();
        normal::append(text, &mut self.normal);
        if self.normal.is_empty() {
            return;
        }
        // Between passages stands a space, however they are cut.
        self.whole.update(b" ");
        self.whole.update(&self.normal);
        self.masked.clear();
        normal::append_masked(&self.normal, &mut self.masked);
        let (text_hash, masked) = (xxh3_64(&self.normal), xxh3_64(&self.masked));
        let words = self.sketcher.take(&self.normal).min(usize::from(u16::MAX)) as u16;
        let passage = Passage { text: text_hash as u32, masked: masked as u32, words, part };
        let is_full = self.passages.len() >= MOST_PASSAGES;
        match self.passages.last_mut() {
            Some(last) if is_full => last.join(passage),
            _ => self.passages.push(passage),
        }
    }
}

/// The part of the page that each passage belongs to, in their order.
fn parts(document: &Document, prominence: &Prominence) -> Vec<Part> {
    let mut links = Linked::new(document);
    let mut parts: Vec<Part> = Vec::new();
    // The block of the link that the last passage was, if it was one.
    let mut after_link = None;
    for passage in document.passages() {
        let is_main = prominence.of(parts.len()) >= MAIN;
        let is_linked = links.fill(passage.block, passage.start, passage.text.len()) && !is_main;
        let is_among_links = is_linked && after_link == Some(passage.block);
        let part = match (is_main, is_among_links) {
            (true, _) => Part::Main,
            (false, true) => Part::Navigation,
            (false, false) => Part::Margin,
        };
        if part == Part::Navigation
            && let Some(before) = parts.last_mut()
        {
            *before = Part::Navigation;
        }
        parts.push(part);
        after_link = is_linked.then_some(passage.block);
    }
    parts
}

/// The links of a page, walked along with its passages.
struct Linked<'a> {
    links: std::iter::Peekable<std::slice::Iter<'a, Link>>,
}

/// A passage of which this share stands in links is navigation, if it is no part of the main text.
const LINKED: f32 = 0.9;

impl<'a> Linked<'a> {
    fn new(document: &'a Document) -> Linked<'a> {
        Linked { links: document.links.iter().peekable() }
    }

    /// Whether links fill the stretch of a block; stretches must come in their order.
    fn fill(&mut self, block: usize, start: usize, length: usize) -> bool {
        let end = start + length;
        let mut linked = 0;
        while let Some(link) = self.links.peek() {
            let (from, to) = link.span;
            if (link.block, from) >= (block, end) {
                break;
            }
            if link.block == block {
                linked += to.min(end).saturating_sub(from.max(start));
            }
            if link.block == block && to > end {
                // It goes on in the next passage.
                break;
            }
            self.links.next();
        }
        linked as f32 >= LINKED * length as f32
    }
}

impl Passage {
    fn join(&mut self, next: Passage) {
        let join = |a: u32, b: u32| spread(u64::from(a) << 32 | u64::from(b)) as u32;
        *self = Passage {
            text: join(self.text, next.text),
            masked: join(self.masked, next.masked),
            words: self.words.saturating_add(next.words),
            part: self.part.max(next.part),
        };
    }
}
