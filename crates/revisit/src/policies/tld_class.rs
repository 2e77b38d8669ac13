//! A wait that the last label of the host's name decides: `com` often, `edu` seldom.
//!
//! Surveyed by Kumar and others after Cho and Garcia-Molina's study of 720,000 pages (2000): over
//! 40 % of the pages in `com` changed daily, while more than half of those in `edu` and `gov` did
//! not change in four months.
//!
//! **Choose it when** nothing but the address is known. **Cost:** one look-up for a new page.
//! **Weakness:** a page is not its domain; nothing is ever learned.

use std::collections::BTreeMap;

use gannet_model::SettingsError;
use serde::Deserialize;

use crate::entry::Entry;
use crate::interval::{Interval, Rule, Sight};
use crate::limits;
use crate::policy::Facts;
use crate::span::{MINUTE, TEN_YEARS};

pub(crate) const ENTRY: Entry = Entry {
    name: "tld-class",
    summary: "a wait for each class of host names: com often, edu and gov seldom",
    settings: "other_days = 14.0\n\
        days = { com = 1.0, net = 7.0, org = 7.0, edu = 60.0, gov = 60.0 }",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Interval::new(TldClass(config))))
    },
};

/// `[revisit.tld-class]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// The wait for each last label.
    days: BTreeMap<String, f64>,
    /// The wait for all others.
    other_days: f64,
}

/// The waits that are used when none are given, by last label.
const CLASSES: [(&str, f64); 5] =
    [("com", 1.0), ("net", 7.0), ("org", 7.0), ("edu", 60.0), ("gov", 60.0)];

impl Default for Config {
    fn default() -> Config {
        let days = CLASSES.iter().map(|(label, days)| ((*label).to_owned(), *days)).collect();
        Config { days, other_days: 14.0 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        for (label, days) in &self.days {
            limits::positive(label, *days)?;
        }
        limits::positive("other_days", self.other_days)
    }
}

struct TldClass(Config);

impl Rule for TldClass {
    /// The wait in days.
    type Note = f64;

    fn first(&mut self, facts: &Facts<'_>) -> (f64, f64) {
        let label = facts.host_name.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
        let label = label.to_ascii_lowercase();
        let days = self.0.days.get(&label).copied().unwrap_or(self.0.other_days);
        (days, days)
    }

    fn next(&mut self, note: &mut f64, _sight: &Sight<'_>) -> f64 {
        *note
    }

    fn bounds(&self) -> (f64, f64) {
        (MINUTE, TEN_YEARS)
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, close};
    use crate::policy::Saw;

    #[test]
    fn the_last_label_decides_and_nothing_else_does() {
        for (host, days) in [("www.a.com", 1.0), ("a.EDU.", 60.0), ("edu.example", 14.0)] {
            let mut bench = Bench::new("tld-class", "").host(host);
            close(bench.admit(), days);
            close(bench.visit(Saw::Changed), days);
        }
    }

    #[test]
    fn own_classes_take_the_place_of_the_known_ones() {
        let mut bench = Bench::new("tld-class", "days = { museum = 90.0 }").host("a.museum");
        close(bench.admit(), 90.0);
        assert!(Bench::refusal("tld-class", "days = { com = 0.0 }").contains("com"));
    }
}
