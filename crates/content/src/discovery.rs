//! What reading feeds and sitemaps has in common: how it may end.
//!
//! Both are lists that a site publishes of its own pages. They are often
//! broken or cut short, and half a list is worth having: an error is only what
//! is no such list at all.

use std::borrow::Cow;

use gannet_model::PageUrl;

use crate::charset;

/// How much of a list was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Extent {
    /// All of it.
    Whole,
    /// What stands before the place where it is broken or ends too soon.
    Broken,
    /// As much as the limits allow.
    Limited,
}

/// Why bytes are not a list of pages.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoveryError {
    /// There were no bytes.
    #[error("the document is empty")]
    Empty,
    /// It is something else.
    #[error("this is no {wanted} but {found}")]
    OtherDocument {
        /// What would be right.
        wanted: &'static str,
        /// What it is, as far as can be told.
        found: String,
    },
    /// It looks like a JSON Feed but cannot be read.
    #[error("this JSON Feed cannot be read")]
    Json(#[source] serde_json::Error),
    /// It looks compressed but cannot be unpacked.
    #[error("this gzip file cannot be unpacked")]
    Gzip(#[source] std::io::Error),
}

/// Bytes at the beginning that show what a document is, be there a licence in a comment.
const TELLING_BYTES: usize = 8192;

/// The text at the beginning of an XML document, without white space before it.
pub(crate) fn opening(body: &[u8]) -> String {
    let opening = &body[..body.len().min(TELLING_BYTES)];
    after_space(&charset::decode_xml(opening).text).to_owned()
}

/// The text from the first visible character on.
pub(crate) fn after_space(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0')
}

/// What to call a document that is not the one wanted.
pub(crate) fn describe(root: Option<&str>, text: &str) -> String {
    match root {
        Some(name) => format!("XML whose root is <{}>", shortened(name)),
        None if text.starts_with('<') => "markup without an element".to_owned(),
        None => format!("text that begins {:?}", shortened(text)),
    }
}

/// Enough of a text to recognise it by.
fn shortened(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 40;
    let kept = text.floor_char_boundary(SHOWN);
    if kept < text.len() { format!("{}…", &text[..kept]).into() } else { text.into() }
}

/// Where a document is that is only to be recognised: nothing in it will be resolved.
pub(crate) fn nowhere() -> PageUrl {
    PageUrl::parse("http://nowhere.invalid/").expect("a plain URL")
}
