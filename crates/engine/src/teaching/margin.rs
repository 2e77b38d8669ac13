//! How far a judgement is from the line, in a measure that all models have in common.
//!
//! Scores of different models do not compare: one calls a page relevant from
//! .5, another from .003. What compares is the distance from score to
//! threshold in log-odds: 0 is on the line, +1 is some 2.7 times the odds.

use gannet_model::{Judgement, Score};

/// Scores count as no nearer to 0 and 1 than this: certainty is no number.
const NEAREST: f32 = 1e-4;

/// Log-odds of the score above those of the threshold; positive when the page is relevant.
pub(crate) fn margin(judgement: &Judgement) -> f32 {
    log_odds(judgement.score) - log_odds(judgement.threshold)
}

/// The probability that the page is relevant, if its threshold is where both answers are as likely.
pub(crate) fn probability(judgement: &Judgement) -> f32 {
    1.0 / (1.0 + (-margin(judgement)).exp())
}

fn log_odds(score: Score) -> f32 {
    let score = score.get().clamp(NEAREST, 1.0 - NEAREST);
    (score / (1.0 - score)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::Reasons;

    fn judged(score: f32, threshold: f32) -> Judgement {
        Judgement {
            score: Score::clamped(score),
            threshold: Score::clamped(threshold),
            model: "test".to_owned(),
            version: 1,
            reasons: Reasons::none(),
        }
    }

    #[test]
    fn the_threshold_is_the_middle_whatever_its_number() {
        for threshold in [0.003, 0.5, 0.9] {
            assert_eq!(margin(&judged(threshold, threshold)), 0.0);
            assert_eq!(probability(&judged(threshold, threshold)), 0.5);
        }
        assert!(margin(&judged(0.006, 0.003)) > 0.6, "twice the odds");
        assert!((probability(&judged(0.8, 0.5)) - 0.8).abs() < 1e-4);
    }

    #[test]
    fn a_score_of_one_or_zero_is_far_and_not_infinitely_far() {
        assert!(margin(&judged(1.0, 0.5)).is_finite());
        assert!(margin(&judged(0.0, 0.5)).is_finite());
    }
}
