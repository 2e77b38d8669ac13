//! Where a setting came from: a flag, the environment, the file or the default.
//!
//! In this order of precedence. Flags and environment arrive as
//! [`Override`]s of single keys.

use std::fmt;
use std::path::PathBuf;

/// Where a setting came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Nobody set it.
    Default,
    /// The config file sets it, in this line.
    File(PathBuf, usize),
    /// This environment variable sets it.
    Environment(String),
    /// This flag sets it.
    Flag(String),
}

/// A setting that stands over the config file.
#[derive(Clone, Debug)]
pub(crate) struct Override {
    /// The dotted path of the key.
    pub(crate) key: &'static str,
    pub(crate) value: toml::Value,
    pub(crate) origin: Origin,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(path, line) => write!(f, "{}:{line}", path.display()),
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// Lays `over` over `under`: tables are merged key by key, everything else is replaced.
pub(crate) fn merge(under: &mut toml::Table, over: toml::Table) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(toml::Value::Table(under)), toml::Value::Table(over)) => merge(under, over),
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

/// Sets one key by its dotted path.
pub(crate) fn set(table: &mut toml::Table, key: &str, value: toml::Value) {
    match key.split_once('.') {
        None => {
            table.insert(key.to_owned(), value);
        }
        Some((section, rest)) => {
            let section = table
                .entry(section.to_owned())
                .or_insert_with(|| toml::Value::Table(toml::Table::new()));
            if let toml::Value::Table(section) = section {
                set(section, rest, value);
            }
        }
    }
}
