//! The stem of a word, remembered.
//!
//! A stemmer takes hundreds of nanoseconds for a word, and pages say most of
//! their words again and again. So each thread remembers the stems of the words
//! it met last, each in the one place its hash gives it: a page full of words
//! made up to fall into the same places costs what it would without any memory.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};

/// Words of more bytes are no words but codes and listings, perhaps of megabytes: nobody stems them.
/// It leaves forty letters to the scripts that take most bytes for each.
pub(super) const LONGEST: usize = 120;

/// Words each thread remembers: half a megabyte, which stays in a processor's second cache.
const PLACES: usize = 1 << 14;
/// Bytes of the longest word that is remembered; few are longer.
const REMEMBERED: usize = 24;
/// Bytes of a stem that may differ from the beginning of its word: `happili` for `happily`.
const TAIL: usize = 4;

thread_local! {
    static MEMORY: RefCell<Vec<Remembered>> = const { RefCell::new(Vec::new()) };
}

/// A word and its stem: the word's first letters and a tail.
#[derive(Clone, Copy, Default)]
struct Remembered {
    /// The word, zeros behind it; no word has zeros in it.
    word: [u8; REMEMBERED],
    /// The language's place in the table.
    language: u8,
    /// Bytes of the word that begin the stem.
    kept: u8,
    tail: [u8; TAIL],
    tail_length: u8,
}

/// Puts the stem of a word in lower case, of up to [`LONGEST`] bytes, into `buffer`.
pub(super) fn stem(language: u8, algorithm: Algorithm, word: &str, buffer: &mut String) {
    buffer.clear();
    let Some(padded) = pad(word) else {
        buffer.push_str(&Stemmer::create(algorithm).stem(word));
        return;
    };
    MEMORY.with_borrow_mut(|memory| {
        if memory.is_empty() {
            memory.resize(PLACES, Remembered::default());
        }
        let place = &mut memory[place(language, &padded)];
        if place.language == language && place.word == padded {
            buffer.push_str(&word[..usize::from(place.kept)]);
            let tail = &place.tail[..usize::from(place.tail_length)];
            buffer.push_str(std::str::from_utf8(tail).unwrap_or_default());
            return;
        }
        let stem = Stemmer::create(algorithm).stem(word);
        buffer.push_str(&stem);
        if let Some(learned) = remember(language, padded, word, &stem) {
            *place = learned;
        }
    });
}

/// The word with zeros behind it, unless it is too long to be remembered.
fn pad(word: &str) -> Option<[u8; REMEMBERED]> {
    let mut padded = [0; REMEMBERED];
    padded.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
    Some(padded)
}

/// A word and its stem, unless the stem differs too much.
fn remember(language: u8, padded: [u8; REMEMBERED], word: &str, stem: &str) -> Option<Remembered> {
    let same = word.bytes().zip(stem.bytes()).take_while(|(a, b)| a == b).count();
    let kept = stem.floor_char_boundary(same);
    let mut tail = [0; TAIL];
    let rest = &stem.as_bytes()[kept..];
    tail.get_mut(..rest.len())?.copy_from_slice(rest);
    Some(Remembered {
        word: padded,
        language,
        kept: kept as u8,
        tail,
        tail_length: rest.len() as u8,
    })
}

/// Where a word is remembered.
fn place(language: u8, padded: &[u8; REMEMBERED]) -> usize {
    /// Odd, with its bits in disorder: a product with it spreads every bit over the upper ones.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = u64::from(language);
    for eight in padded.chunks_exact(8) {
        let number = eight.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        hash = (hash.rotate_left(23) ^ number).wrapping_mul(SPREAD);
    }
    (hash >> 32) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn memory_changes_no_stem(
            words in prop::collection::vec("[a-zéßж]{1,14}(ing|ed|ies|y|es|en|ung|lich|ами)?", 1..40),
        ) {
            let mut buffer = String::new();
            let algorithms = [Algorithm::English, Algorithm::German, Algorithm::Russian];
            for algorithm in algorithms.into_iter().cycle().take(6) {
                for word in &words {
                    stem(algorithm as u8, algorithm, word, &mut buffer);
                    prop_assert_eq!(&buffer, &Stemmer::create(algorithm).stem(word));
                }
            }
        }
    }
}
