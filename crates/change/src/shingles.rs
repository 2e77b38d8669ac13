//! How much of a text is still the same? Sketches of its runs of words.
//!
//! **For magnitude only.** Most real edits leave nearly all runs of words as they were, so a sketch
//! must never say that nothing changed.

use gannet_model::spread;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Words that are taken together.
const RUN: usize = 3;
/// Least hashes that are kept.
const KEPT: usize = 16;

/// Bytes of the longest word of a script with spaces.
const LONGEST_WORD: usize = 40;
/// Stands for a part without runs.
const EMPTY: u16 = u16::MAX;

/// A sketch of a text: what two of them have in common tells how much the texts have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch {
    /// Of each of sixteen parts of all runs, the least hash (one-permutation MinHash; Li, Owen and
    /// Zhang, 2012); all ones where a part is empty.
    minima: [u16; KEPT],
}

/// Makes a sketch, word by word.
pub(crate) struct Sketcher {
    run: [u64; RUN],
    minima: [u64; KEPT],
}

impl Sketcher {
    pub(crate) fn new() -> Sketcher {
        Sketcher { run: [0; RUN], minima: [u64::MAX; KEPT] }
    }

    /// Takes a stretch of normal text in; how many words it has.
    pub(crate) fn take(&mut self, normal: &[u8]) -> usize {
        let mut words = 0;
        for word in normal.split(|byte| *byte == b' ').filter(|word| !word.is_empty()) {
            // Scripts without spaces make long words; each such stretch counts for several.
            words += 1 + word.len() / LONGEST_WORD;
            self.take_word(xxh3_64(word));
        }
        words
    }

    fn take_word(&mut self, word: u64) {
        self.run.rotate_left(1);
        self.run[RUN - 1] = word;
        let hash = self.run.iter().fold(0, |folded, word| spread(folded ^ word));
        let least = &mut self.minima[(hash >> 60) as usize % KEPT];
        *least = (*least).min(hash);
    }

    pub(crate) fn finish(&self) -> Sketch {
        Sketch { minima: self.minima.map(|least| (least >> 40) as u16) }
    }
}

impl Sketch {
    /// The share of runs that two texts have in common, by their minima: right within a tenth or so.
    pub fn likeness(&self, other: &Sketch) -> f32 {
        let pairs = self.minima.iter().zip(&other.minima);
        let filled = pairs.filter(|(a, b)| **a != EMPTY || **b != EMPTY);
        let (same, all) =
            filled.fold((0, 0), |(same, all), (a, b)| (same + u16::from(a == b), all + 1_u16));
        if all == 0 { 1.0 } else { f32::from(same) / f32::from(all) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(text: &str) -> Sketch {
        let mut sketcher = Sketcher::new();
        sketcher.take(text.as_bytes());
        sketcher.finish()
    }

    #[test]
    fn texts_that_share_much_are_alike() {
        let numbered = |from: usize, to: usize| {
            (from..to).map(|word| format!("word{word} ")).collect::<String>()
        };
        let (all, most, other) =
            (sketch(&numbered(0, 500)), sketch(&numbered(0, 450)), sketch(&numbered(900, 1400)));
        assert_eq!(all.likeness(&all), 1.0);
        assert!(all.likeness(&most) > 0.6, "{}", all.likeness(&most));
        assert!(all.likeness(&other) < 0.2, "{}", all.likeness(&other));
    }
}
