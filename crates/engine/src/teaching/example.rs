//! Pages that the user gives as examples, and what they teach.

use gannet_content::prominence;
use gannet_model::{Document, PageUrl};
use gannet_relevance::{Kinship, Teaching, Topic};
use xxhash_rust::xxh3::Xxh3;

use super::kept_page::KeptPage;
use crate::config::Config;

/// A page that the user gives as an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// What it says.
    pub document: Document,
    /// Where it is, if it is anywhere.
    pub url: Option<PageUrl>,
    /// What it teaches.
    pub teaches: Taught,
}

/// What is known of a page that a model learns from: [`Teaching`] with a life of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taught {
    /// It is about the topic.
    Relevant,
    /// It is not.
    Irrelevant,
    /// It is about this relative of the topic.
    Relative(String),
    /// Nothing: a page as others are.
    Nothing,
}

impl Example {
    /// What a model reads of it.
    pub(crate) fn kept(&self) -> KeptPage {
        let prominence = prominence(&self.document, None);
        KeptPage::new(self.document.clone(), self.url.clone(), String::new(), Some(prominence))
    }
}

impl Taught {
    /// As models take it.
    pub fn teaching(&self) -> Teaching<'_> {
        match self {
            Taught::Relevant => Teaching::Relevant,
            Taught::Irrelevant => Teaching::Irrelevant,
            Taught::Relative(name) => Teaching::Relative(name),
            Taught::Nothing => Teaching::Nothing,
        }
    }

    /// Whether such a page is wanted; `None` when nobody can tell.
    pub(crate) fn is_wanted(&self, topic: &Topic) -> Option<bool> {
        match self {
            Taught::Relevant => Some(true),
            Taught::Irrelevant => Some(false),
            Taught::Relative(name) => {
                let relative = topic.relatives().iter().find(|relative| relative.name == *name)?;
                Some(relative.kinship == Kinship::Subtopic)
            }
            Taught::Nothing => None,
        }
    }
}

/// 64 bits that stand for everything a model is made of before a crawl begins: name, topic,
/// settings and examples. What was learned under another key does not hold under this one.
pub(crate) fn key(config: &Config) -> u64 {
    let mut hasher = Xxh3::new();
    let mut add = |text: &str| {
        // The length keeps two texts apart from one that is both.
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    add(&config.model.name);
    add(&config.model.settings.to_string());
    add(&serde_json::to_string(&config.topic).unwrap_or_default());
    for example in &config.examples {
        add(example.url.as_ref().map_or("", PageUrl::as_str));
        add(&format!("{:?}", example.teaches));
        add(&example.document.title);
        example.document.text().for_each(&mut add);
    }
    hasher.digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::Block;

    fn example(text: &str, teaches: Taught) -> Example {
        let block = Block { text: text.to_owned(), ..Block::default() };
        let document = Document { blocks: vec![block], ..Document::default() };
        Example { document, url: None, teaches }
    }

    #[test]
    fn the_key_changes_with_name_settings_topic_and_examples_and_only_then() {
        let config = || Config::new(Topic::from_words("gannet, petrel").unwrap());
        let before = key(&config());
        assert_eq!(key(&config()), before);
        let changes: [fn(&mut Config); 5] = [
            |config| config.model.name = "other".to_owned(),
            |config| {
                config.model.settings = "density = 0.5".parse::<toml::Table>().unwrap().into();
            },
            |config| config.topic = Topic::from_words("gannet").unwrap(),
            |config| config.examples = vec![example("gannets", Taught::Relevant)],
            |config| config.examples = vec![example("gannets", Taught::Irrelevant)],
        ];
        let mut keys = vec![before];
        for change in changes {
            let mut config = config();
            change(&mut config);
            keys.push(key(&config));
        }
        let mut different = keys.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), keys.len());
        let mut limited = config();
        limited.limits.pages = Some(7);
        assert_eq!(key(&limited), before, "how far a crawl goes is no matter of its model");
    }
}
