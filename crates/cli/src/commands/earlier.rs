//! What earlier runs left in the data directory that a new command needs to know.

use std::ops::ControlFlow;

use gannet_engine::{DataDir, read_store};
use gannet_model::PageUrl;
use gannet_relevance::Topic;
use gannet_scope::Stay;
use gannet_store::{CrawlRecord, How, Store, StoreError};

use crate::config::{ConfigError, File, Loaded, Mistake, Origin};

/// What earlier runs left.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
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
            Ok(store) => Earlier::of(&store, file),
            Err(StoreError::Missing { .. }) => Ok(Earlier::default()),
            Err(error) => Err(error),
        }
    }

    /// Takes what is needed from an open store.
    pub(crate) fn of(store: &dyn Store, file: &File) -> Result<Earlier, StoreError> {
        let mut seeds = Vec::new();
        if file.scope.stay != Stay::Anywhere {
            store.each_url(&mut |_, record| {
                if record.found.how == How::Seed {
                    seeds.push(record.url);
                }
                ControlFlow::Continue(())
            })?;
        }
        Ok(Earlier { record: store.crawl()?, answered: store.counters()?.answered, seeds })
    }

    /// The topic: the one given, else the one of earlier runs.
    pub(crate) fn topic(&self, loaded: &Loaded) -> Result<Topic, ConfigError> {
        let words = &loaded.file.topic.words;
        if !words.is_empty() {
            return words.topic().map_err(|error| loaded.mistake("topic.words", error).into());
        }
        let Some(record) = &self.record else {
            let help = "write `--topic \"seabirds, plunge diving\"`, or in gannet.toml:\n           \
                        [topic]\n           words = [\"seabirds\", \"plunge diving\"]";
            return Err(Mistake::new("there is no topic to look for").help(help).into());
        };
        Topic::from_words(&as_phrases(&record.topic)).map_err(|error| {
            Mistake::new(format!("the topic in the data directory cannot be read: {error}")).into()
        })
    }

    /// Goes on with the strategies of earlier runs where the user names none.
    pub(crate) fn keep_strategies(&self, loaded: &mut Loaded) {
        let Some(record) = &self.record else { return };
        let is_order = gannet_links::ORDERS.iter().any(|entry| entry.name == record.order);
        if is_order && loaded.origin("crawl.order") == Origin::Default {
            loaded.file.crawl.order.clone_from(&record.order);
        }
        let is_model = gannet_relevance::MODELS.iter().any(|entry| entry.name == record.model);
        if is_model && loaded.origin("crawl.model") == Origin::Default {
            loaded.file.crawl.model.clone_from(&record.model);
        }
    }
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
