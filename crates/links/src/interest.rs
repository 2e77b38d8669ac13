//! What the user looks for, as orderings see it: words with weights.
//!
//! The similarity of a text to it is the cosine of their word counts, as in
//! the published orderings (Best-First, Shark-Search, blocks). Phrases count by
//! their words.

use std::collections::BTreeMap;

use gannet_model::words::{self, number};

use crate::tally::{ByNumber, Tally};

/// Words with weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interest {
    /// Sorted: sums over them come out the same in every run.
    weights: BTreeMap<String, f32>,
    /// The same by the words' numbers.
    numbered: ByNumber<f32>,
    /// Length of the vector of weights.
    length: f32,
}

impl Interest {
    /// From words and phrases with their weights.
    pub fn new<'a>(phrases: impl IntoIterator<Item = (&'a str, f32)>) -> Interest {
        let mut weights: BTreeMap<String, f32> = BTreeMap::new();
        for (phrase, weight) in phrases {
            words::each_word(phrase, &mut String::new(), |word| {
                *weights.entry(word.to_owned()).or_default() += weight;
            });
        }
        let length = weights.values().map(|weight| weight * weight).sum::<f32>().sqrt();
        let numbered = weights.iter().map(|(word, weight)| (number(word), *weight)).collect();
        Interest { weights, numbered, length }
    }

    /// The words, with their weights, in alphabetical order.
    pub fn words(&self) -> impl Iterator<Item = (&str, f32)> {
        self.weights.iter().map(|(word, weight)| (word.as_str(), *weight))
    }

    /// What the word of this number weighs; 0 for words that are none of ours.
    pub(crate) fn weight(&self, word: u64) -> f32 {
        self.numbered.get(&word).copied().unwrap_or(0.0)
    }

    /// Cosine of the word counts of some texts, taken together, with the interest.
    pub fn similarity<'a>(&self, texts: impl IntoIterator<Item = &'a str> + Clone) -> f32 {
        let mut buffer = String::new();
        let mut product = 0.0;
        for text in texts.clone() {
            words::each_word(text, &mut buffer, |word| product += self.weight(number(word)));
        }
        if product <= 0.0 {
            // Most links have no word of ours, and none of theirs need counting.
            return 0.0;
        }
        let mut tally = Tally::default();
        for text in texts {
            words::each_word(text, &mut buffer, |word| tally.add(number(word)));
        }
        self.cosine(product, tally.squares())
    }

    /// The cosine from the product of weights and counts, and the sum of the squares of all counts.
    pub(crate) fn cosine(&self, product: f32, squares: f32) -> f32 {
        if product <= 0.0 { 0.0 } else { (product / (self.length * squares.sqrt())).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_the_cosine_of_word_counts() {
        let interest = Interest::new([("gannet", 1.0), ("plunge diving", 1.0)]);
        assert_eq!(interest.similarity(["nothing of it"]), 0.0);
        assert_eq!(interest.similarity([""]), 0.0);
        let all = interest.similarity(["Gannet", "diving: plunge!"]);
        assert!((all - 1.0).abs() < 1e-6, "{all}");
        // One of three words of ours, one word of two: 1 / (√3 · √2).
        let half = interest.similarity(["gannet colony"]);
        assert!((half - 1.0 / 6.0_f32.sqrt()).abs() < 1e-6, "{half}");
        assert_eq!(Interest::default().similarity(["gannet"]), 0.0);
    }
}
