//! What a relevance model says of a page, a block or a link.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Reasons;

/// How much something is about the topic. Invariant: finite, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(from = "f32", into = "f32")]
pub struct Score(f32);

/// A decision on relevance with everything needed to understand and repeat it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// How much the page is about the topic.
    pub score: Score,
    /// The score from which a page counts as relevant.
    pub threshold: Score,
    /// Which model judged, by its registered name.
    pub model: String,
    /// Which state of that model judged: it changes whenever the topic or the training does.
    pub version: u64,
    /// What the score is made of, strongest first.
    pub reasons: Reasons,
}

/// The two answers to "is it about our topic?".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// At or above the threshold.
    Relevant,
    /// Below the threshold.
    Irrelevant,
}

impl Score {
    /// Not at all.
    pub const ZERO: Score = Score(0.0);
    /// Entirely.
    pub const ONE: Score = Score(1.0);

    /// Takes any number, clamping it to 0..1; not-a-number becomes 0.
    pub fn clamped(value: f32) -> Score {
        if value.is_nan() { Score::ZERO } else { Score(value.clamp(0.0, 1.0)) }
    }

    /// The number.
    pub fn get(self) -> f32 {
        self.0
    }
}

impl Judgement {
    /// Whether the score reaches the threshold.
    pub fn verdict(&self) -> Verdict {
        if self.is_relevant() { Verdict::Relevant } else { Verdict::Irrelevant }
    }

    /// True for [`Verdict::Relevant`].
    pub fn is_relevant(&self) -> bool {
        self.score >= self.threshold
    }
}

impl From<f32> for Score {
    fn from(value: f32) -> Score {
        Score::clamped(value)
    }
}

impl From<Score> for f32 {
    fn from(score: Score) -> f32 {
        score.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4}", self.0)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Relevant => "relevant",
            Verdict::Irrelevant => "irrelevant",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_between_zero_and_one_whatever_comes_in() {
        assert_eq!(Score::clamped(f32::NAN), Score::ZERO);
        assert_eq!(Score::clamped(7.0), Score::ONE);
        assert_eq!(Score::clamped(-1.0), Score::ZERO);
    }
}
