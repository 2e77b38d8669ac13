//! Weighted keyword density: `Sim(T,D) = Σ count(k in D) / words(D) · w_k` (S1.1, S1.2).
//!
//! Words are counted without stop words; a phrase counts once for each
//! occurrence over token positions (stop words included in the positions, so
//! `birds of prey` is found as written).
//!
//! **Choose it when** there are only words to go by. **Cost:** one pass over the text.
//! **Weakness:** the score falls with the number of keywords, since each can
//! only contribute its own share; the threshold is scaled to match.

use std::collections::HashMap;

use gannet_model::{Document, Judgement, Reason, Score, SettingsError};

use crate::lexicon::Lexicon;
use crate::model::{Entry, Model, Origin};
use crate::sight::Sight;
use crate::stop_words;
use crate::topic::Topic;
use crate::words;

const NAME: &str = "topic-vector";

pub(crate) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "weighted share of the page's words that are topic keywords (S1.1, S1.2)",
    origin: Origin::Published("S1.1, S1.2"),
    restore: None,
    build: |topic, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(TopicVector::new(topic, &config)))
    },
};

/// `[relevance.topic-vector]`
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// A page is relevant when at least this share of its words are topic
    /// words, for a topic of equal weights.
    density: f32,
}

impl Default for Config {
    /// One word in a hundred: a page that is about something names it about
    /// that often, a page that mentions it in passing does not.
    fn default() -> Config {
        Config { density: 0.01 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        if self.density > 0.0 && self.density <= 1.0 {
            return Ok(());
        }
        let density = self.density;
        Err(SettingsError::because(format!(
            "`density` is {density}; write a share of words above 0 and up to 1, such as 0.01"
        )))
    }
}

/// Reasons given with a judgement: the strongest keywords.
const REASONS: usize = 5;

struct TopicVector {
    keywords: Vec<(String, f32)>,
    /// What each word of interest means.
    lexicon: Lexicon<Meaning>,
    /// Phrases by their last word: the words before it, last first, and the keyword's number.
    phrases: HashMap<u32, Vec<(Vec<u32>, usize)>>,
    /// How many different words stand in phrases.
    phrase_words: u32,
    /// Words of the longest phrase.
    longest: usize,
    threshold: Score,
    version: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Meaning {
    is_stop_word: bool,
    /// The single-word keyword it is, if any.
    keyword: Option<usize>,
    /// Its number if it stands in a phrase; 0 if not.
    phrase_word: u32,
    /// True when a phrase ends with it.
    ends_phrase: bool,
}

impl TopicVector {
    fn new(topic: &Topic, config: &Config) -> TopicVector {
        let mut model = TopicVector {
            keywords: Vec::new(),
            lexicon: Lexicon::new(),
            phrases: HashMap::new(),
            phrase_words: 0,
            longest: 1,
            threshold: Score::clamped(config.density / topic.keywords().len().max(1) as f32),
            // FNV's offset basis.
            version: 0xcbf2_9ce4_8422_2325,
        };
        for word in stop_words::ENGLISH {
            model.lexicon.entry(word).is_stop_word = true;
        }
        for keyword in topic.keywords() {
            model.version = fold(model.version, &keyword.text, keyword.weight);
            model.learn(&keyword.text, keyword.weight);
        }
        model.version = fold(model.version, NAME, config.density);
        model
    }

    fn learn(&mut self, text: &str, weight: f32) {
        let number = self.keywords.len();
        self.keywords.push((text.to_owned(), weight));
        let parts: Vec<&str> = text.split(' ').collect();
        if let [word] = parts.as_slice() {
            let meaning = self.lexicon.entry(word);
            meaning.keyword = Some(number);
            // A word the user asks for counts, even if it usually says nothing.
            meaning.is_stop_word = false;
            return;
        }
        self.longest = self.longest.max(parts.len());
        let mut ids: Vec<u32> = parts.iter().map(|part| self.phrase_word(part)).collect();
        let last = ids.pop().unwrap_or_default();
        ids.reverse();
        self.phrases.entry(last).or_default().push((ids, number));
        if let Some(word) = parts.last() {
            self.lexicon.entry(word).ends_phrase = true;
        }
    }

    /// The number of a word that stands in a phrase.
    fn phrase_word(&mut self, word: &str) -> u32 {
        let meaning = self.lexicon.entry(word);
        if meaning.phrase_word == 0 {
            self.phrase_words += 1;
            meaning.phrase_word = self.phrase_words;
        }
        meaning.phrase_word
    }

    /// Counts each keyword and the effective words.
    fn count(&self, document: &Document) -> (Vec<u32>, u32) {
        let mut counts = vec![0; self.keywords.len()];
        let mut effective = 0;
        let mut buffer = String::new();
        let mut recent: Vec<u32> = Vec::new();
        for text in std::iter::once(document.title.as_str()).chain(document.text()) {
            // A phrase does not run over the edge of a block.
            recent.clear();
            words::each_word(text, &mut buffer, |word| {
                let Some(meaning) = self.lexicon.get(word) else {
                    effective += 1;
                    recent.clear();
                    return;
                };
                effective += u32::from(!meaning.is_stop_word);
                if let Some(keyword) = meaning.keyword {
                    counts[keyword] += 1;
                }
                if meaning.phrase_word == 0 {
                    recent.clear();
                    return;
                }
                if meaning.ends_phrase {
                    self.count_phrases(meaning.phrase_word, &recent, &mut counts);
                }
                if recent.len() == self.longest {
                    recent.remove(0);
                }
                recent.push(meaning.phrase_word);
            });
        }
        (counts, effective)
    }

    fn count_phrases(&self, last: u32, recent: &[u32], counts: &mut [u32]) {
        for (before, keyword) in self.phrases.get(&last).into_iter().flatten() {
            let stands_before = recent.len() >= before.len()
                && recent.iter().rev().zip(before).all(|(found, wanted)| found == wanted);
            counts[*keyword] += u32::from(stands_before);
        }
    }
}

impl Model for TopicVector {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let (counts, effective) = self.count(page.document);
        let mut parts: Vec<Reason> = Vec::new();
        let mut similarity = 0.0;
        for (count, (text, weight)) in counts.iter().zip(&self.keywords) {
            if *count == 0 {
                continue;
            }
            let share = *count as f32 / effective.max(1) as f32 * weight;
            similarity += share;
            let note = format!("{count} in {effective} words, weight {weight:.2}");
            parts.push(Reason::new(text.clone(), share).note(note));
        }
        parts.sort_by(|a, b| b.value.total_cmp(&a.value));
        parts.truncate(REASONS);
        if parts.is_empty() {
            parts.push(Reason::new("keywords", 0.0).note("none found"));
        }
        Judgement {
            score: Score::clamped(similarity),
            threshold: self.threshold,
            model: NAME.to_owned(),
            version: self.version,
            reasons: parts.into_iter().collect(),
        }
    }

    fn version(&self) -> u64 {
        self.version
    }
}

/// Folds a name and a number into a version: any change of either changes it (FNV-1a).
fn fold(version: u64, text: &str, number: f32) -> u64 {
    let bytes = text.bytes().chain(number.to_bits().to_le_bytes());
    bytes.fold(version, |folded, byte| (folded ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::Block;

    #[track_caller]
    fn check(topic: &[(&str, f32)], text: &str, expected: f32) {
        let topic =
            Topic::weighted(topic.iter().map(|(word, weight)| ((*word).to_owned(), *weight)));
        let model = TopicVector::new(&topic.unwrap(), &Config::default());
        let block = Block { text: text.to_owned(), ..Block::default() };
        let document = Document { blocks: vec![block], ..Document::default() };
        let score = model.judge(&(&document).into()).score.get();
        assert!((score - expected).abs() < 1e-6, "{score} is not {expected}");
    }

    #[test]
    fn the_score_is_the_weighted_share_of_effective_words() {
        // Effective: gannet dives gannet rests; "the" and "and" do not count.
        check(&[("gannet", 1.0)], "The gannet dives and the gannet rests", 2.0 / 4.0);
        check(&[("gannet", 3.0), ("dives", 1.0)], "gannet dives", 0.5 * 0.75 + 0.5 * 0.25);
    }

    #[test]
    fn a_phrase_counts_once_for_each_occurrence_over_token_positions() {
        check(&[("plunge diving", 1.0)], "plunge diving, plunge-diving; diving plunge", 2.0 / 6.0);
        check(&[("birds of prey", 1.0)], "Birds of prey eat birds", 1.0 / 4.0);
        check(&[("ping ping", 1.0)], "ping ping ping", 2.0 / 3.0);
        check(&[("plunge diving", 1.0)], "plunge deep diving", 0.0);
    }

    #[test]
    fn words_of_a_phrase_may_be_keywords_themselves() {
        check(&[("sea", 1.0), ("sea bird", 1.0)], "sea bird", 0.5 * 0.5 + 0.5 * 0.5);
    }

    #[test]
    fn a_stop_word_the_user_asks_for_counts() {
        check(&[("who", 1.0)], "the who", 1.0);
    }

    #[test]
    fn an_empty_page_scores_zero() {
        check(&[("gannet", 1.0)], "", 0.0);
        check(&[("gannet", 1.0)], "the and of", 0.0);
    }

    #[test]
    fn a_density_that_is_no_share_is_refused() {
        for density in [-1.0, 0.0, 1.5, f32::NAN] {
            assert!(Config { density }.check().is_err(), "{density}");
        }
        assert!(Config::default().check().is_ok());
    }

    #[test]
    fn the_version_changes_with_the_topic_and_only_then() {
        let version = |words: &str| {
            let topic = Topic::from_words(words).unwrap();
            TopicVector::new(&topic, &Config::default()).version
        };
        assert_eq!(version("gannet, petrel"), version("gannet, petrel"));
        assert_ne!(version("gannet, petrel"), version("gannet"));
    }
}
