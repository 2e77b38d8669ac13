//! Who is measured: orderings of the registry, with settings if need be, and the oracle.

use gannet_engine::Chosen;
use gannet_links::{
    Bounds, DEFAULT_ORDER, Interest, ORDERS, OrderError, SiteCutoffConfig, TunnellingConfig,
    build_order,
};
use gannet_model::Settings;

/// The name of the order that knows the truth.
pub const ORACLE: &str = "oracle";

/// An order to be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// What it is called in tables: its name with the settings that are not standard.
    pub name: String,
    /// The ordering; `None` for the oracle.
    pub(super) order: Option<Bounded>,
}

/// An ordering and what goes around it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bounded {
    pub(super) order: Chosen,
    pub(super) bounds: Bounds,
}

/// Settings of a contestant that are no ordering's own.
const SITE_CUTOFF: &str = "site-cutoff";
const HARD_TUNNELLING: &str = "hard-tunnelling";

/// The default is measured as a crawl runs it; published orderings as they were published.
fn usual_bounds(name: &str) -> Bounds {
    if name == DEFAULT_ORDER { Bounds::default() } else { Bounds::NONE }
}

/// Why nobody can be measured under a name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContestantError {
    /// The ordering is unknown, or refuses its settings.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The settings cannot be read.
    #[error("{text:?} is no ordering with settings; write NAME:KEY=VALUE+KEY=VALUE")]
    Settings {
        /// What was written.
        text: String,
    },
}

impl Contestant {
    /// Every ordering of the registry with its standard settings, and the oracle.
    pub fn all() -> Vec<Contestant> {
        let orders = ORDERS.iter().map(|entry| Contestant {
            name: entry.name.to_owned(),
            order: Some(Bounded {
                order: Chosen::named(entry.name),
                bounds: usual_bounds(entry.name),
            }),
        });
        orders.chain([Contestant::oracle()]).collect()
    }

    fn oracle() -> Contestant {
        Contestant { name: ORACLE.to_owned(), order: None }
    }

    /// By name: `best-first`, `oracle`, or with settings `fish-search:depth=5+width=20`. Around
    /// every ordering go `site-cutoff=true` and `hard-tunnelling=true`.
    pub fn parse(text: &str) -> Result<Contestant, ContestantError> {
        if text == ORACLE {
            return Ok(Contestant::oracle());
        }
        let error = || ContestantError::Settings { text: text.to_owned() };
        let (name, pairs) = text.split_once(':').unwrap_or((text, ""));
        let mut table: toml::Table =
            toml::from_str(&pairs.replace('+', "\n")).map_err(|_| error())?;
        let mut bounds = usual_bounds(name);
        if let Some(value) = table.remove(SITE_CUTOFF) {
            let is_on = value.as_bool().ok_or_else(error)?;
            bounds.site_cutoff = is_on.then(SiteCutoffConfig::default);
        }
        if let Some(value) = table.remove(HARD_TUNNELLING) {
            let is_on = value.as_bool().ok_or_else(error)?;
            bounds.tunnelling = is_on.then(TunnellingConfig::default);
        }
        let settings = Settings::from(table);
        // A wrong name or setting is told before anything is measured.
        build_order(name, &Interest::default(), &settings)?;
        let order = Chosen { name: name.to_owned(), settings };
        let order = Some(Bounded { order, bounds });
        Ok(Contestant { name: text.to_owned(), order })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_orderings_and_the_oracle_take_part() {
        let names: Vec<String> = Contestant::all().into_iter().map(|all| all.name).collect();
        assert_eq!(names.len(), ORDERS.len() + 1);
        assert_eq!(names.last().map(String::as_str), Some(ORACLE));
        for name in names {
            assert_eq!(Contestant::parse(&name).unwrap().name, name);
        }
    }

    #[test]
    fn what_cannot_be_measured_is_refused_with_a_reason() {
        let error = |text: &str| Contestant::parse(text).unwrap_err().to_string();
        assert!(error("no-such-order").contains("breadth-first"));
        assert!(error("breadth-first:depth").contains("KEY=VALUE"));
        assert!(error("breadth-first:nonsense=1").contains("settings"));
    }
}
