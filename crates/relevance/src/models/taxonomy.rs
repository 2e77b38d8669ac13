//! A classifier trained on example pages and the taxonomy around the topic (S3.1).
//!
//! The classes are the topic itself, its subtopics, its neighbours and anything
//! else. A page's relevance is `R = Σ Pr[c|page]` over the good ones, the topic
//! and its subtopics, as in Chakrabarti, van den Berg and Dom (1999): naive Bayes
//! down a tree of choices, each by the terms that tell its classes apart best.
//! Links are accepted or rejected by their words in the same way.
//!
//! Every class learns from the pages that are said to be about it; anything else
//! learns from irrelevant pages, and from unlabelled ones as long as there are no
//! irrelevant. Keywords count as a few pages of which one word in thirty is a
//! keyword, so classes can be told apart before there is a page. How loud a long
//! page speaks, and the threshold, are found on held-out labelled pages; without
//! them a page speaks with 32 words and the threshold is 0.5.
//!
//! **Choose it when** there are neighbouring topics to keep out, with examples of
//! them. **Cost:** one pass over the text; a fraction of a second to learn from a
//! few hundred pages. **Weakness:** probabilities of naive Bayes are skewed, since
//! the words of a page depend on each other. Speaking more quietly makes them
//! smoother, not truer. With ten relevant and two hundred irrelevant examples its
//! mean F1 is 0.48 on newsgroups, 0.35 on university pages and 0.58 on an
//! encyclopedia; with fifty, 0.62, 0.47 and 0.71.

mod choice;
mod classes;
mod training;

use std::sync::OnceLock;

use gannet_model::{Judgement, Reason, Score, SettingsError};

use crate::experience::{Experience, Label, each_term, language_of, stems, term_of};
use crate::fingerprint::Fingerprint;
use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::model::{Appetite, Entry, Mark, Model, Origin};
use crate::{Lesson, Sight, Topic, words};
use classes::{Choice, Class};
use training::Learned;

const NAME: &str = "taxonomy";

pub(crate) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "naive Bayes over the topic, its subtopics, its neighbours and the rest (S3.1)",
    origin: Origin::Published("S3.1"),
    build: |topic, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Taxonomy::new(topic, config, Experience::default())))
    },
    restore: Some(|topic, settings, bytes| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Taxonomy::new(topic, config, Experience::from_bytes(bytes)?)))
    }),
};

/// `[relevance.taxonomy]`
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// How many terms each choice looks at.
    terms: usize,
}

impl Default for Config {
    /// A third of it or four times as many makes no difference that can be measured.
    fn default() -> Config {
        Config { terms: 1000 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        if self.terms > 0 {
            return Ok(());
        }
        Err(SettingsError::because("`terms` is 0; write how many terms to look at, such as 1000"))
    }
}

/// Classes named in the reasons of a judgement, the likeliest.
const CLASSES_SHOWN: usize = 3;
/// Terms named in the reasons of a judgement, those that say the most.
const TERMS_SHOWN: usize = 5;
/// Terms that say less than this for or against are not marked: twice as common on one side.
const WORTH_MARKING: f32 = std::f32::consts::LN_2;
/// A threshold of nothing would let blank pages in.
const LEAST_THRESHOLD: f32 = 1e-6;

struct Taxonomy {
    topic: Topic,
    config: Config,
    experience: Experience,
    /// The language of texts that do not show theirs.
    home: Language,
    classes: Vec<Class>,
    plan: Vec<Choice>,
    learned: Learned,
    /// One more than the number of each term, for each language, made when first needed.
    lexicons: [OnceLock<Lexicon<u32>>; Language::COUNT],
    version: u64,
}

/// The known terms of a page by their numbers, in the order of the page.
struct Read {
    counts: Vec<(u32, u32)>,
    length: u32,
}

impl Taxonomy {
    fn new(topic: &Topic, config: Config, experience: Experience) -> Taxonomy {
        let classes = classes::classes(topic);
        let plan = classes::choices(&classes);
        let learned = training::learn(topic, &classes, &plan, &experience, config.terms);
        // The topic cannot fail to be written.
        let version = Fingerprint::EMPTY
            .and(NAME.as_bytes())
            .and(&postcard::to_stdvec(topic).unwrap_or_default())
            .and(&config.terms.to_le_bytes())
            .and(&experience.to_bytes());
        Taxonomy {
            topic: topic.clone(),
            config,
            home: experience.home(),
            experience,
            classes,
            plan,
            learned,
            lexicons: [const { OnceLock::new() }; Language::COUNT],
            version: version.get(),
        }
    }

    /// Every term, and in other languages than ours also the keywords as they are stemmed there.
    fn lexicon(&self, language: Language) -> &Lexicon<u32> {
        self.lexicons[language.number()].get_or_init(|| {
            let mut lexicon = Lexicon::new();
            for (term, number) in self.learned.terms.iter().zip(1..) {
                *lexicon.entry(term) = number;
            }
            let (mut ours, mut theirs) = (String::new(), String::new());
            for (word, _) in self.classes.iter().flat_map(Class::words) {
                let number = lexicon.get(self.home.stem(word, &mut ours)).copied();
                let alias = lexicon.entry(language.stem(word, &mut theirs));
                if *alias == 0 {
                    *alias = number.unwrap_or(0);
                }
            }
            lexicon
        })
    }

    fn read(&self, page: &Sight<'_>) -> Read {
        let language = language_of(page, self.home);
        let lexicon = self.lexicon(language);
        let mut places = vec![0_u32; self.learned.terms.len()];
        let mut read = Read { counts: Vec::new(), length: 0 };
        each_term(page, language, |term| {
            read.length = read.length.saturating_add(1);
            let number =
                term.and_then(|term| lexicon.get(term)).and_then(|number| number.checked_sub(1));
            let Some(number) = number else { return };
            let place = &mut places[number as usize];
            if *place == 0 {
                read.counts.push((number, 0));
                *place = read.counts.len() as u32;
            }
            read.counts[*place as usize - 1].1 += 1;
        });
        read
    }

    /// What one occurrence of a term says for the topic, in all choices that part it from others.
    fn weight(&self, term: u32) -> f32 {
        let choices = self.plan.iter().zip(&self.learned.choices);
        let telling = choices.filter(|(choice, _)| classes::is_telling(&self.classes, choice));
        telling.filter_map(|(_, trained)| trained.weight(term)).map(|(weight, _)| weight).sum()
    }

    fn reasons(&self, read: &Read, shares: &[f32], scale: f32) -> Vec<Reason> {
        let mut classes: Vec<(&Class, f32)> =
            self.classes.iter().zip(shares.iter().copied()).collect();
        classes.sort_by(|a, b| b.1.total_cmp(&a.1));
        let classes = classes.into_iter().take(CLASSES_SHOWN).map(|(class, share)| {
            let note = if class.kind.is_good() { "wanted" } else { "not wanted" };
            Reason::new(class.name.clone(), share).note(note)
        });
        let mut said: Vec<(u32, u32, f32)> = read
            .counts
            .iter()
            .map(|(term, count)| (*term, *count, *count as f32 * scale * self.weight(*term)))
            .collect();
        said.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
        let terms = said.into_iter().take(TERMS_SHOWN).map(|(term, count, said)| {
            let note = format!("{count} in {} words, adds to the log-odds", read.length);
            Reason::new(self.learned.terms[term as usize].clone(), said).note(note)
        });
        classes.chain(terms).collect()
    }
}

impl Model for Taxonomy {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let read = self.read(page);
        let Learned { choices, loudness, threshold, .. } = &self.learned;
        let judgement = |score: f32, reasons: Vec<Reason>| Judgement {
            score: Score::clamped(score),
            threshold: Score::clamped(threshold.max(LEAST_THRESHOLD)),
            model: NAME.to_owned(),
            version: self.version,
            reasons: reasons.into_iter().collect(),
        };
        if read.length == 0 {
            return judgement(0.0, vec![Reason::new("words", 0.0).note("none")]);
        }
        let evidence = training::evidence(choices, &read.counts, read.length);
        let scale = training::scale(read.length, *loudness);
        let posteriors = training::posteriors(choices, &evidence, scale);
        let shares = classes::of_classes(&self.classes, &self.plan, &posteriors);
        let score = classes::relevance(&self.classes, &self.plan, &posteriors);
        judgement(score, self.reasons(&read, &shares, scale))
    }

    fn marks(&self, text: &str) -> Vec<Mark> {
        let lexicon = self.lexicon(self.home);
        let mut marks = Vec::new();
        let mut buffer = String::new();
        words::each_word_at(text, |span, word| {
            let term = term_of(word, self.home, &mut buffer).and_then(|term| lexicon.get(term));
            let Some(number) = term.and_then(|number| number.checked_sub(1)) else { return };
            let value = self.weight(number);
            if value.abs() >= WORTH_MARKING {
                let name = self.learned.terms[number as usize].clone();
                marks.push(Mark { span, name, value });
            }
        });
        marks
    }

    fn taught(&self, lessons: &[Lesson<'_>]) -> Option<Box<dyn Model>> {
        let experience = self.experience.with(lessons, |page, language| {
            stems(page, if language == Language::UNKNOWN { self.home } else { language })
        })?;
        Some(Box::new(Taxonomy::new(&self.topic, self.config, experience)))
    }

    /// Pages that nobody labelled stand for anything else as long as nobody said what is irrelevant.
    fn appetite(&self) -> Appetite {
        let mut pages = self.experience.pages().iter();
        if pages.any(|page| page.label == Label::Irrelevant) {
            Appetite::None
        } else {
            Appetite::Batches
        }
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(self.experience.to_bytes())
    }

    /// By what they say times how often they stand on pages of the topic.
    fn strongest(&self, count: usize) -> Vec<(String, f32)> {
        let Some(world) = self.learned.choices.first() else {
            return Vec::new();
        };
        let mut strongest: Vec<(&String, f32, f32)> = self
            .learned
            .terms
            .iter()
            .zip(0..)
            .filter_map(|(term, number)| {
                let (_, share) = world.weight(number)?;
                Some((term, self.weight(number), share))
            })
            .collect();
        strongest.sort_by(|a, b| (b.1 * b.2).total_cmp(&(a.1 * a.2)));
        strongest.truncate(count);
        strongest.into_iter().map(|(term, weight, _)| (term.clone(), weight)).collect()
    }
}

#[cfg(test)]
mod tests;
