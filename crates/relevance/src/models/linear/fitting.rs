//! A line between pages: a linear support vector machine over scaled features.
//!
//! Each place's features are scaled by how rare they are and by how unevenly
//! they are spread over the two kinds of pages (as in NB-SVM: Wang and
//! Manning, 2012), then brought to one length, so that a long text does not
//! outweigh its title. The line has the widest soft margin by squared hinge
//! loss, found by dual coordinate descent (Hsieh et al., 2008): no rate to
//! tune, the same result every time.

use std::collections::HashMap;

use super::features::{Feature, Place};
use super::samples::Sample;

/// What each place counts beside the text.
const PLACE_WEIGHTS: [f32; Place::ALL.len()] = [1.0, 0.3, 0.5, 0.5, 0.5, 0.5];
/// How much rarity counts: 0 not at all, 1 as in TF-IDF. In between serves topics that show in
/// their nouns as well as kinds of page that show in small words (`my`, `we`).
const RARITY_POWER: f32 = 0.7;
/// How much uneven spread counts, and the most it may.
const SPREAD_POWER: f32 = 0.5;
const MOST_SPREAD: f32 = 4.0;
/// A feature that fewer pages have says nothing about others.
const LEAST_PAGES: u32 = 2;
/// What a page on the wrong side costs beside the width of the margin.
const COST: f32 = 1.0;
/// Rounds over all pages at most, and the step below which nothing moves any more.
const ROUNDS: usize = 40;
const LEAST_STEP: f32 = 5e-3;

/// Pages as rows over the features that enough of them have.
pub(super) struct Table {
    /// The features, rising.
    pub(super) features: Vec<Feature>,
    /// Rarity of each, as it counts.
    rarity: Vec<f32>,
    rows: Vec<Vec<(u32, f32)>>,
}

/// What a row shall be called, and how much it matters. Weight 0: not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Target {
    pub(super) is_relevant: bool,
    pub(super) weight: f32,
}

/// A line: for each feature of the table, how it is scaled and what it weighs.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) scale: Vec<f32>,
    pub(super) weight: Vec<f32>,
    pub(super) bias: f32,
}

impl Table {
    pub(super) fn new(samples: &[&Sample]) -> Table {
        let mut pages: HashMap<Feature, u32> = HashMap::new();
        for (feature, _) in samples.iter().flat_map(|sample| &sample.features) {
            *pages.entry(*feature).or_default() += 1;
        }
        pages.retain(|_, count| *count >= LEAST_PAGES);
        let mut features: Vec<Feature> = pages.keys().copied().collect();
        features.sort_unstable();
        let all = samples.len() as f32;
        let rarity = |feature: &Feature| {
            let rarity = ((all + 1.0) / (pages[feature] as f32 + 1.0)).ln();
            rarity.max(0.0).powf(RARITY_POWER)
        };
        let column: HashMap<Feature, u32> =
            features.iter().enumerate().map(|(at, feature)| (*feature, at as u32)).collect();
        let row = |sample: &&Sample| {
            let known = sample.features.iter();
            known.filter_map(|(feature, gain)| Some((*column.get(feature)?, *gain))).collect()
        };
        Table {
            rarity: features.iter().map(rarity).collect(),
            rows: samples.iter().map(row).collect(),
            features,
        }
    }

    /// The line that parts the rows as the targets say.
    pub(super) fn fit(&self, targets: &[Target]) -> Line {
        let scale = self.scale(targets);
        let taught: Vec<usize> =
            (0..self.rows.len()).filter(|row| targets[*row].weight > 0.0).collect();
        let vectors: Vec<Vec<(u32, f32)>> =
            taught.iter().map(|row| self.vector(*row, &scale)).collect();
        let mut line = Line { weight: vec![0.0; scale.len()], scale, bias: 0.0 };
        let mut pulls = vec![0.0_f32; taught.len()];
        let lengths: Vec<f32> = vectors.iter().map(|vector| squared(vector) + 1.0).collect();
        let mut order: Vec<usize> = (0..taught.len()).collect();
        let mut draw = Draw(1);
        for _ in 0..ROUNDS {
            draw.shuffle(&mut order);
            let mut largest = 0.0_f32;
            for at in &order {
                let target = targets[taught[*at]];
                let side = if target.is_relevant { 1.0 } else { -1.0 };
                let slack = 1.0 / (2.0 * COST * target.weight);
                let gradient = side * line.value(&vectors[*at]) - 1.0 + pulls[*at] * slack;
                let pull = (pulls[*at] - gradient / (lengths[*at] + slack)).max(0.0);
                let step = (pull - pulls[*at]) * side;
                if step == 0.0 {
                    continue;
                }
                pulls[*at] = pull;
                largest = largest.max(step.abs());
                for (column, value) in &vectors[*at] {
                    line.weight[*column as usize] += step * value;
                }
                line.bias += step;
            }
            if largest < LEAST_STEP {
                break;
            }
        }
        line
    }

    /// On which side of the line each row lies, and how far.
    pub(super) fn values(&self, line: &Line) -> Vec<f32> {
        (0..self.rows.len()).map(|row| line.value(&self.vector(row, &line.scale))).collect()
    }

    /// How much each feature counts: its rarity times the unevenness of its spread.
    fn scale(&self, targets: &[Target]) -> Vec<f32> {
        let mut with = vec![(0.0_f32, 0.0_f32); self.features.len()];
        let (mut relevant, mut others) = (0.0_f32, 0.0_f32);
        for (row, target) in self.rows.iter().zip(targets) {
            // Balance between the kinds is for the line; here each page is a page.
            let weight = target.weight.min(1.0);
            if weight == 0.0 {
                continue;
            }
            let total = if target.is_relevant { &mut relevant } else { &mut others };
            *total += weight;
            for (column, _) in row {
                let with = &mut with[*column as usize];
                *(if target.is_relevant { &mut with.0 } else { &mut with.1 }) += weight;
            }
        }
        let spread = |(ours, theirs): &(f32, f32)| {
            let odds =
                ((ours + 0.5) / (relevant + 1.0)).ln() - ((theirs + 0.5) / (others + 1.0)).ln();
            let met = ours + theirs;
            (odds.abs() * met / (met + 1.0)).min(MOST_SPREAD).powf(SPREAD_POWER)
        };
        self.rarity.iter().zip(&with).map(|(rarity, with)| rarity * spread(with)).collect()
    }

    fn vector(&self, row: usize, scale: &[f32]) -> Vec<(u32, f32)> {
        let mut vector: Vec<(u32, f32)> = self.rows[row]
            .iter()
            .map(|(column, gain)| (*column, gain * scale[*column as usize]))
            .filter(|(_, value)| *value > 0.0)
            .collect();
        let mut lengths = [0.0_f32; Place::ALL.len()];
        let place = |column: u32| self.features[column as usize].place() as usize;
        for (column, value) in &vector {
            lengths[place(*column)] += value * value;
        }
        for (column, value) in &mut vector {
            *value *= place_factor(place(*column), lengths[place(*column)]);
        }
        vector
    }
}

/// What a place's values are multiplied with when their squares sum to this.
pub(super) fn place_factor(place: usize, squares: f32) -> f32 {
    PLACE_WEIGHTS[place] / squares.sqrt().max(f32::MIN_POSITIVE)
}

impl Line {
    fn value(&self, vector: &[(u32, f32)]) -> f32 {
        let weighed = vector.iter().map(|(column, value)| self.weight[*column as usize] * value);
        weighed.sum::<f32>() + self.bias
    }
}

fn squared(vector: &[(u32, f32)]) -> f32 {
    vector.iter().map(|(_, value)| value * value).sum()
}

/// Numbers that look drawn and are always the same (a 64-bit linear congruential generator).
pub(super) struct Draw(pub(super) u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::linear::features::of_word;
    use crate::models::linear::keywords::Sighting;
    use crate::models::linear::samples::Known;

    fn sample(words: &str) -> Sample {
        let mut features: Vec<_> = words.split(' ').map(|word| (of_word(word), 1.0)).collect();
        features.sort_by_key(|(feature, _)| *feature);
        Sample { known: Known::Nothing, features, keywords: Sighting::default() }
    }

    #[test]
    fn the_line_parts_what_can_be_parted_and_judges_what_it_has_not_seen() {
        let samples = [
            sample("gannet dive sea"),
            sample("gannet nest sea"),
            sample("cheap flight sea"),
            sample("cheap hotel sea"),
            sample("gannet hotel nest"),
        ];
        let table = Table::new(&samples.iter().collect::<Vec<_>>());
        let target = |is_relevant, weight| Target { is_relevant, weight };
        let targets = [
            target(true, 1.0),
            target(true, 1.0),
            target(false, 1.0),
            target(false, 1.0),
            Target::default(),
        ];
        let line = table.fit(&targets);
        let values = table.values(&line);
        assert!(values[0] > 0.5 && values[1] > 0.5, "{values:?}");
        assert!(values[2] < -0.5 && values[3] < -0.5, "{values:?}");
        assert!(values[4] > 0.0, "{values:?}");
        assert_eq!(values, table.values(&table.fit(&targets)));
    }
}
