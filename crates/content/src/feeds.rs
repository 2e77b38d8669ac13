//! The entries of a feed: RSS, Atom, RDF Site Summary and JSON Feed.
//!
//! A feed names the newest pages of a site with their titles and dates: the
//! cheapest way there is to hear of them. Only what leads to pages is read;
//! the texts of the entries are left to the pages themselves.

use gannet_model::{PageUrl, Timestamp};
use serde_json::Value;

use crate::charset;
use crate::dates::read_date;
use crate::discovery::{DiscoveryError, Extent, after_space, describe, nowhere, opening};
use crate::folded::Folded;
use crate::namespaces::Vocabulary;
use crate::records::{Field, Form, Record, Records};
use crate::{Limits, reader};

/// What a feed says of its newest pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// In the order of the feed, newest first as a rule. Entries without an
    /// address of a page are left out.
    pub entries: Vec<FeedEntry>,
    /// Whether all of it was read.
    pub extent: Extent,
}

/// One page that a feed names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedEntry {
    /// Where it is.
    pub url: PageUrl,
    /// Its title as text, white space folded; empty when absent.
    pub title: String,
    /// When it was first published.
    pub published: Option<Timestamp>,
    /// When it last changed.
    pub updated: Option<Timestamp>,
}

/// Entries kept of one feed; most feeds have under a hundred.
const MOST_ENTRIES: usize = 50_000;

/// Bytes kept of a title.
const MOST_TITLE_BYTES: usize = 1024;

const FORM: Form = Form {
    records: &["item", "entry"],
    fields: &[
        "title",
        "link",
        "guid",
        "id",
        "pubdate",
        "published",
        "issued",
        "created",
        "date",
        "updated",
        "modified",
    ],
};

/// True when a body declared as `media_type` (lower case, no parameters; empty
/// when not given) is a feed. The body decides, as many feeds are sent as
/// `text/html` or `text/xml`.
pub fn is_feed(media_type: &str, body: &[u8]) -> bool {
    let may_be_feed = media_type.is_empty()
        || media_type.starts_with("text/")
        || media_type.ends_with("xml")
        || media_type.ends_with("json")
        || media_type == "application/octet-stream";
    if !may_be_feed {
        return false;
    }
    let text = opening(body);
    if text.starts_with('{') {
        return text.contains("jsonfeed.org/version") || text.contains("jsonfeed.org\\/version");
    }
    Records::open(&text, &nowhere(), &FORM).is_some_and(|records| has_feed_root(&records))
}

/// Reads the entries of a feed found at `base`.
///
/// A feed that is broken or cut short yields what stands before the break.
pub fn read_feed(body: &[u8], base: &PageUrl) -> Result<Feed, DiscoveryError> {
    if body.is_empty() {
        return Err(DiscoveryError::Empty);
    }
    let decoded = charset::decode_xml(body);
    let text = after_space(&decoded.text);
    if text.starts_with('{') {
        return read_json(text, base);
    }
    let wanted = "feed (RSS, Atom, RDF Site Summary or JSON Feed)";
    let other = |root| DiscoveryError::OtherDocument { wanted, found: describe(root, text) };
    let mut records = Records::open(text, base, &FORM).ok_or_else(|| other(None))?;
    if !has_feed_root(&records) {
        return Err(other(Some(records.root())));
    }
    let is_atom = records.root() == "feed";
    let mut feed = Feed { entries: Vec::new(), extent: Extent::Whole };
    while let Some(record) = records.next_record() {
        if feed.entries.len() >= MOST_ENTRIES {
            feed.extent = Extent::Limited;
            return Ok(feed);
        }
        feed.entries.extend(read_entry(&record, is_atom));
    }
    if records.is_broken() {
        feed.extent = Extent::Broken;
    }
    Ok(feed)
}

fn has_feed_root(records: &Records<'_>) -> bool {
    match records.root() {
        "rss" | "feed" => true,
        // Much else is written in RDF.
        "rdf" => records.namespaces().has_rss(),
        _ => false,
    }
}

fn read_entry(record: &Record, is_atom: bool) -> Option<FeedEntry> {
    let date = |names: &[&str]| {
        let dates = record.fields.iter().filter(|field| names.contains(&field.name));
        dates.filter_map(|field| read_date(&field.text)).next()
    };
    Some(FeedEntry {
        url: entry_url(record)?,
        title: entry_title(record, is_atom),
        published: date(&["pubdate", "published", "issued", "created", "date"]),
        updated: date(&["updated", "modified"]),
    })
}

/// Where the entry leads: its link to a page, else the identifier that is one.
fn entry_url(record: &Record) -> Option<PageUrl> {
    let links = || record.fields.iter().filter(|field| field.name == "link");
    let pages = links().filter(|link| is_alternate(link) && is_page(link));
    let others = links().filter(|link| is_alternate(link) && !is_page(link));
    let linked = pages.chain(others).find_map(|link| {
        let base = link.attribute("xml:base").and_then(|base| record.base.join(base).ok());
        let reference = link.attribute("href").unwrap_or(&link.text).trim();
        let is_given = !reference.is_empty();
        is_given.then(|| base.as_ref().unwrap_or(&record.base).join(reference).ok()).flatten()
    });
    linked.or_else(|| {
        let is_identifier = |field: &&Field| match field.name {
            "guid" => field.attribute("ispermalink").is_none_or(|it| it.trim() != "false"),
            name => name == "id",
        };
        let identifiers = record.fields.iter().filter(is_identifier).map(|field| &field.text);
        // Only absolute ones: most identifiers are no addresses.
        identifiers.chain(&record.about).find_map(|text| PageUrl::parse(text.trim()).ok())
    })
}

/// True for a link to the entry itself rather than to its comments or sound.
fn is_alternate(link: &Field) -> bool {
    let relation = link.attribute("rel").unwrap_or("alternate").trim();
    relation.is_empty() || relation.rsplit('/').next() == Some("alternate")
}

fn is_page(link: &Field) -> bool {
    link.attribute("type").is_none_or(|media_type| media_type.contains("html"))
}

/// The list's own title before one in another vocabulary.
fn entry_title(record: &Record, is_atom: bool) -> String {
    let titles = || record.fields.iter().filter(|field| field.name == "title");
    let own = titles().find(|title| title.vocabulary == Vocabulary::Own);
    let Some(title) = own.or_else(|| titles().next()) else { return String::new() };
    // RSS never said whether titles are text or HTML; Atom does, and means text by default.
    let is_html = !is_atom || title.attribute("type").is_some_and(|kind| kind.contains("html"));
    if is_html && title.text.contains(['<', '&']) {
        without_markup(&title.text)
    } else {
        folded(&title.text)
    }
}

fn without_markup(html: &str) -> String {
    let document = reader::read_text(&nowhere(), html, &Limits::default());
    let words: Vec<&str> = document.text().filter(|text| !text.is_empty()).collect();
    folded(&words.join(" "))
}

fn folded(text: &str) -> String {
    let mut folded = Folded::default();
    folded.push(&text[..text.floor_char_boundary(MOST_TITLE_BYTES)]);
    folded.into_text()
}

/// <https://www.jsonfeed.org/version/1.1/>
fn read_json(text: &str, base: &PageUrl) -> Result<Feed, DiscoveryError> {
    let feed: Value = serde_json::from_str(text).map_err(DiscoveryError::Json)?;
    let items = feed.get("items").and_then(Value::as_array).ok_or_else(|| {
        let found = "JSON without a list of items".to_owned();
        DiscoveryError::OtherDocument { wanted: "JSON Feed", found }
    })?;
    let is_limited = items.len() > MOST_ENTRIES;
    let entries = items.iter().take(MOST_ENTRIES).filter_map(|item| {
        let text = |name: &str| item.get(name).and_then(Value::as_str);
        let given = text("url").or_else(|| text("external_url"));
        let linked = given.and_then(|url| base.join(url.trim()).ok());
        Some(FeedEntry {
            url: linked.or_else(|| PageUrl::parse(text("id")?.trim()).ok())?,
            title: folded(text("title").unwrap_or_default()),
            published: text("date_published").and_then(read_date),
            updated: text("date_modified").and_then(read_date),
        })
    });
    let extent = if is_limited { Extent::Limited } else { Extent::Whole };
    Ok(Feed { entries: entries.collect(), extent })
}
