//! The settings of the priced policy.

use gannet_model::SettingsError;
use serde::Deserialize;

use crate::limits;

/// `[revisit.priced]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Config {
    /// What a stale copy costs: 0 counts only that it is stale, 1 how many changes it lacks.
    pub(super) theta: f64,
    /// Never come back sooner, in days.
    pub(super) min_gap: f64,
    /// Never come back later, in days, as far as a quarter of all visits allows.
    pub(super) max_age: f64,
    /// Vary waits by this share up and down, so that pages met together do not stay together.
    pub(super) jitter: f64,
    /// How much a page that brings one relevant new link a day gains, in mean importances.
    pub(super) new_link: f64,
    /// What a visit costs: 0 counts every visit as one, 1 counts the bytes that it is expected to
    /// bring, where an unchanged page brings next to none.
    pub(super) by_bytes: f64,
    /// The changes a day of a page nothing is known of.
    pub(super) first_rate: f64,
    /// Whether a change found on one page makes its neighbours due sooner.
    pub(super) neighbours: bool,
    /// Whether sitemaps, feeds and other hints make pages due sooner.
    pub(super) hints: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            theta: 0.25,
            min_gap: crate::span::HOUR,
            max_age: 365.0,
            jitter: 0.05,
            new_link: 0.5,
            by_bytes: 0.0,
            first_rate: 0.05,
            neighbours: true,
            hints: true,
        }
    }
}

/// The same as text, for the config file's reference.
pub(super) const SETTINGS: &str = "\
theta = 0.25
min_gap = 0.041666666666666664
max_age = 365.0
jitter = 0.05
new_link = 0.5
by_bytes = 0.0
first_rate = 0.05
neighbours = true
hints = true
";

impl Config {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        limits::share("theta", self.theta)?;
        limits::positive("min_gap", self.min_gap)?;
        limits::positive("max_age", self.max_age)?;
        let right = format!("{} or more, which is `min_gap`", self.min_gap);
        limits::refuse_unless(self.max_age >= self.min_gap, "max_age", self.max_age, &right)?;
        limits::share("jitter", self.jitter)?;
        limits::not_negative("new_link", self.new_link)?;
        limits::share("by_bytes", self.by_bytes)?;
        limits::positive("first_rate", self.first_rate)
    }
}
