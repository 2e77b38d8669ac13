//! What every relevance model can do.

use std::ops::Range;

use gannet_model::{Block, Document, Judgement, Score, Settings, SettingsError};

use crate::{Lesson, Sight, Topic, Turnover};

/// Judges whether pages, blocks and links are about a topic.
///
/// A model never changes: what it learns makes [another](Model::taught), so a
/// judgement can always be repeated, and a crawl can go on judging while the
/// next model is made.
pub trait Model: Send + Sync {
    /// How much the page is about the topic, with threshold, version and reasons.
    fn judge(&self, page: &Sight<'_>) -> Judgement;

    /// How much each block of the page is about the topic, by itself.
    fn judge_blocks(&self, document: &Document) -> Vec<Score> {
        document.blocks.iter().map(|block| self.judge(&(&alone(block)).into()).score).collect()
    }

    /// How much a few words, such as those of a link, are about the topic.
    fn judge_text(&self, text: &str) -> Score {
        let block = Block { text: text.to_owned(), ..Block::default() };
        self.judge(&(&alone(&block)).into()).score
    }

    /// Where in a text the evidence stands, in the order of the text, for showing it to a person.
    fn marks(&self, text: &str) -> Vec<Mark> {
        let _ = text;
        Vec::new()
    }

    /// The model that has learned these lessons too; `None` when there is nothing to learn
    /// from them, or when what was learned would be worse than what is known.
    fn taught(&self, lessons: &[Lesson<'_>]) -> Option<Box<dyn Model>> {
        let _ = lessons;
        None
    }

    /// Which pages of a crawl it wants to learn from.
    fn appetite(&self) -> Appetite {
        Appetite::None
    }

    /// What its version is: it changes whenever a judgement could.
    fn version(&self) -> u64;

    /// What was learned, to be [restored](Entry::restore) with the same topic and settings;
    /// `None` for a model that is made of these alone.
    fn state(&self) -> Option<Vec<u8>> {
        None
    }

    /// What it is made of, for a person: the strongest words and what each weighs.
    fn strongest(&self, count: usize) -> Vec<(String, f32)> {
        let _ = count;
        Vec::new()
    }

    /// What each keyword has turned out to be worth, heaviest first; nothing for models that do
    /// not weigh keywords one by one.
    fn turnover(&self) -> Vec<Turnover> {
        Vec::new()
    }
}

/// Which pages of a crawl a model wants to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appetite {
    /// None: it learns from examples at most.
    None,
    /// Each as soon as it is judged, as its paper says.
    EveryPage,
    /// Batches that grow with the crawl: learning takes longer than judging.
    Batches,
}

/// A piece of evidence in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// What it is to the model: a keyword, a feature.
    pub name: String,
    /// What it contributes; negative when it speaks against the topic.
    pub value: f32,
}

/// One line of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name in the config file and on the command line.
    pub name: &'static str,
    /// One sentence for `gannet list`.
    pub summary: &'static str,
    /// Where it comes from.
    pub origin: Origin,
    /// Makes the model from the topic and its own table of the config file.
    pub build: Build,
    /// Makes it again with what it had learned.
    pub restore: Option<Restore>,
}

/// Where a model comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// One of the papers Gannet grew out of, by the ids of its parts.
    Published(&'static str),
    /// Common knowledge of the field.
    Classic,
    /// Gannet's own.
    Own,
}

/// Makes a model from the topic and the model's own table of the config file.
pub type Build = fn(&Topic, &Settings) -> Result<Box<dyn Model>, SettingsError>;

/// Makes a model from topic, settings and [what it had learned](Model::state).
pub type Restore = fn(&Topic, &Settings, &[u8]) -> Result<Box<dyn Model>, RestoreError>;

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

/// Why a model could not be made again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes are not what this model writes.
    #[error("what the model had learned cannot be read: {0}")]
    Unreadable(String),
    /// The settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// A document of one block.
fn alone(block: &Block) -> Document {
    let block = Block { parent: None, ..block.clone() };
    Document { blocks: vec![block], ..Document::default() }
}
