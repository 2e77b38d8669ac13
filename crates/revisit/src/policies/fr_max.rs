//! A wait in whole rounds, half-way between `fr_max` and the rounds that a change takes.
//!
//! After Pallavi and Sharma (2015). Of the last `limit` visits to a page some found a change:
//! `x = min(records, limit)`, `b = x / changes` (`x` when there were none), and the page is visited
//! every `⌊(fr_max + b) / 2⌋` rounds, at least one. The paper can be read in two ways: `fr_max` stays
//! as it was set (`fr-max`), or it becomes the result each time (`fr-max-recursive`). Each visit is
//! put off by an hour more than whole rounds, so that a page is seen at all hours of the day in turn.
//!
//! **Choose it when** the published crawler is to be compared with. **Cost:** O(1) a visit.
//! **Weakness:** as `b` is at least 1, the first reading never goes below half of `fr_max`: with the
//! usual numbers all waits lie between 15 and 30 days, which is nearly uniform and cannot use a
//! larger budget.

use gannet_model::SettingsError;
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::interval::{Interval, Rule, Sight};
use crate::limits;
use crate::policy::Facts;
use crate::span::{HOUR, TEN_YEARS};

pub(crate) const ENTRY: Entry = Entry {
    name: "fr-max",
    summary: "waits in whole rounds from the share of visits that found a change; fr_max fixed",
    settings: "fr_max = 30\nlimit = 30\nround_days = 1.0\nhour_shift = 1.0",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Interval::new(FrMax { config, reading: Reading::Fixed })))
    },
};

pub(crate) const RECURSIVE: Entry = Entry {
    name: "fr-max-recursive",
    summary: "waits in whole rounds from the share of visits that found a change; fr_max moves",
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Interval::new(FrMax { config, reading: Reading::Recursive })))
    },
    ..ENTRY
};

/// `[revisit.fr-max]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Every how many rounds a page is visited at first.
    fr_max: u32,
    /// How many of the last visits are looked at, up to 128.
    limit: u32,
    /// How long a round is.
    round_days: f64,
    /// By how many hours a visit comes later in the day than the one before.
    hour_shift: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config { fr_max: 30, limit: 30, round_days: 1.0, hour_shift: 1.0 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::at_least_one("fr_max", self.fr_max)?;
        let is_right = (1..=u128::BITS).contains(&self.limit);
        limits::refuse_unless(is_right, "limit", self.limit, "a whole number from 1 to 128")?;
        limits::positive("round_days", self.round_days)?;
        limits::not_negative("hour_shift", self.hour_shift)
    }
}

/// What `fr_max` in the formula is.
#[derive(Clone, Copy, Debug)]
enum Reading {
    /// As it was set.
    Fixed,
    /// What the formula gave last time.
    Recursive,
}

struct FrMax {
    config: Config,
    reading: Reading,
}

/// What is to be known of a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Note {
    /// The rounds of its wait.
    rounds: u32,
    /// Visits so far.
    records: u32,
    /// Which of the last ones found a change, the last in the lowest bit.
    changes: u128,
}

impl FrMax {
    fn rounds(&self, note: &Note) -> u32 {
        let looked_at = note.records.min(self.config.limit).max(1);
        let mask = u128::MAX >> (u128::BITS - looked_at);
        let changes = (note.changes & mask).count_ones();
        let per_change = f64::from(looked_at) / f64::from(changes.max(1));
        let before = match self.reading {
            Reading::Fixed => self.config.fr_max,
            Reading::Recursive => note.rounds,
        };
        f64::midpoint(f64::from(before), per_change).floor().max(1.0) as u32
    }

    fn days(&self, rounds: u32) -> f64 {
        f64::from(rounds) * self.config.round_days + self.config.hour_shift * HOUR
    }
}

impl Rule for FrMax {
    type Note = Note;

    fn first(&mut self, _facts: &Facts<'_>) -> (Note, f64) {
        let rounds = self.config.fr_max;
        (Note { rounds, records: 0, changes: 0 }, self.days(rounds))
    }

    fn next(&mut self, note: &mut Note, sight: &Sight<'_>) -> f64 {
        note.records = note.records.saturating_add(1);
        note.changes = (note.changes << 1) | u128::from(sight.has_changed());
        note.rounds = self.rounds(note);
        self.days(note.rounds)
    }

    fn bounds(&self) -> (f64, f64) {
        let longest = f64::from(self.config.fr_max.max(self.config.limit));
        (self.config.round_days.min(1.0), (longest * self.config.round_days).max(TEN_YEARS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Bench, close};
    use crate::policy::Saw;

    #[test]
    fn the_worked_example_of_the_paper() {
        let config = Config { fr_max: 3, limit: 20, ..Config::default() };
        // Ten changes among the last twenty of 45 visits; what was before does not count.
        let changes = (0..10).fold(u128::MAX << 20, |bits, place| bits | 1 << (2 * place));
        let note = Note { rounds: 3, records: 45, changes };
        for reading in [Reading::Fixed, Reading::Recursive] {
            assert_eq!(FrMax { config, reading }.rounds(&note), 2);
        }
    }

    #[test]
    fn the_fixed_reading_never_goes_below_half_and_the_recursive_one_does() {
        let plain = "hour_shift = 0.0";
        let (mut fixed, mut moving) =
            (Bench::new("fr-max", plain), Bench::new("fr-max-recursive", plain));
        close(fixed.admit(), 30.0);
        close(moving.admit(), 30.0);
        let waits: Vec<(f64, f64)> =
            (0..5).map(|_| (fixed.visit(Saw::Changed), moving.visit(Saw::Changed))).collect();
        assert_eq!(waits, [(15.0, 15.0), (15.0, 8.0), (15.0, 4.0), (15.0, 2.0), (15.0, 1.0)]);
    }

    #[test]
    fn quiet_pages_go_back_to_the_full_wait() {
        let mut bench = Bench::new("fr-max", "hour_shift = 0.0");
        bench.admit();
        close(bench.visit(Saw::Same), 15.0);
        close(bench.visit(Saw::Same), 16.0);
        for _ in 0..40 {
            bench.visit(Saw::Same);
        }
        close(bench.visit(Saw::Same), 30.0);
    }

    #[test]
    fn the_hour_of_the_day_shifts_from_visit_to_visit() {
        let mut bench = Bench::new("fr-max", "");
        close(bench.admit(), 30.0 + 1.0 / 24.0);
    }

    #[test]
    fn more_than_can_be_kept_is_refused() {
        assert!(Bench::refusal("fr-max", "limit = 129").contains("128"));
        assert!(Bench::refusal("fr-max", "limit = 0").contains("limit"));
    }
}
