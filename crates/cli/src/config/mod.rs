//! From files, flags and environment to one typed configuration.
//!
//! Two phases: [`File`] is what is written, with every mistake shown in its
//! place; [`build`](build::build) makes the engine's own configuration of it.
//! Precedence: flag, environment, file, default.

mod build;
mod build_watch;
mod effective;
mod file;
mod mirrors;
mod mistake;
mod network;
mod origin;
mod sections;
mod sections_politeness;
mod size;
mod source;
mod span;
mod suggest;
mod template;
mod unknown;
mod words;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(crate) use build::{
    RequestRules, build, build_aside, check, content as content_limits, model_mistake,
    request_rules, settings,
};
pub(crate) use build_watch::watch;
pub(crate) use effective::{EffectiveValue, effective_values};
pub(crate) use file::{File, schema};
pub(crate) use mistake::{ConfigError, Mistake};
pub(crate) use network::network;
pub(crate) use origin::{Origin, Override};
pub(crate) use size::{Size, rounded as rounded_size};
pub(crate) use source::Source;
pub(crate) use span::Span;
pub(crate) use suggest::help as suggest_help;
pub(crate) use template::template;
pub(crate) use words::Words;

use file::FORMAT;

/// The name of the config file in a directory.
pub(crate) const FILE_NAME: &str = "gannet.toml";

/// A configuration that was read, with the origin of every value.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The values in force.
    pub(crate) file: File,
    source: Option<Source>,
    overrides: Vec<Override>,
}

/// Finds the config file: the one named, else the one in the working directory, else the user's.
pub(crate) fn find(named: Option<&Path>) -> Option<PathBuf> {
    if let Some(path) = named {
        return Some(path.to_owned());
    }
    let here = PathBuf::from(FILE_NAME);
    if here.is_file() {
        return Some(here);
    }
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config"));
    let directory = std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty());
    let path = directory.map(PathBuf::from).or_else(home)?.join("gannet").join(FILE_NAME);
    path.is_file().then_some(path)
}

/// Reads the config file, if any, and lays the overrides over it.
pub(crate) fn load(path: Option<&Path>, overrides: Vec<Override>) -> Result<Loaded, ConfigError> {
    let source = path.map(Source::read).transpose()?;
    Loaded::new(source, overrides)
}

impl Loaded {
    fn new(source: Option<Source>, overrides: Vec<Override>) -> Result<Loaded, ConfigError> {
        let written = match &source {
            Some(source) => read_written(source)?,
            None => toml::Table::new(),
        };
        let mut merged = toml::Table::try_from(File::default())
            .map_err(|error| Mistake::new(format!("the defaults cannot be written: {error}")))?;
        origin::merge(&mut merged, written);
        for setting in &overrides {
            origin::set(&mut merged, setting.key, setting.value.clone());
        }
        let file = File::deserialize(merged)
            .map_err(|error| Mistake::new(error.message().trim().to_owned()))?;
        Ok(Loaded { file, source, overrides })
    }

    /// The config file in use.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.source.as_ref().map(Source::path)
    }

    /// Where a key's value came from.
    pub(crate) fn origin(&self, key: &str) -> Origin {
        if let Some(setting) = self.overrides.iter().rev().find(|setting| setting.key == key) {
            return setting.origin.clone();
        }
        let line = self
            .source
            .as_ref()
            .and_then(|source| Some(Origin::File(source.path().to_owned(), source.line_of(key)?)));
        line.unwrap_or(Origin::Default)
    }

    /// A path written in the config file, which is meant relative to that file.
    pub(crate) fn resolve(&self, path: &Path) -> PathBuf {
        match self.path().and_then(Path::parent) {
            Some(directory) => directory.join(path),
            None => path.to_owned(),
        }
    }

    /// A mistake in the value of a key, shown where the value came from.
    pub(crate) fn mistake(&self, key: &str, message: impl std::fmt::Display) -> Mistake {
        let mistake = match self.origin(key) {
            Origin::Flag(name) | Origin::Environment(name) => {
                return Mistake::new(format!("{name}: {message}"));
            }
            Origin::File(..) | Origin::Default => Mistake::new(format!("`{key}`: {message}")),
        };
        mistake.at(self.source.as_ref().and_then(|source| source.value_of(key)))
    }
}

/// The table as written, checked for unknown keys and wrong types.
fn read_written(source: &Source) -> Result<toml::Table, ConfigError> {
    check_version(source, "config files", FORMAT)?;
    read_as::<File>(source, &schema().to_value())?;
    parse(source)
}

fn parse(source: &Source) -> Result<toml::Table, ConfigError> {
    toml::from_str(source.text())
        .map_err(|error| Mistake::new(error.message().trim().to_owned()).into())
}

/// Refuses a file of a format that a later program made.
pub(crate) fn check_version(source: &Source, what: &str, known: u32) -> Result<(), ConfigError> {
    let table = parse(source)?;
    let Some(version) = table.get("version") else { return Ok(()) };
    if version.as_integer() == Some(i64::from(known)) {
        return Ok(());
    }
    let message = format!("this gannet reads {what} of version {known}, not {version}");
    let mistake = Mistake::new(message).help(format!("write `version = {known}`"));
    Err(mistake.at(source.value_of("version")).into())
}

/// Reads a file as what its schema describes; every mistake names its key and place.
pub(crate) fn read_as<T: DeserializeOwned>(
    source: &Source,
    schema: &serde_json::Value,
) -> Result<T, ConfigError> {
    let mistakes = unknown::unknown_keys(schema, &parse(source)?, source);
    if !mistakes.is_empty() {
        return Err(ConfigError(mistakes));
    }
    toml::from_str(source.text()).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().trim().replace('\n', "; ");
        let message = match source.key_at(&span) {
            Some(key) => format!("`{key}`: {message}"),
            None => message,
        };
        ConfigError::from(Mistake::new(message).at(source.place(span)))
    })
}

#[cfg(test)]
mod tests;
