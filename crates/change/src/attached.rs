//! Style sheets and images that belong to a page: what is remembered of them.
//!
//! A style sheet is known by its bytes. An image is known by what it shows: a perceptual hash, so
//! that another size or compression of the same picture is no change.

use gannet_model::{FileKind, Significance};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::pictures;

/// Files of each kind that a page is watched with.
pub const MOST_FILES: usize = 16;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCode {
    /// Of its bytes.
    raw: u64,
    /// Of what it shows.
    seen: u64,
}

/// A file that belongs to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The number of its address.
    pub file: u64,
    /// What it held when it was last fetched; `None` before that.
    pub code: Option<FileCode>,
}

/// The files that belong to a page, as far as they are fetched for their own sake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Its style sheets.
    pub styles: Vec<Held>,
    /// Its images.
    pub images: Vec<Held>,
}

/// Bits in which the perceptual hashes of one image may differ.
const SAME_IMAGE: u32 = 5;
/// The first byte of what is stored; no page's memory begins so.
const FORMAT: u8 = 0x80;

impl FileCode {
    /// Of what a file holds. A picture that cannot be read is known by its bytes.
    pub fn of(kind: FileKind, body: &[u8]) -> FileCode {
        let raw = xxh3_64(body);
        let seen = match kind {
            FileKind::Style => None,
            FileKind::Image => pictures::dhash(body),
        };
        FileCode { raw, seen: seen.unwrap_or(raw) }
    }

    /// Whether the file was changed for those who look at it.
    pub fn compare(self, newer: FileCode, kind: FileKind) -> Significance {
        let other_bits = (self.seen ^ newer.seen).count_ones();
        let is_other = match kind {
            FileKind::Style => other_bits > 0,
            FileKind::Image => other_bits > SAME_IMAGE,
        };
        match is_other {
            true => Significance::Cosmetic,
            false if self.raw == newer.raw => Significance::Same,
            false => Significance::Noise,
        }
    }

    /// As it is stored.
    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        bytes.extend(self.raw.to_le_bytes());
        bytes.extend(self.seen.to_le_bytes());
        bytes
    }

    /// As it was stored; `None` for what cannot be read.
    pub fn from_bytes(bytes: &[u8]) -> Option<FileCode> {
        let (&FORMAT, code) = bytes.split_first()? else { return None };
        let (raw, seen) = code.split_first_chunk()?;
        let seen = u64::from_le_bytes(seen.try_into().ok()?);
        Some(FileCode { raw: u64::from_le_bytes(*raw), seen })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_again_and_nothing_else() {
        let code = FileCode::of(FileKind::Style, b"a { color: red }");
        assert_eq!(FileCode::from_bytes(&code.to_bytes()), Some(code));
        assert_eq!(FileCode::from_bytes(&[1, 2, 3]), None);
        assert_eq!(FileCode::from_bytes(&[FORMAT, 2, 3]), None);
    }

    #[test]
    fn a_style_sheet_is_its_bytes() {
        let (red, blue) = (b"a { color: red }", b"a { color: blue }");
        let code = |body: &[u8]| FileCode::of(FileKind::Style, body);
        assert_eq!(code(red).compare(code(blue), FileKind::Style), Significance::Cosmetic);
        assert_eq!(code(red).compare(code(red), FileKind::Style), Significance::Same);
    }
}
