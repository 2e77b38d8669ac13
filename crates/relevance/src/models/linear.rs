//! The default: a calibrated line over hashed words, pairs of words, title, headings, address and
//! link text, which starts from keywords alone and learns from whatever it is given.
//!
//! Before it has learned anything, the density of keywords decides. From some
//! forty pages met in the crawl it learns which other words go along with the
//! keywords; examples and labels, as soon as there are any, say what is
//! relevant instead. Scores are probabilities: of pages that score 0.8, four in
//! five are relevant, as far as that can be learned. How it is trained is told
//! in `training`, what it sees in `features`.
//!
//! **Choose it when** nothing speaks against it. **Cost:** one pass over the
//! words; training takes about a second for two thousand pages.
//! **Weakness:** what it learns from keywords alone is no better than they are.

mod calibration;
mod features;
mod fitting;
mod keywords;
mod samples;
mod training;
mod weights;

use std::collections::HashMap;
use std::sync::Arc;

use gannet_model::{Judgement, Reason, Score, SettingsError};
use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;
use crate::lesson::Lesson;
use crate::model::{Appetite, Entry, Mark, Model, Origin, RestoreError};
use crate::sight::Sight;
use crate::topic::Topic;
use crate::{Wanted, words};
use features::Features;
use keywords::Keywords;
use samples::{Known, Sample, Samples};
use training::{Learned, Terms, Weighed};

const NAME: &str = "linear";

pub(crate) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "calibrated linear classifier on hashed words, from keywords, examples and the crawl",
    origin: Origin::Own,
    build: |topic, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Linear::new(topic, config)))
    },
    restore: Some(|topic, settings, state| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Linear::new(topic, config).restored(state)?))
    }),
};

/// `[relevance.linear]`
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Before anything was learned: a page is relevant when at least this share of its words are
    /// keywords, less when it has several different ones.
    density: f32,
    /// Learn from pages nobody labelled, too.
    refine: bool,
}

impl Default for Config {
    /// One word in a hundred, as for the topic vector.
    fn default() -> Config {
        Config { density: 0.01, refine: true }
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

/// Reasons given with a judgement: the strongest on either side.
const REASONS: usize = 6;
/// Words whose names are remembered to show what was learned.
const NAMED: usize = 200;

#[derive(Clone)]
struct Linear {
    topic: Arc<Topic>,
    config: Config,
    keywords: Arc<Keywords>,
    samples: Samples,
    learned: Option<Arc<Learned>>,
    /// The strongest features by name, strongest first, with their weights.
    named: Vec<(String, f32)>,
    version: u64,
}

impl Linear {
    fn new(topic: &Topic, config: Config) -> Linear {
        let mut model = Linear {
            keywords: Arc::new(Keywords::new(topic)),
            topic: Arc::new(topic.clone()),
            config,
            samples: Samples::default(),
            learned: None,
            named: Vec::new(),
            version: 0,
        };
        model.version = model.fingerprint();
        model
    }

    fn terms(&self) -> Terms {
        Terms {
            density: self.config.density,
            refine: self.config.refine,
            wanted: self.topic.wanted(),
        }
    }

    fn read(&self, page: &Sight<'_>) -> Features {
        let mut features = features::read(page, &self.keywords);
        self.keywords.match_patterns(page, &mut features.keywords);
        features
    }

    /// The threshold before anything was learned.
    fn cold_threshold(&self) -> f32 {
        match self.topic.wanted() {
            Wanted::Score(score) => score,
            Wanted::Balance | Wanted::Precision(_) | Wanted::Recall(_) => 0.5,
        }
    }

    /// Even odds at the density that makes a page relevant, more for several keywords.
    fn cold_log_odds(&self, page: &Features) -> f32 {
        let (density, found) = self.keywords.density(&page.keywords);
        let several = found.saturating_sub(1).min(COLD_SEVERAL) as f32;
        COLD_SLOPE * ((density + self.config.density * COLD_FLOOR) / self.config.density).ln()
            + COLD_FOR_ANOTHER * several
    }

    fn learned_reasons(
        &self,
        learned: &Learned,
        page: &Sight<'_>,
        features: &Features,
        weighed: &Weighed,
    ) -> Vec<Reason> {
        let contributions = weighed.contributions();
        let mut parts: Vec<(usize, f32)> =
            contributions.filter(|(_, value)| value.abs() >= LEAST_REASON).collect();
        if parts.len() > REASONS {
            parts.select_nth_unstable_by(REASONS, |a, b| b.1.abs().total_cmp(&a.1.abs()));
            parts.truncate(REASONS);
        }
        let learned_words = parts.into_iter().filter_map(|(at, value)| {
            Some(Reason::new(features.name(page, at)?, value).note("log-odds, learned"))
        });
        let given = learned.keyword_contributions(&features.keywords, &self.keywords);
        let given = given.map(|(number, value)| {
            Reason::new(self.keywords.name(number).to_owned(), value).note("log-odds, keyword")
        });
        let mut reasons: Vec<Reason> = learned_words.chain(given).collect();
        reasons.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()).then(a.part.cmp(&b.part)));
        reasons.truncate(REASONS);
        if reasons.is_empty() {
            reasons.push(Reason::new("words", 0.0).note("none that was learned"));
        }
        reasons
    }

    fn cold_reasons(&self, features: &Features) -> Vec<Reason> {
        let length = features.keywords.length;
        let mut found: Vec<Reason> = features
            .keywords
            .found
            .iter()
            .map(|(number, count)| {
                let note =
                    format!("found {count:.1} times in {length:.0} words; nothing learned yet");
                Reason::new(self.keywords.name(*number).to_owned(), *count).note(note)
            })
            .collect();
        found.sort_by(|a, b| b.value.total_cmp(&a.value));
        found.truncate(REASONS);
        if found.is_empty() {
            found.push(Reason::new("keywords", 0.0).note("none found; nothing learned yet"));
        }
        found
    }

    /// The names of the strongest features, as far as these lessons or earlier ones show them.
    fn name_strongest(&mut self, lessons: &[Lesson<'_>]) {
        let Some(learned) = &self.learned else { return };
        let mut strongest: Vec<(u32, f32)> = learned
            .weights
            .sorted()
            .into_iter()
            .map(|(feature, scale, weight)| (feature, scale * weight))
            .collect();
        strongest.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        strongest.truncate(NAMED);
        let wanted: HashMap<u32, f32> = strongest.iter().copied().collect();
        let mut names: HashMap<u32, String> = HashMap::new();
        for lesson in lessons {
            let features = features::read(&lesson.page, &self.keywords);
            for (at, (feature, _)) in features.found.iter().enumerate() {
                let number = feature.number();
                if wanted.contains_key(&number)
                    && !names.contains_key(&number)
                    && let Some(name) = features.name(&lesson.page, at)
                {
                    names.insert(number, name);
                }
            }
        }
        let named = strongest
            .iter()
            .filter_map(|(feature, weight)| Some((names.get(feature)?.clone(), *weight)));
        self.named = named.collect();
    }

    /// Of everything that a judgement depends on.
    fn fingerprint(&self) -> u64 {
        let mut print = Fingerprint::EMPTY.and(NAME.as_bytes());
        for keyword in self.topic.keywords() {
            print = print.and(keyword.text.as_bytes()).and(&keyword.weight.to_le_bytes());
            for synonym in &keyword.synonyms {
                print = print.and(synonym.as_bytes());
            }
        }
        let topic =
            format!("{:?}", (self.topic.patterns(), self.topic.word_orders(), self.topic.wanted()));
        print = print.and(topic.as_bytes()).and(format!("{:?}", self.config).as_bytes());
        if let Some(learned) = &self.learned {
            for (feature, scale, weight) in learned.weights.sorted() {
                print = print.and(&feature.to_le_bytes()).and(&(scale * weight).to_le_bytes());
            }
            let curve = [learned.curve.slope, learned.curve.offset, learned.threshold];
            print = curve.iter().fold(print, |print, number| print.and(&number.to_le_bytes()));
        }
        print.get()
    }

    fn restored(mut self, state: &[u8]) -> Result<Linear, RestoreError> {
        let unreadable = |what: &str| RestoreError::Unreadable(what.to_owned());
        let Some((&FORMAT, state)) = state.split_first() else {
            return Err(unreadable("it is of another format"));
        };
        let kept: Kept =
            postcard::from_bytes(state).map_err(|error| unreadable(&error.to_string()))?;
        let is_ours = |learned: &Learned| learned.rarity.fits(&self.keywords);
        if kept.learned.as_ref().is_some_and(|learned| !is_ours(learned)) {
            return Err(unreadable("it is about another topic"));
        }
        let count = self.keywords.count();
        let in_range = |sample: &Sample| {
            sample.keywords.found.iter().all(|(number, _)| (*number as usize) < count)
        };
        if !kept.samples.iter().all(|(_, sample)| in_range(sample)) {
            return Err(unreadable("it is about another topic"));
        }
        self.samples = Samples::from_kept(kept.samples);
        self.learned = kept.learned.map(Arc::new);
        self.named = kept.named;
        self.version = self.fingerprint();
        Ok(self)
    }
}

/// Before anything was learned: how fast the odds rise with the density of keywords, what part of
/// the dividing density a page without any has, and what other keywords add, up to so many.
const COLD_SLOPE: f32 = 1.5;
const COLD_FLOOR: f32 = 0.05;
const COLD_FOR_ANOTHER: f32 = 0.7;
const COLD_SEVERAL: usize = 2;
/// Contributions below this are not told.
const LEAST_REASON: f32 = 0.01;

/// The format of [`Kept`].
const FORMAT: u8 = 1;

/// What is kept of a model.
#[derive(Serialize, Deserialize)]
struct Kept {
    samples: Vec<(u64, Sample)>,
    learned: Option<Learned>,
    named: Vec<(String, f32)>,
}

impl Model for Linear {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let features = self.read(page);
        let (log_odds, threshold, reasons) = match &self.learned {
            Some(learned) => {
                let weighed = learned.weigh(&features, &self.keywords);
                let reasons = self.learned_reasons(learned, page, &features, &weighed);
                (learned.curve.log_odds(weighed.distance), learned.threshold, reasons)
            }
            None => {
                let reasons = self.cold_reasons(&features);
                (self.cold_log_odds(&features), self.cold_threshold(), reasons)
            }
        };
        Judgement {
            score: Score::clamped(calibration::logistic(f64::from(log_odds)) as f32),
            threshold: Score::clamped(threshold),
            model: NAME.to_owned(),
            version: self.version,
            reasons: reasons.into_iter().collect(),
        }
    }

    fn marks(&self, text: &str) -> Vec<Mark> {
        let mut marks: Vec<Mark> = keywords::places(&self.keywords, text)
            .into_iter()
            .map(|(span, number)| Mark {
                span,
                name: self.keywords.name(number).to_owned(),
                value: 1.0,
            })
            .collect();
        if let Some(learned) = &self.learned {
            let is_taken = |span: &std::ops::Range<usize>, marks: &[Mark]| {
                marks.iter().any(|mark| mark.span.start < span.end && span.start < mark.span.end)
            };
            let given = marks.clone();
            words::each_word_at(text, |span, word| {
                let weight = learned.weights.get(features::of_word(word));
                let value = weight.map_or(0.0, |(scale, weight)| scale * weight);
                if value.abs() >= LEAST_MARK && !is_taken(&span, &given) {
                    marks.push(Mark { span, name: word.to_owned(), value });
                }
            });
            marks.sort_by_key(|mark| mark.span.start);
        }
        marks
    }

    fn taught(&self, lessons: &[Lesson<'_>]) -> Option<Box<dyn Model>> {
        let mut model = self.clone();
        model.samples = self.samples.with(lessons, &self.topic, &self.keywords);
        let learned = training::train(&model.samples, &self.keywords, self.terms());
        if let Some(learned) = learned {
            model.learned = Some(Arc::new(learned));
            model.name_strongest(lessons);
            model.version = model.fingerprint();
        }
        Some(Box::new(model))
    }

    fn appetite(&self) -> Appetite {
        Appetite::Batches
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn state(&self) -> Option<Vec<u8>> {
        let has_samples = [Known::Relevant, Known::Irrelevant, Known::Nothing]
            .iter()
            .any(|kind| self.samples.count(*kind) > 0);
        if !has_samples {
            return None;
        }
        let kept = Kept {
            samples: self.samples.to_kept(),
            learned: self.learned.as_deref().cloned(),
            named: self.named.clone(),
        };
        let body = postcard::to_stdvec(&kept).ok()?;
        Some([&[FORMAT], body.as_slice()].concat())
    }

    fn strongest(&self, count: usize) -> Vec<(String, f32)> {
        self.named.iter().take(count).cloned().collect()
    }
}

/// Words that weigh less are not marked.
const LEAST_MARK: f32 = 0.05;

#[cfg(test)]
mod tests;
