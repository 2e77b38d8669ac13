//! Okapi BM25 over the topic's keywords: rare keywords count more, repeated ones less and less.
//!
//! `s = Σ_k w_k·idf_k · tf·(k1+1) / (tf + k1·(1 − b + b·L/L̄))` over the keywords,
//! where `w_k` is a keyword's weight beside the mean weight, `tf` how often it or
//! a synonym occurs in any form of its words, `L` the page's length in words and
//! `L̄` the mean length of the pages met. `idf_k` is the relevance weight of
//! Robertson and Spärck Jones, made positive as usual by adding one:
//!
//! `idf_k = ln(1 + (r+½)(N−n−R+r+½) / ((n−r+½)(R−r+½)))`
//!
//! for `n` of `N` pages and `r` of `R` relevant examples with the keyword. Without
//! relevant examples that is the plain `ln(1 + (N−n+½)/(n+½))`, without any page
//! the same for all keywords.
//!
//! The score is `s / (s + c)`, so it grows with `s` and stays below 1; `c` is one
//! and a half times what a mean keyword gives that stands once on a page of mean
//! length. Hence 0.5 is reached by three mentions of one keyword or by two
//! keywords mentioned once, and reasons add up to the score.
//!
//! **Choose it when** there are keywords and no examples. **Cost:** one pass over
//! the text. **Weakness:** it knows no word that the user did not think of.

use std::collections::{BTreeMap, HashMap};

use gannet_model::{Judgement, Reason, Score, SettingsError};

use crate::experience::{Bag, Experience, Remembered, language_of};
use crate::fingerprint::Fingerprint;
use crate::keyword_finder::KeywordFinder;
use crate::language::Language;
use crate::model::{Appetite, Entry, Mark, Model, Origin};
use crate::{Lesson, Sight, Topic, threshold};

const NAME: &str = "bm25";

pub(crate) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "keywords by rarity and saturating frequency, relative to the page's length",
    origin: Origin::Classic,
    build: |topic, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Bm25::new(topic, config, Experience::default())))
    },
    restore: Some(|topic, settings, bytes| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Bm25::new(topic, config, Experience::from_bytes(bytes)?)))
    }),
};

/// `[relevance.bm25]`
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// How slowly repetition saturates; 0 counts every keyword once.
    k1: f32,
    /// How much longer pages must repeat a keyword more: 0 not at all, 1 in proportion.
    b: f32,
}

impl Default for Config {
    /// The values that Robertson's group settled on and everybody uses since.
    fn default() -> Config {
        Config { k1: 1.2, b: 0.75 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        if !(self.k1 >= 0.0 && self.k1 <= MOST_K1) {
            let k1 = self.k1;
            let because = format!("`k1` is {k1}; write a number from 0 to {MOST_K1}, such as 1.2");
            return Err(SettingsError::because(because));
        }
        if !(self.b >= 0.0 && self.b <= 1.0) {
            let b = self.b;
            let because = format!("`b` is {b}; write a number from 0 to 1, such as 0.75");
            return Err(SettingsError::because(because));
        }
        Ok(())
    }
}

/// Beyond this, repetition does not saturate on any page.
const MOST_K1: f32 = 1000.0;
/// Reasons given with a judgement: the strongest keywords.
const REASONS: usize = 5;
/// The mean length of pages before any is met, in words.
const TYPICAL_LENGTH: f32 = 400.0;
/// How many mean keywords, mentioned once, make a score of 0.5.
const EVIDENCE: f32 = 1.5;
/// The threshold as long as no examples teach another.
const UNTAUGHT_THRESHOLD: f32 = 0.5;
/// A threshold of nothing would let blank pages in.
const LEAST_THRESHOLD: f32 = 1e-6;

struct Bm25 {
    topic: Topic,
    config: Config,
    finder: KeywordFinder,
    experience: Experience,
    /// The language of texts that do not show theirs.
    home: Language,
    weights: Weights,
    threshold: Score,
    version: u64,
}

/// What pages teach about keywords.
#[derive(Clone, Debug, PartialEq)]
struct Weights {
    /// `w·idf` of each keyword.
    of: Vec<f32>,
    /// Mean length of a page in words.
    mean_length: f32,
    /// What makes half of the score.
    half: f32,
}

impl Bm25 {
    fn new(topic: &Topic, config: Config, experience: Experience) -> Bm25 {
        let mut version = Fingerprint::EMPTY.and(NAME.as_bytes());
        // The experience is all there is to be learned, the topic cannot fail to be written.
        for part in [
            postcard::to_stdvec(topic).unwrap_or_default(),
            [config.k1.to_le_bytes(), config.b.to_le_bytes()].concat(),
            experience.to_bytes(),
        ] {
            version = version.and(&part);
        }
        let numbers = numbers(topic, &experience);
        let judged = experience.held_out(
            topic,
            |is_taught| Weights::of(topic, &experience, &numbers, is_taught),
            |weights, page| {
                let counts = page.counts.iter();
                let counts =
                    counts.filter_map(|(term, count)| Some((numbers[*term as usize]?, *count)));
                weights.score(&weights.parts(counts, page.length, config))
            },
        );
        let tuned = threshold(&judged, topic.wanted()).unwrap_or(UNTAUGHT_THRESHOLD);
        Bm25 {
            finder: KeywordFinder::new(topic.keywords()),
            home: experience.home(),
            weights: Weights::of(topic, &experience, &numbers, &|_| true),
            threshold: Score::clamped(tuned.max(LEAST_THRESHOLD)),
            topic: topic.clone(),
            config,
            experience,
            version: version.get(),
        }
    }

    /// How often each keyword that occurs does so, by their numbers, and how many words there are.
    fn count(&self, page: &Sight<'_>, language: Language) -> (BTreeMap<usize, u32>, u32) {
        let mut counts = BTreeMap::new();
        let length = self.finder.find(page, language, |keyword| {
            *counts.entry(keyword).or_default() += 1;
        });
        (counts, length)
    }
}

/// The number of the keyword that each term of the experience is; `None` for keywords that the
/// topic no longer has.
fn numbers(topic: &Topic, experience: &Experience) -> Vec<Option<usize>> {
    let keywords = topic.keywords().iter().zip(0..);
    let number_of: HashMap<&str, usize> =
        keywords.map(|(keyword, number)| (keyword.text.as_str(), number)).collect();
    experience.terms().iter().map(|term| number_of.get(term.as_str()).copied()).collect()
}

impl Weights {
    /// What these pages of the experience teach.
    fn of(
        topic: &Topic,
        experience: &Experience,
        numbers: &[Option<usize>],
        is_taught: &dyn Fn(usize) -> bool,
    ) -> Weights {
        let keywords = topic.keywords();
        let (mut all, mut relevant) = (Held::new(keywords.len()), Held::new(keywords.len()));
        let mut words = 0.0;
        for (place, page) in experience.pages().iter().enumerate() {
            if !is_taught(place) {
                continue;
            }
            words += f64::from(page.length);
            all.add(page, numbers);
            if page.label.truth(topic) == Some(true) {
                relevant.add(page, numbers);
            }
        }
        let of: Vec<f32> = keywords
            .iter()
            .enumerate()
            .map(|(number, keyword)| {
                let idf = relevance_weight(
                    (all.pages, all.with[number]),
                    (relevant.pages, relevant.with[number]),
                );
                keyword.weight * keywords.len() as f32 * idf
            })
            .collect();
        let mean = of.iter().sum::<f32>() / of.len().max(1) as f32;
        let mean_length = if all.pages == 0.0 { TYPICAL_LENGTH } else { words as f32 / all.pages };
        Weights { of, mean_length: mean_length.max(1.0), half: EVIDENCE * mean }
    }

    /// What each keyword gives to the sum.
    fn parts(
        &self,
        counts: impl Iterator<Item = (usize, u32)>,
        length: u32,
        config: Config,
    ) -> Vec<(usize, f32)> {
        let Config { k1, b } = config;
        let stretch = k1 * (1.0 - b + b * length as f32 / self.mean_length);
        let part = |(keyword, count): (usize, u32)| {
            let tf = count as f32;
            (keyword, self.of[keyword] * tf * (k1 + 1.0) / (tf + stretch))
        };
        counts.map(part).collect()
    }

    /// The score that parts make.
    fn score(&self, parts: &[(usize, f32)]) -> f32 {
        let sum: f32 = parts.iter().map(|(_, part)| part).sum();
        if sum > 0.0 { sum / (sum + self.half) } else { 0.0 }
    }
}

/// In how many pages each keyword stands.
struct Held {
    pages: f32,
    with: Vec<f32>,
}

impl Held {
    fn new(keywords: usize) -> Held {
        Held { pages: 0.0, with: vec![0.0; keywords] }
    }

    fn add(&mut self, page: &Remembered, numbers: &[Option<usize>]) {
        self.pages += 1.0;
        for keyword in page.counts.iter().filter_map(|(term, _)| numbers[*term as usize]) {
            self.with[keyword] += 1.0;
        }
    }
}

/// The weight of a keyword by Robertson and Spärck Jones, kept positive: of all pages and of the
/// relevant ones, how many there are and how many have it.
fn relevance_weight((all, with): (f32, f32), (relevant, relevant_with): (f32, f32)) -> f32 {
    let others_without = all - with - relevant + relevant_with;
    let others_with = with - relevant_with;
    let relevant_without = relevant - relevant_with;
    let odds = (relevant_with + 0.5) * (others_without + 0.5)
        / ((others_with + 0.5) * (relevant_without + 0.5));
    odds.ln_1p()
}

impl Model for Bm25 {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let (counts, length) = self.count(page, language_of(page, self.home));
        let found = counts.iter().map(|(keyword, count)| (*keyword, *count));
        let mut parts = self.weights.parts(found, length, self.config);
        let score = self.weights.score(&parts);
        let sum: f32 = parts.iter().map(|(_, part)| part).sum();
        parts.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut reasons: Vec<Reason> = Vec::new();
        for (keyword, part) in parts.into_iter().take(REASONS) {
            let note = format!(
                "{} in {length} words, weight {:.2}",
                counts[&keyword], self.weights.of[keyword]
            );
            let text = self.topic.keywords()[keyword].text.clone();
            reasons.push(Reason::new(text, part / (sum + self.weights.half)).note(note));
        }
        if reasons.is_empty() {
            reasons.push(Reason::new("keywords", 0.0).note("none found"));
        }
        Judgement {
            score: Score::clamped(score),
            threshold: self.threshold,
            model: NAME.to_owned(),
            version: self.version,
            reasons: reasons.into_iter().collect(),
        }
    }

    fn marks(&self, text: &str) -> Vec<Mark> {
        let places = self.finder.places(text, self.home).into_iter();
        let marks = places.map(|(span, keyword)| Mark {
            span,
            name: self.topic.keywords()[keyword].text.clone(),
            value: self.weights.of[keyword],
        });
        let mut marks: Vec<Mark> = marks.collect();
        marks.sort_by_key(|mark| (mark.span.start, mark.span.end));
        marks
    }

    fn taught(&self, lessons: &[Lesson<'_>]) -> Option<Box<dyn Model>> {
        let experience = self.experience.with(lessons, |page, language| {
            let language = if language == Language::UNKNOWN { self.home } else { language };
            let (counts, length) = self.count(page, language);
            let named = counts.into_iter();
            let named =
                named.map(|(keyword, count)| (self.topic.keywords()[keyword].text.clone(), count));
            Bag { length, counts: named.collect() }
        })?;
        Some(Box::new(Bm25::new(&self.topic, self.config, experience)))
    }

    /// Pages that nobody labelled teach how rare each keyword is.
    fn appetite(&self) -> Appetite {
        Appetite::Batches
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(self.experience.to_bytes())
    }

    fn strongest(&self, count: usize) -> Vec<(String, f32)> {
        let keywords = self.topic.keywords().iter().map(|keyword| keyword.text.clone());
        let mut weighed: Vec<_> = keywords.zip(self.weights.of.iter().copied()).collect();
        weighed.sort_by(|a, b| b.1.total_cmp(&a.1));
        weighed.truncate(count);
        weighed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RestoreError, Teaching};
    use gannet_model::{Block, Document};
    use proptest::prelude::*;

    fn page(text: &str) -> Document {
        let block = Block { text: text.to_owned(), ..Block::default() };
        Document { blocks: vec![block], ..Document::default() }
    }

    fn model(words: &str) -> Bm25 {
        let topic = Topic::from_words(words).unwrap();
        Bm25::new(&topic, Config::default(), Experience::default())
    }

    fn teach(model: &Bm25, given: &[(&str, Teaching<'_>)]) -> Box<dyn Model> {
        let pages: Vec<Document> = given.iter().map(|(text, _)| page(text)).collect();
        let lessons = pages.iter().zip(given);
        let lessons: Vec<_> =
            lessons.map(|(page, (_, teaches))| Lesson::new(page, *teaches)).collect();
        model.taught(&lessons).unwrap()
    }

    #[track_caller]
    fn check(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    }

    #[test]
    fn the_sum_is_that_of_the_formula() {
        let model = model("gannet, booby");
        let counts = [(0, 3)].into_iter();
        let parts = model.weights.parts(counts, 400, Config::default());
        // idf is ln 2 for both; the length is the mean: 3·2.2 / (3 + 1.2).
        check(parts[0].1, 2.0_f32.ln() * 6.6 / 4.2);
        let counts = [(1, 1)].into_iter();
        let parts = model.weights.parts(counts, 800, Config::default());
        check(parts[0].1, 2.0_f32.ln() * 2.2 / (1.0 + 1.2 * 1.75));
    }

    #[test]
    fn keywords_weigh_by_rarity_and_by_their_share_of_relevant_pages() {
        // Nothing known.
        check(relevance_weight((0.0, 0.0), (0.0, 0.0)), 2.0_f32.ln());
        // The plain weight without examples.
        check(relevance_weight((10.0, 2.0), (0.0, 0.0)), (1.0 + 8.5_f32 / 2.5).ln());
        // In three of four relevant pages and one of six others.
        check(relevance_weight((10.0, 4.0), (4.0, 3.0)), (1.0 + 3.5 * 5.5 / (1.5 * 1.5_f32)).ln());
    }

    #[test]
    fn half_is_three_mentions_or_two_keywords() {
        let page_of = |text: &str| page(&format!("{text} {}", "and ".repeat(398)));
        let relevant =
            |words: &str, text: &str| model(words).judge(&(&page_of(text)).into()).is_relevant();
        assert!(!relevant("gannet", "gannet gannet"));
        assert!(relevant("gannet", "gannet gannet gannet"));
        assert!(relevant("gannet, booby", "gannet booby"));
        assert!(!relevant("gannet, booby", "gannet"));
    }

    #[test]
    fn unlabelled_pages_teach_rarity_and_length() {
        let common = [("a bird in the sea", Teaching::Nothing), ("birds", Teaching::Nothing)];
        let taught = teach(&model("bird, gannet"), &common);
        let strongest = taught.strongest(2);
        assert_eq!(strongest[0].0, "gannet");
        check(strongest[0].1, (1.0 + 2.5_f32 / 0.5).ln());
        check(strongest[1].1, (1.0 + 0.5_f32 / 2.5).ln());
    }

    #[test]
    fn examples_teach_the_threshold() {
        let model = model("bird, gannet");
        let lessons = [
            ("gannet and bird", Teaching::Relevant),
            ("gannet with bird, gannet", Teaching::Relevant),
            ("bird in a cage", Teaching::Irrelevant),
            ("a bird of paradise", Teaching::Irrelevant),
        ];
        let taught = teach(&model, &lessons);
        assert_ne!(taught.version(), model.version);
        let judge = |text: &str| taught.judge(&(&page(text)).into()).is_relevant();
        assert!(judge("gannet by gannet, bird"));
        assert!(!judge("a bird"));
    }

    #[test]
    fn what_was_learned_is_restored() {
        let topic = Topic::from_words("bird, gannet").unwrap();
        let taught = teach(&model("bird, gannet"), &[("a bird", Teaching::Nothing)]);
        let restore = ENTRY.restore.unwrap();
        let settings = gannet_model::Settings::none();
        let again = restore(&topic, &settings, &taught.state().unwrap()).unwrap();
        let page = page("a gannet is a bird");
        assert_eq!(again.judge(&(&page).into()), taught.judge(&(&page).into()));
        assert!(matches!(restore(&topic, &settings, b"?"), Err(RestoreError::Unreadable(_))));
    }

    #[test]
    fn evidence_is_marked_where_it_stands() {
        let marks = model("gannet, plunge diving").marks("Gannets go plunge-diving.");
        let spans: Vec<_> = marks.iter().map(|mark| (mark.span.clone(), &*mark.name)).collect();
        assert_eq!(spans, [(0..7, "gannet"), (11..24, "plunge diving")]);
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        for config in [
            Config { k1: -1.0, ..Config::default() },
            Config { k1: f32::NAN, ..Config::default() },
            Config { b: 1.5, ..Config::default() },
        ] {
            assert!(config.check().is_err(), "{config:?}");
        }
        assert!(Config::default().check().is_ok());
    }

    proptest! {
        #[test]
        fn more_mentions_never_lower_the_score_and_reasons_add_up(mentions in 0_usize..20, others in 0_usize..50) {
            let model = model("gannet, booby");
            let text = |mentions: usize| {
                format!("{} {}", "gannet ".repeat(mentions), "word ".repeat(others + 20 - mentions))
            };
            let judge = |mentions: usize| model.judge(&(&page(&text(mentions))).into());
            let (fewer, more) = (judge(mentions), judge(mentions + 1));
            prop_assert!(fewer.score <= more.score);
            let sum: f32 = more.reasons.iter().map(|reason| reason.value).sum();
            prop_assert!((sum - more.score.get()).abs() < 1e-5);
        }
    }
}
