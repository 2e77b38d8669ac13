//! Every page after the same number of days, whatever it does.
//!
//! **Choose it when** you must promise that no copy is older than that. **Cost:** nothing.
//! **Weakness:** spends on a page that never changes as much as on one that changes every hour,
//! and knows no budget.

use gannet_model::SettingsError;
use serde::Deserialize;

use crate::entry::Entry;
use crate::interval::{Interval, Rule, Sight};
use crate::limits;
use crate::policy::Facts;
use crate::span::MINUTE;

pub(crate) const ENTRY: Entry = Entry {
    name: "fixed",
    summary: "every page after the same number of days",
    settings: "days = 30.0",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Interval::new(Fixed(config))))
    },
};

/// `[revisit.fixed]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// How many days to wait. 30 is what Nutch ships with.
    days: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config { days: 30.0 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::positive("days", self.days)
    }
}

struct Fixed(Config);

impl Rule for Fixed {
    type Note = ();

    fn first(&mut self, _facts: &Facts<'_>) -> ((), f64) {
        ((), self.0.days)
    }

    fn next(&mut self, _note: &mut (), _sight: &Sight<'_>) -> f64 {
        self.0.days
    }

    fn bounds(&self) -> (f64, f64) {
        (self.0.days.min(MINUTE), self.0.days)
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, close};
    use crate::policy::Saw;

    #[test]
    fn nothing_but_a_failure_changes_the_wait() {
        let mut bench = Bench::new("fixed", "days = 10.0");
        close(bench.admit(), 10.0);
        for saw in [Saw::Same, Saw::Noise, Saw::Changed] {
            close(bench.visit(saw), 10.0);
        }
        close(bench.visit(Saw::Failed), 1.0);
    }
}
