//! A logistic regression over hashed features that learns with every page: FTRL-Proximal
//! (McMahan et al., 2013), whose steps shrink where much was seen and stay long where little was.

use serde::{Deserialize, Serialize};

/// Where a feature comes from: equal words of different fields are different features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Anchor,
    Address,
    Context,
    Heading,
    Alike,
    Directory,
    Likeness,
    Nearness,
    Crowd,
}

/// Something that a link has, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Feature {
    at: u32,
    value: f32,
}

impl Feature {
    #[inline]
    pub(super) fn new(field: Field, number: u64, value: f32) -> Feature {
        let mixed = (number ^ ((field as u64) << 56)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Feature { at: (mixed >> (64 - BITS)) as u32, value }
    }

    /// Words of one field, which together have length 1.
    #[inline]
    pub(super) fn of_words(
        field: Field,
        words: &[u32],
    ) -> impl Iterator<Item = Feature> + Clone + '_ {
        let value = 1.0 / (words.len().max(1) as f32).sqrt();
        words.iter().map(move |word| Feature::new(field, u64::from(*word), value))
    }
}

/// Bits of a feature's number: a million weights, in which a crawl's features seldom collide.
const BITS: u32 = 20;
/// Length of the first steps; how much sooner steps shrink; what pulls weights to zero.
const STEP: f32 = 0.15;
const SLOWNESS: f32 = 0.3;
const PULL: f32 = 1.0;
/// No evidence is stronger than this.
const STRONGEST: f32 = 4.0;

pub(super) struct Regression {
    /// Of each feature: the sum of what it learned and of its squares.
    sums: Vec<(f32, f32)>,
    /// The weights that follow from these.
    weights: Vec<f32>,
}

/// What is kept: features that learned anything.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept(Vec<(u32, f32, f32)>);

impl Regression {
    pub(super) fn new() -> Regression {
        Regression { sums: vec![(0.0, 0.0); 1 << BITS], weights: vec![0.0; 1 << BITS] }
    }

    /// What the features say together; see [`trusted`].
    #[inline]
    pub(super) fn sum(&self, features: impl Iterator<Item = Feature>) -> f32 {
        features.fold(0.0, |sum, feature| sum + self.weights[feature.at as usize] * feature.value)
    }

    /// Takes in what a link with these features brought, 0 to 1.
    pub(super) fn learn(
        &mut self,
        features: impl Iterator<Item = Feature> + Clone,
        gain: f32,
        weight: f32,
    ) {
        let error = super::probability(self.sum(features.clone())) - gain;
        for feature in features {
            let at = feature.at as usize;
            let gradient = error * feature.value * weight;
            let (learned, squares) = &mut self.sums[at];
            let grown = *squares + gradient * gradient;
            let slowing = (grown.sqrt() - squares.sqrt()) / STEP;
            *learned += gradient - slowing * self.weights[at];
            *squares = grown;
            self.weights[at] = weight_of(*learned, grown);
        }
    }

    pub(super) fn to_kept(&self) -> Kept {
        let numbered = (0..).zip(&self.sums);
        let learned = numbered.filter(|(_, sums)| **sums != (0.0, 0.0));
        Kept(learned.map(|(number, (sum, squares))| (number, *sum, *squares)).collect())
    }

    pub(super) fn restore(&mut self, kept: Kept) {
        for (number, sum, squares) in kept.0 {
            if let Some(sums) = self.sums.get_mut(number as usize) {
                *sums = (sum, squares);
                self.weights[number as usize] = weight_of(sum, squares);
            }
        }
    }
}

/// A sum as evidence: none is stronger than [`STRONGEST`].
pub(super) fn trusted(sum: f32) -> f32 {
    sum.clamp(-STRONGEST, STRONGEST)
}

fn weight_of(learned: f32, squares: f32) -> f32 {
    -learned / ((SLOWNESS + squares.sqrt()) / STEP + PULL)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &[u32]) -> impl Iterator<Item = Feature> + Clone + '_ {
        Feature::of_words(Field::Anchor, words)
    }

    #[test]
    fn it_learns_which_words_lead_to_relevant_pages_and_keeps_it() {
        let mut regression = Regression::new();
        for _ in 0..50 {
            regression.learn(list(&[1, 2]), 1.0, 1.0);
            regression.learn(list(&[2, 3]), 0.0, 1.0);
        }
        let odds = |words: &[u32]| regression.sum(list(words));
        assert!(odds(&[1]) > 0.5 && odds(&[3]) < -0.5, "{} {}", odds(&[1]), odds(&[3]));
        assert!(odds(&[2]).abs() < 0.3);
        assert_eq!(odds(&[9]), 0.0);
        assert_eq!(trusted(9.0), STRONGEST);
        let mut again = Regression::new();
        again.restore(regression.to_kept());
        assert_eq!(again.sum(list(&[1, 3])), odds(&[1, 3]));
    }
}
