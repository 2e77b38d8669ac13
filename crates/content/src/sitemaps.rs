//! The pages that a site lists in its sitemap.
//!
//! The protocol (<https://www.sitemaps.org/protocol.html>) knows lists of
//! pages and lists of such lists, in XML, as lines of plain text or as feeds,
//! any of them compressed. Where a file listed is, is up to the caller, and so
//! is asking whether a site may list pages of another.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use gannet_model::{PageUrl, Timestamp};

use crate::charset;
use crate::dates::read_date;
use crate::discovery::{DiscoveryError, Extent, after_space, describe, nowhere, opening};
use crate::feeds::read_feed;
use crate::records::{Form, Records};

/// What a sitemap lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitemap {
    /// Whether these are pages or further sitemaps.
    pub kind: SitemapKind,
    /// In the order of the file. Entries without an address are left out.
    pub entries: Vec<SitemapEntry>,
    /// Whether all of it was read.
    pub extent: Extent,
}

/// Whether a sitemap lists pages or further sitemaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SitemapKind {
    /// Pages.
    Pages,
    /// Sitemaps.
    Index,
}

/// One line of a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapEntry {
    /// Where it is.
    pub url: PageUrl,
    /// When it last changed, as the site says.
    pub lastmod: Option<Timestamp>,
}

/// How much of one sitemap is read. The defaults are those of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapLimits {
    /// Entries kept.
    pub max_entries: usize,
    /// Bytes read, after unpacking.
    pub max_bytes: usize,
}

impl Default for SitemapLimits {
    fn default() -> SitemapLimits {
        SitemapLimits { max_entries: 50_000, max_bytes: 50 << 20 }
    }
}

const FORM: Form = Form { records: &["url", "sitemap"], fields: &["loc", "lastmod"] };

/// The first bytes of a gzip file (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Lines of a text that must all be addresses for it to be taken for a sitemap.
const TELLING_LINES: usize = 10;

/// Unpacked bytes that show what a compressed file is.
const TELLING_BYTES: usize = 8192;

/// True when a body declared as `media_type` (lower case, no parameters; empty
/// when not given) is a sitemap: XML with the right root, compressed or not,
/// or plain text in which every line is an address. Feeds are not meant,
/// though [`read_sitemap`] reads them.
pub fn is_sitemap(media_type: &str, body: &[u8]) -> bool {
    if body.starts_with(&GZIP) {
        let (opening, _) = unpack(body, TELLING_BYTES);
        return !opening.starts_with(&GZIP) && is_sitemap("", &opening);
    }
    let text = opening(body);
    if text.starts_with('<') {
        let root = Records::open(&text, &nowhere(), &FORM);
        return root.is_some_and(|records| sitemap_kind(records.root()).is_some());
    }
    let may_be_text = matches!(media_type, "" | "text/plain" | "application/octet-stream");
    // The last line may have been cut.
    let is_whole = body.len() <= text.len();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(TELLING_LINES + 1).collect();
    let seen = if is_whole || lines.len() <= 1 { lines.len() } else { lines.len() - 1 };
    may_be_text && seen > 0 && lines[..seen].iter().all(|line| PageUrl::parse(line).is_ok())
}

/// Reads a sitemap found at `base`.
///
/// A sitemap that is broken or cut short yields what stands before the break.
pub fn read_sitemap(
    body: &[u8],
    base: &PageUrl,
    limits: &SitemapLimits,
) -> Result<Sitemap, DiscoveryError> {
    if body.is_empty() {
        return Err(DiscoveryError::Empty);
    }
    if !body.starts_with(&GZIP) {
        let kept = &body[..body.len().min(limits.max_bytes)];
        let extent = if kept.len() < body.len() { Extent::Limited } else { Extent::Whole };
        return read_unpacked(kept, extent, base, limits);
    }
    let (unpacked, ending) = unpack(body, limits.max_bytes);
    match ending {
        Ok(extent) => read_unpacked(&unpacked, extent, base, limits),
        Err(error) if unpacked.is_empty() => Err(DiscoveryError::Gzip(error)),
        Err(_) => read_unpacked(&unpacked, Extent::Broken, base, limits),
    }
}

/// At most `limit` bytes of what a gzip file holds, and how it ended.
fn unpack(body: &[u8], limit: usize) -> (Vec<u8>, std::io::Result<Extent>) {
    let mut unpacked = Vec::new();
    let more_than_allowed = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let ending = MultiGzDecoder::new(body).take(more_than_allowed).read_to_end(&mut unpacked);
    let is_limited = unpacked.len() > limit;
    unpacked.truncate(limit);
    (unpacked, ending.map(|_| if is_limited { Extent::Limited } else { Extent::Whole }))
}

fn read_unpacked(
    body: &[u8],
    extent: Extent,
    base: &PageUrl,
    limits: &SitemapLimits,
) -> Result<Sitemap, DiscoveryError> {
    let decoded = charset::decode_xml(body);
    let text = after_space(&decoded.text);
    let mut sitemap = if text.starts_with('<') {
        read_xml(body, text, base, limits)?
    } else {
        read_lines(text, limits)?
    };
    // Why less came in says more than that the XML then ended too soon.
    if extent != Extent::Whole {
        sitemap.extent = extent;
    }
    Ok(sitemap)
}

fn read_xml(
    body: &[u8],
    text: &str,
    base: &PageUrl,
    limits: &SitemapLimits,
) -> Result<Sitemap, DiscoveryError> {
    let other =
        |root| DiscoveryError::OtherDocument { wanted: WANTED, found: describe(root, text) };
    let mut records = Records::open(text, base, &FORM).ok_or_else(|| other(None))?;
    let Some(kind) = sitemap_kind(records.root()) else {
        return from_feed(body, base, limits).map_err(|_| other(Some(records.root())));
    };
    let mut sitemap = Sitemap { kind, entries: Vec::new(), extent: Extent::Whole };
    while let Some(record) = records.next_record() {
        if sitemap.entries.len() >= limits.max_entries {
            sitemap.extent = Extent::Limited;
            return Ok(sitemap);
        }
        let field = |name: &str| record.fields.iter().find(|field| field.name == name);
        // Some leave `loc` out and write the address straight into the entry.
        let location = field("loc").map_or(record.text.trim(), |field| field.text.trim());
        if let Some(url) =
            Some(location).filter(|it| !it.is_empty()).and_then(|it| base.join(it).ok())
        {
            let lastmod = field("lastmod").and_then(|field| read_date(&field.text));
            sitemap.entries.push(SitemapEntry { url, lastmod });
        }
    }
    if records.is_broken() {
        sitemap.extent = Extent::Broken;
    }
    Ok(sitemap)
}

const WANTED: &str = "sitemap (XML, lines of addresses, or a feed)";

fn sitemap_kind(root: &str) -> Option<SitemapKind> {
    match root {
        "urlset" => Some(SitemapKind::Pages),
        "sitemapindex" => Some(SitemapKind::Index),
        _ => None,
    }
}

fn from_feed(
    body: &[u8],
    base: &PageUrl,
    limits: &SitemapLimits,
) -> Result<Sitemap, DiscoveryError> {
    let feed = read_feed(body, base)?;
    let is_limited = feed.entries.len() > limits.max_entries;
    let extent = if is_limited { Extent::Limited } else { feed.extent };
    let entries = feed
        .entries
        .into_iter()
        .take(limits.max_entries)
        .map(|entry| SitemapEntry { url: entry.url, lastmod: entry.updated.or(entry.published) });
    Ok(Sitemap { kind: SitemapKind::Pages, entries: entries.collect(), extent })
}

/// One absolute address a line; lines that are none are passed over.
fn read_lines(text: &str, limits: &SitemapLimits) -> Result<Sitemap, DiscoveryError> {
    let mut sitemap =
        Sitemap { kind: SitemapKind::Pages, entries: Vec::new(), extent: Extent::Whole };
    for url in text.lines().filter_map(|line| PageUrl::parse(line.trim()).ok()) {
        if sitemap.entries.len() >= limits.max_entries {
            sitemap.extent = Extent::Limited;
            break;
        }
        sitemap.entries.push(SitemapEntry { url, lastmod: None });
    }
    if sitemap.entries.is_empty() {
        let found = describe(None, text);
        return Err(DiscoveryError::OtherDocument { wanted: WANTED, found });
    }
    Ok(sitemap)
}
