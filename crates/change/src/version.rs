//! One version of a page, as those see it who tell versions apart.

use gannet_model::{Document, Prominence};

/// One version of a page.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// Its bytes, unpacked.
    pub body: &'a [u8],
    /// Its markup, as text.
    pub html: &'a str,
    /// What it says.
    pub document: &'a Document,
    /// How much each of its passages counts.
    pub prominence: &'a Prominence,
    /// Its style sheets, as far as they were fetched.
    pub styles: &'a [Attached],
    /// Its images, as far as they were fetched.
    pub images: &'a [Attached],
}

/// A file that belongs to a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// Its address.
    pub url: String,
    /// What it holds, unpacked.
    pub body: Vec<u8>,
}
