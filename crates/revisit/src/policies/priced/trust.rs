//! How far those who tell of changes are to be believed, learned from what visits then show.
//!
//! Of a teller it is counted how many more pages it spoke of were found changed than their rates
//! alone let expect. A teller that speaks of every page every day has none more, and is not
//! believed, however many of them changed. Silence is judged the same way: where somebody tells of
//! most changes, pages it says nothing of change less than their rate says.

use serde::{Deserialize, Serialize};

/// One teller's record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Trust {
    /// Visits after it spoke that found a change where none was expected, less those that found
    /// none where one was.
    hits: f32,
    /// Visits that could have.
    chances: f32,
}

/// What a new visit leaves of the earlier ones: about fifty count.
const REMEMBERED: f32 = 0.98;
/// The same for those who learn quickly: about a dozen count.
const REMEMBERED_SHORTLY: f32 = 0.92;
/// The first opinion of a teller counts as so many visits.
const FIRST_OPINION: f64 = 3.0;
/// Nobody is believed further.
const MOST: f64 = 0.98;
/// Who is believed less is not listened to: it is within what chance does.
const LEAST: f64 = 0.04;

impl Trust {
    /// Learns what a visit showed after the teller had spoken: how likely the page was to be
    /// unchanged without a word, and how far what was said held for this page, 1 being all the way.
    pub(super) fn learn(&mut self, expected: f64, is_same: bool, share: f64) {
        self.learn_and_keep(REMEMBERED, expected, is_same, share);
    }

    /// The same where what holds now may not hold tomorrow: what one change of many pages taught is
    /// soon forgotten when another is of a single page.
    pub(super) fn learn_quickly(&mut self, expected: f64, is_same: bool, share: f64) {
        self.learn_and_keep(REMEMBERED_SHORTLY, expected, is_same, share);
    }

    fn learn_and_keep(&mut self, kept: f32, expected: f64, is_same: bool, share: f64) {
        let found = if is_same { 1.0 } else { 0.0 };
        self.hits = self.hits * kept + (expected - found) as f32;
        self.chances = self.chances * kept + (expected * share) as f32;
    }

    /// The chance that what it says is a change, above what is expected anyway.
    pub(super) fn chance(&self, first: f64) -> f64 {
        let hits = f64::from(self.hits) + FIRST_OPINION * first;
        let chance = hits / (f64::from(self.chances) + FIRST_OPINION);
        if chance < LEAST { 0.0 } else { chance.min(MOST) }
    }
}

/// What silence is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Silence {
    /// Visits without a word before that found a change.
    changed: f32,
    /// As many as were expected.
    expected: f32,
}

/// Changes after which silence counts for as much as what was expected.
const SILENCE_OPINION: f64 = 5.0;
/// Silence never counts for more: the channel may break.
const LEAST_PACE: f64 = 0.1;

impl Silence {
    pub(super) fn learn(&mut self, expected_change: f64, is_changed: bool) {
        self.changed = self.changed * REMEMBERED + f32::from(u8::from(is_changed));
        self.expected = self.expected * REMEMBERED + expected_change as f32;
    }

    /// How fast time passes for pages that nothing was said of, 1 where silence says nothing.
    pub(super) fn pace(&self) -> f64 {
        let changed = f64::from(self.changed) + SILENCE_OPINION;
        (changed / (f64::from(self.expected) + SILENCE_OPINION)).clamp(LEAST_PACE, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A teller of whom this share of what it says is true, on pages that change this often anyway.
    fn taught(visits: u32, anyway: f64, truth: f64) -> Trust {
        let mut trust = Trust::default();
        let (mut due, same) = (0.0, (1.0 - anyway) * (1.0 - truth));
        for _ in 0..visits {
            due += same;
            let is_same = due >= 1.0;
            due -= if is_same { 1.0 } else { 0.0 };
            trust.learn(1.0 - anyway, is_same, 1.0);
        }
        trust
    }

    #[test]
    fn a_liar_loses_its_influence_within_fifty_visits() {
        for anyway in [0.0, 0.3, 0.6] {
            let chance = taught(50, anyway, 0.0).chance(0.5);
            assert!(chance < 0.1, "{anyway}: {chance}");
        }
    }

    #[test]
    fn who_tells_the_truth_is_believed() {
        let chance = taught(50, 0.2, 0.9).chance(0.3);
        assert!(chance > 0.8, "{chance}");
        assert!((Trust::default().chance(0.3) - 0.3).abs() < 1e-9);
    }

    #[test]
    fn silence_counts_where_most_changes_are_told() {
        let mut silence = Silence::default();
        assert_eq!(silence.pace(), 1.0);
        (0..200).for_each(|_| silence.learn(0.5, false));
        assert!(silence.pace() < 0.25);
        (0..200).for_each(|_| silence.learn(0.5, true));
        assert_eq!(silence.pace(), 1.0);
    }
}
