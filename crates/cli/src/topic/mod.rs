//! Topics as people write them: read, checked, with their examples.
//!
//! A topic stands in `[topic]` of `gannet.toml`, on the command line, or in a
//! file of its own. [`Described`] is one of these with its place, so that
//! every mistake can be shown where it is.

mod build;
mod edit;
mod examples;
mod kept_page;
mod learning;
mod template;
mod written;

use std::path::{Path, PathBuf};

use gannet_content::Limits;
use gannet_relevance::Topic;

pub(crate) use build::normal;
pub(crate) use edit::{Editor, WrittenKeyword};
pub(crate) use examples::{ExamplePage, files_below, read_kept};
pub(crate) use kept_page::{KeptPage, NOWHERE};
pub(crate) use learning::{KEYWORDS, as_written, learned_keywords};
pub(crate) use template::{Beginning, BeginningRelative, template};
pub(crate) use written::WrittenTopic;

use crate::config::{self, ConfigError, Loaded, Mistake, Origin, Source};

/// A topic as it is written, with its place.
#[derive(Debug)]
pub(crate) struct Described<'a> {
    /// What is written.
    pub(crate) written: WrittenTopic,
    whence: Whence<'a>,
}

/// Where a topic is written.
#[derive(Debug)]
enum Whence<'a> {
    /// In `[topic]`, in the environment or on the command line.
    Config(&'a Loaded),
    /// In a file of its own.
    File(Source),
}

/// What to look for, and the pages that show it.
#[derive(Clone, Debug)]
pub(crate) struct Sought {
    pub(crate) topic: Topic,
    pub(crate) examples: Vec<ExamplePage>,
}

/// How the names of topic files end.
pub(crate) const EXTENSION: &str = ".topic.toml";

impl<'a> Described<'a> {
    /// The topic that the configuration names; `None` when it names none.
    ///
    /// Flags win over the environment, that over the file. What wins is the
    /// whole topic: words on the command line do not mix with a file's rules.
    pub(crate) fn of_config(loaded: &'a Loaded) -> Result<Option<Described<'a>>, ConfigError> {
        let written = &loaded.file.topic;
        let rank = |key: &str| match loaded.origin(key) {
            Origin::Flag(_) => 3,
            Origin::Environment(_) => 2,
            Origin::File(..) => 1,
            Origin::Default => 0,
        };
        let (words, file) = (rank("topic.words"), rank("topic.file"));
        if words == file && words > 1 {
            let message = "--topic and --topic-file each name a topic; give one of them";
            return Err(Mistake::new(message).into());
        }
        if words > 1 && words > file {
            let written = WrittenTopic { words: written.words.clone(), ..WrittenTopic::default() };
            return Ok(Some(Described { written, whence: Whence::Config(loaded) }));
        }
        if let Some(path) = &written.file {
            if file == 1 && !written.is_only_a_file() {
                let message =
                    "a topic file is named, and other keys of `[topic]` are set beside it";
                let help = "move the other keys into the topic file, or do without the file";
                return Err(loaded.mistake("topic.file", message).help(help).into());
            }
            let path = if file == 1 { loaded.resolve(path) } else { path.clone() };
            return Described::read(&path).map(Some);
        }
        if written.is_empty() && written.is_only_a_file() {
            return Ok(None);
        }
        Ok(Some(Described { written: written.clone(), whence: Whence::Config(loaded) }))
    }

    /// Reads a topic file.
    pub(crate) fn read(path: &Path) -> Result<Described<'static>, ConfigError> {
        Described::of_source(Source::read_topic(path)?)
    }

    /// Reads a text as the topic file at this path.
    pub(crate) fn parse(path: &Path, text: String) -> Result<Described<'static>, ConfigError> {
        Described::of_source(Source::parse(path, text)?)
    }

    fn of_source(source: Source) -> Result<Described<'static>, ConfigError> {
        let schema = schema().to_value();
        config::check_version(&source, "topic files", written::FORMAT)?;
        let written: WrittenTopic = config::read_as(&source, &schema)?;
        let described = Described { written, whence: Whence::File(source) };
        if described.written.file.is_some() {
            let message = "a topic file cannot name another";
            return Err(described.mistake("file", message).help("write the topic here").into());
        }
        Ok(described)
    }

    /// The topic file; `None` when the topic stands elsewhere.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.whence {
            Whence::Config(_) => None,
            Whence::File(source) => Some(source.path()),
        }
    }

    /// The text of the topic file.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.whence {
            Whence::Config(_) => None,
            Whence::File(source) => Some(source.text()),
        }
    }

    /// What to call the topic: the name of its file without the ending.
    pub(crate) fn name(&self) -> String {
        match self.path() {
            Some(path) => name_of(path),
            None => "the topic".to_owned(),
        }
    }

    /// A path written in the topic, which is meant relative to where it is written.
    pub(crate) fn resolve(&self, path: &Path) -> PathBuf {
        match &self.whence {
            Whence::Config(loaded) => loaded.resolve(path),
            Whence::File(source) => match source.path().parent() {
                Some(directory) => directory.join(path),
                None => path.to_owned(),
            },
        }
    }

    /// A mistake in the value of a key, shown where the value stands.
    pub(crate) fn mistake(&self, key: &str, message: impl std::fmt::Display) -> Mistake {
        match &self.whence {
            Whence::Config(loaded) => loaded.mistake(&format!("topic.{key}"), message),
            Whence::File(source) => {
                Mistake::new(format!("`{key}`: {message}")).at(source.value_of(key))
            }
        }
    }

    /// The topic and its examples.
    pub(crate) fn sought(&self, limits: &Limits) -> Result<Sought, ConfigError> {
        let examples = self.examples(limits)?;
        Ok(Sought { topic: self.topic(&examples)?, examples })
    }

    /// The topic, ready to judge by. Where there are only examples, its keywords are those of
    /// the examples.
    pub(crate) fn topic(&self, examples: &[ExamplePage]) -> Result<Topic, ConfigError> {
        let learned = match self.written.has_no_keyword() {
            true => learned_keywords(examples, KEYWORDS),
            false => Vec::new(),
        };
        let learned = learned.into_iter().map(|keyword| (keyword.text, keyword.weight)).collect();
        build::topic(&self.written, learned)
            .map_err(|misplaced| misplaced.at(|key, message| self.mistake(key, message)).into())
    }
}

impl From<Topic> for Sought {
    /// A topic of words alone.
    fn from(topic: Topic) -> Sought {
        Sought { topic, examples: Vec::new() }
    }
}

impl Described<'_> {
    /// The topic without what was learned from the examples; `None` when nothing is left.
    ///
    /// Learned keywords know every example, so whoever measures with examples held out must do
    /// without them.
    pub(crate) fn own_topic(&self) -> Option<Topic> {
        let mut own = WrittenTopic { learned: written::Learned::default(), ..self.written.clone() };
        if own.has_no_keyword() {
            return None;
        }
        let words = own.words.phrases().unwrap_or_default();
        let is_own = |keyword: &str| words.iter().any(|(word, _)| normal(word) == normal(keyword));
        own.synonyms.retain(|keyword, _| is_own(keyword));
        build::topic(&own, Vec::new()).ok()
    }
}

/// The JSON Schema of topic files.
pub(crate) fn schema() -> schemars::Schema {
    schemars::schema_for!(WrittenTopic)
}

/// The topic file that a person means by `seabirds`, `seabirds.topic.toml` or a path.
pub(crate) fn path_of(name: &str) -> PathBuf {
    let path = PathBuf::from(name);
    if name.ends_with(".toml") || path.is_file() {
        return path;
    }
    PathBuf::from(format!("{name}{EXTENSION}"))
}

/// What a topic file's topic is called.
pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bare = name.strip_suffix(EXTENSION).or_else(|| name.strip_suffix(".toml"));
    bare.unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests;
