//! A wait that is divided by one and a half after a change and multiplied by it otherwise.
//!
//! After the `WaitEvaluator` of Heritrix's adaptive revisiting (Sigurðsson), with the numbers it
//! ships with.
//!
//! **Choose it when** a Heritrix crawl is to be continued as it was. **Cost:** O(1) a visit.
//! **Weakness:** knows neither budget nor importance; in the long run it visits every page so that
//! half of the visits find a change, which is in proportion to the rate.

use gannet_model::SettingsError;
use serde::Deserialize;

use crate::entry::Entry;
use crate::interval::{Interval, Rule, Sight};
use crate::limits;
use crate::policy::Facts;
use crate::span::HOUR;

pub(crate) const ENTRY: Entry = Entry {
    name: "heritrix",
    summary: "Heritrix's adaptive revisiting: waits divided or multiplied by one and a half",
    settings: "first_days = 1.0\n\
        shortest_days = 0.041666666666666664\n\
        longest_days = 28.0\n\
        factor = 1.5",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Interval::new(Heritrix(config))))
    },
};

/// `[revisit.heritrix]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// The first wait.
    first_days: f64,
    /// Never wait less than this.
    shortest_days: f64,
    /// Never wait more than this.
    longest_days: f64,
    /// What a wait is divided by after a change and multiplied by otherwise.
    factor: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config { first_days: 1.0, shortest_days: HOUR, longest_days: 28.0, factor: 1.5 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::waits(self.shortest_days, self.longest_days)?;
        limits::positive("first_days", self.first_days)?;
        let is_right = self.factor.is_finite() && self.factor >= 1.0;
        limits::refuse_unless(is_right, "factor", self.factor, "a number from 1")
    }
}

struct Heritrix(Config);

impl Rule for Heritrix {
    type Note = ();

    fn first(&mut self, _facts: &Facts<'_>) -> ((), f64) {
        ((), self.0.first_days)
    }

    fn next(&mut self, _note: &mut (), sight: &Sight<'_>) -> f64 {
        if sight.has_changed() { sight.wait / self.0.factor } else { sight.wait * self.0.factor }
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
    fn a_change_and_a_quiet_visit_undo_each_other() {
        let mut bench = Bench::new("heritrix", "");
        close(bench.admit(), 1.0);
        close(bench.visit(Saw::Changed), 1.0 / 1.5);
        close(bench.visit(Saw::Same), 1.0);
        for _ in 0..20 {
            bench.visit(Saw::Same);
        }
        close(bench.visit(Saw::Same), 28.0);
    }
}
