//! A wait that shrinks by a fifth after a change and grows by two fifths otherwise, as Nutch ships.
//!
//! After Apache Nutch's `AdaptiveFetchSchedule` with the numbers of its default configuration.
//! When `sync_delta` is on, the wait is at least the time since the last change that was seen, and
//! part of that time is taken off the next moment, in the hope to meet the next change.
//!
//! **Choose it when** a Nutch crawl is to be continued as it was. **Cost:** O(1) a visit.
//! **Weakness:** in the long run every page is seen changed at the same share of its visits, six in
//! ten: visits in proportion to the rate of change, which is the worst way to keep copies fresh.

use gannet_model::{SettingsError, Timestamp};
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::interval::{Interval, Rule, Sight};
use crate::limits;
use crate::policy::Facts;
use crate::span::{MINUTE, days_since};

pub(crate) const ENTRY: Entry = Entry {
    name: "nutch",
    summary: "Nutch's adaptive schedule as shipped: shorter waits after changes, longer ones else",
    settings: "first_days = 30.0\n\
        shortest_days = 0.0007\n\
        longest_days = 365.0\n\
        growth = 0.4\n\
        shrinkage = 0.2\n\
        sync_delta = true\n\
        sync_rate = 0.3",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        let sync_delta = config.sync_delta.unwrap_or(true);
        Ok(Box::new(Interval::new(Nutch { config, sync_delta })))
    },
};

pub(crate) const NO_SYNC: Entry = Entry {
    name: "nutch-no-sync",
    summary: "Nutch's adaptive schedule without its guess at the time of the next change",
    settings: "first_days = 30.0\n\
        shortest_days = 0.0007\n\
        longest_days = 365.0\n\
        growth = 0.4\n\
        shrinkage = 0.2\n\
        sync_delta = false\n\
        sync_rate = 0.3",
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        let sync_delta = config.sync_delta.unwrap_or(false);
        Ok(Box::new(Interval::new(Nutch { config, sync_delta })))
    },
    ..ENTRY
};

/// `[revisit.nutch]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// The first wait.
    first_days: f64,
    /// Never wait less than this.
    shortest_days: f64,
    /// Never wait more than this.
    longest_days: f64,
    /// By which share a wait grows when nothing had changed.
    growth: f64,
    /// By which share a wait shrinks after a change.
    shrinkage: f64,
    /// Whether to guess at the time of the next change.
    sync_delta: Option<bool>,
    /// Which share of the time since the last change is taken off then.
    sync_rate: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            first_days: 30.0,
            shortest_days: MINUTE,
            longest_days: 365.0,
            growth: 0.4,
            shrinkage: 0.2,
            sync_delta: None,
            sync_rate: 0.3,
        }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::waits(self.shortest_days, self.longest_days)?;
        limits::positive("first_days", self.first_days)?;
        limits::not_negative("growth", self.growth)?;
        limits::share("shrinkage", self.shrinkage)?;
        limits::share("sync_rate", self.sync_rate)
    }
}

struct Nutch {
    config: Config,
    sync_delta: bool,
}

/// What is to be known of a page.
#[derive(Serialize, Deserialize)]
struct Note {
    /// The wait in days, before anything is taken off.
    interval: f64,
    /// The last visit that found it changed.
    changed: Option<Timestamp>,
}

impl Rule for Nutch {
    type Note = Note;

    fn first(&mut self, _facts: &Facts<'_>) -> (Note, f64) {
        (Note { interval: self.config.first_days, changed: None }, self.config.first_days)
    }

    fn next(&mut self, note: &mut Note, sight: &Sight<'_>) -> f64 {
        let now = sight.visit.at;
        if sight.has_changed() {
            note.interval *= 1.0 - self.config.shrinkage;
            note.changed = Some(now);
        } else {
            note.interval *= 1.0 + self.config.growth;
        }
        // A page that was never seen changed counts from the visit before, as it has no date.
        let before = now.before(crate::span::duration(sight.elapsed));
        let quiet = days_since(now, *note.changed.get_or_insert(before));
        let mut taken_off = 0.0;
        if self.sync_delta {
            note.interval = note.interval.max(quiet);
            taken_off = quiet * self.config.sync_rate;
        }
        note.interval = note.interval.clamp(self.config.shortest_days, self.config.longest_days);
        note.interval - taken_off
    }

    fn bounds(&self) -> (f64, f64) {
        (self.config.shortest_days, self.config.longest_days)
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, close};
    use crate::policy::Saw;

    #[test]
    fn without_sync_a_wait_grows_by_two_fifths_and_shrinks_by_one() {
        let mut bench = Bench::new("nutch-no-sync", "");
        close(bench.admit(), 30.0);
        close(bench.visit(Saw::Same), 42.0);
        close(bench.visit(Saw::Changed), 33.6);
        close(bench.visit(Saw::Failed), 1.0);
        close(bench.visit(Saw::Noise), 33.6 * 1.4);
    }

    #[test]
    fn with_sync_part_of_the_quiet_time_is_taken_off() {
        let mut bench = Bench::new("nutch", "");
        close(bench.admit(), 30.0);
        close(bench.visit(Saw::Changed), 24.0);
        // Quiet for 24 days: the wait is 24·1.4 less three tenths of 24.
        close(bench.visit(Saw::Same), 33.6 - 7.2);
        // Quiet for 24 + 26.4 days, which is more than 33.6·1.4.
        close(bench.visit(Saw::Same), 50.4 - 15.12);
    }

    #[test]
    fn a_page_that_never_changes_is_not_due_in_the_past() {
        let mut bench = Bench::new("nutch", "");
        bench.admit();
        for _ in 0..60 {
            assert!(bench.visit(Saw::Same) > 0.0);
        }
    }
}
