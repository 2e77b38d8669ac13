//! What a record is called and what its bytes hash to.
//!
//! Both come from SHA-1, which the WARC tools agree on: it names content here
//! and proves nothing against an attacker. Identifiers are made from what was
//! asked and when, never from a clock or a random source, so the same crawl
//! writes the same archive.

use std::fmt;

use data_encoding::BASE32;
use gannet_model::Timestamp;
use serde::{Deserialize, Serialize};
use sha1::{Digest as _, Sha1};

use crate::RecordKind;

/// SHA-1 of some bytes, printed as WARC does: `sha1:` and base 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest([u8; 20]);

/// The name of a record, printed as `<urn:uuid:…>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecordId([u8; 16]);

impl Digest {
    /// Hashes the concatenation of `parts`.
    pub fn of(parts: &[&[u8]]) -> Digest {
        let mut hasher = Sha1::new();
        for part in parts {
            hasher.update(part);
        }
        Digest::from(hasher)
    }

    /// Reads `sha1:BASE32`; other functions and spellings are none of ours.
    pub fn parse(text: &str) -> Option<Digest> {
        let (function, value) = text.trim().split_once(':')?;
        if !function.eq_ignore_ascii_case("sha1") {
            return None;
        }
        let bytes = BASE32.decode(value.to_ascii_uppercase().as_bytes()).ok()?;
        Some(Digest(bytes.try_into().ok()?))
    }

    /// The digest with these bytes.
    pub const fn from_bytes(bytes: [u8; 20]) -> Digest {
        Digest(bytes)
    }

    /// Its bytes.
    pub const fn to_bytes(self) -> [u8; 20] {
        self.0
    }

    /// The base 32 text without the function's name, as CDXJ wants it.
    pub fn base32(self) -> String {
        BASE32.encode(&self.0)
    }
}

impl From<Sha1> for Digest {
    fn from(hasher: Sha1) -> Digest {
        Digest(hasher.finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha1:{}", self.base32())
    }
}

impl RecordId {
    /// The name of the record of this kind about this URL at this moment. The
    /// seed keeps two crawls of the same moment apart.
    pub fn derive(url: &str, asked_at: Timestamp, kind: RecordKind, seed: u64) -> RecordId {
        let mut hasher = Sha1::new();
        hasher.update(seed.to_le_bytes());
        hasher.update(asked_at.as_micros().to_le_bytes());
        hasher.update(kind.as_str());
        hasher.update([0]);
        hasher.update(url);
        let hash = hasher.finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        // RFC 9562: version 5 (a name hashed with SHA-1) and the common variant.
        bytes[6] = bytes[6] & 0x0f | 0x50;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        RecordId(bytes)
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<urn:uuid:")?;
        for (index, byte) in self.0.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        f.write_str(">")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_print_as_other_tools_print_them() {
        let digest = Digest::of(&[b"", b"abc"]);
        assert_eq!(digest.to_string(), "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("md5:abc"), None);
    }

    #[test]
    fn record_names_differ_by_url_moment_kind_and_seed() {
        let base = RecordId::derive("http://a/", Timestamp::ZERO, RecordKind::Request, 0);
        let text = base.to_string();
        assert_eq!(text.len(), "<urn:uuid:00000000-0000-0000-0000-000000000000>".len());
        assert_eq!(&text[24..25], "5");
        let moment = Timestamp::from_micros(1);
        for other in [
            RecordId::derive("http://b/", Timestamp::ZERO, RecordKind::Request, 0),
            RecordId::derive("http://a/", moment, RecordKind::Request, 0),
            RecordId::derive("http://a/", Timestamp::ZERO, RecordKind::Response, 0),
            RecordId::derive("http://a/", Timestamp::ZERO, RecordKind::Request, 1),
        ] {
            assert_ne!(base, other);
        }
    }
}
