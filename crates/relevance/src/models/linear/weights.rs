//! What each feature weighs, for quick looking up: most words of a page are looked up here.

use serde::{Deserialize, Serialize};

use super::features::Feature;
use super::fitting::Line;

/// Scale and weight by feature. Kept as sorted lists, used as a hash table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub(super) struct Weights {
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Slot {
    feature: u32,
    scale: f32,
    weight: f32,
}

/// No feature has this number.
const FREE: Slot = Slot { feature: u32::MAX, scale: 0.0, weight: 0.0 };
/// Slots for each feature at least.
const SPARSENESS: usize = 2;

impl Weights {
    pub(super) fn new(features: &[Feature], line: &Line) -> Weights {
        let scaled = line.scale.iter().zip(&line.weight);
        let entries = features.iter().zip(scaled).filter(|(_, (scale, _))| **scale > 0.0);
        let entries = entries.map(|(feature, (scale, weight))| (feature.number(), *scale, *weight));
        Weights::of(entries.collect())
    }

    fn of(entries: Vec<(u32, f32, f32)>) -> Weights {
        let size = (entries.len() * SPARSENESS).next_power_of_two().max(2);
        let mut slots = vec![FREE; size];
        for (feature, scale, weight) in entries {
            let mut at = place(feature, size);
            while slots[at].feature != FREE.feature && slots[at].feature != feature {
                at = (at + 1) & (size - 1);
            }
            slots[at] = Slot { feature, scale, weight };
        }
        Weights { slots }
    }

    /// Scale and weight of a feature, if it was learned.
    #[inline]
    pub(super) fn get(&self, feature: Feature) -> Option<(f32, f32)> {
        let size = self.slots.len();
        let mut at = place(feature.number(), size);
        loop {
            let slot = self.slots[at];
            if slot.feature == feature.number() {
                return Some((slot.scale, slot.weight));
            }
            if slot.feature == FREE.feature {
                return None;
            }
            at = (at + 1) & (size - 1);
        }
    }

    /// All of them, by number.
    pub(super) fn sorted(&self) -> Vec<(u32, f32, f32)> {
        let used = self.slots.iter().filter(|slot| slot.feature != FREE.feature);
        let mut sorted: Vec<_> = used.map(|s| (s.feature, s.scale, s.weight)).collect();
        sorted.sort_unstable_by_key(|(feature, _, _)| *feature);
        sorted
    }
}

#[inline]
fn place(feature: u32, size: usize) -> usize {
    (feature.wrapping_mul(0x9e37_79b1) >> 5) as usize & (size - 1)
}

/// As it is kept: features by the steps between them, which are small.
#[derive(Serialize, Deserialize)]
struct Kept {
    steps: Vec<u32>,
    scales: Vec<f32>,
    weights: Vec<f32>,
}

impl From<Weights> for Kept {
    fn from(weights: Weights) -> Kept {
        let sorted = weights.sorted();
        let mut last = 0;
        let steps = sorted.iter().map(|(feature, _, _)| {
            let step = feature - last;
            last = *feature;
            step
        });
        Kept {
            steps: steps.collect(),
            scales: sorted.iter().map(|(_, scale, _)| *scale).collect(),
            weights: sorted.iter().map(|(_, _, weight)| *weight).collect(),
        }
    }
}

impl From<Kept> for Weights {
    fn from(kept: Kept) -> Weights {
        let mut feature = 0_u32;
        let numbers = kept.steps.iter().map(|step| {
            feature = feature.saturating_add(*step);
            feature
        });
        let weighed = kept.scales.iter().zip(&kept.weights);
        let entries = numbers.zip(weighed).filter(|(feature, _)| *feature != FREE.feature);
        Weights::of(entries.map(|(feature, (scale, weight))| (feature, *scale, *weight)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::linear::features::of_word;

    #[test]
    fn weights_are_found_again_also_after_keeping() {
        let mut features: Vec<_> = (0..1000).map(|at| of_word(&format!("word{at}"))).collect();
        features.sort_unstable();
        features.dedup();
        let weight: Vec<f32> = (0..features.len()).map(|at| at as f32 - 3.0).collect();
        let line = Line { scale: vec![1.0; features.len()], weight, bias: 0.0 };
        let weights = Weights::new(&features, &line);
        let again = Weights::from(Kept::from(weights.clone()));
        for (at, feature) in features.iter().enumerate() {
            assert_eq!(weights.get(*feature), Some((1.0, at as f32 - 3.0)));
        }
        assert_eq!(again, weights);
        assert_eq!(weights.get(of_word("unheard")), None);
        assert_eq!(Weights::of(Vec::new()).get(features[0]), None);
    }
}
