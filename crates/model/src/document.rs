//! What a page says, once its bytes are read.
//!
//! A [`Document`] is the common ground of everything that judges a page. It is
//! always there: bytes that make no sense yield a poor document with
//! [`Note`]s, never an error.

use serde::{Deserialize, Serialize};

use crate::PageUrl;

/// A page as its readers see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Contents of the first `<title>`, white space folded.
    pub title: String,
    /// Declared language (`<html lang>` or the `Content-Language` header), lower case.
    pub language: Option<String>,
    /// Name of the encoding the bytes were read in, such as `UTF-8`.
    pub charset: &'static str,
    /// What links resolve against: the `<base href>` if there is one, else the page itself.
    pub base: Option<PageUrl>,
    /// `<link rel=canonical>` or its header form: the address the page gives itself.
    pub canonical: Option<PageUrl>,
    /// The page's own wishes on following, indexing and archiving.
    pub robots: RobotsMeta,
    /// `<meta name=description>`.
    pub description: String,
    /// The page cut at its headings (S5.1), in document order. Block 0 is what
    /// stands before the first heading and is present even when empty.
    pub blocks: Vec<Block>,
    /// Every reference to another resource that a person could follow, in document order.
    pub links: Vec<Link>,
    /// Images, in document order.
    pub images: Vec<Image>,
    /// Absolute addresses of linked style sheets.
    pub stylesheets: Vec<PageUrl>,
    /// Forms, in document order.
    pub forms: Vec<Form>,
    /// Where `<meta http-equiv=refresh>` leads, if anywhere.
    pub refresh: Option<PageUrl>,
    /// Stands for the names of all start tags in their order: two pages that differ in text alone
    /// have the same.
    pub structure: u64,
    /// What was odd about the bytes.
    pub notes: Vec<Note>,
}

/// What a file is to the page that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// A style sheet.
    Style,
    /// An image.
    Image,
}

/// A heading and everything after it up to the next heading (S5.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The heading that opens it; `None` only for block 0.
    pub heading: Option<Heading>,
    /// The nearest earlier block whose heading has a higher rank; blocks nest by level.
    pub parent: Option<usize>,
    /// Visible text without the heading, white space folded.
    pub text: String,
    /// Characters of `text` that stand inside links: the measure of navigation.
    pub linked_chars: usize,
    /// Where in `text` a paragraph, list item, cell or other box begins, in bytes, rising.
    /// The first passage begins at 0, which is not listed.
    pub breaks: Vec<u32>,
}

/// A stretch of a block's text between two [breaks](Block::breaks): a paragraph, a list item, a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'a> {
    /// The block it stands in.
    pub block: usize,
    /// Where it begins in the block's text, in bytes.
    pub start: usize,
    /// What it says; never empty.
    pub text: &'a str,
}

/// How much each passage of a document counts, as main content rather than navigation,
/// footers and notices. In the order of [`Document::passages`]; what is beyond its end counts fully.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prominence(Vec<f32>);

/// The heading of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 for `h1` … 6 for `h6`.
    pub level: u8,
    /// Its text, white space folded.
    pub text: String,
}

/// A reference to another resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads.
    pub url: PageUrl,
    /// The words of the link itself; for an image link the image's `alt`.
    pub anchor: String,
    /// The link's `title` attribute; empty when absent.
    pub title: String,
    /// What the page says of its relation to the target.
    pub rel: Rel,
    /// By which element it refers.
    pub kind: LinkKind,
    /// The block it stands in.
    pub block: usize,
    /// Byte range of the anchor within its block's text: what stands around it is its context.
    pub span: (usize, usize),
    /// A number for the kinds of the last few tags opened before it: links that a site sets alike,
    /// such as those of a menu or of a list of results, have the same.
    pub trail: u32,
}

/// By which element a link refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// `<a href>`.
    Anchor,
    /// `<area href>` of an image map.
    Area,
    /// `<frame src>` or `<iframe src>`.
    Frame,
    /// `<link rel=next|prev|alternate…>` that leads to a page or feed.
    Head,
}

/// What a page says of its relation to a link's target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rel {
    /// `rel=nofollow`: the page does not vouch for it.
    pub nofollow: bool,
    /// `rel=next`.
    pub next: bool,
    /// `rel=prev`.
    pub prev: bool,
    /// `rel=alternate` with a feed's media type.
    pub feed: bool,
}

/// The page's own wishes (`<meta name=robots>`, `X-Robots-Tag`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RobotsMeta {
    /// Do not show it in search results.
    pub noindex: bool,
    /// Do not follow its links.
    pub nofollow: bool,
    /// Do not keep a copy for others.
    pub noarchive: bool,
}

/// An image on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Where it is.
    pub url: PageUrl,
    /// Its `alt` text.
    pub alt: String,
    /// The block it stands in.
    pub block: usize,
}

/// A form a person could fill in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Where it sends to.
    pub action: PageUrl,
    /// How it sends.
    pub method: FormMethod,
    /// Names of its fields, in order.
    pub fields: Vec<String>,
}

/// How a form sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormMethod {
    /// In the URL: may be crawled when the user lists it (S1.11).
    Get,
    /// In the body: never sent by a crawler.
    Post,
}

/// Something odd about the bytes of a page, for `gannet explain`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Note {
    /// There were no bytes.
    Empty,
    /// The media type is not one we read.
    NotHtml {
        /// The type declared or recognised.
        media_type: String,
    },
    /// Some bytes are not valid in the page's encoding and were replaced.
    BadEncoding,
    /// A limit cut the document short, named here.
    Cut {
        /// Which limit: links, blocks, text.
        limit: String,
    },
}

impl Document {
    /// Visible text of the whole page: headings and blocks in order.
    pub fn text(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().flat_map(|block| {
            let heading = block.heading.as_ref().map(|heading| heading.text.as_str());
            heading.into_iter().chain(std::iter::once(block.text.as_str()))
        })
    }

    /// The passages of all blocks in document order, headings left out.
    pub fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        self.blocks.iter().enumerate().flat_map(|(block, held)| {
            held.passages().map(move |(start, text)| Passage { block, start, text })
        })
    }

    /// True when the page gives a reader nothing.
    pub fn is_blank(&self) -> bool {
        self.title.is_empty() && self.text().all(str::is_empty)
    }

    /// The words around a link: up to `reach` bytes of its block on either side.
    pub fn context(&self, link: &Link, reach: usize) -> &str {
        let Some(block) = self.blocks.get(link.block) else {
            return "";
        };
        let text = block.text.as_str();
        let start = floor_boundary(text, link.span.0.saturating_sub(reach));
        let end = floor_boundary(text, link.span.1.saturating_add(reach));
        text.get(start..end.max(start)).unwrap_or_default()
    }
}

impl Block {
    /// Where each passage begins, and what it says. Breaks that make no sense are passed over.
    pub fn passages(&self) -> impl Iterator<Item = (usize, &str)> {
        let text = self.text.as_str();
        let ends = self.breaks.iter().map(|at| *at as usize).chain([text.len()]);
        ends.scan(0, move |start, end| {
            let passage = text.get(*start..end).map(|passage| (*start, passage));
            if passage.is_some() {
                *start = end;
            }
            Some(passage)
        })
        .flatten()
        .filter(|(_, passage)| !passage.trim().is_empty())
    }
}

impl Prominence {
    /// Weights of passages, each clamped to 0..1; not-a-number counts fully.
    pub fn new(weights: impl IntoIterator<Item = f32>) -> Prominence {
        let sane = |weight: f32| if weight.is_nan() { 1.0 } else { weight.clamp(0.0, 1.0) };
        Prominence(weights.into_iter().map(sane).collect())
    }

    /// How much the passage at this place counts, 0 to 1.
    pub fn of(&self, passage: usize) -> f32 {
        self.0.get(passage).copied().unwrap_or(1.0)
    }
}

/// The last character boundary at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_what_stands_between_breaks() {
        #[track_caller]
        fn check(text: &str, breaks: &[u32], expected: &[(usize, &str)]) {
            let block =
                Block { text: text.to_owned(), breaks: breaks.to_vec(), ..Block::default() };
            assert_eq!(block.passages().collect::<Vec<_>>(), expected);
        }
        check("one two", &[], &[(0, "one two")]);
        check("one two", &[4], &[(0, "one "), (4, "two")]);
        check("one", &[3], &[(0, "one")]);
        check("", &[], &[]);
        check("one", &[9], &[(0, "one")]);
        check("é", &[1], &[(0, "é")]);
    }

    #[test]
    fn prominence_is_a_share_and_full_where_unknown() {
        let prominence = Prominence::new([0.2, 7.0, f32::NAN]);
        assert_eq!([0, 1, 2, 3].map(|at| prominence.of(at)), [0.2, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn a_links_context_is_cut_at_character_boundaries() {
        let text = "éé link éé".to_owned();
        let start = text.find("link").unwrap();
        let page = PageUrl::parse("http://a.example/").unwrap();
        let link = Link {
            url: page,
            anchor: "link".to_owned(),
            title: String::new(),
            rel: Rel::default(),
            kind: LinkKind::Anchor,
            block: 0,
            span: (start, start + 4),
            trail: 0,
        };
        let document =
            Document { blocks: vec![Block { text, ..Block::default() }], ..Document::default() };
        assert_eq!(document.context(&link, 2), "é link ");
        assert_eq!(document.context(&link, 999), "éé link éé");
    }
}
