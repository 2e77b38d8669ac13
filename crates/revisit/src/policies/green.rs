//! Visits that cost servers little: cheap pages sooner, and at hours when the site answers fast.
//!
//! After the green policy that Kumar and others survey (Hatzi, Cambazoglu and Koutsopoulos 2016):
//! staleness is weighed against the load and the energy of the server. A page's wait is the mean wait
//! times the root of its cost over its chance of having changed, both against the mean of all pages:
//! what a server answers with "unchanged" costs next to nothing and may be asked for more often. Then
//! the moment is put off, by at most a quarter of the wait, to the hour at which the site has
//! answered fastest.
//!
//! **Choose it when** sites are small or slow by day. **Cost:** O(1) a visit and 96 bytes a host.
//! **Weakness:** rates are not estimated; what was seen changed counts.

use std::collections::BTreeMap;

use gannet_model::{HostId, SettingsError, Timestamp};
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::interval::{Interval, Rule, Sight};
use crate::kept::{pack, unpack};
use crate::limits;
use crate::policy::Facts;
use crate::span::{HOUR, TEN_YEARS, later};

pub(crate) const ENTRY: Entry = Entry {
    name: "green",
    summary: "spares servers: cheap pages sooner, and at hours when the site answers fast",
    settings: "shortest_days = 0.041666666666666664\n\
        longest_days = 3650.0\n\
        mean_days = 30.0\n\
        most_put_off = 0.25",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Interval::new(Green::new(config))))
    },
};

/// `[revisit.green]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Never wait less than this.
    shortest_days: f64,
    /// Never wait more than this.
    longest_days: f64,
    /// The mean wait as long as no budget is known.
    mean_days: f64,
    /// By which share of its wait a visit is put off at most to meet a fast hour.
    most_put_off: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config { shortest_days: HOUR, longest_days: TEN_YEARS, mean_days: 30.0, most_put_off: 0.25 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::waits(self.shortest_days, self.longest_days)?;
        limits::positive("mean_days", self.mean_days)?;
        limits::share("most_put_off", self.most_put_off)
    }
}

/// Hours of a day.
const HOURS: usize = 24;

/// Seconds of an hour.
const SECONDS_PER_HOUR: u64 = 3_600;

/// How much the last visit counts in what a page costs and how likely it has changed.
const PAGE_WEIGHT: f64 = 0.3;

/// How much the last visit counts in what is expected of an hour of a host, and of all pages.
const HOST_WEIGHT: f64 = 0.1;

/// What an answer without a body costs, in bytes: its head and the work of answering.
const HEAD_BYTES: f64 = 500.0;

/// A page that was never seen changed still has this chance, lest it waits for ever.
const LEAST_CHANCE: f64 = 0.05;

/// Waits differ from the mean by this factor at most.
const MOST_FACTOR: f64 = 4.0;

struct Green {
    config: Config,
    /// Pages over visits a day.
    mean_wait: f64,
    learned: Learned,
}

/// What was learned over all pages.
#[derive(Debug, Serialize, Deserialize)]
struct Learned {
    /// Mean cost of a visit, in bytes.
    cost: f64,
    /// Mean chance that a visit finds a change.
    chance: f64,
    /// Milliseconds that hosts take to answer, by hour of the day; 0 where none was asked.
    hours: BTreeMap<u32, [f32; HOURS]>,
}

/// What is to be known of a page.
#[derive(Serialize, Deserialize)]
struct Note {
    /// Its host.
    host: u32,
    /// What a visit costs, in bytes; 0 before the first.
    cost: f64,
    /// The chance that a visit finds a change.
    chance: f64,
}

/// What a page is taken to cost before any was visited.
const FIRST_COST: f64 = 20_000.0;

/// The chance of a change before any page was visited.
const FIRST_CHANCE: f64 = 0.3;

impl Green {
    fn new(config: Config) -> Green {
        let learned = Learned { cost: FIRST_COST, chance: FIRST_CHANCE, hours: BTreeMap::new() };
        Green { config, mean_wait: config.mean_days, learned }
    }

    fn learn(&mut self, note: &mut Note, sight: &Sight<'_>) {
        let cost = HEAD_BYTES + sight.visit.bytes as f64;
        let change = f64::from(u8::from(sight.has_changed()));
        if note.cost == 0.0 {
            note.cost = cost;
        }
        note.cost += PAGE_WEIGHT * (cost - note.cost);
        note.chance += PAGE_WEIGHT * (change - note.chance);
        self.learned.cost += HOST_WEIGHT * (cost - self.learned.cost);
        self.learned.chance += HOST_WEIGHT * (change - self.learned.chance);
        let hours = self.learned.hours.entry(note.host).or_insert([0.0; HOURS]);
        let hour = &mut hours[hour_of(sight.visit.at)];
        let took = sight.visit.took_ms.max(1) as f32;
        *hour = if *hour == 0.0 { took } else { *hour + HOST_WEIGHT as f32 * (took - *hour) };
    }

    /// Days until the fastest hour of the host from then on, at most so many.
    fn put_off(&self, host: u32, from: Timestamp, most: f64) -> f64 {
        let Some(hours) = self.learned.hours.get(&host) else {
            return 0.0;
        };
        let first = hour_of(from);
        let reach = ((most / HOUR) as usize).min(HOURS - 1);
        let took = |wait: &usize| match hours[(first + wait) % HOURS] {
            0.0 => f32::INFINITY,
            took => took,
        };
        let best = (0..=reach).min_by(|one, other| took(one).total_cmp(&took(other)));
        best.filter(|wait| took(wait) < took(&0)).unwrap_or(0) as f64 * HOUR
    }
}

fn hour_of(at: Timestamp) -> usize {
    (at.as_secs() / SECONDS_PER_HOUR) as usize % HOURS
}

impl Rule for Green {
    type Note = Note;

    fn first(&mut self, facts: &Facts<'_>) -> (Note, f64) {
        let HostId(host) = facts.host;
        (Note { host, cost: 0.0, chance: self.learned.chance }, self.mean_wait)
    }

    fn next(&mut self, note: &mut Note, sight: &Sight<'_>) -> f64 {
        self.learn(note, sight);
        let cost = note.cost / self.learned.cost;
        let chance = note.chance.max(LEAST_CHANCE) / self.learned.chance.max(LEAST_CHANCE);
        let factor = (cost / chance).sqrt().clamp(1.0 / MOST_FACTOR, MOST_FACTOR);
        let wait = self.mean_wait * factor;
        let wait = wait.clamp(self.config.shortest_days, self.config.longest_days);
        let most = wait * self.config.most_put_off;
        wait + self.put_off(note.host, later(sight.visit.at, wait), most)
    }

    fn bounds(&self) -> (f64, f64) {
        (self.config.shortest_days, self.config.longest_days)
    }

    fn set_mean_wait(&mut self, days: f64) {
        self.mean_wait = days;
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&(self.mean_wait, &self.learned)))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some((mean_wait, learned)) = unpack::<(f64, Learned)>(state) else {
            return false;
        };
        (self.mean_wait, self.learned) = (mean_wait, learned);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Bench;
    use crate::policy::Saw;

    #[test]
    fn cheap_pages_come_sooner_than_dear_ones() {
        let wait = |bytes| {
            let mut bench = Bench::new("green", "most_put_off = 0.0");
            bench.bytes = bytes;
            bench.admit();
            bench.visit(Saw::Changed)
        };
        let (cheap, dear) = (wait(0), wait(1_000_000));
        assert!(cheap < 30.0 && dear > 30.0, "{cheap} {dear}");
        // Cost 500 against 20,000 − 0.1·19,500, chance 0.51 against 0.37.
        let expected = 30.0 * (500.0_f64 / 18_050.0 / (0.51 / 0.37)).sqrt().max(0.25);
        assert!((cheap - expected).abs() < 1e-9, "{cheap} is not {expected}");
    }

    #[test]
    fn a_visit_is_put_off_to_the_hour_at_which_the_site_is_fast() {
        let mut rule = Green::new(Config::default());
        let mut hours = [900.0; HOURS];
        hours[3] = 20.0;
        hours[14] = 50.0;
        rule.learned.hours.insert(7, hours);
        let noon = Timestamp::from_secs(12 * SECONDS_PER_HOUR);
        let hours_off = |most: f64| (rule.put_off(7, noon, most) / HOUR).round();
        assert_eq!(hours_off(1.0), 15.0, "three at night");
        assert_eq!(hours_off(5.0 * HOUR), 2.0, "too far: two in the afternoon");
        assert_eq!(hours_off(HOUR), 0.0);
        assert_eq!(rule.put_off(8, noon, 1.0), 0.0, "nothing is known of this host");
    }
}
