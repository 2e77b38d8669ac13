//! Where to draw the line: the threshold for a wanted precision, recall or balance.

use serde::{Deserialize, Serialize};

/// What a threshold aims at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// As many of the relevant pages and as few others as go together: the best F1.
    #[default]
    Balance,
    /// At least this share of what is called relevant is so; of these, the most pages.
    Precision(f32),
    /// At least this share of the relevant pages is found; of these, the purest.
    Recall(f32),
    /// This score, whatever comes of it.
    Score(f32),
}

/// A page's score and whether it is relevant in truth.
pub type Judged = (f32, bool);

impl Wanted {
    /// Tells which number is no share.
    pub(crate) fn check(self) -> Result<(), (&'static str, f32)> {
        let (what, value) = match self {
            Wanted::Balance => return Ok(()),
            Wanted::Precision(value) => ("the wanted precision", value),
            Wanted::Recall(value) => ("the wanted recall", value),
            Wanted::Score(value) => ("the wanted score", value),
        };
        if value > 0.0 && value <= 1.0 { Ok(()) } else { Err((what, value)) }
    }
}

/// The threshold that serves the aim best on these pages: midway between the last score that
/// counts as relevant and the next. `None` when there is nothing to tell apart.
///
/// Where the wanted precision cannot be had, the threshold is the one with the highest.
pub fn threshold(judged: &[Judged], wanted: Wanted) -> Option<f32> {
    if let Wanted::Score(score) = wanted {
        return Some(score);
    }
    let relevant = judged.iter().filter(|(_, is_relevant)| *is_relevant).count();
    if relevant == 0 || relevant == judged.len() {
        return None;
    }
    let mut sorted = judged.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut best: Option<((f32, f32), f32)> = None;
    let mut found = 0;
    for (at, (score, is_relevant)) in sorted.iter().enumerate() {
        found += usize::from(*is_relevant);
        let next = sorted.get(at + 1).map_or(0.0, |next| next.0);
        if next == *score {
            continue;
        }
        let precision = found as f32 / (at + 1) as f32;
        let recall = found as f32 / relevant as f32;
        let merit = merit(wanted, precision, recall);
        if best.is_none_or(|(so_far, _)| merit > so_far) {
            best = Some((merit, f32::midpoint(*score, next)));
        }
    }
    best.map(|(_, threshold)| threshold)
}

/// What a threshold is worth; compared part by part.
pub(crate) fn merit(wanted: Wanted, precision: f32, recall: f32) -> (f32, f32) {
    let f1 = 2.0 * precision * recall / (precision + recall).max(f32::MIN_POSITIVE);
    match wanted {
        Wanted::Balance | Wanted::Score(_) => (f1, precision),
        Wanted::Precision(least) => (precision.min(least), recall),
        Wanted::Recall(least) => (recall.min(least), precision),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JUDGED: [Judged; 6] =
        [(0.9, true), (0.8, true), (0.6, false), (0.5, true), (0.2, false), (0.1, false)];

    #[track_caller]
    fn check(wanted: Wanted, expected: f32) {
        let threshold = threshold(&JUDGED, wanted).unwrap();
        assert!((threshold - expected).abs() < 1e-6, "{threshold} is not {expected}");
    }

    #[test]
    fn the_threshold_serves_the_aim() {
        check(Wanted::Balance, 0.35);
        check(Wanted::Precision(0.9), 0.7);
        check(Wanted::Recall(0.6), 0.7);
        check(Wanted::Recall(1.0), 0.35);
        check(Wanted::Score(0.42), 0.42);
    }

    #[test]
    fn there_is_no_threshold_without_both_kinds() {
        assert_eq!(threshold(&[(0.5, true)], Wanted::Balance), None);
        assert_eq!(threshold(&[(0.5, false)], Wanted::Balance), None);
        assert_eq!(threshold(&[], Wanted::Balance), None);
    }

    #[test]
    fn pages_of_one_score_are_never_parted() {
        let judged = [(0.5, true), (0.5, false), (0.1, false)];
        assert_eq!(threshold(&judged, Wanted::Precision(1.0)), Some(0.3));
    }
}
