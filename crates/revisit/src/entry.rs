//! A line of the registry of policies, and why none could be made.

use gannet_model::{Settings, SettingsError};

use crate::policy::Policy;

/// One line of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name in the config file and on the command line.
    pub name: &'static str,
    /// One sentence for `gannet list`.
    pub summary: &'static str,
    /// Its own table of the config file, every key with its default.
    pub settings: &'static str,
    /// True when there are pages that it never visits again.
    pub may_starve: bool,
    /// Makes the policy from its own table of the config file.
    pub build: Build,
}

/// Makes a policy.
pub type Build = fn(&Settings) -> Result<Box<dyn Policy>, SettingsError>;

/// Why no policy could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The name is not in the registry.
    #[error("no revisit policy is called {name:?}; there are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The policy's own table is wrong.
    #[error("the settings of revisit policy {name:?} are wrong")]
    Settings {
        /// Whose table.
        name: String,
        /// What is wrong.
        #[source]
        cause: SettingsError,
    },
}
