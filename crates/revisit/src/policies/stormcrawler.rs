//! A wait that goes half-way to the shortest after a change and grows by half otherwise.
//!
//! After StormCrawler's `AdaptiveScheduler` with the numbers it ships with; a page that the server
//! says is unchanged counts as unchanged.
//!
//! **Choose it when** a StormCrawler crawl is to be continued as it was. **Cost:** O(1) a visit.
//! **Weakness:** knows neither budget nor importance; no page waits longer than two weeks, so that
//! with many pages all are overdue and it becomes a plain round.

use gannet_model::SettingsError;
use serde::Deserialize;

use crate::entry::Entry;
use crate::interval::{Interval, Rule, Sight};
use crate::limits;
use crate::policy::Facts;
use crate::span::HOUR;

pub(crate) const ENTRY: Entry = Entry {
    name: "stormcrawler",
    summary: "StormCrawler's adaptive schedule: half-way to the shortest wait after a change",
    settings: "first_days = 1.0\n\
        shortest_days = 0.041666666666666664\n\
        longest_days = 14.0\n\
        growth = 0.5\n\
        shrinkage = 0.5",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Interval::new(StormCrawler(config))))
    },
};

/// `[revisit.stormcrawler]`
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
    /// How far a wait goes towards the shortest after a change, as a share of the way.
    shrinkage: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            first_days: 1.0,
            shortest_days: HOUR,
            longest_days: 14.0,
            growth: 0.5,
            shrinkage: 0.5,
        }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::waits(self.shortest_days, self.longest_days)?;
        limits::positive("first_days", self.first_days)?;
        limits::not_negative("growth", self.growth)?;
        limits::share("shrinkage", self.shrinkage)
    }
}

struct StormCrawler(Config);

impl Rule for StormCrawler {
    type Note = ();

    fn first(&mut self, _facts: &Facts<'_>) -> ((), f64) {
        ((), self.0.first_days)
    }

    fn next(&mut self, _note: &mut (), sight: &Sight<'_>) -> f64 {
        if sight.has_changed() {
            sight.wait + self.0.shrinkage * (self.0.shortest_days - sight.wait)
        } else {
            sight.wait * (1.0 + self.0.growth)
        }
    }

    fn bounds(&self) -> (f64, f64) {
        (self.0.shortest_days, self.0.longest_days)
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, close};
    use crate::policy::Saw;

    #[test]
    fn waits_grow_by_half_up_to_two_weeks_and_halve_towards_an_hour() {
        let mut bench = Bench::new("stormcrawler", "");
        close(bench.admit(), 1.0);
        close(bench.visit(Saw::Same), 1.5);
        close(bench.visit(Saw::Changed), 0.75 + 0.5 / 24.0);
        for _ in 0..10 {
            bench.visit(Saw::Noise);
        }
        close(bench.visit(Saw::Same), 14.0);
    }
}
