//! What every relevance model can do.

use gannet_model::{Document, Judgement, Settings, SettingsError};

use crate::Topic;

/// Judges whether documents are about a topic.
pub trait Model: Send + Sync {
    /// How much the document is about the topic, with threshold, version and reasons.
    fn judge(&self, document: &Document) -> Judgement;
}

/// One line of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name in the config file and on the command line.
    pub name: &'static str,
    /// One sentence for `gannet list`.
    pub summary: &'static str,
    /// Makes the model from the topic and its own table of the config file.
    pub build: Build,
}

/// Makes a model from the topic and the model's own table of the config file.
pub type Build = fn(&Topic, &Settings) -> Result<Box<dyn Model>, SettingsError>;

/// Why no model could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The name is not in the registry.
    #[error("no relevance model is called {name:?}; there are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The model's own table is wrong.
    #[error("the settings of relevance model {name:?} are wrong")]
    Settings {
        /// Whose table.
        name: String,
        /// What is wrong.
        #[source]
        cause: SettingsError,
    },
}
