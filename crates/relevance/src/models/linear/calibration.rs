//! From distances to probabilities, and from probabilities to a threshold.
//!
//! Distances become probabilities by a logistic curve (Platt, 1999, with his
//! guard against few examples). Examples are rarely drawn as the crawl draws
//! pages, so the share of relevant pages is estimated anew from the pages met
//! (Saerens et al., 2002), and the threshold is chosen on those pages.

use serde::{Deserialize, Serialize};

use crate::tuning::{self, Judged, Wanted};

/// A logistic curve: the probability at distance `d` is σ(slope · d + offset).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Curve {
    pub(super) slope: f32,
    pub(super) offset: f32,
}

/// Steps towards a solution at most; Newton's take five to ten.
const STEPS: usize = 50;
/// Beyond this offset every probability is 0 or 1.
const FARTHEST_OFFSET: f64 = 100.0;
/// What keeps the curve from becoming a step when examples are few: a pull towards slope 1.
const STIFFNESS: f64 = 0.05;
/// A share of relevant pages outside of these is a mistake of the estimate.
const LEAST_SHARE: f64 = 0.002;
const MOST_SHARE: f64 = 0.6;
/// Pages needed to estimate a share.
const ENOUGH_PAGES: usize = 50;
/// What the share is guessed to be before anything is known, how much the guess counts beside the
/// estimate, and the number of relevant examples that halves it. From a handful of examples, or from
/// keywords alone, the estimate is often several times too low or too high.
const GUESSED_SHARE: f64 = 0.1;
const GUESS_WEIGHT: f64 = 0.4;
const GUESS_HALVED_BY: f64 = 25.0;

impl Curve {
    /// The curve that fits weighted examples best.
    pub(super) fn fit(judged: &[(f32, bool, f32)]) -> Curve {
        let sum = |kind: bool| -> f64 {
            judged.iter().filter(|(_, is, _)| *is == kind).map(|(_, _, w)| f64::from(*w)).sum()
        };
        let (relevant, others) = (sum(true), sum(false));
        // Platt's targets: as if one more example of each kind had been seen.
        let (high, low) = ((relevant + 1.0) / (relevant + 2.0), 1.0 / (others + 2.0));
        let (mut slope, mut offset) = (1.0_f64, ((relevant + 1.0) / (others + 1.0)).ln());
        for _ in 0..STEPS {
            let (mut ga, mut gb) = (STIFFNESS * (slope - 1.0), 0.0);
            let (mut haa, mut hab, mut hbb) = (STIFFNESS, 0.0, 1e-9);
            for (distance, is_relevant, weight) in judged {
                let (d, weight) = (f64::from(*distance), f64::from(*weight));
                let p = logistic(slope * d + offset);
                let error = (p - if *is_relevant { high } else { low }) * weight;
                let bend = (p * (1.0 - p)).max(1e-6) * weight;
                ga += error * d;
                gb += error;
                haa += bend * d * d;
                hab += bend * d;
                hbb += bend;
            }
            let determinant = (haa * hbb - hab * hab).max(1e-12);
            let (da, db) =
                ((hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant);
            // Far from the optimum a Newton step may leap; a bounded one always arrives.
            let shrink = (2.0 / (da.abs() + db.abs())).min(1.0);
            slope -= shrink * da;
            offset -= shrink * db;
            if da.abs() + db.abs() < 1e-6 {
                break;
            }
        }
        Curve { slope: slope.max(0.05) as f32, offset: offset as f32 }
    }

    pub(super) fn probability(self, distance: f32) -> f32 {
        logistic(f64::from(self.log_odds(distance))) as f32
    }

    pub(super) fn log_odds(self, distance: f32) -> f32 {
        self.slope * distance + self.offset
    }

    /// The curve for pages as they are met, when relevant pages are rarer or commoner among them
    /// than the share of what it was fitted to, which people called relevant in so many cases.
    pub(super) fn shifted(self, share: f64, met: &[f32], examples: f32) -> Curve {
        if met.len() < ENOUGH_PAGES {
            return self;
        }
        let from = share.clamp(LEAST_SHARE, MOST_SHARE);
        let mut to = from;
        for _ in 0..STEPS {
            let shift = log_odds(to) - log_odds(from);
            let sum: f64 = met.iter().map(|d| logistic(f64::from(self.log_odds(*d)) + shift)).sum();
            let next = (sum / met.len() as f64).clamp(LEAST_SHARE, MOST_SHARE);
            if (next - to).abs() < 1e-6 {
                break;
            }
            to = next;
        }
        let guess = GUESS_WEIGHT * GUESS_HALVED_BY / (GUESS_HALVED_BY + f64::from(examples));
        let to = to.powf(1.0 - guess) * GUESSED_SHARE.powf(guess);
        Curve { offset: self.offset_for(to, met), ..self }
    }

    /// The offset with which this share of the pages is relevant, by expectation.
    fn offset_for(self, share: f64, pages: &[f32]) -> f32 {
        let (mut low, mut high) = (-FARTHEST_OFFSET, FARTHEST_OFFSET);
        for _ in 0..STEPS {
            let offset = f64::midpoint(low, high);
            let relevant: f64 =
                pages.iter().map(|d| logistic(f64::from(self.slope * d) + offset)).sum();
            if relevant > share * pages.len() as f64 {
                high = offset;
            } else {
                low = offset;
            }
        }
        f64::midpoint(low, high) as f32
    }
}

/// The threshold that serves the aim best on pages of these probabilities, by expectation.
pub(super) fn expected_threshold(probabilities: &[f32], wanted: Wanted) -> Option<f32> {
    if let Wanted::Score(score) = wanted {
        return Some(score);
    }
    if probabilities.len() < ENOUGH_PAGES {
        return None;
    }
    let mut sorted = probabilities.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let all: f32 = sorted.iter().sum();
    let mut best: Option<((f32, f32), f32)> = None;
    let mut found = 0.0;
    for (at, probability) in sorted.iter().enumerate() {
        found += probability;
        let next = sorted.get(at + 1).copied().unwrap_or(0.0);
        if next == *probability {
            continue;
        }
        let (precision, recall) = (found / (at + 1) as f32, found / all.max(f32::MIN_POSITIVE));
        let merit = tuning::merit(wanted, precision, recall);
        if best.is_none_or(|(so_far, _)| merit > so_far) {
            best = Some((merit, f32::midpoint(*probability, next)));
        }
    }
    best.map(|(_, threshold)| threshold)
}

/// The threshold from examples alone, when too few pages were met.
pub(super) fn example_threshold(judged: &[Judged], wanted: Wanted) -> f32 {
    tuning::threshold(judged, wanted).unwrap_or(0.5)
}

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn log_odds(share: f64) -> f64 {
    (share / (1.0 - share)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances with the probability that the curve of slope 2 and offset −1 gives them.
    fn examples() -> Vec<(f32, bool, f32)> {
        let mut judged = Vec::new();
        for at in -20..=20_i32 {
            let distance = at as f32 / 10.0;
            let p = logistic(f64::from(2.0 * distance - 1.0)) as f32;
            judged.push((distance, true, 100.0 * p));
            judged.push((distance, false, 100.0 * (1.0 - p)));
        }
        judged
    }

    #[test]
    fn the_curve_is_found_again() {
        let curve = Curve::fit(&examples());
        assert!((curve.slope - 2.0).abs() < 0.05, "{curve:?}");
        assert!((curve.offset + 1.0).abs() < 0.05, "{curve:?}");
    }

    #[test]
    fn few_examples_make_a_gentle_curve() {
        let curve = Curve::fit(&[(1.0, true, 1.0), (-1.0, false, 1.0)]);
        assert!(curve.slope < 3.0 && curve.slope > 0.2, "{curve:?}");
        let none = Curve::fit(&[]);
        assert!(none.slope.is_finite() && none.offset.is_finite());
    }

    #[test]
    fn the_share_is_estimated_from_the_pages_met() {
        // Fitted where half of the examples were relevant; one page in ten is.
        let curve = Curve { slope: 4.0, offset: 0.0 };
        let met: Vec<f32> = (0..100).map(|at| if at < 10 { 1.5 } else { -1.5 }).collect();
        let share = |curve: Curve| -> f32 {
            met.iter().map(|d| curve.probability(*d)).sum::<f32>() / met.len() as f32
        };
        let many_examples = 1e6;
        let found = share(curve.shifted(0.5, &met, many_examples));
        assert!((found - 0.1).abs() < 0.02, "{found}");
        assert_eq!(curve.shifted(0.5, &met[..10], many_examples), curve);
    }

    #[test]
    fn an_estimate_from_few_examples_is_drawn_towards_what_is_common() {
        let curve = Curve { slope: 1.0, offset: 0.0 };
        let met = vec![-4.0; 100];
        let offset = |examples| curve.shifted(0.5, &met, examples).offset;
        assert!(offset(0.0) > offset(10.0) && offset(10.0) > offset(1000.0));
    }

    #[test]
    fn the_threshold_serves_the_aim_by_expectation() {
        let mut probabilities = vec![0.95_f32; 20];
        probabilities.extend(vec![0.4; 20]);
        probabilities.extend(vec![0.01; 60]);
        let threshold = |wanted| expected_threshold(&probabilities, wanted).unwrap();
        assert!((threshold(Wanted::Precision(0.9)) - 0.675).abs() < 1e-3);
        assert!(threshold(Wanted::Recall(0.95)) < 0.3);
        assert_eq!(threshold(Wanted::Score(0.42)), 0.42);
        assert_eq!(expected_threshold(&[0.5], Wanted::Balance), None);
    }
}
