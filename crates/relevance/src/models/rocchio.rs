//! Nearness to the middle of the relevant examples: the 30 strongest terms of their TF-IDF centroid.
//!
//! A page is a vector of its terms (stems that are no stop words), each with
//! `d_k = (1 + ln tf)·idf_k`. The centroid is `c = Σ d/‖d‖` over the relevant
//! examples, of which the terms with the most weight are kept; the score is the
//! cosine of page and centroid. Rocchio's formula subtracts the middle of the
//! irrelevant examples; with so few terms that gains nothing, so they only teach
//! `idf_k = ln((N+1)/(df_k+1))` together with unlabelled pages. The relevant
//! examples are not counted there: the user's own few would make the topic's
//! words look common. As long as no other page is known, all terms have 1.
//!
//! Without a relevant example the keywords stand in for the centroid: the words
//! of each, synonyms too, share its weight.
//!
//! **Choose it when** there are five to thirty examples and nothing else.
//! **Cost:** one pass over the text. **Weakness:** one middle for all, so a topic
//! of several parts has none.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use gannet_model::{Judgement, Reason, Score, SettingsError};

use crate::experience::{Experience, Remembered, each_term, language_of, stems, term_of};
use crate::fingerprint::Fingerprint;
use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::model::{Appetite, Entry, Mark, Model, Origin};
use crate::{Lesson, Sight, Topic, threshold, words};

const NAME: &str = "rocchio";

pub(crate) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "cosine to the strongest TF-IDF terms of the relevant examples",
    origin: Origin::Classic,
    build: |topic, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Rocchio::new(topic, config, Experience::default())))
    },
    restore: Some(|topic, settings, bytes| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Rocchio::new(topic, config, Experience::from_bytes(bytes)?)))
    }),
};

/// `[relevance.rocchio]`
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// How many terms of the centroid are kept.
    terms: usize,
}

impl Default for Config {
    /// Measured on encyclopedia and documentation pages: as good as all terms with ten examples,
    /// and readable.
    fn default() -> Config {
        Config { terms: 30 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        if self.terms > 0 {
            return Ok(());
        }
        Err(SettingsError::because("`terms` is 0; write how many terms to keep, such as 30"))
    }
}

/// Reasons given with a judgement: the strongest terms.
const REASONS: usize = 5;
/// The threshold as long as there are only keywords and no page is known,
const UNTAUGHT_THRESHOLD: f32 = 0.06;
/// and when other pages are: rare words, which are no keywords, then make the page's vector longer.
/// Both are the best on newsgroups and university pages taken together.
const KEYWORD_THRESHOLD: f32 = 0.03;
/// The threshold beside the mean cosine of relevant examples, when there are no others.
const SHARE_OF_EXAMPLES: f32 = 0.5;
/// Relevant examples left out in turn to learn their cosines; a mean needs no more.
const MOST_LEFT_OUT: usize = 20;
/// A threshold of nothing would let blank pages in.
const LEAST_THRESHOLD: f32 = 1e-6;

struct Rocchio {
    topic: Topic,
    config: Config,
    experience: Experience,
    /// The language of texts that do not show theirs.
    home: Language,
    /// Of every term in the experience.
    idf: Lexicon<f32>,
    /// Of terms that are not in the experience.
    unknown_idf: f32,
    /// The terms of the centroid; `None` without a relevant example.
    centroid: Option<Vec<(u32, f32)>>,
    /// What pages in each language are compared with, made when first needed.
    profiles: [OnceLock<Profile>; Language::COUNT],
    threshold: Score,
    version: u64,
}

/// Terms that pages are compared with.
struct Profile {
    weights: Lexicon<f32>,
    /// The length of the vector.
    norm: f32,
}

/// What each term of a page gives to the cosine.
struct Nearness {
    /// The terms of the profile that the page has, in the order of the page.
    parts: Vec<(String, f32)>,
    cosine: f32,
}

/// A term of a page while it is counted.
struct Met {
    count: u32,
    idf: f32,
    /// The term and its weight, if it is in the profile.
    wanted: Option<(String, f32)>,
}

impl Rocchio {
    fn new(topic: &Topic, config: Config, experience: Experience) -> Rocchio {
        let taught = Taught::of(topic, config, &experience, &|_| true);
        let mut idf = Lexicon::new();
        for (term, value) in experience.terms().iter().zip(&taught.idf) {
            *idf.entry(term) = *value;
        }
        let threshold = tuned_threshold(topic, config, &experience);
        // The topic cannot fail to be written.
        let version = Fingerprint::EMPTY
            .and(NAME.as_bytes())
            .and(&postcard::to_stdvec(topic).unwrap_or_default())
            .and(&config.terms.to_le_bytes())
            .and(&experience.to_bytes());
        Rocchio {
            home: experience.home(),
            idf,
            unknown_idf: taught.unknown_idf,
            centroid: taught.centroid,
            profiles: [const { OnceLock::new() }; Language::COUNT],
            threshold: Score::clamped(threshold.max(LEAST_THRESHOLD)),
            topic: topic.clone(),
            config,
            experience,
            version: version.get(),
        }
    }

    fn profile(&self, language: Language) -> &Profile {
        self.profiles[language.number()].get_or_init(|| Profile::of(&self.terms(language)))
    }

    /// The terms that pages in this language are compared with, sorted.
    fn terms(&self, language: Language) -> BTreeMap<String, f32> {
        if let Some(centroid) = &self.centroid {
            let terms = centroid.iter();
            let named = terms.map(|(term, weight)| (self.experience.term(*term), *weight));
            return named.map(|(term, weight)| (term.to_owned(), weight)).collect();
        }
        let mut terms: BTreeMap<String, f32> = BTreeMap::new();
        let mut buffer = String::new();
        for keyword in self.topic.keywords() {
            for written in std::iter::once(&keyword.text).chain(&keyword.synonyms) {
                let words = written.split(' ');
                let share = keyword.weight / words.clone().count() as f32;
                for word in words {
                    let stem = language.stem(word, &mut buffer);
                    *terms.entry(stem.to_owned()).or_default() += share * self.idf_of(stem);
                }
            }
        }
        terms
    }

    fn idf_of(&self, term: &str) -> f32 {
        self.idf.get(term).copied().unwrap_or(self.unknown_idf)
    }

    fn nearness(&self, page: &Sight<'_>) -> Nearness {
        let language = language_of(page, self.home);
        let profile = self.profile(language);
        // In the order of the page, so that sums come out the same every time.
        let mut met: Vec<Met> = Vec::new();
        let mut places: HashMap<u64, usize> = HashMap::new();
        each_term(page, language, |term| {
            let Some(term) = term else { return };
            let key = Fingerprint::EMPTY.and(term.as_bytes()).get();
            let place = *places.entry(key).or_insert_with(|| {
                let wanted = profile.weights.get(term).map(|weight| (term.to_owned(), *weight));
                met.push(Met { count: 0, idf: self.idf_of(term), wanted });
                met.len() - 1
            });
            met[place].count += 1;
        });
        let mut square = 0.0;
        let mut parts = Vec::new();
        for term in met {
            let value = damped(term.count) * term.idf;
            square += value * value;
            parts.extend(term.wanted.map(|(name, weight)| (name, value * weight)));
        }
        let norm = square.sqrt() * profile.norm;
        parts.retain_mut(|(_, part)| {
            *part /= norm;
            *part > 0.0
        });
        Nearness { cosine: parts.iter().map(|(_, part)| part).sum(), parts }
    }
}

impl Profile {
    fn of(terms: &BTreeMap<String, f32>) -> Profile {
        let mut weights = Lexicon::new();
        for (term, weight) in terms {
            *weights.entry(term) = *weight;
        }
        let square: f32 = terms.values().map(|weight| weight * weight).sum();
        Profile { weights, norm: square.sqrt() }
    }
}

/// `1 + ln tf`.
fn damped(count: u32) -> f32 {
    1.0 + (count as f32).ln()
}

/// What pages of an experience teach, by the numbers of its terms.
struct Taught {
    idf: Vec<f32>,
    unknown_idf: f32,
    centroid: Option<Vec<(u32, f32)>>,
}

impl Taught {
    fn of(
        topic: &Topic,
        config: Config,
        experience: &Experience,
        is_taught: &dyn Fn(usize) -> bool,
    ) -> Taught {
        let pages = experience.pages().iter().enumerate();
        let pages = pages.filter(|(place, _)| is_taught(*place)).map(|(_, page)| page);
        let (relevant, others): (Vec<_>, Vec<_>) =
            pages.partition(|page| page.label.truth(topic) == Some(true));
        let mut with = vec![0_u32; experience.terms().len()];
        for (term, _) in others.iter().flat_map(|page| &page.counts) {
            with[*term as usize] += 1;
        }
        let all = others.len() as f32 + 1.0;
        let (idf, unknown_idf) = if others.is_empty() {
            (vec![1.0; with.len()], 1.0)
        } else {
            (with.into_iter().map(|count| (all / (count as f32 + 1.0)).ln()).collect(), all.ln())
        };
        let mut taught = Taught { idf, unknown_idf, centroid: None };
        taught.centroid = (!relevant.is_empty()).then(|| taught.middle(&relevant, config.terms));
        taught
    }

    /// The strongest terms of the centroid of these pages.
    fn middle(&self, pages: &[&Remembered], count: usize) -> Vec<(u32, f32)> {
        let mut sums = vec![0.0; self.idf.len()];
        for page in pages {
            let (vector, norm) = self.vector(page);
            for (term, value) in vector {
                sums[term as usize] += value / norm;
            }
        }
        let mut terms: Vec<(u32, f32)> =
            (0..).zip(sums).filter(|(_, weight)| *weight > 0.0).collect();
        terms.sort_by(|a, b| b.1.total_cmp(&a.1));
        terms.truncate(count);
        terms
    }

    /// The vector of a page and its length, which is never 0.
    fn vector(&self, page: &Remembered) -> (Vec<(u32, f32)>, f32) {
        let counts = page.counts.iter();
        let value = |(term, count): &(u32, u32)| (*term, damped(*count) * self.idf[*term as usize]);
        let vector: Vec<(u32, f32)> = counts.map(value).collect();
        let square: f32 = vector.iter().map(|(_, value)| value * value).sum();
        (vector, square.sqrt().max(f32::MIN_POSITIVE))
    }

    /// The cosine of a page and the centroid.
    fn cosine(&self, page: &Remembered) -> f32 {
        let Some(centroid) = &self.centroid else {
            return 0.0;
        };
        let (vector, norm) = self.vector(page);
        let weight_of: HashMap<u32, f32> = centroid.iter().copied().collect();
        let parts = vector.iter().filter_map(|(term, value)| Some(value * weight_of.get(term)?));
        let product: f32 = parts.sum();
        let square: f32 = centroid.iter().map(|(_, weight)| weight * weight).sum();
        product / (norm * square.sqrt().max(f32::MIN_POSITIVE))
    }
}

/// The threshold that serves the topic's aim on held-out examples; without irrelevant ones, a share
/// of the relevant ones' own cosines.
fn tuned_threshold(topic: &Topic, config: Config, experience: &Experience) -> f32 {
    let taught =
        |is_taught: &dyn Fn(usize) -> bool| Taught::of(topic, config, experience, is_taught);
    let judged = experience.held_out(topic, taught, Taught::cosine);
    if let Some(tuned) = threshold(&judged, topic.wanted()) {
        return tuned;
    }
    let pages = experience.pages();
    let relevant: Vec<usize> = (0..pages.len())
        .filter(|place| pages[*place].label.truth(topic) == Some(true))
        .take(MOST_LEFT_OUT)
        .collect();
    if relevant.len() < 2 {
        let is_other_known = pages.len() > relevant.len();
        return if is_other_known { KEYWORD_THRESHOLD } else { UNTAUGHT_THRESHOLD };
    }
    let cosines = relevant
        .iter()
        .map(|left_out| taught(&|place| place != *left_out).cosine(&pages[*left_out]));
    SHARE_OF_EXAMPLES * cosines.sum::<f32>() / relevant.len() as f32
}

impl Model for Rocchio {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let Nearness { mut parts, cosine } = self.nearness(page);
        parts.sort_by(|a, b| b.1.total_cmp(&a.1));
        let reasons = parts.into_iter().take(REASONS);
        let mut reasons: Vec<Reason> =
            reasons.map(|(term, part)| Reason::new(term, part)).collect();
        if reasons.is_empty() {
            reasons.push(Reason::new("terms of the topic", 0.0).note("none found"));
        }
        Judgement {
            score: Score::clamped(cosine),
            threshold: self.threshold,
            model: NAME.to_owned(),
            version: self.version,
            reasons: reasons.into_iter().collect(),
        }
    }

    fn marks(&self, text: &str) -> Vec<Mark> {
        let profile = self.profile(self.home);
        let mut marks = Vec::new();
        let mut buffer = String::new();
        words::each_word_at(text, |span, word| {
            let Some(term) = term_of(word, self.home, &mut buffer) else { return };
            if let Some(weight) = profile.weights.get(term) {
                marks.push(Mark { span, name: term.to_owned(), value: weight / profile.norm });
            }
        });
        marks
    }

    fn taught(&self, lessons: &[Lesson<'_>]) -> Option<Box<dyn Model>> {
        let experience = self.experience.with(lessons, |page, language| {
            stems(page, if language == Language::UNKNOWN { self.home } else { language })
        })?;
        Some(Box::new(Rocchio::new(&self.topic, self.config, experience)))
    }

    /// Pages that nobody labelled teach how rare each term is.
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
        let norm = self.profile(self.home).norm;
        let terms = self.terms(self.home).into_iter();
        let mut terms: Vec<_> = terms.map(|(term, weight)| (term, weight / norm)).collect();
        terms.sort_by(|a, b| b.1.total_cmp(&a.1));
        terms.truncate(count);
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Teaching;
    use gannet_model::{Block, Document, Settings};
    use proptest::prelude::*;

    fn page(text: &str) -> Document {
        let block = Block { text: text.to_owned(), ..Block::default() };
        Document { blocks: vec![block], ..Document::default() }
    }

    fn model(config: Config) -> Rocchio {
        let topic = Topic::from_words("gannet, plunge diving").unwrap();
        Rocchio::new(&topic, config, Experience::default())
    }

    fn teach(model: &dyn Model, given: &[(&str, Teaching<'_>)]) -> Box<dyn Model> {
        let pages: Vec<Document> = given.iter().map(|(text, _)| page(text)).collect();
        let lessons = pages.iter().zip(given);
        let lessons: Vec<_> =
            lessons.map(|(page, (_, teaches))| Lesson::new(page, *teaches)).collect();
        model.taught(&lessons).unwrap()
    }

    fn score(model: &dyn Model, text: &str) -> f32 {
        model.judge(&(&page(text)).into()).score.get()
    }

    #[track_caller]
    fn check(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    }

    const YES: Teaching<'_> = Teaching::Relevant;
    const NO: Teaching<'_> = Teaching::Irrelevant;

    #[test]
    fn keywords_alone_are_compared_by_their_shares() {
        // Gannet has 1/2, plunge and dive 1/4 each; the page has gannet once and colony once.
        let norm = (0.25_f32 + 2.0 / 16.0).sqrt();
        check(score(&model(Config::default()), "the gannet colony"), 0.5 / (norm * 2.0_f32.sqrt()));
        check(score(&model(Config::default()), "gannet, plunge and diving: gannets"), {
            let tf = 1.0 + 2.0_f32.ln();
            (0.5 * tf + 0.5) / (norm * (tf * tf + 2.0).sqrt())
        });
        check(score(&model(Config::default()), ""), 0.0);
    }

    #[test]
    fn the_centroid_is_the_sum_of_examples_of_length_one() {
        let taught = teach(&model(Config::default()), &[("booby", YES), ("booby reef", YES)]);
        // booby 1 + 1/√2, reef 1/√2; no other page is known, so idf is 1.
        let (booby, reef) = (1.0 + 0.5_f32.sqrt(), 0.5_f32.sqrt());
        let norm = booby.hypot(reef);
        check(score(&*taught, "reef"), reef / norm);
        check(score(&*taught, "gannet"), 0.0);
        let strongest = taught.strongest(9);
        assert_eq!(strongest[0].0, "boobi");
        check(strongest[0].1, booby / norm);
    }

    #[test]
    fn other_pages_teach_how_rare_terms_are() {
        let lessons = [("booby reef", YES), ("reef", Teaching::Nothing), ("hotel reef", NO)];
        let taught = teach(&model(Config::default()), &lessons);
        // reef is in all other pages: ln(3/3) = 0.
        assert_eq!(taught.strongest(9).len(), 1);
        check(score(&*taught, "reef"), 0.0);
        // booby ln 3, hotel ln(3/2).
        let (booby, hotel) = (3.0_f32.ln(), 1.5_f32.ln());
        check(score(&*taught, "booby hotel"), booby / booby.hypot(hotel));
    }

    #[test]
    fn only_the_strongest_terms_are_kept() {
        let taught = teach(&model(Config { terms: 1 }), &[("booby", YES), ("booby reef", YES)]);
        assert_eq!(taught.strongest(9).len(), 1);
        check(score(&*taught, "reef"), 0.0);
    }

    #[test]
    fn examples_teach_the_threshold() {
        let relevant = [("booby reef nest", YES), ("booby reef fish", YES), ("booby nest", YES)];
        let only = teach(&model(Config::default()), &relevant);
        let judge =
            |model: &dyn Model, text: &str| model.judge(&(&page(text)).into()).is_relevant();
        assert!(judge(&*only, "booby reef") && !judge(&*only, "hotel beach reef bar pool sun"));
        let both = teach(&*only, &[("reef hotel", NO), ("reef beach", NO), ("reef fish", NO)]);
        assert!(judge(&*both, "booby nest") && !judge(&*both, "reef fish hotel"));
    }

    #[test]
    fn what_was_learned_is_restored() {
        let taught = teach(&model(Config::default()), &[("booby", YES), ("reef", NO)]);
        let restore = ENTRY.restore.unwrap();
        let topic = Topic::from_words("gannet, plunge diving").unwrap();
        let again = restore(&topic, &Settings::none(), &taught.state().unwrap()).unwrap();
        let page = page("a booby on the reef");
        assert_eq!(again.judge(&(&page).into()), taught.judge(&(&page).into()));
        assert!(restore(&topic, &Settings::none(), &[1, 255]).is_err());
    }

    #[test]
    fn evidence_is_marked_where_it_stands() {
        let marks = model(Config::default()).marks("The gannets dive.");
        let spans: Vec<_> = marks.iter().map(|mark| (mark.span.clone(), &*mark.name)).collect();
        assert_eq!(spans, [(4..11, "gannet"), (12..16, "dive")]);
    }

    proptest! {
        #[test]
        fn the_score_does_not_depend_on_the_order_of_words(mut words in prop::collection::vec("gannet|plunge|dive|reef|hotel", 0..20)) {
            let model = model(Config::default());
            let forward = score(&model, &words.join(" "));
            words.reverse();
            prop_assert!((forward - score(&model, &words.join(" "))).abs() < 1e-6);
            prop_assert!((0.0..=1.0).contains(&forward));
        }
    }
}
