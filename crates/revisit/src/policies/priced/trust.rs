//! How far those who tell of changes are to be believed, learned from what visits then show.
//!
//! Of a teller it is counted how many more pages it spoke of were found changed than their rates
//! alone let expect. A teller that speaks of every page every day has none more, and is not
//! believed, however many of them changed. Silence is judged the same way: where somebody tells of
//! most changes, pages it says nothing of change less than their rate says.

use serde::{Deserialize, Serialize};

/// What came of what was said, old visits counting less than new ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Visits that found a change where none was expected, less those that found none where one
    /// was.
    hits: f32,
    /// Visits that could have.
    chances: f32,
}

/// The first opinion of a teller counts as so many visits.
const FIRST_OPINION: f64 = 3.0;
/// Nobody is believed further.
const MOST: f64 = 0.98;
/// Who is believed less is not listened to: it is within what chance does.
const LEAST: f64 = 0.04;
/// What a new visit leaves of the earlier ones where what holds now may not hold tomorrow: about a
/// dozen count. What a change of many pages taught is forgotten when the next is of a single one.
const KEPT_SHORTLY: f32 = 0.92;

impl Tally {
    /// Learns what a visit showed after something was said: how likely the page was to be
    /// unchanged without a word, and how far what was said held for this page, 1 being all the way.
    pub(super) fn learn(&mut self, expected: f64, is_same: bool, share: f64) {
        self.add(KEPT_SHORTLY, expected, is_same, share);
    }

    fn add(&mut self, kept: f32, expected: f64, is_same: bool, share: f64) {
        let found = if is_same { 1.0 } else { 0.0 };
        self.hits = self.hits * kept + (expected - found) as f32;
        self.chances = self.chances * kept + (expected * share) as f32;
    }

    /// The chance that what is said is a change, above what is expected anyway.
    pub(super) fn chance(&self, first: f64) -> f64 {
        self.shaded(first, 0.0)
    }

    fn shaded(&self, first: f64, doubt: f64) -> f64 {
        let hits = f64::from(self.hits) + FIRST_OPINION * first - doubt;
        let chance = hits / (f64::from(self.chances) + FIRST_OPINION);
        if chance < LEAST { 0.0 } else { chance.min(MOST) }
    }
}

/// One teller's record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Trust {
    /// Over many visits: what it says.
    long: Tally,
    /// How far chance alone moves that, squared.
    spread: f32,
    /// Over the last few: whether that still holds.
    recent: Tally,
    recent_spread: f32,
}

/// What a new visit leaves of the earlier ones: about two hundred count, and about twenty.
const KEPT_LONG: f32 = 0.995;
const KEPT_RECENT: f32 = 0.95;
/// A record is begun anew when the last visits differ by so many times what chance does.
const ANOTHER_TELLER: f64 = 3.0;

impl Trust {
    /// As [`Tally::learn`].
    pub(super) fn learn(&mut self, expected: f64, is_same: bool, share: f64) {
        let believed = self.long.chance(0.0) * share;
        let same = expected * (1.0 - believed);
        let spread = (same * (1.0 - same)) as f32;
        self.long.add(KEPT_LONG, expected, is_same, share);
        self.spread = self.spread * KEPT_LONG * KEPT_LONG + spread;
        self.recent.add(KEPT_RECENT, expected, is_same, share);
        self.recent_spread = self.recent_spread * KEPT_RECENT * KEPT_RECENT + spread;
        let rate = f64::from(self.long.hits) / f64::from(self.long.chances).max(1.0);
        let surprise = f64::from(self.recent.hits) - rate * f64::from(self.recent.chances);
        let usual = f64::from(self.recent_spread).sqrt().max(1.0);
        if surprise.abs() > ANOTHER_TELLER * usual {
            (self.long, self.spread) = (self.recent, self.recent_spread);
        }
    }

    /// The chance that what it says is a change, above what is expected anyway, less what chance
    /// alone may have done for it.
    pub(super) fn chance(&self, first: f64) -> f64 {
        self.long.shaded(first, f64::from(self.spread).sqrt())
    }
}

/// Visits that it takes to doubt the rates.
const EXCESS_OPINION: f64 = 20.0;
/// No rates are taken to be more wrong.
const MOST_EXCESS: f64 = 0.5;

impl Trust {
    /// The mean of what was found above what was expected, where there is nobody to be believed.
    pub(super) fn excess(&self) -> f64 {
        let chances = f64::from(self.long.chances) + EXCESS_OPINION;
        (f64::from(self.long.hits) / chances).clamp(0.0, MOST_EXCESS)
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
        self.changed = self.changed * KEPT_LONG + f32::from(u8::from(is_changed));
        self.expected = self.expected * KEPT_LONG + expected_change as f32;
    }

    /// How fast time passes for pages that nothing was said of, 1 where silence says nothing.
    pub(super) fn pace(&self) -> f64 {
        let changed = f64::from(self.changed) + SILENCE_OPINION;
        let expected = f64::from(self.expected) + SILENCE_OPINION;
        ((changed + changed.sqrt()) / expected).clamp(LEAST_PACE, 1.0)
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
    fn one_who_turns_liar_loses_it_as_soon() {
        let mut trust = taught(1000, 0.1, 0.9);
        assert!(trust.chance(0.3) > 0.8);
        (0..50).for_each(|_| trust.learn(0.9, true, 1.0));
        assert!(trust.chance(0.3) < 0.1, "{}", trust.chance(0.3));
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
        (0..600).for_each(|_| silence.learn(0.5, true));
        assert_eq!(silence.pace(), 1.0);
    }
}
