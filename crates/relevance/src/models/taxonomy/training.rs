//! From what was taught to trained choices, how loud pages speak, and the threshold.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::choice::{Bayes, LIFT, Lore, Sample};
use super::classes::{self, Choice, Class, Kind};
use crate::experience::{Experience, Label, Remembered, term_of};
use crate::language::Language;
use crate::{Topic, threshold};

/// The share of a page's words that are thought to be keywords of what it is about. One in a
/// hundred finds more pages and lets more others in.
const KEYWORD_SHARE: f32 = 0.03;
/// How likely a page is about the topic's family when no labels tell.
const EVEN: f32 = 0.5;
/// The words that a page speaks with when no labels tell: so many that a page with its share of
/// keywords is likely on the topic, and so few that none is certain to be.
const UNTAUGHT_LOUDNESS: f32 = 32.0;
/// The words that pages may speak with, of which held-out pages choose.
const LOUDNESSES: [f32; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
/// The threshold as long as no labels tell.
const UNTAUGHT_THRESHOLD: f32 = 0.5;
/// The probability below which being wrong costs no more, lest one odd page decide.
const LEAST_PROBABILITY: f32 = 1e-4;

/// What was learned.
pub(super) struct Learned {
    /// The terms that any choice looks at; their places are their numbers.
    pub(super) terms: Vec<String>,
    /// Trained, in the order of the [choices](classes::choices).
    pub(super) choices: Vec<Bayes>,
    /// The words that a page of more speaks with.
    pub(super) loudness: f32,
    pub(super) threshold: f32,
}

/// What is learned from, by the numbers of terms: those of the experience, then those of keywords.
struct School<'a> {
    topic: &'a Topic,
    classes: &'a [Class],
    plan: &'a [Choice],
    experience: &'a Experience,
    /// The class that each page teaches.
    teachers: Vec<Option<usize>>,
    samples: Vec<Sample>,
    /// The share of words that each keyword of each class is thought to be.
    keywords: Vec<Vec<(u32, f32)>>,
    terms: Vec<String>,
    /// Terms that each choice looks at, at most.
    most: usize,
}

/// Learns all there is to learn.
pub(super) fn learn(
    topic: &Topic,
    classes: &[Class],
    plan: &[Choice],
    experience: &Experience,
    most: usize,
) -> Learned {
    let school = School::new(topic, classes, plan, experience, most);
    let choices = school.train(&|_| true);
    let (loudness, judged) = school.tuned_loudness();
    let threshold = threshold(&judged, topic.wanted()).unwrap_or(UNTAUGHT_THRESHOLD);
    let all = 0..u32::try_from(school.terms.len()).unwrap_or(u32::MAX);
    let kept: Vec<u32> =
        all.filter(|term| choices.iter().any(|choice| choice.looks_at(*term))).collect();
    let terms = kept.iter().map(|term| school.terms[*term as usize].clone()).collect();
    let choices = choices.into_iter().map(|choice| choice.renumbered(&kept)).collect();
    Learned { terms, choices, loudness, threshold }
}

impl<'a> School<'a> {
    fn new(
        topic: &'a Topic,
        classes: &'a [Class],
        plan: &'a [Choice],
        experience: &'a Experience,
        most: usize,
    ) -> School<'a> {
        let mut terms = Terms::of(experience);
        let keywords = classes.iter().map(|class| terms.keywords(class)).collect();
        School {
            topic,
            classes,
            plan,
            experience,
            teachers: classes::teachers(classes, experience),
            samples: experience.pages().iter().map(sample).collect(),
            keywords,
            terms: terms.all,
            most,
        }
    }

    /// Trains every choice on the pages of which it is told so.
    fn train(&self, is_taught: &dyn Fn(usize) -> bool) -> Vec<Bayes> {
        let of_class = self.pages_of_classes(is_taught);
        let family = self.prior_of_family(is_taught);
        let choices = self.plan.iter().enumerate();
        let train = |(nth, choice): (usize, &Choice)| {
            let priors = if nth == 0 {
                vec![family, 1.0 - family]
            } else {
                vec![1.0 / choice.len() as f32; choice.len()]
            };
            let sets = choice.iter().zip(priors);
            let sets: Vec<Lore<'_>> =
                sets.map(|(set, prior)| self.lore(set, &of_class, prior)).collect();
            Bayes::train(&sets, self.terms.len(), self.most)
        };
        choices.map(train).collect()
    }

    fn pages_of_classes(&self, is_taught: &dyn Fn(usize) -> bool) -> Vec<Vec<&Sample>> {
        let mut of_class = vec![Vec::new(); self.classes.len()];
        for (place, class) in self.teachers.iter().enumerate() {
            if let Some(class) = class.filter(|_| is_taught(place)) {
                of_class[class].push(&self.samples[place]);
            }
        }
        of_class
    }

    fn lore<'b>(&'b self, set: &[usize], of_class: &[Vec<&'b Sample>], prior: f32) -> Lore<'b> {
        let pages: Vec<&Sample> = set.iter().flat_map(|class| &of_class[*class]).copied().collect();
        let mut keywords: BTreeMap<u32, f32> = BTreeMap::new();
        for (term, share) in set.iter().flat_map(|class| &self.keywords[*class]) {
            *keywords.entry(*term).or_default() += share / set.len() as f32;
        }
        // Where only the topic's pages are known, their words are thought to be rarer elsewhere.
        let is_unknown_world =
            pages.is_empty() && set.iter().any(|class| self.classes[*class].kind == Kind::Other);
        let rarity = if is_unknown_world { 1.0 / LIFT } else { 1.0 };
        Lore { pages, keywords: keywords.into_iter().collect(), rarity, prior }
    }

    /// The share of the labelled pages that are of the topic's family, as if one more were of it
    /// and one not.
    fn prior_of_family(&self, is_taught: &dyn Fn(usize) -> bool) -> f32 {
        let pages = self.experience.pages().iter().enumerate();
        let pages = pages.filter(|(place, _)| is_taught(*place)).map(|(_, page)| page);
        let (mut family, mut others) = (0_u32, 0_u32);
        for page in pages {
            match page.label {
                Label::Irrelevant => others += 1,
                Label::Nothing => {}
                Label::Relevant | Label::Relative(_) => family += 1,
            }
        }
        if others == 0 { EVEN } else { (family as f32 + 1.0) / ((family + others) as f32 + 2.0) }
    }

    /// How loud pages must speak for held-out pages to be the least surprising, and their scores.
    fn tuned_loudness(&self) -> (f32, Vec<(f32, bool)>) {
        let heard = self.experience.held_out(
            self.topic,
            |is_taught| Rc::new(self.train(is_taught)),
            |choices, page| {
                let evidence = evidence(choices, &page.counts, page.length);
                (Rc::clone(choices), evidence, page.length)
            },
        );
        let mut best = (UNTAUGHT_LOUDNESS, Vec::new());
        let mut least = f32::INFINITY;
        for loudness in LOUDNESSES.into_iter().filter(|_| !heard.is_empty()) {
            let judged: Vec<(f32, bool)> = heard
                .iter()
                .map(|((choices, evidence, length), truth)| {
                    let posteriors = posteriors(choices, evidence, scale(*length, loudness));
                    (classes::relevance(self.classes, self.plan, &posteriors), *truth)
                })
                .collect();
            let surprise = surprise(&judged);
            if surprise < least {
                (best, least) = ((loudness, judged), surprise);
            }
        }
        best
    }
}

/// What the words of a page say in each choice.
pub(super) fn evidence(choices: &[Bayes], counts: &[(u32, u32)], length: u32) -> Vec<Vec<f32>> {
    choices.iter().map(|choice| choice.evidence(counts, length)).collect()
}

/// The probabilities of the sets of each choice.
pub(super) fn posteriors(choices: &[Bayes], evidence: &[Vec<f32>], scale: f32) -> Vec<Vec<f32>> {
    let heard = choices.iter().zip(evidence);
    heard.map(|(choice, evidence)| choice.posteriors(evidence, scale)).collect()
}

/// How much each word of a page counts: a page of more words than it may speak with speaks with
/// so many. Words that stand together are not independent; taken for that, they would make naive
/// Bayes certain of everything.
pub(super) fn scale(length: u32, loudness: f32) -> f32 {
    (loudness / (length as f32).max(1.0)).min(1.0)
}

/// The mean logarithm of the probability given to what is not so.
fn surprise(judged: &[(f32, bool)]) -> f32 {
    let of = |(score, truth): &(f32, bool)| {
        let probability = if *truth { *score } else { 1.0 - *score };
        -probability.max(LEAST_PROBABILITY).ln()
    };
    judged.iter().map(of).sum::<f32>() / judged.len().max(1) as f32
}

/// Shares of words: every page counts the same, however long.
fn sample(page: &Remembered) -> Sample {
    let length = page.length.max(1) as f32;
    page.counts.iter().map(|(term, count)| (*term, *count as f32 / length)).collect()
}

/// Terms and their numbers.
struct Terms {
    all: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The language in which keywords are read.
    home: Language,
}

impl Terms {
    fn of(experience: &Experience) -> Terms {
        let all = experience.terms().to_vec();
        Terms { numbers: all.iter().cloned().zip(0..).collect(), all, home: experience.home() }
    }

    /// The share of words that each word of a class's keywords is thought to be.
    fn keywords(&mut self, class: &Class) -> Vec<(u32, f32)> {
        let mut shares: BTreeMap<u32, f32> = BTreeMap::new();
        let mut buffer = String::new();
        for (word, share) in class.words() {
            if let Some(term) = term_of(word, self.home, &mut buffer) {
                *shares.entry(self.number(term)).or_default() += KEYWORD_SHARE * share;
            }
        }
        shares.into_iter().collect()
    }

    fn number(&mut self, term: &str) -> u32 {
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(term.to_owned());
        self.numbers.insert(term.to_owned(), number);
        number
    }
}
