//! The topic that a command is about: the one named, else the config file's.

use gannet_content::Limits;

use crate::config::{self, ConfigError, Loaded, Mistake};
use crate::topic::{self, Described, ExamplePage};

/// The topic named by the user, else the one that the configuration names.
pub(super) fn described<'a>(
    name: Option<&str>,
    loaded: &'a Loaded,
) -> Result<Described<'a>, ConfigError> {
    match name {
        Some(name) => Described::read(&topic::path_of(name)),
        None => Described::of_config(loaded)?.ok_or_else(|| {
            let help = "name a topic file, or write `topic.file` in gannet.toml; \
                        `gannet topic new` makes one";
            Mistake::new("no topic is named").help(help).into()
        }),
    }
}

/// Its examples, read with the limits of the configuration.
pub(super) fn examples_of(
    described: &Described<'_>,
    loaded: &Loaded,
) -> Result<Vec<ExamplePage>, ConfigError> {
    let limits: Limits = config::content_limits(&loaded.file);
    described.examples(&limits)
}
