//! Keywords with learned weights, averaged over those found: `R = Σ W(kw found) / number found` (S2.1–S2.5).
//!
//! A keyword is a word or phrase with its synonyms, a regular expression, or
//! two words in a prescribed order. Its weight is learned from judged pages:
//! `W(kw) = Nr/Pr − Ni/Pi`, where `Nr` and `Ni` say how often it was found in
//! relevant and irrelevant pages and `Pr` and `Pi` how many of these there
//! were; without pages of a kind that term is 0. Pages with a label count by
//! it, all others by the model's own verdict, as soon as it is given. Until
//! enough pages were judged, weights are the user's, scaled so that the largest
//! is 1. When nothing is found, `R` is 0; below 0, the score is 0.
//!
//! **Choose it when** there is a large dictionary, and for its
//! [turnover report](Model::turnover): which keywords earn their place.
//! **Cost:** one pass over the text, whatever the number of keywords.
//! **Weakness:** the average forgets how much was found: a page with one good
//! keyword scores as high as a page full of them. And what it learns from its
//! own verdicts confirms them; labels keep it honest.

mod counts;
mod expressions;
mod finder;
mod labelled;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use gannet_model::{Document, Judgement, Reason, Reasons, Score, Settings, SettingsError};
use serde::{Deserialize, Serialize};

use crate::experience::Label;
use crate::fingerprint::{self, Fingerprint};
use crate::model::{Appetite, Entry, Mark, Model, Origin, RestoreError};
use crate::turnover::{Standing, Turnover};
use crate::{Lesson, Sight, Teaching, Topic, threshold};
use counts::{Contribution, Counts, Pages, Seen};
use finder::Finder;
use labelled::Labelled;

const NAME: &str = "dictionary";

pub(crate) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "regular expressions, synonyms and word order with learned weights (S2.1–S2.5)",
    origin: Origin::Published("S2.1–S2.5"),
    build: |topic, settings| Ok(Box::new(Dictionary::new(topic, settings)?)),
    restore: Some(|topic, settings, bytes| {
        Ok(Box::new(Dictionary::new(topic, settings)?.remembering(bytes)?))
    }),
};

/// `[relevance.dictionary]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// A page is relevant when the mean weight of the keywords found in it is at least this.
    /// Labelled pages of both kinds replace it by the threshold that tells them apart best.
    threshold: f32,
    /// Count a keyword at most once in a page, so that weights stay between −1 and 1.
    once_per_page: bool,
    /// The user's weights hold until this many pages were judged, or one was labelled. With 1, as
    /// the paper may be read, the first page decides: whatever keywords it lacks weigh nothing
    /// from then on, pages with these alone are irrelevant, and the model never recovers.
    warm_up: u32,
}

impl Default for Config {
    /// A hundred pages show most keywords; with fifty, and still more with one, F1 on newsgroups
    /// falls.
    fn default() -> Config {
        Config { threshold: 0.1, once_per_page: true, warm_up: 100 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        if self.threshold > 0.0 && self.threshold <= 1.0 {
            return Ok(());
        }
        let threshold = self.threshold;
        Err(SettingsError::because(format!(
            "`threshold` is {threshold}; write a mean weight above 0 and up to 1, such as 0.1"
        )))
    }
}

/// Reasons given with a judgement: the strongest keywords.
const REASONS: usize = 5;
/// A threshold of nothing would let blank pages in.
const LEAST_THRESHOLD: f32 = 1e-4;
/// Between this weight and its negative a keyword speaks for nothing: it stands in at most five
/// more relevant pages of a hundred than irrelevant ones.
const NEUTRAL: f32 = 0.05;
/// Pages in which a keyword must have been found before it may be called harmful.
const PAGES_TO_DROP: u32 = 5;
/// The first byte of what is kept; another number is another format.
const FORMAT: u8 = 1;

#[derive(Clone)]
struct Dictionary {
    given: Arc<Given>,
    counts: Counts,
    labelled: Arc<Labelled>,
    threshold: Score,
    version: u64,
}

/// What never changes.
struct Given {
    topic: Topic,
    config: Config,
    finder: Finder,
    /// The user's weight of each entry, the largest being 1.
    weights: Vec<f32>,
    /// Of the entries and of how they are counted: counts are kept for these alone.
    identity: Fingerprint,
    /// Of all that is given.
    version: Fingerprint,
}

/// What is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    identity: u64,
    pages: Pages,
    found: Vec<(u32, Seen)>,
    labelled: Labelled,
}

impl Given {
    fn new(topic: &Topic, config: Config) -> Result<Given, SettingsError> {
        let weights = weights(topic);
        let mut identity =
            Fingerprint::EMPTY.and(NAME.as_bytes()).and(&[config.once_per_page.into()]);
        for keyword in topic.keywords() {
            identity = identity.and(keyword.text.as_bytes());
            for synonym in &keyword.synonyms {
                identity = identity.and(b"=").and(synonym.as_bytes());
            }
        }
        for pattern in topic.patterns() {
            identity = identity.and(b"/").and(pattern.regex.as_bytes());
        }
        for order in topic.word_orders() {
            identity = identity.and(order.first.as_bytes()).and(order.then.as_bytes());
            identity = identity.and(&order.within.to_le_bytes());
        }
        let mut version = identity.and(&config.threshold.to_le_bytes());
        version = version.and(&config.warm_up.to_le_bytes());
        for weight in &weights {
            version = version.and(&weight.to_le_bytes());
        }
        let finder = Finder::new(topic)?;
        Ok(Given { topic: topic.clone(), config, finder, weights, identity, version })
    }

    /// What an entry is called.
    fn name(&self, entry: u32) -> String {
        let (keywords, patterns) = (self.topic.keywords(), self.topic.patterns());
        let at = entry as usize;
        if let Some(keyword) = keywords.get(at) {
            return keyword.text.clone();
        }
        let at = at - keywords.len();
        if let Some(pattern) = patterns.get(at) {
            return format!("/{}/", pattern.regex);
        }
        let order = self.topic.word_orders().get(at - patterns.len());
        order.map(|order| format!("{} … {}", order.first, order.then)).unwrap_or_default()
    }
}

/// The user's weights, the largest being 1.
fn weights(topic: &Topic) -> Vec<f32> {
    let keywords = topic.keywords().iter().map(|keyword| keyword.weight * topic.scale());
    let patterns = topic.patterns().iter().map(|pattern| pattern.weight);
    let orders = topic.word_orders().iter().map(|order| order.weight);
    let mut weights: Vec<f32> = keywords.chain(patterns).chain(orders).collect();
    let largest = weights.iter().copied().fold(0.0, f32::max);
    if largest > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= largest);
    }
    weights
}

impl Dictionary {
    fn new(topic: &Topic, settings: &Settings) -> Result<Dictionary, SettingsError> {
        let config: Config = settings.read()?;
        config.check()?;
        let given = Given::new(topic, config)?;
        let counts = Counts::new(given.weights.len());
        Ok(Dictionary {
            given: Arc::new(given),
            counts,
            labelled: Arc::default(),
            threshold: Score::ZERO,
            version: 0,
        }
        .settled())
    }

    /// With what was kept.
    fn remembering(self, bytes: &[u8]) -> Result<Dictionary, RestoreError> {
        let unreadable = |because: &str| RestoreError::Unreadable(because.to_owned());
        let Some((&FORMAT, rest)) = bytes.split_first() else {
            return Err(unreadable("it was written in another format; teach the model again"));
        };
        let kept: Kept =
            postcard::from_bytes(rest).map_err(|error| unreadable(&error.to_string()))?;
        if kept.identity != self.given.identity.get() {
            return Err(unreadable("it was learned for other keywords; teach the model again"));
        }
        let entries = self.given.weights.len();
        let counts = Counts::restored(entries, kept.pages, &kept.found);
        match counts {
            Some(counts) if kept.labelled.fits(entries) => {
                let labelled = Arc::new(kept.labelled);
                Ok(Dictionary { counts, labelled, ..self }.settled())
            }
            _ => Err(unreadable("it counts keywords that there are not; teach the model again")),
        }
    }

    /// With threshold and version that follow from the counts.
    fn settled(mut self) -> Dictionary {
        let judged: Vec<_> = self
            .labelled
            .sample()
            .map(|page| (Score::clamped(self.relevance_without(page)).get(), page.is_relevant))
            .collect();
        let Given { topic, config, version, .. } = &*self.given;
        let tuned = threshold(&judged, topic.wanted()).unwrap_or(config.threshold);
        self.threshold = Score::clamped(tuned.max(LEAST_THRESHOLD));
        self.version = version
            .and(&self.counts.stamp().to_le_bytes())
            .and(&[u8::from(self.labelled.is_empty())])
            .and(&self.threshold.get().to_le_bytes())
            .get();
        self
    }

    /// True once weights are learned ones.
    fn has_learned(&self) -> bool {
        let Pages { relevant, irrelevant } = self.counts.pages();
        let judged = u64::from(relevant) + u64::from(irrelevant);
        judged >= u64::from(self.given.config.warm_up.max(1)) || !self.labelled.is_empty()
    }

    /// `W(kw)`.
    fn weight(&self, entry: u32) -> f32 {
        if self.has_learned() {
            self.counts.weight(entry)
        } else {
            self.given.weights[entry as usize]
        }
    }

    /// `R(page)`.
    fn relevance(&self, found: &[(u32, u32)]) -> f32 {
        mean(found.iter().map(|(entry, _)| self.weight(*entry)))
    }

    /// `R(page)` of a page that was counted, had it not been: for a threshold that also serves
    /// pages from which nothing was learned.
    fn relevance_without(&self, page: Contribution<'_>) -> f32 {
        let entries = page.found.iter();
        mean(
            entries
                .map(|(entry, times)| self.counts.weight_without(*entry, *times, page.is_relevant)),
        )
    }

    /// How often each entry found counts.
    fn counted(&self, mut found: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
        if self.given.config.once_per_page {
            found.iter_mut().for_each(|(_, times)| *times = 1);
        }
        found
    }

    /// Learns from a page of which a person said what it is; false when that is known.
    fn hear(&mut self, page: &Sight<'_>, is_relevant: bool) -> bool {
        let Some(fingerprint) = fingerprint::of_text(page).map(Fingerprint::get) else {
            return false;
        };
        if let Some(known) = self.labelled.get(fingerprint) {
            if known.is_relevant == is_relevant {
                return false;
            }
            self.counts.take_back(known);
        }
        let found = self.counted(self.given.finder.find(texts(page.document)));
        let page = Contribution { found: &found, is_relevant };
        self.counts.add(page);
        Arc::make_mut(&mut self.labelled).insert(fingerprint, page);
        true
    }

    /// Learns from a page by its own verdict; false when there is nothing to judge.
    fn meet(&mut self, page: &Sight<'_>) -> bool {
        let is_heard = || {
            let fingerprint = fingerprint::of_text(page).map(Fingerprint::get);
            fingerprint.is_some_and(|fingerprint| self.labelled.is_known(fingerprint))
        };
        if page.document.is_blank() || (!self.labelled.is_empty() && is_heard()) {
            return false;
        }
        let found = self.counted(self.given.finder.find(texts(page.document)));
        let is_relevant = Score::clamped(self.relevance(&found)) >= self.threshold;
        self.counts.add(Contribution { found: &found, is_relevant });
        true
    }

    /// What the score is made of, strongest first.
    fn reasons(&self, found: &[(u32, u32)]) -> Reasons {
        let mut strongest: Vec<(u32, u32, f32)> =
            found.iter().map(|(entry, times)| (*entry, *times, self.weight(*entry))).collect();
        strongest.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
        let reason = |(entry, times, weight): (u32, u32, f32)| {
            let share = weight / found.len() as f32;
            Reason::new(self.given.name(entry), share).note(self.note(entry, times, weight))
        };
        if strongest.is_empty() {
            return Reasons::one(Reason::new("keywords", 0.0).note("none found"));
        }
        strongest.into_iter().take(REASONS).map(reason).collect()
    }

    fn note(&self, entry: u32, times: u32, weight: f32) -> String {
        let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
        if !self.has_learned() {
            return format!("{times}, weight {weight:.2} as given");
        }
        let (seen, pages) = (self.counts.of(entry), self.counts.pages());
        let (Seen { relevant, irrelevant, .. }, of) = (seen, pages);
        let found = if self.given.config.once_per_page { "in" } else { "occurrences for" };
        format!(
            "{times}, weight {weight:+.2}: {relevant} {found} {} relevant pages, {irrelevant} \
             {found} {} others",
            of.relevant, of.irrelevant
        )
    }
}

impl Model for Dictionary {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let found = self.given.finder.find(texts(page.document));
        Judgement {
            score: Score::clamped(self.relevance(&found)),
            threshold: self.threshold,
            model: NAME.to_owned(),
            version: self.version,
            reasons: self.reasons(&found),
        }
    }

    fn judge_blocks(&self, document: &Document) -> Vec<Score> {
        let blocks = document.blocks.iter().map(|block| {
            let heading = block.heading.as_ref().map(|heading| heading.text.as_str());
            let texts = heading.into_iter().chain([block.text.as_str()]);
            Score::clamped(self.relevance(&self.given.finder.find(texts)))
        });
        blocks.collect()
    }

    fn judge_text(&self, text: &str) -> Score {
        Score::clamped(self.relevance(&self.given.finder.find([text])))
    }

    fn marks(&self, text: &str) -> Vec<Mark> {
        let places = self.given.finder.places(text).into_iter();
        let mark =
            |(span, entry)| Mark { span, name: self.given.name(entry), value: self.weight(entry) };
        places.map(mark).collect()
    }

    fn taught(&self, lessons: &[Lesson<'_>]) -> Option<Box<dyn Model>> {
        let mut next = self.clone();
        let mut is_changed = false;
        for lesson in lessons {
            if let Some(is_relevant) = Label::of(lesson.teaches).truth(&self.given.topic) {
                is_changed |= next.hear(&lesson.page, is_relevant);
            }
        }
        next = next.settled();
        // Each page is judged by what was learned from all before it.
        for lesson in lessons.iter().filter(|lesson| lesson.teaches == Teaching::Nothing) {
            if next.meet(&lesson.page) {
                is_changed = true;
                next = next.settled();
            }
        }
        is_changed.then(|| Box::new(next) as Box<dyn Model>)
    }

    fn appetite(&self) -> Appetite {
        Appetite::EveryPage
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn state(&self) -> Option<Vec<u8>> {
        if self.counts.pages() == Pages::default() {
            return None;
        }
        let kept = Kept {
            identity: self.given.identity.get(),
            pages: self.counts.pages(),
            found: self.counts.found(),
            labelled: (*self.labelled).clone(),
        };
        // Writing into memory cannot fail for what borrows nothing and whose lengths are known.
        Some(postcard::to_extend(&kept, vec![FORMAT]).unwrap_or_default())
    }

    fn strongest(&self, count: usize) -> Vec<(String, f32)> {
        let mut all: Vec<(u32, f32)> = self.entries().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(count);
        all.into_iter().map(|(entry, weight)| (self.given.name(entry), weight)).collect()
    }

    fn turnover(&self) -> Vec<Turnover> {
        let mut all: Vec<(u32, f32)> = self.entries().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        let report = |(entry, weight): (u32, f32)| {
            let pages = self.counts.of(entry).pages;
            let standing = standing(weight);
            Turnover {
                keyword: self.given.name(entry),
                weight,
                standing,
                pages: u64::from(pages),
                is_droppable: standing == Standing::Irrelevant && pages >= PAGES_TO_DROP,
            }
        };
        all.into_iter().map(report).collect()
    }
}

impl Dictionary {
    /// Every entry with its weight.
    fn entries(&self) -> impl Iterator<Item = (u32, f32)> {
        (0..self.given.weights.len() as u32).map(|entry| (entry, self.weight(entry)))
    }
}

fn standing(weight: f32) -> Standing {
    if weight > NEUTRAL {
        Standing::Relevant
    } else if weight < -NEUTRAL {
        Standing::Irrelevant
    } else {
        Standing::Neutral
    }
}

fn mean(numbers: impl ExactSizeIterator<Item = f32>) -> f32 {
    let count = numbers.len();
    if count == 0 { 0.0 } else { numbers.sum::<f32>() / count as f32 }
}

/// Title, headings and blocks.
fn texts(document: &Document) -> impl Iterator<Item = &str> {
    std::iter::once(document.title.as_str()).chain(document.text())
}
