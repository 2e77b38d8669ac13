//! Bytes to meaning: charset, blocks, text, links.
//!
//! [`read`] turns what a server answered into a [`Document`]. It never fails:
//! bytes that make no sense yield a poor document with notes. It knows nothing
//! of topics, scope or what the links are worth, and fetches nothing.
//!
//! The way through a page: `media` says whether it is HTML, `charset` makes
//! text of its bytes, `scanner` cuts the text into tags, `reader` walks over
//! them once and `outline` keeps what they say.

mod attributes;
mod charset;
mod dates;
mod discovery;
mod element;
mod feeds;
mod folded;
mod head;
mod headers;
mod limits;
mod media;
mod namespaces;
mod outline;
mod prescan;
mod prominence;
mod reader;
mod records;
mod references;
mod resolver;
mod robots;
mod scanner;
mod sitemaps;
mod stretches;
mod template;

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod discovery_tests;
#[cfg(test)]
mod evaluation;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod oracle_tests;
#[cfg(test)]
mod prominence_tests;
#[cfg(test)]
mod reader_tests;
#[cfg(test)]
mod soup;

use gannet_model::{Block, Document, Headers, Note, PageUrl, Response};

use folded::{Folded, Gap};

pub use discovery::{DiscoveryError, Extent};
pub use feeds::{Feed, FeedEntry, is_feed, read_feed};
pub use limits::Limits;
pub use media::is_html;
pub use prominence::prominence;
pub use sitemaps::{Sitemap, SitemapEntry, SitemapKind, SitemapLimits, is_sitemap, read_sitemap};
pub use template::SiteTemplate;

/// Reads what a server answered.
///
/// Never fails: HTML is read, plain text becomes one block, anything else
/// yields an empty document that says what it was.
pub fn read(response: &Response, limits: &Limits) -> Document {
    let media_type = response.media_type();
    if response.body.is_empty() {
        return blank(Note::Empty);
    }
    if is_html(&media_type, &response.body) {
        return read_html(&response.url, &response.headers, &response.body, limits);
    }
    if media_type == "text/plain" {
        return read_plain(&response.headers, &response.body, limits);
    }
    let is_declared = !media_type.is_empty();
    let media_type = if is_declared { media_type } else { "application/octet-stream".to_owned() };
    blank(Note::NotHtml { media_type })
}

/// Reads bytes already known to be HTML. Never fails.
pub fn read_html(url: &PageUrl, headers: &Headers, body: &[u8], limits: &Limits) -> Document {
    if body.is_empty() {
        return blank(Note::Empty);
    }
    let host = url.as_url().host_str();
    let decoded = charset::decode_html(body, headers.get("content-type").map(|v| &v[..]), host);
    let mut document = reader::read_text(url, &decoded.text, limits);
    headers::apply(&mut document, url, headers);
    document.charset = decoded.charset;
    if decoded.has_replacements {
        document.notes.push(Note::BadEncoding);
    }
    document
}

/// A plain text is one block without heading or links; empty lines end its passages.
fn read_plain(headers: &Headers, body: &[u8], limits: &Limits) -> Document {
    let decoded = charset::decode_plain(body, headers.get("content-type").map(|v| &v[..]));
    let mut document = Document { charset: decoded.charset, ..Document::default() };
    let kept = decoded.text.floor_char_boundary(limits.max_text_bytes);
    let mut folded = Folded::default();
    for line in decoded.text[..kept].split_inclusive('\n') {
        if line.trim().is_empty() {
            folded.separate(Gap::Passage);
        }
        folded.push(line);
    }
    let (text, breaks) = folded.take();
    document.blocks.push(Block { text, breaks, ..Block::default() });
    if kept < decoded.text.len() {
        document.notes.push(Note::Cut { limit: "text".to_owned() });
    }
    if decoded.has_replacements {
        document.notes.push(Note::BadEncoding);
    }
    document
}

/// A document of which only a note can be said. Block 0 exists all the same.
fn blank(note: Note) -> Document {
    Document {
        charset: "UTF-8",
        blocks: vec![Block::default()],
        notes: vec![note],
        ..Document::default()
    }
}
