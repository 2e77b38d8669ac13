//! How visits that a page gets become moments, and how its rate is found: what all policies that
//! split a budget have in common, and the settings for it.

use gannet_model::{Settings, SettingsError, spread};
use serde::Deserialize;

use crate::estimators::Estimator;
use crate::limits;
use crate::policy::PageNumber;
use crate::span::{MINUTE, TEN_YEARS};
use crate::theory::Spacing;

/// What an allocation is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Days between two splits.
    pub(crate) epoch: f64,
    /// The shortest wait in days.
    pub(crate) shortest: f64,
    /// The longest wait in days, of pages that are visited at all.
    pub(crate) longest: f64,
    /// How visits are spaced.
    pub(crate) spacing: Spacing,
    /// How rates are estimated.
    pub(crate) estimator: Estimator,
    /// Whether rates are estimated even where they are known.
    pub(crate) is_blind: bool,
    /// How many gaps are kept of a page.
    pub(crate) kept: usize,
    /// What random moments are drawn from.
    pub(crate) seed: u64,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner {
            epoch: 1.0,
            shortest: MINUTE,
            longest: TEN_YEARS,
            spacing: Spacing::Even,
            estimator: Estimator::default(),
            is_blind: false,
            kept: KEPT_VISITS,
            seed: 0,
        }
    }
}

/// Gaps kept of a page unless the settings say otherwise: enough for a rate to some 15 %, and few
/// enough to follow a page that changes its ways.
pub(crate) const KEPT_VISITS: usize = 100;

/// Keeps the first visit to the first page from being drawn as 0, which mixes to itself.
const SALT: u64 = 0x9e37_79b9_7f4a_7c15;

impl Manner {
    /// As the settings say where they say something, else as it is.
    pub(crate) fn read(self, settings: &Settings) -> Result<Manner, SettingsError> {
        let config: Config = settings.read()?;
        config.over(self)
    }

    /// A number from 0 to 1 that is always the same for this visit to this page, never 0.
    pub(crate) fn draw(&self, page: PageNumber, visits: u32) -> f64 {
        let name = u64::from(page.0) << 32 | u64::from(visits);
        let bits = spread(spread(name ^ SALT).wrapping_add(self.seed));
        ((bits >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

/// The table of a policy that splits a budget by rates of change.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Days between two splits.
    epoch_days: Option<f64>,
    /// Never wait less than this.
    shortest_days: Option<f64>,
    /// Never wait more than this for a page that is visited at all.
    longest_days: Option<f64>,
    /// Whether visits are `even` or at `random` times.
    spacing: Option<Spacing>,
    /// How rates are estimated: `naive`, `cho`, `mle`, `lln`, `sa`, `moment-match` or
    /// `last-modified`.
    estimator: Option<Estimator>,
    /// Whether rates are estimated even where they are known, as in experiments.
    blind: Option<bool>,
    /// How many visits to a page are remembered.
    kept_visits: Option<u32>,
    /// What random moments are drawn from.
    seed: Option<u64>,
}

impl Config {
    fn over(&self, manner: Manner) -> Result<Manner, SettingsError> {
        let kept = self.kept_visits.unwrap_or(manner.kept as u32);
        let manner = Manner {
            epoch: self.epoch_days.unwrap_or(manner.epoch),
            shortest: self.shortest_days.unwrap_or(manner.shortest),
            longest: self.longest_days.unwrap_or(manner.longest),
            spacing: self.spacing.unwrap_or(manner.spacing),
            estimator: self.estimator.unwrap_or(manner.estimator),
            is_blind: self.blind.unwrap_or(manner.is_blind),
            kept: kept as usize,
            seed: self.seed.unwrap_or(manner.seed),
        };
        limits::waits(manner.shortest, manner.longest)?;
        limits::positive("epoch_days", manner.epoch)?;
        limits::at_least_one("kept_visits", kept)?;
        Ok(manner)
    }
}

/// The table of a policy that splits by rates of change, with its own `spacing` and `blind`.
macro_rules! rate_settings {
    ($spacing:literal, $blind:literal) => {
        concat!(
            "epoch_days = 1.0\nshortest_days = 0.0007\nlongest_days = 3650.0\nspacing = \"",
            $spacing,
            "\"\nestimator = \"mle\"\nblind = ",
            $blind,
            "\nkept_visits = 100\nseed = 0"
        )
    };
}
pub(crate) use rate_settings;
