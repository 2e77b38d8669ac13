//! Who is measured: policies of the registry, with settings if need be, and the oracle.

use gannet_model::Settings;
use gannet_revisit::{POLICIES, Policy, PolicyError, build_policy};

/// The name of the row that is computed, not run: whoever knew every rate.
pub const ORACLE: &str = "oracle";

/// A policy to be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// What it is called in tables: its name with the settings that are not standard.
    pub name: String,
    policy: String,
    settings: Settings,
}

/// Why nobody can be measured under a name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContestantError {
    /// The policy is unknown, or refuses its settings.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The settings cannot be read.
    #[error("{text:?} is no policy with settings; write NAME:KEY=VALUE+KEY=VALUE")]
    Settings {
        /// What was written.
        text: String,
    },
}

impl Contestant {
    /// Every policy of the registry with its standard settings, and the oracle.
    pub fn all() -> Vec<Contestant> {
        let policies = POLICIES.iter().map(|entry| Contestant::named(entry.name));
        policies.chain([Contestant::named(ORACLE)]).collect()
    }

    /// With its standard settings.
    pub(super) fn named(name: &str) -> Contestant {
        let name = name.to_owned();
        Contestant { policy: name.clone(), name, settings: Settings::none() }
    }

    /// By name: `uniform`, `oracle`, or with settings `priced:theta=0.5+jitter=0`.
    pub fn parse(text: &str) -> Result<Contestant, ContestantError> {
        if text == ORACLE {
            return Ok(Contestant::named(ORACLE));
        }
        let (policy, pairs) = text.split_once(':').unwrap_or((text, ""));
        let table: toml::Table = toml::from_str(&pairs.replace('+', "\n"))
            .map_err(|_| ContestantError::Settings { text: text.to_owned() })?;
        let settings = Settings::from(table);
        // A wrong name or setting is told before anything is measured.
        build_policy(policy, &settings)?;
        Ok(Contestant { name: text.to_owned(), policy: policy.to_owned(), settings })
    }

    /// True when its row is computed.
    pub fn is_oracle(&self) -> bool {
        self.policy == ORACLE
    }

    pub(super) fn build(&self) -> Result<Box<dyn Policy>, PolicyError> {
        build_policy(&self.policy, &self.settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_policies_and_the_oracle_take_part() {
        let names: Vec<String> = Contestant::all().into_iter().map(|all| all.name).collect();
        assert_eq!(names.len(), POLICIES.len() + 1);
        for name in names {
            assert_eq!(Contestant::parse(&name).unwrap().name, name);
        }
    }

    #[test]
    fn what_cannot_be_measured_is_refused_with_a_reason() {
        let error = |text: &str| Contestant::parse(text).unwrap_err().to_string();
        assert!(error("no-such-policy").contains("priced"));
        assert!(error("priced:theta").contains("KEY=VALUE"));
        assert!(error("priced:nonsense=1").contains("settings"));
    }
}
