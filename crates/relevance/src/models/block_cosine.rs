//! How like the topic each block is, by the cosine of term counts, summed over the page (S5.1–S5.3).
//!
//! The topic is a table of weights `t_i = n_i / n_max` after stop words and
//! stemming: of the keywords, and of the most frequent terms of relevant
//! examples once there are any. A block is a heading and what follows it; its
//! vector counts its terms. The cosine of the two lies between 0 and 1. A page
//! is as relevant as the sum of its blocks (at most 1), its best block, or
//! their mean weighted by length.
//!
//! Stop words and stems are those of the page's language. The title belongs to
//! the first block when a page is judged, and to none when blocks are.
//!
//! **Choose it when** pages mix topics and links are to be taken from the
//! relevant blocks alone. **Cost:** one pass, with a stem for each word.
//! **Weakness:** the sum favours pages of many blocks, and the most frequent
//! terms of examples are often those of any page. Patterns and word orders of
//! the topic are passed over.

mod examples;
mod table;
#[cfg(test)]
mod tests;
mod vector;

use std::sync::OnceLock;

use gannet_model::{Block, Document, Judgement, Reason, Reasons, Score, Settings, SettingsError};
use serde::Deserialize;

use crate::experience::{Label, language_of, term_of};
use crate::fingerprint::Fingerprint;
use crate::language::Language;
use crate::learn::folds::Folds;
use crate::model::{Entry, Mark, Model, Origin, RestoreError};
use crate::{Judged, Lesson, Sight, Topic, threshold, words};
use examples::{Example, Examples, learned};
use table::Table;
use vector::{Reader, Vector};

const NAME: &str = "block-cosine";

pub(crate) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "cosine of each heading's block and the topic's terms, summed up (S5.1–S5.3)",
    origin: Origin::Published("S5.1–S5.3"),
    build: |topic, settings| {
        Ok(Box::new(BlockCosine::new(topic, Config::read(settings)?, Examples::default())))
    },
    restore: Some(|topic, settings, bytes| {
        let config = Config::read(settings)?;
        Ok(Box::new(BlockCosine::new(topic, config, remembered(bytes)?)))
    }),
};

/// `[relevance.block-cosine]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// How many terms of relevant examples join the table, beside the keywords. The paper has 10;
    /// 0 keeps to the keywords, which tells pages apart better wherever there are good ones, for
    /// the most frequent terms of examples are often those of any page.
    terms: usize,
    /// What a page's relevance is made of: the `sum` of its blocks, their `max`imum, or the `mean`
    /// weighted by length.
    page: Whole,
    /// Which terms make the length of a block's vector: all of the `block`, or those of the
    /// `table` alone, as the paper's steps may be read; then a long block that names the topic
    /// once is as relevant as one that speaks of nothing else.
    length: Length,
    /// A page is relevant from this score on. Examples of both kinds replace it by the threshold
    /// that tells them apart best.
    threshold: f32,
    /// The language of texts that do not show theirs, such as the words of links, as long as no
    /// example shows another.
    language: String,
}

/// What a page's relevance is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Whole {
    Sum,
    Max,
    Mean,
}

/// Which terms make the length of a block's vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Length {
    Block,
    Table,
}

impl Default for Config {
    /// The paper's, and a threshold that a single block reaches when it names a topic of one term
    /// once among a hundred other terms.
    fn default() -> Config {
        Config {
            terms: 10,
            page: Whole::Sum,
            length: Length::Block,
            threshold: 0.1,
            language: "en".to_owned(),
        }
    }
}

impl Config {
    fn read(settings: &Settings) -> Result<Config, SettingsError> {
        let config: Config = settings.read()?;
        let Config { threshold, language, .. } = &config;
        if !(*threshold > 0.0 && *threshold <= 1.0) {
            return Err(SettingsError::because(format!(
                "`threshold` is {threshold}; write a score above 0 and up to 1, such as 0.1"
            )));
        }
        if Language::from_code(language) == Language::UNKNOWN {
            return Err(SettingsError::because(format!(
                "`language` is {language:?}, of which no stop words are known; write the code of \
                 another, such as \"en\""
            )));
        }
        Ok(config)
    }
}

/// Blocks given as reasons with a judgement: the strongest.
const REASONS: usize = 3;
/// Terms named with each of them.
const TERMS_NAMED: usize = 4;
/// A threshold of nothing would let blank pages in.
const LEAST_THRESHOLD: f32 = 1e-4;
/// Parts into which examples are dealt to judge each by a table of the others, and the order in
/// which they are.
const FOLDS: usize = 5;
const SEED: u64 = 5;
/// The first byte of what is kept; another number is another format.
const FORMAT: u8 = 1;

struct BlockCosine {
    topic: Topic,
    config: Config,
    examples: Examples,
    /// The terms of the relevant examples.
    learned: Vec<(String, f32)>,
    /// One for each language, made when first needed.
    tables: [OnceLock<Table>; Language::COUNT],
    /// The language of texts that do not show theirs.
    home: Language,
    threshold: Score,
    version: u64,
}

/// What was kept.
fn remembered(bytes: &[u8]) -> Result<Examples, RestoreError> {
    let unreadable = |because: &str| RestoreError::Unreadable(because.to_owned());
    let Some((&FORMAT, rest)) = bytes.split_first() else {
        return Err(unreadable("it was written in another format; teach the model again"));
    };
    let examples: Examples =
        postcard::from_bytes(rest).map_err(|error| unreadable(&error.to_string()))?;
    if examples.are_sound() {
        Ok(examples)
    } else {
        Err(unreadable("it refers to a word that it does not hold; teach the model again"))
    }
}

impl BlockCosine {
    fn new(topic: &Topic, config: Config, examples: Examples) -> BlockCosine {
        let fallback = Language::from_code(&config.language);
        let mut model = BlockCosine {
            learned: learned(examples.pages().map(|(_, page)| page), config.terms),
            home: examples.home().unwrap_or(fallback),
            version: version(topic, &config, &examples),
            tables: [const { OnceLock::new() }; Language::COUNT],
            threshold: Score::ZERO,
            topic: topic.clone(),
            config,
            examples,
        };
        let tuned = threshold(&model.held_out(), topic.wanted());
        let tuned = tuned.unwrap_or(model.config.threshold).max(LEAST_THRESHOLD);
        model.threshold = Score::clamped(tuned);
        model
    }

    /// Scores and truths of the examples, each judged by a table made without it.
    fn held_out(&self) -> Vec<Judged> {
        let pages: Vec<(u64, &Example)> = self.examples.pages().collect();
        let dealt: Vec<(bool, u64)> =
            pages.iter().map(|(fingerprint, page)| (page.is_relevant, *fingerprint)).collect();
        let Some(folds) = Folds::deal(&dealt, FOLDS, SEED) else {
            return Vec::new();
        };
        let language_of = |page: &Example| match page.language() {
            Language::UNKNOWN => self.home,
            known => known,
        };
        folds.held_out(
            |nth| pages[nth].1.is_relevant,
            |is_taught| {
                let taught = pages.iter().enumerate().filter(|(nth, _)| is_taught(*nth));
                let learned = learned(taught.map(|(_, (_, page))| *page), self.config.terms);
                let tables: [OnceLock<Table>; Language::COUNT] =
                    [const { OnceLock::new() }; Language::COUNT];
                (learned, tables)
            },
            |(learned, tables), nth| {
                let (_, page) = pages[nth];
                let language = language_of(page);
                let make = || Table::new(self.topic.keywords(), learned, language);
                let table = tables[language.number()].get_or_init(make);
                let blocks = page.vectors(table);
                let cosines = blocks.iter().map(|block| (self.cosine(table, block), block.length));
                Score::clamped(self.whole(&cosines.collect::<Vec<_>>()).iter().sum()).get()
            },
        )
    }

    fn table(&self, language: Language) -> &Table {
        let make = || Table::new(self.topic.keywords(), &self.learned, language);
        self.tables[language.number()].get_or_init(make)
    }

    /// `R(t, b)`.
    fn cosine(&self, table: &Table, block: &Vector) -> f32 {
        let squares = match self.config.length {
            Length::Block => block.squares,
            Length::Table => block.found.iter().map(|(_, count)| u64::from(*count).pow(2)).sum(),
        };
        // Rounding may lift it over 1 by a hair.
        table.cosine(&block.found, squares).min(1.0)
    }

    /// What each block, by its cosine and its length, contributes to the page.
    fn whole(&self, blocks: &[(f32, u32)]) -> Vec<f32> {
        let words: u64 = blocks.iter().map(|(_, length)| u64::from(*length)).sum();
        let best = blocks.iter().map(|(cosine, _)| *cosine).fold(0.0, f32::max);
        let first_best = blocks.iter().position(|(cosine, _)| *cosine == best);
        let contribution = |(at, (cosine, length)): (usize, &(f32, u32))| match self.config.page {
            Whole::Sum => *cosine,
            Whole::Max => {
                if first_best == Some(at) {
                    best
                } else {
                    0.0
                }
            }
            Whole::Mean => cosine * *length as f32 / words.max(1) as f32,
        };
        blocks.iter().enumerate().map(contribution).collect()
    }

    /// The strongest blocks and what is said in them of the topic.
    fn reasons(
        &self,
        page: &Document,
        table: &Table,
        blocks: &[Vector],
        shares: &[f32],
    ) -> Reasons {
        let mut strongest: Vec<usize> = (0..blocks.len()).filter(|at| shares[*at] > 0.0).collect();
        strongest.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
        if strongest.is_empty() {
            let note = match table.terms() {
                [] => "there are none: the topic needs keywords or examples",
                _ => "none found",
            };
            return Reasons::one(Reason::new("terms", 0.0).note(note));
        }
        let reason = |at: usize| {
            let heading = page.blocks.get(at).and_then(|block| block.heading.as_ref());
            let name = heading.map_or("before the first heading", |heading| heading.text.as_str());
            let mut found = blocks[at].found.clone();
            found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let terms: Vec<String> = found
                .iter()
                .take(TERMS_NAMED)
                .map(|(term, count)| format!("{} {count}×", table.terms()[*term as usize].0))
                .collect();
            let cosine = self.cosine(table, &blocks[at]);
            let note =
                format!("cosine {cosine:.3}: {} in {} words", terms.join(", "), blocks[at].length);
            Reason::new(name.to_owned(), shares[at]).note(note)
        };
        strongest.into_iter().take(REASONS).map(reason).collect()
    }
}

impl Model for BlockCosine {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let language = language_of(page, self.home);
        let table = self.table(language);
        let mut reader = Reader::new(table, language);
        let title = std::iter::once(page.document.title.as_str());
        let mut blocks = Vec::with_capacity(page.document.blocks.len());
        for (at, block) in page.document.blocks.iter().enumerate() {
            let title = title.clone().filter(|_| at == 0);
            blocks.push(reader.read(title.chain(texts(block))));
        }
        if blocks.is_empty() {
            blocks.push(reader.read(title));
        }
        let cosines: Vec<_> =
            blocks.iter().map(|block| (self.cosine(table, block), block.length)).collect();
        let shares = self.whole(&cosines);
        Judgement {
            score: Score::clamped(shares.iter().sum()),
            threshold: self.threshold,
            model: NAME.to_owned(),
            version: self.version,
            reasons: self.reasons(page.document, table, &blocks, &shares),
        }
    }

    fn judge_blocks(&self, document: &Document) -> Vec<Score> {
        let language = language_of(&document.into(), self.home);
        let table = self.table(language);
        let mut reader = Reader::new(table, language);
        let cosine = |block| Score::clamped(self.cosine(table, &reader.read(texts(block))));
        document.blocks.iter().map(cosine).collect()
    }

    fn judge_text(&self, text: &str) -> Score {
        let table = self.table(self.home);
        let vector = Reader::new(table, self.home).read([text]);
        Score::clamped(self.cosine(table, &vector))
    }

    fn marks(&self, text: &str) -> Vec<Mark> {
        let block = Block { text: text.to_owned(), ..Block::default() };
        let page = Document { blocks: vec![block], ..Document::default() };
        let language = language_of(&(&page).into(), self.home);
        let table = self.table(language);
        let mut stem = String::new();
        let mut marks = Vec::new();
        words::each_word_at(text, |span, word| {
            let term = term_of(word, language, &mut stem).unwrap_or(word);
            if let Some(place) = table.find(term) {
                let (name, value) = table.terms()[place as usize].clone();
                marks.push(Mark { span, name, value });
            }
        });
        marks
    }

    fn taught(&self, lessons: &[Lesson<'_>]) -> Option<Box<dyn Model>> {
        let mut examples = self.examples.clone();
        let mut is_changed = false;
        for lesson in lessons {
            if let Some(is_relevant) = Label::of(lesson.teaches).truth(&self.topic) {
                is_changed |= examples.add(&lesson.page, is_relevant);
            }
        }
        is_changed.then(|| {
            let taught = BlockCosine::new(&self.topic, self.config.clone(), examples);
            Box::new(taught) as Box<dyn Model>
        })
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn state(&self) -> Option<Vec<u8>> {
        (!self.examples.is_empty()).then(|| kept(&self.examples))
    }

    fn strongest(&self, count: usize) -> Vec<(String, f32)> {
        let mut terms = self.table(self.home).terms().to_vec();
        terms.sort_by(|a, b| b.1.total_cmp(&a.1));
        terms.truncate(count);
        terms
    }
}

/// The examples as bytes.
fn kept(examples: &Examples) -> Vec<u8> {
    // Writing into memory cannot fail for what borrows nothing and whose lengths are known.
    postcard::to_extend(examples, vec![FORMAT]).unwrap_or_default()
}

fn version(topic: &Topic, config: &Config, examples: &Examples) -> u64 {
    let mut version = Fingerprint::EMPTY.and(NAME.as_bytes());
    // A topic cannot fail to be written.
    version = version.and(&postcard::to_stdvec(topic).unwrap_or_default());
    let Config { terms, page, length, threshold, language } = config;
    version = version.and(&terms.to_le_bytes()).and(&[*page as u8, *length as u8]);
    version = version.and(&threshold.to_le_bytes()).and(language.as_bytes());
    version.and(&kept(examples)).get()
}

/// Heading and text.
fn texts(block: &Block) -> impl Iterator<Item = &str> {
    let heading = block.heading.as_ref().map(|heading| heading.text.as_str());
    heading.into_iter().chain([block.text.as_str()])
}
