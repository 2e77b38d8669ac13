//! What earlier runs left in the data directory that a new command needs to know.

use std::ops::ControlFlow;

use anyhow::Context;
use gannet_engine::{DataDir, read_store};
use gannet_model::PageUrl;
use gannet_relevance::Topic;
use gannet_scope::Stay;
use gannet_store::{CrawlRecord, How, Store, StoreError};

use crate::config::{self, ConfigError, File, Loaded, Mistake, Origin};
use crate::kept_examples;
use crate::topic::{Described, Sought};

/// What earlier runs left.
#[derive(Debug)]
pub(crate) struct Earlier {
    data: DataDir,
    /// What the crawl was.
    pub(crate) record: Option<CrawlRecord>,
    /// Page requests that were answered.
    pub(crate) answered: u64,
    /// The seeds, when the scope needs them: a fence around the seeds must know all of them.
    pub(crate) seeds: Vec<PageUrl>,
}

impl Earlier {
    /// Looks into the data directory, and leaves it closed. Nothing there is no error.
    pub(crate) fn look(data: &DataDir, file: &File) -> Result<Earlier, StoreError> {
        match read_store(data) {
            Ok(store) => Earlier::of(data, &store, file),
            Err(StoreError::Missing { .. }) => Ok(Earlier::nothing(data)),
            Err(error) => Err(error),
        }
    }

    /// Where there was no crawl, or none that can be looked at.
    pub(crate) fn nothing(data: &DataDir) -> Earlier {
        Earlier { data: data.clone(), record: None, answered: 0, seeds: Vec::new() }
    }

    /// Takes what is needed from an open store.
    pub(crate) fn of(
        data: &DataDir,
        store: &dyn Store,
        file: &File,
    ) -> Result<Earlier, StoreError> {
        let mut seeds = Vec::new();
        if file.scope.stay != Stay::Anywhere {
            store.each_url(&mut |_, record| {
                if record.found.how == How::Seed {
                    seeds.push(record.url);
                }
                ControlFlow::Continue(())
            })?;
        }
        let (record, answered) = (store.crawl()?, store.counters()?.answered);
        Ok(Earlier { data: data.clone(), record, answered, seeds })
    }

    /// What to look for: what is given, else the topic and the examples of earlier runs.
    pub(crate) fn sought(&self, loaded: &Loaded) -> anyhow::Result<Sought> {
        let limits = config::content_limits(&loaded.file);
        if let Some(described) = Described::of_config(loaded)? {
            return Ok(described.sought(&limits)?);
        }
        let topic = self.remembered()?;
        let examples = kept_examples::read(&self.data, &limits).with_context(|| {
            format!("cannot read the examples kept in {}", self.data.path().display())
        })?;
        Ok(Sought { topic, examples })
    }

    /// The topic alone, for those who judge nothing.
    pub(crate) fn topic(&self, loaded: &Loaded) -> Result<Topic, ConfigError> {
        match Described::of_config(loaded)? {
            Some(described) if described.written.has_no_keyword() => {
                described.sought(&config::content_limits(&loaded.file)).map(|sought| sought.topic)
            }
            Some(described) => described.topic(&[]),
            None => self.remembered(),
        }
    }

    /// The topic of earlier runs, in full where it was kept in full.
    fn remembered(&self) -> Result<Topic, ConfigError> {
        let Some(record) = &self.record else {
            let help = "write `--topic \"seabirds, plunge diving\"`, or in gannet.toml:\n           \
                        [topic]\n           words = [\"seabirds\", \"plunge diving\"]\n           \
                        `gannet topic new` writes a topic file for --topic-file";
            return Err(Mistake::new("there is no topic to look for").help(help).into());
        };
        let whole = record.definition.as_deref().and_then(|text| serde_json::from_str(text).ok());
        if let Some(topic) = whole {
            return Ok(topic);
        }
        Topic::from_words(&as_phrases(&record.topic)).map_err(|error| {
            Mistake::new(format!("the topic in the data directory cannot be read: {error}")).into()
        })
    }

    /// The relevance model that the next run would use.
    pub(crate) fn model(&self, loaded: &Loaded) -> String {
        let is_free = loaded.origin("crawl.model") == Origin::Default;
        match self.record.as_ref().filter(|record| is_free && is_model(&record.model)) {
            Some(record) => record.model.clone(),
            None => loaded.file.crawl.model.clone(),
        }
    }

    /// Goes on with the strategies of earlier runs where the user names none.
    pub(crate) fn keep_strategies(&self, loaded: &mut Loaded) {
        let Some(record) = &self.record else { return };
        let is_order = gannet_links::ORDERS.iter().any(|entry| entry.name == record.order);
        if is_order && loaded.origin("crawl.order") == Origin::Default {
            loaded.file.crawl.order.clone_from(&record.order);
        }
        loaded.file.crawl.model = self.model(loaded);
    }
}

fn is_model(name: &str) -> bool {
    gannet_relevance::MODELS.iter().any(|entry| entry.name == name)
}

/// A topic prints its phrases between commas; with a single phrase there is none, and its words
/// would be taken apart.
fn as_phrases(topic: &str) -> String {
    if topic.contains(',') { topic.to_owned() } else { format!("\"{topic}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_reads_back_as_it_was_printed() {
        for words in ["seabirds, plunge diving", "plunge diving,", "seabirds", "a b c"] {
            let topic = Topic::from_words(words).unwrap();
            let again = Topic::from_words(&as_phrases(&topic.to_string())).unwrap();
            assert_eq!(again, topic, "{words}");
        }
    }
}
