//! How known pages are visited again, as the engine wants it.

use std::error::Error as _;

use gannet_engine::{DailyBudget, WatchConfig};
use gannet_revisit::{PolicyError, build_policy};

use super::Loaded;
use super::build::{chosen, strategy_mistake};
use super::mistake::ConfigError;

/// How known pages are visited again.
pub(crate) fn watch(loaded: &Loaded) -> Result<WatchConfig, ConfigError> {
    let watch = &loaded.file.watch;
    let policy = chosen(&watch.policy, &loaded.file.revisit);
    build_policy(&policy.name, &policy.settings)
        .map_err(|error| policy_mistake(loaded, &policy.name, &error))?;
    let budget = match (watch.requests_per_day, watch.bytes_per_day) {
        (Some(_), Some(_)) => {
            let message = "a day's budget is in requests or in bytes";
            let help = "leave out `requests_per_day` or `bytes_per_day`";
            return Err(loaded.mistake("watch.bytes_per_day", message).help(help).into());
        }
        (Some(requests), None) if requests.is_finite() && requests > 0.0 => {
            DailyBudget::Requests(requests)
        }
        (Some(requests), None) => {
            let message = format!("{requests} requests a day are none");
            let help = "write a number above 0, or leave it out for as many as politeness allows";
            return Err(loaded.mistake("watch.requests_per_day", message).help(help).into());
        }
        (None, Some(bytes)) => DailyBudget::Bytes(bytes.0 as f64),
        (None, None) => DailyBudget::Polite,
    };
    Ok(WatchConfig { policy, budget })
}

pub(super) fn policy_mistake(loaded: &Loaded, name: &str, error: &PolicyError) -> ConfigError {
    let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    let table = format!("revisit.{name}");
    strategy_mistake(loaded, &table, &cause).into()
}
