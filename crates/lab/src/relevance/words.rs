//! What a person would type for a topic, by the name of its class.

use std::collections::HashMap;

use gannet_relevance::{Topic, TopicError};

const WORDS: &str = include_str!("words.toml");

/// The topic of a class: the words written down for it, else those of its name.
///
/// An error means that the name has no letter or digit.
pub(crate) fn topic_of(class: &str) -> Result<Topic, TopicError> {
    let known: HashMap<String, Vec<String>> =
        toml::from_str(WORDS).expect("the words are read by a test");
    let words = match known.get(class) {
        Some(words) => words.clone(),
        None => words_of_name(class),
    };
    Topic::weighted(words.into_iter().map(|word| (word, 1.0)))
}

/// `rec.wood_work` is about wood and work, and `rec` as far as anybody can tell.
fn words_of_name(class: &str) -> Vec<String> {
    let words = class.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(class: &str, expected: &[&str]) {
        let topic = topic_of(class).unwrap();
        let keywords: Vec<_> = topic.keywords().iter().map(|word| word.text.as_str()).collect();
        assert_eq!(keywords, expected);
    }

    #[test]
    fn a_class_is_described_by_its_words_or_its_name() {
        check("sci.space", &["space", "nasa", "orbit", "satellite"]);
        check("wood_working", &["wood", "working"]);
        assert!(topic_of("--").is_err());
    }

    #[test]
    fn every_known_class_makes_a_topic_of_three_or_four_keywords() {
        let known: HashMap<String, Vec<String>> = toml::from_str(WORDS).unwrap();
        assert_eq!(known.len(), 20 + 6 + 15);
        for class in known.keys() {
            let keywords = topic_of(class).unwrap().keywords().len();
            assert!((3..=4).contains(&keywords), "{class} has {keywords}");
        }
    }
}
