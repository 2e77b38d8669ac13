//! The settings of one strategy, as they stand in its own table of the config file.
//!
//! A strategy declares a `Config` struct and reads it from here; the config
//! crate does not need to know its fields.

use serde::de::DeserializeOwned;

/// The table of one strategy, not yet read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(toml::Table);

/// A strategy's table does not fit what the strategy takes.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct SettingsError {
    message: String,
}

impl SettingsError {
    /// A value that fits its type and makes no sense.
    pub fn because(message: impl Into<String>) -> SettingsError {
        SettingsError { message: message.into() }
    }
}

impl Settings {
    /// No settings: every strategy has defaults.
    pub fn none() -> Settings {
        Settings::default()
    }

    /// Reads the table into the strategy's own config type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, SettingsError> {
        toml::Value::Table(self.0.clone())
            .try_into()
            .map_err(|error: toml::de::Error| SettingsError { message: error.message().to_owned() })
    }
}

impl std::fmt::Display for Settings {
    /// As they would stand in a file: what tells two tables apart.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl From<toml::Table> for Settings {
    fn from(table: toml::Table) -> Settings {
        Settings(table)
    }
}
