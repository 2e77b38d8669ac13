//! The best fifth of the pages by importance over age is visited often, the rest seldom.
//!
//! After Sharma, Kumar and Vig (2012) as Kumar and others survey them: a page's score is its rank
//! over its age, the time since it was last changed, and the 20 % with the highest score stand in a
//! collection of their own. The papers do not say how much more often those are visited; here, after
//! the same rule of 80 to 20, they get 80 % of the visits.
//!
//! **Choose it when** importance is known and pages that were changed lately are likely to change
//! again. **Cost:** O(1) a visit. **Weakness:** two classes only, and the rate of change counts only
//! as far as the last change tells of it.

use gannet_model::{SettingsError, Timestamp};
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::interval::{Interval, Rule, Sight};
use crate::kept::{pack, unpack};
use crate::limits;
use crate::policy::Facts;
use crate::span::{HOUR, TEN_YEARS, days_since, duration};

pub(crate) const ENTRY: Entry = Entry {
    name: "page-score",
    summary: "the best fifth by importance over age often, the rest seldom (80-20)",
    settings: "shortest_days = 0.041666666666666664\n\
        longest_days = 3650.0\n\
        best_share = 0.2\n\
        visits_share = 0.8\n\
        mean_days = 30.0",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        let mean_wait = config.mean_days;
        Ok(Box::new(Interval::new(PageScore { config, mean_wait, bar: 0.0 })))
    },
};

/// `[revisit.page-score]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Never wait less than this.
    shortest_days: f64,
    /// Never wait more than this.
    longest_days: f64,
    /// Which share of the pages is visited often.
    best_share: f64,
    /// Which share of the visits goes to them.
    visits_share: f64,
    /// The mean wait as long as no budget is known.
    mean_days: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            shortest_days: HOUR,
            longest_days: TEN_YEARS,
            best_share: 0.2,
            visits_share: 0.8,
            mean_days: 30.0,
        }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::waits(self.shortest_days, self.longest_days)?;
        for (key, value) in [("best_share", self.best_share), ("visits_share", self.visits_share)] {
            let is_right = value > 0.0 && value < 1.0;
            limits::refuse_unless(is_right, key, value, "a number above 0 and below 1")?;
        }
        limits::positive("mean_days", self.mean_days)
    }
}

struct PageScore {
    config: Config,
    /// Pages over visits a day.
    mean_wait: f64,
    /// The logarithm of the score from which on a page is among the best.
    bar: f64,
}

/// How far the bar moves with each visit, in powers of e. It follows the scores until as many
/// pages are above it as should be, with no list of all scores.
const BAR_STEP: f64 = 0.05;

/// A page that was changed just now has this age, in days.
const LEAST_AGE: f64 = HOUR;

/// What is to be known of a page.
#[derive(Serialize, Deserialize)]
struct Note {
    /// When it was last changed, as far as is known.
    changed: Option<Timestamp>,
}

impl PageScore {
    fn wait(&self, is_best: bool) -> f64 {
        let config = &self.config;
        if is_best {
            self.mean_wait * config.best_share / config.visits_share
        } else {
            self.mean_wait * (1.0 - config.best_share) / (1.0 - config.visits_share)
        }
    }

    /// Whether the page is among the best. Moves the bar: often visited pages are asked of more
    /// often, so that each answer counts as long as the page waits.
    fn is_best(&mut self, importance: f64, age: f64) -> bool {
        let score = (importance.max(f64::MIN_POSITIVE) / age.max(LEAST_AGE)).ln();
        let is_best = score >= self.bar;
        let weight = self.wait(is_best) / self.mean_wait;
        let pull = if is_best { 1.0 - self.config.best_share } else { -self.config.best_share };
        self.bar += BAR_STEP * pull * weight;
        is_best
    }
}

impl Rule for PageScore {
    type Note = Note;

    fn first(&mut self, _facts: &Facts<'_>) -> (Note, f64) {
        (Note { changed: None }, self.mean_wait)
    }

    fn next(&mut self, note: &mut Note, sight: &Sight<'_>) -> f64 {
        let now = sight.visit.at;
        if sight.has_changed() {
            note.changed = Some(sight.visit.modified.filter(|date| *date <= now).unwrap_or(now));
        }
        let before = now.before(duration(sight.elapsed));
        let age = days_since(now, *note.changed.get_or_insert(before));
        let is_best = self.is_best(sight.importance, age);
        self.wait(is_best)
    }

    fn bounds(&self) -> (f64, f64) {
        (self.config.shortest_days, self.config.longest_days)
    }

    fn set_mean_wait(&mut self, days: f64) {
        self.mean_wait = days;
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&(self.bar, self.mean_wait)))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let kept = unpack::<(f64, f64)>(state);
        if let Some((bar, mean_wait)) = kept {
            (self.bar, self.mean_wait) = (bar, mean_wait);
        }
        kept.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Bench, close};
    use crate::policy::Saw;

    #[test]
    fn the_best_wait_a_quarter_of_the_mean_and_the_rest_four_times_as_long() {
        let mut bench = Bench::new("page-score", "");
        bench.importance = 2.0;
        close(bench.admit(), 30.0);
        close(bench.visit(Saw::Changed), 7.5);
        bench.importance = 1e-6;
        bench.page.0 = 1;
        bench.admit();
        close(bench.visit(Saw::Same), 120.0);
    }

    #[test]
    fn the_bar_settles_where_a_fifth_of_the_pages_is_above_it() {
        let config = Config::default();
        let mut rule = PageScore { config, mean_wait: 30.0, bar: 0.0 };
        // Importances from 1 to 100, all of the same age; good pages are asked of 16 times as often.
        let mut due = [0.0_f64; 100];
        let mut best = [false; 100];
        for _ in 0..20_000 {
            let mut page = 0;
            for other in 1..due.len() {
                if due[other] < due[page] {
                    page = other;
                }
            }
            best[page] = rule.is_best((page + 1) as f64, 10.0);
            due[page] += rule.wait(best[page]);
        }
        let count = best.iter().filter(|is_best| **is_best).count();
        assert!((15..=25).contains(&count), "{count}");
    }
}
