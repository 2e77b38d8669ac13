//! Numbers that tell contents apart: versions of models, and pages of one text.
//!
//! FNV-1a with 64 bits: it is kept with what models learned, so it never
//! changes, and nobody gains by making two pages look alike to a model.

use crate::{Sight, words};

/// Contents folded into a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    /// Of nothing: FNV's offset basis.
    pub(crate) const EMPTY: Fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);

    /// With these bytes behind what there was, and their number, so that no two sequences of
    /// contents run together.
    pub(crate) fn and(self, bytes: &[u8]) -> Fingerprint {
        let length = (bytes.len() as u64).to_le_bytes();
        let fold = |folded: u64, byte: &u8| (folded ^ u64::from(*byte)).wrapping_mul(PRIME);
        Fingerprint(length.iter().fold(bytes.iter().fold(self.0, fold), fold))
    }

    pub(crate) fn get(self) -> u64 {
        self.0
    }
}

/// FNV's prime.
const PRIME: u64 = 0x0100_0000_01b3;

/// The fingerprint of a page's words, in lower case and without what stands between them;
/// `None` for a page without words.
pub(crate) fn of_text(page: &Sight<'_>) -> Option<Fingerprint> {
    let mut fingerprint = Fingerprint::EMPTY;
    let mut buffer = String::new();
    for part in page.parts() {
        words::each_word(part.text, &mut buffer, |word| {
            fingerprint = fingerprint.and(word.as_bytes());
        });
    }
    (fingerprint != Fingerprint::EMPTY).then_some(fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::{Block, Document};

    #[test]
    fn pages_of_the_same_words_are_alike_however_they_are_set() {
        let of = |title: &str, text: &str| {
            let block = Block { text: text.to_owned(), ..Block::default() };
            let document =
                Document { title: title.to_owned(), blocks: vec![block], ..Document::default() };
            of_text(&Sight::from(&document))
        };
        assert_eq!(of("Gannets", "They dive."), of("", "GANNETS: they — dive"));
        assert_ne!(of("", "they dive"), of("", "theydive"));
        assert_ne!(of("", "they dive"), of("", "dive they"));
        assert_eq!(of("", " … "), None);
    }
}
