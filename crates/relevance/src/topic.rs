//! What the user wants to read about: keywords and phrases with weights (S1.1).

use serde::{Deserialize, Serialize};

use crate::words;

/// A topic. Invariant: at least one keyword, no two alike, positive weights that sum to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Topic {
    keywords: Vec<Keyword>,
}

/// A word or phrase with its share of the topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyword {
    /// The word or phrase in lower case, single blanks between its words.
    pub text: String,
    /// Its share of the topic; all shares sum to 1.
    pub weight: f32,
}

/// Why words do not make a topic.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum TopicError {
    /// There is no word in it.
    #[error("the topic has no words; give some, such as \"seabirds, plunge diving\"")]
    Empty,
    /// A keyword without a letter or digit.
    #[error("the keyword {0:?} has no letter or digit in it")]
    NoWord(String),
    /// A weight below zero, or not a number.
    #[error("the weight of {text:?} is {weight}; weights are positive numbers")]
    BadWeight {
        /// Whose weight.
        text: String,
        /// What it is.
        weight: f32,
    },
    /// All weights are zero.
    #[error("all weights of the topic are zero; at least one keyword must count")]
    AllZero,
}

impl Topic {
    /// Reads `seabirds, plunge diving`: phrases between commas, each of the
    /// same weight. Without a comma every word stands alone, except that words
    /// in double quotes stay together.
    pub fn from_words(text: &str) -> Result<Topic, TopicError> {
        let phrases: Vec<String> = if text.contains(',') {
            text.split(',').map(|phrase| phrase.replace('"', " ")).collect()
        } else {
            split_quoted(text)
        };
        let given = phrases.into_iter().filter(|phrase| !phrase.trim().is_empty());
        Topic::weighted(given.map(|phrase| (phrase, 1.0)))
    }

    /// Makes a topic of keywords with weights, which are scaled to sum to 1.
    /// A keyword given twice counts once, with the sum of its weights; one of
    /// weight zero is left out.
    pub fn weighted(given: impl IntoIterator<Item = (String, f32)>) -> Result<Topic, TopicError> {
        let mut keywords: Vec<Keyword> = Vec::new();
        let mut is_empty = true;
        for (text, weight) in given {
            is_empty = false;
            if !weight.is_finite() || weight < 0.0 {
                return Err(TopicError::BadWeight { text, weight });
            }
            let normal = words::normal_form(&text);
            if normal.is_empty() {
                return Err(TopicError::NoWord(text));
            }
            match keywords.iter_mut().find(|keyword| keyword.text == normal) {
                Some(keyword) => keyword.weight += weight,
                None => keywords.push(Keyword { text: normal, weight }),
            }
        }
        if is_empty {
            return Err(TopicError::Empty);
        }
        keywords.retain(|keyword| keyword.weight > 0.0);
        let sum: f32 = keywords.iter().map(|keyword| keyword.weight).sum();
        if sum <= 0.0 {
            return Err(TopicError::AllZero);
        }
        for keyword in &mut keywords {
            keyword.weight /= sum;
        }
        Ok(Topic { keywords })
    }

    /// The keywords in the order given.
    pub fn keywords(&self) -> &[Keyword] {
        &self.keywords
    }
}

impl std::fmt::Display for Topic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, keyword) in self.keywords.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{}", keyword.text)?;
        }
        Ok(())
    }
}

/// Words apart, quoted words together.
fn split_quoted(text: &str) -> Vec<String> {
    let mut phrases = Vec::new();
    for (i, part) in text.split('"').enumerate() {
        if i % 2 == 1 {
            phrases.push(part.to_owned());
        } else {
            phrases.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let topic = Topic::from_words(text).unwrap();
        let texts: Vec<_> = topic.keywords().iter().map(|keyword| keyword.text.as_str()).collect();
        assert_eq!(texts, expected);
        let sum: f32 = topic.keywords().iter().map(|keyword| keyword.weight).sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }

    #[test]
    fn commas_separate_phrases_and_blanks_separate_words() {
        check("Seabirds, Plunge  diving", &["seabirds", "plunge diving"]);
        check("seabirds diving", &["seabirds", "diving"]);
        check("seabirds \"plunge diving\"", &["seabirds", "plunge diving"]);
        check("gannet, Gannet,", &["gannet"]);
    }

    #[test]
    fn weights_are_scaled_to_sum_to_one() {
        let topic = Topic::weighted([("a".into(), 3.0), ("b".into(), 1.0)]).unwrap();
        assert_eq!(topic.keywords()[0].weight, 0.75);
    }

    #[test]
    fn what_is_no_topic_is_refused_with_the_reason() {
        assert_eq!(Topic::from_words("  "), Err(TopicError::Empty));
        assert_eq!(Topic::from_words("bird, ---"), Err(TopicError::NoWord(" ---".into())));
        assert_eq!(Topic::weighted([("a".into(), 0.0)]), Err(TopicError::AllZero));
        let negative = Topic::weighted([("a".into(), -1.0)]);
        assert!(matches!(negative, Err(TopicError::BadWeight { .. })));
    }
}
