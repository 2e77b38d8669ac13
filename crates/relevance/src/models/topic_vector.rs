//! Weighted keyword density: `Sim(T,D) = Σ count(k in D) / words(D) · w_k` (S1.1, S1.2).
//!
//! Words are counted without stop words; a phrase counts once for each
//! occurrence over token positions (stop words included in the positions, so
//! `birds of prey` is found as written).
//!
//! **Choose it when** there are only words to go by. **Cost:** one pass over the text.
//! **Weakness:** the score falls with the number of keywords, since each can
//! only contribute its own share; the threshold is scaled to match.

use gannet_model::{Document, Judgement, Reason, Score, SettingsError};

use crate::model::{Entry, Mark, Model, Origin};
use crate::phrases::{Phrases, Reader, tally};
use crate::sight::Sight;
use crate::stop_words;
use crate::topic::Topic;

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
    /// The keywords by their places.
    phrases: Phrases,
    threshold: Score,
    version: u64,
}

impl TopicVector {
    fn new(topic: &Topic, config: &Config) -> TopicVector {
        let mut model = TopicVector {
            keywords: Vec::with_capacity(topic.keywords().len()),
            phrases: Phrases::new(),
            threshold: Score::clamped(config.density / topic.keywords().len().max(1) as f32),
            // FNV's offset basis.
            version: 0xcbf2_9ce4_8422_2325,
        };
        for word in stop_words::ENGLISH {
            model.phrases.silence(word);
        }
        for keyword in topic.keywords() {
            model.version = fold(model.version, &keyword.text, keyword.weight);
            // A word the user asks for counts, even if it usually says nothing.
            model.phrases.add(&keyword.text);
            model.keywords.push((keyword.text.clone(), keyword.weight));
        }
        model.version = fold(model.version, NAME, config.density);
        model
    }

    /// How often each keyword occurs that does, by its place, and how many effective words there are.
    fn count(&self, document: &Document) -> (Vec<(u32, u32)>, u32) {
        let mut found = Vec::new();
        let mut effective = 0;
        let mut reader = Reader::default();
        for text in std::iter::once(document.title.as_str()).chain(document.text()) {
            effective += self.phrases.read(text, &mut reader, |one| found.push(one.phrase));
        }
        (tally(found), effective)
    }
}

impl Model for TopicVector {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let (counts, effective) = self.count(page.document);
        let mut parts: Vec<Reason> = Vec::new();
        let mut similarity = 0.0;
        for (keyword, count) in counts {
            let (text, weight) = &self.keywords[keyword as usize];
            let share = count as f32 / effective.max(1) as f32 * weight;
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

    fn marks(&self, text: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        self.phrases.places(text, |found, span| {
            let (name, value) = self.keywords[found.phrase as usize].clone();
            marks.push(Mark { span, name, value });
        });
        marks.sort_by_key(|mark| (mark.span.start, mark.span.end));
        marks
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn strongest(&self, count: usize) -> Vec<(String, f32)> {
        let mut keywords = self.keywords.clone();
        keywords.sort_by(|a, b| b.1.total_cmp(&a.1));
        keywords.truncate(count);
        keywords
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
    fn marks_show_words_and_phrases_where_they_stand() {
        let topic = Topic::from_words("sea, sea birds").unwrap();
        let model = TopicVector::new(&topic, &Config::default());
        let text = "The Sea-birds of the sea";
        let marks = model.marks(text);
        let seen: Vec<_> = marks.iter().map(|mark| &text[mark.span.clone()]).collect();
        assert_eq!(seen, ["Sea", "Sea-birds", "sea"]);
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
