//! What the user wants to read about: keywords, patterns, word order and relatives (S1.1, S2.1, S3.1).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::tuning::Wanted;
use crate::{patterns, words};

/// A topic. Invariant: at least one keyword or pattern, no two keywords alike, positive weights;
/// those of the keywords sum to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Topic {
    keywords: Vec<Keyword>,
    /// What the weights of the keywords were divided by.
    scale: f32,
    patterns: Vec<Pattern>,
    word_orders: Vec<WordOrder>,
    relatives: Vec<Relative>,
    wanted: Wanted,
}

/// A word or phrase with its share of the topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyword {
    /// The word or phrase in lower case, single blanks between its words.
    pub text: String,
    /// Its share of the topic; all shares sum to 1.
    pub weight: f32,
    /// Other words for it, in the same form (S2.1).
    pub synonyms: Vec<String>,
}

/// A keyword that is a regular expression (S2.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// The expression, matched without regard to case.
    pub regex: String,
    /// What it counts, beside a keyword's weight before scaling.
    pub weight: f32,
}

/// Words in a prescribed order (S2.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordOrder {
    /// This word or phrase first,
    pub first: String,
    /// then this one,
    pub then: String,
    /// beginning at most this many words after the first ends.
    pub within: u32,
    /// What it counts, beside a keyword's weight before scaling.
    pub weight: f32,
}

/// A part or a neighbour of the topic in its taxonomy (S3.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Relative {
    /// What it is called; lessons refer to it by this.
    pub name: String,
    /// How it is related.
    pub kinship: Kinship,
    /// Words and phrases that are typical of it.
    pub keywords: Vec<String>,
}

/// How a taxonomy's class is related to the topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kinship {
    /// A part of the topic: its pages are wanted.
    Subtopic,
    /// Near the topic and not wanted.
    Neighbour,
}

/// Everything that makes a topic, as it was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicParts {
    /// Words and phrases with weights, which are scaled to sum to 1. A keyword given twice counts
    /// once, with the sum of its weights; one of weight zero is left out.
    pub keywords: Vec<(String, f32)>,
    /// Other words for keywords, by keyword.
    pub synonyms: Vec<(String, Vec<String>)>,
    /// Regular expressions.
    pub patterns: Vec<Pattern>,
    /// Words in a prescribed order.
    pub word_orders: Vec<WordOrder>,
    /// The taxonomy around the topic.
    pub relatives: Vec<Relative>,
    /// What the thresholds aim at.
    pub wanted: Wanted,
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
    /// Synonyms of something that is no keyword.
    #[error("there are synonyms for {0:?}, which is no keyword of the topic")]
    StraySynonym(String),
    /// A regular expression that cannot be used.
    #[error("the pattern {regex:?} cannot be used: {because}")]
    BadPattern {
        /// The expression.
        regex: String,
        /// What is wrong with it.
        because: String,
    },
    /// Two relatives of one name, or one without.
    #[error("each relative of a topic needs a name of its own; {0:?} is none")]
    BadRelative(String),
    /// A precision, recall or score that is no share.
    #[error("{what} is {value}; write a number above 0 and up to 1, such as 0.9")]
    BadAim {
        /// Which aim.
        what: &'static str,
        /// What it is.
        value: f32,
    },
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

    /// Makes a topic of keywords with weights.
    pub fn weighted(given: impl IntoIterator<Item = (String, f32)>) -> Result<Topic, TopicError> {
        let keywords = given.into_iter().collect();
        Topic::new(TopicParts { keywords, ..TopicParts::default() })
    }

    /// Makes a topic of its parts.
    pub fn new(parts: TopicParts) -> Result<Topic, TopicError> {
        let has_other = !parts.patterns.is_empty() || !parts.word_orders.is_empty();
        if parts.keywords.is_empty() && !has_other {
            return Err(TopicError::Empty);
        }
        let (mut keywords, scale) = keywords(parts.keywords)?;
        if keywords.is_empty() && !has_other {
            return Err(TopicError::AllZero);
        }
        add_synonyms(&mut keywords, parts.synonyms)?;
        for pattern in &parts.patterns {
            check_weight(&pattern.regex, pattern.weight)?;
            patterns::check(&pattern.regex).map_err(|because| TopicError::BadPattern {
                regex: pattern.regex.clone(),
                because,
            })?;
        }
        let word_orders =
            parts.word_orders.into_iter().map(word_order).collect::<Result<_, _>>()?;
        check_relatives(&parts.relatives)?;
        parts.wanted.check().map_err(|(what, value)| TopicError::BadAim { what, value })?;
        Ok(Topic {
            keywords,
            scale,
            patterns: parts.patterns,
            word_orders,
            relatives: parts.relatives,
            wanted: parts.wanted,
        })
    }

    /// The keywords in the order given.
    pub fn keywords(&self) -> &[Keyword] {
        &self.keywords
    }

    /// What the weights of the keywords were divided by to sum to 1: a keyword's weight times this
    /// is the weight it was given, and compares with those of patterns and word orders.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// The regular expressions in the order given.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The words in prescribed order.
    pub fn word_orders(&self) -> &[WordOrder] {
        &self.word_orders
    }

    /// The taxonomy around the topic.
    pub fn relatives(&self) -> &[Relative] {
        &self.relatives
    }

    /// What the thresholds aim at.
    pub fn wanted(&self) -> Wanted {
        self.wanted
    }
}

/// Keywords in normal form, each once, weights scaled to sum to 1, and what they were divided by.
fn keywords(given: Vec<(String, f32)>) -> Result<(Vec<Keyword>, f32), TopicError> {
    let mut keywords: Vec<Keyword> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (text, weight) in given {
        check_weight(&text, weight)?;
        let normal = words::normal_form(&text);
        if normal.is_empty() {
            return Err(TopicError::NoWord(text));
        }
        match places.entry(normal.clone()) {
            Entry::Occupied(place) => keywords[*place.get()].weight += weight,
            Entry::Vacant(place) => {
                place.insert(keywords.len());
                keywords.push(Keyword { text: normal, weight, synonyms: Vec::new() });
            }
        }
    }
    keywords.retain(|keyword| keyword.weight > 0.0);
    if keywords.is_empty() {
        return Ok((keywords, 1.0));
    }
    let sum: f32 = keywords.iter().map(|keyword| keyword.weight).sum();
    for keyword in &mut keywords {
        keyword.weight /= sum;
    }
    Ok((keywords, sum))
}

fn add_synonyms(
    keywords: &mut [Keyword],
    given: Vec<(String, Vec<String>)>,
) -> Result<(), TopicError> {
    if given.is_empty() {
        return Ok(());
    }
    let places: HashMap<String, usize> =
        keywords.iter().zip(0..).map(|(keyword, at)| (keyword.text.clone(), at)).collect();
    for (keyword, synonyms) in given {
        let Some(known) = places.get(&words::normal_form(&keyword)) else {
            return Err(TopicError::StraySynonym(keyword));
        };
        let known = &mut keywords[*known];
        for synonym in synonyms {
            let normal = words::normal_form(&synonym);
            if normal.is_empty() {
                return Err(TopicError::NoWord(synonym));
            }
            if normal != known.text && !known.synonyms.contains(&normal) {
                known.synonyms.push(normal);
            }
        }
    }
    Ok(())
}

fn word_order(given: WordOrder) -> Result<WordOrder, TopicError> {
    let normal = |text: &str| match words::normal_form(text) {
        normal if normal.is_empty() => Err(TopicError::NoWord(text.to_owned())),
        normal => Ok(normal),
    };
    check_weight(&given.first, given.weight)?;
    Ok(WordOrder { first: normal(&given.first)?, then: normal(&given.then)?, ..given })
}

fn check_weight(text: &str, weight: f32) -> Result<(), TopicError> {
    if weight.is_finite() && weight >= 0.0 {
        return Ok(());
    }
    Err(TopicError::BadWeight { text: text.to_owned(), weight })
}

fn check_relatives(relatives: &[Relative]) -> Result<(), TopicError> {
    let mut names = HashSet::new();
    for relative in relatives {
        if relative.name.trim().is_empty() || !names.insert(relative.name.as_str()) {
            return Err(TopicError::BadRelative(relative.name.clone()));
        }
    }
    Ok(())
}

/// Parts of a topic that are shown in one line.
const SHOWN: usize = 12;

impl std::fmt::Display for Topic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = self.keywords.iter().map(|keyword| keyword.text.clone());
        let patterns = self.patterns.iter().map(|pattern| format!("/{}/", pattern.regex));
        let orders =
            self.word_orders.iter().map(|order| format!("{} … {}", order.first, order.then));
        let mut parts = words.chain(patterns).chain(orders);
        let shown: Vec<String> = parts.by_ref().take(SHOWN).collect();
        f.write_str(&shown.join(", "))?;
        match parts.count() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
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
        assert_eq!(topic.scale(), 4.0);
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
