//! How well judgements agree with the truth.
//!
//! Every measure takes [`Judged`] pages, a score and the truth each, and is
//! independent of their order: pages of one score stand or fall together.
//! Where a measure asks for a share of nothing it is 0, never not-a-number.

use crate::tuning::Judged;

/// How often verdict and truth met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Called relevant, and relevant.
    pub tp: usize,
    /// Called relevant, and not.
    pub fp: usize,
    /// Called irrelevant, and relevant.
    pub fn_: usize,
    /// Called irrelevant, and so.
    pub tn: usize,
}

impl Confusion {
    /// Counts verdicts and truths, in this order of a pair.
    pub fn of(verdicts: impl IntoIterator<Item = (bool, bool)>) -> Confusion {
        let mut counts = Confusion::default();
        for (is_called, is_relevant) in verdicts {
            let count = match (is_called, is_relevant) {
                (true, true) => &mut counts.tp,
                (true, false) => &mut counts.fp,
                (false, true) => &mut counts.fn_,
                (false, false) => &mut counts.tn,
            };
            *count += 1;
        }
        counts
    }

    /// Counts the verdicts of one threshold: relevant is what reaches it.
    pub fn at(judged: &[Judged], threshold: f32) -> Confusion {
        Confusion::of(judged.iter().map(|(score, truth)| (*score >= threshold, *truth)))
    }

    /// The share of what is called relevant that is so.
    pub fn precision(&self) -> f64 {
        share(self.tp, self.tp + self.fp)
    }

    /// The share of the relevant that is called so.
    pub fn recall(&self) -> f64 {
        share(self.tp, self.tp + self.fn_)
    }

    /// The harmonic mean of both.
    pub fn f1(&self) -> f64 {
        share(2 * self.tp, 2 * self.tp + self.fp + self.fn_)
    }
}

/// The area under the curve of precision over recall: `Σ (R_n − R_{n−1})·P_n` over the
/// thresholds that differ, without interpolation. 0 when nothing is relevant.
pub fn average_precision(judged: &[Judged]) -> f64 {
    let relevant = relevant(judged);
    let mut area = 0.0;
    let mut found = 0;
    each_threshold(judged, |counts, _| {
        area += share(counts.tp - found, relevant) * counts.precision();
        found = counts.tp;
    });
    area
}

/// How far scores are from being probabilities: the mean distance between score and share of
/// relevant pages over `bins` stretches of 0..1 of equal width, weighted by their pages.
///
/// Scores outside 0..1 count to the first or last stretch.
pub fn expected_calibration_error(judged: &[Judged], bins: usize) -> f64 {
    let bins = bins.max(1);
    // Scores added up and relevant pages of each stretch: the distance times the pages needs no more.
    let mut sums = vec![(0.0_f64, 0.0_f64); bins];
    for (score, truth) in judged {
        let score = f64::from(*score);
        let bin = ((score * bins as f64) as usize).min(bins - 1);
        sums[bin].0 += score;
        sums[bin].1 += f64::from(u8::from(*truth));
    }
    let distance: f64 = sums.iter().map(|(score, truth)| (score - truth).abs()).sum();
    distance / judged.len().max(1) as f64
}

/// The best F1 that any threshold gives, and the highest such threshold: the score of the last
/// page that counts as relevant. `(0, 1)` when nothing is relevant.
pub fn best_f1(judged: &[Judged]) -> (f64, f32) {
    let mut best = (0.0, 1.0);
    each_threshold(judged, |counts, threshold| {
        if counts.f1() > best.0 {
            best = (counts.f1(), threshold);
        }
    });
    best
}

/// Calls `visit` with what each score would give as the threshold, highest first.
fn each_threshold(judged: &[Judged], mut visit: impl FnMut(Confusion, f32)) {
    let mut sorted = judged.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let relevant = relevant(judged);
    let mut counts =
        Confusion { fn_: relevant, tn: judged.len() - relevant, ..Confusion::default() };
    for (at, (score, truth)) in sorted.iter().enumerate() {
        if *truth {
            counts.tp += 1;
            counts.fn_ -= 1;
        } else {
            counts.fp += 1;
            counts.tn -= 1;
        }
        let is_last_of_its_score = sorted.get(at + 1).is_none_or(|next| next.0 < *score);
        if is_last_of_its_score {
            visit(counts, *score);
        }
    }
}

fn relevant(judged: &[Judged]) -> usize {
    judged.iter().filter(|(_, truth)| *truth).count()
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const JUDGED: [Judged; 5] = [(0.9, true), (0.7, false), (0.7, true), (0.4, true), (0.1, false)];

    #[track_caller]
    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }

    #[test]
    fn verdicts_are_counted_at_the_threshold() {
        let counts = Confusion::at(&JUDGED, 0.7);
        assert_eq!(counts, Confusion { tp: 2, fp: 1, fn_: 1, tn: 1 });
        check(counts.precision(), 2.0 / 3.0);
        check(counts.recall(), 2.0 / 3.0);
        check(counts.f1(), 2.0 / 3.0);
    }

    #[test]
    fn average_precision_sums_precision_over_the_steps_of_recall() {
        // Recall rises by a third at each of the three thresholds with relevant pages.
        check(average_precision(&JUDGED), (1.0 + 2.0 / 3.0 + 3.0 / 4.0) / 3.0);
        check(average_precision(&[(0.9, true), (0.1, false)]), 1.0);
        check(average_precision(&[(0.1, true), (0.9, false)]), 0.5);
    }

    #[test]
    fn the_calibration_error_is_the_distance_from_being_probabilities() {
        check(expected_calibration_error(&[(1.0, true), (0.0, false)], 10), 0.0);
        check(expected_calibration_error(&[(1.0, false), (0.0, true)], 10), 1.0);
        check(expected_calibration_error(&[(0.75, true), (0.75, false)], 10), 0.25);
        // Of two stretches, the upper is off by 0.1 on average, the lower by 0.4.
        check(expected_calibration_error(&[(0.9, true), (0.4, false)], 2), 0.25);
    }

    #[test]
    fn the_best_f1_comes_with_its_threshold() {
        let (f1, threshold) = best_f1(&JUDGED);
        check(f1, 6.0 / 7.0);
        assert_eq!(threshold, 0.4);
    }

    #[test]
    fn a_share_of_nothing_is_zero() {
        for judged in [&[][..], &[(0.5, false)]] {
            check(average_precision(judged), 0.0);
            assert_eq!(best_f1(judged), (0.0, 1.0));
            check(Confusion::at(judged, 0.9).f1(), 0.0);
        }
        check(expected_calibration_error(&[], 10), 0.0);
    }

    proptest! {
        #[test]
        fn measures_are_shares_whatever_the_order(
            judged in prop::collection::vec((0.0_f32..=1.0, any::<bool>()), 0..40)
        ) {
            let mut turned = judged.clone();
            turned.reverse();
            for measure in [average_precision, |judged: &[Judged]| best_f1(judged).0] {
                prop_assert!((0.0..=1.0 + 1e-9).contains(&measure(&judged)));
                prop_assert_eq!(measure(&judged), measure(&turned));
            }
            prop_assert!((0.0..=1.0).contains(&expected_calibration_error(&judged, 10)));
        }

        #[test]
        fn no_threshold_does_better_than_the_best(
            judged in prop::collection::vec((0.0_f32..=1.0, any::<bool>()), 1..40),
            other in 0.0_f32..=1.0
        ) {
            let (f1, threshold) = best_f1(&judged);
            prop_assert!(Confusion::at(&judged, other).f1() <= f1);
            if f1 > 0.0 {
                prop_assert_eq!(Confusion::at(&judged, threshold).f1(), f1);
            }
        }
    }
}
