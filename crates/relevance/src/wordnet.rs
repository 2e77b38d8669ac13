//! Which other words a keyword has, by WordNet (S2.2).
//!
//! Reads the database as Princeton publishes it, files described in wndb(5WN).
//! The caller brings their contents, 28 megabytes of text that are read from a
//! disk in some tens of milliseconds; nothing is parsed then. A word is found
//! by halving its sorted index, its senses by their offsets, so asking for a
//! word takes microseconds and no table is ever built.
//!
//! It suggests and decides nothing: which senses the user means only the user
//! knows, hence the gloss with every suggestion.

mod base_forms;
mod database;

use std::collections::HashSet;
use std::fmt;
use std::io;

use crate::words;
use database::{Senses, Synset};

/// The database, for asking.
pub struct WordNet {
    parts: Vec<(PartOfSpeech, Senses)>,
}

/// Another word for a keyword.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The word or phrase, written as in WordNet, blanks between its words.
    pub word: String,
    /// What it is to the keyword.
    pub relation: Relation,
    /// As what the keyword was looked up.
    pub part_of_speech: PartOfSpeech,
    /// What the suggested word means there.
    pub gloss: String,
}

/// What a suggested word is to the keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// It means the same.
    Synonym,
    /// It means a kind of it, or an instance.
    Hyponym,
    /// It means what the keyword is a kind of.
    Hypernym,
}

/// What kind of word a keyword is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartOfSpeech {
    /// Such as `gannet`.
    Noun,
    /// Such as `dive`.
    Verb,
    /// Such as `marine`.
    Adjective,
    /// Such as `steeply`.
    Adverb,
}

/// Why WordNet cannot be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WordNetError {
    /// A file could not be had.
    #[error("WordNet's file {file} cannot be read")]
    Unreadable {
        /// Which one.
        file: String,
        /// Why not.
        #[source]
        cause: io::Error,
    },
    /// A file is not what it ought to be, byte for byte.
    #[error(
        "{file} is not a file of WordNet as wndb(5WN) describes it: {because}; \
         install the database again, such as Debian's wordnet-base"
    )]
    Damaged {
        /// Which one.
        file: String,
        /// What is wrong.
        because: &'static str,
    },
}

impl WordNet {
    /// Takes up the database; `contents` gives the text of a file by its name, such as `data.noun`.
    ///
    /// The lists of irregular forms (`noun.exc` …) may be missing.
    pub fn read(contents: impl Fn(&str) -> io::Result<String>) -> Result<WordNet, WordNetError> {
        let parts = PartOfSpeech::ALL.into_iter().map(|part| {
            let name = part.file_ending();
            let text = |file: String, may_miss| match contents(&file) {
                Err(error) if may_miss && error.kind() == io::ErrorKind::NotFound => {
                    Ok(String::new())
                }
                other => other.map_err(|cause| WordNetError::Unreadable { file, cause }),
            };
            let index = text(format!("index.{name}"), false)?;
            let synsets = text(format!("data.{name}"), false)?;
            let exceptions = text(format!("{name}.exc"), true)?;
            let senses = Senses::new(index, synsets, exceptions).map_err(|because| {
                WordNetError::Damaged { file: format!("data.{name}"), because }
            })?;
            Ok((part, senses))
        });
        Ok(WordNet { parts: parts.collect::<Result<_, _>>()? })
    }

    /// At most `most` other words for a keyword, each once.
    ///
    /// They come relation by relation in the order asked for; within one, the commonest senses
    /// first, nouns before verbs before adjectives before adverbs. A keyword need not stand in
    /// its base form: `sea birds` is looked up as `sea bird`.
    pub fn suggestions(
        &self,
        keyword: &str,
        relations: &[Relation],
        most: usize,
    ) -> Vec<Suggestion> {
        let senses = self.senses(keyword);
        let mut known: HashSet<String> = senses.known.into_iter().collect();
        known.insert(words::normal_form(keyword));
        let mut suggestions = Vec::new();
        for relation in relations {
            for (part, database, synset) in &senses.found {
                for related in related(database, synset, *relation) {
                    for word in &related.words {
                        if known.insert(words::normal_form(word)) {
                            suggestions.push(Suggestion {
                                word: word.clone(),
                                relation: *relation,
                                part_of_speech: *part,
                                gloss: related.gloss.to_owned(),
                            });
                        }
                    }
                }
            }
        }
        suggestions.truncate(most);
        suggestions
    }

    /// Every sense of a keyword, the commonest of each part of speech first.
    fn senses(&self, keyword: &str) -> Found<'_> {
        let mut known = Vec::new();
        let mut ranked = Vec::new();
        for (part, database) in &self.parts {
            for lemma in base_forms::lemmas(keyword, *part, database) {
                known.extend(same_words(keyword, &lemma));
                let synsets = database.offsets(&lemma).into_iter();
                let synsets = synsets.filter_map(|offset| database.synset(offset));
                ranked.extend(synsets.enumerate().map(|(rank, synset)| (rank, *part, synset)));
            }
        }
        // The sort is stable: parts of speech stay in their order.
        ranked.sort_by_key(|(rank, _, _)| *rank);
        let found =
            ranked.into_iter().map(|(_, part, synset)| (part, self.of(part), synset)).collect();
        Found { known, found }
    }

    fn of(&self, part: PartOfSpeech) -> &Senses {
        &self.parts[part as usize].1
    }
}

/// The senses of a keyword.
struct Found<'a> {
    /// The base forms of the keyword, which are no other words for it.
    known: Vec<String>,
    found: Vec<(PartOfSpeech, &'a Senses, Synset<'a>)>,
}

/// The lemma in normal form, unless it is the keyword written together: whoever looks for
/// `sea bird` does not find `seabird`.
fn same_words(keyword: &str, lemma: &str) -> Option<String> {
    let normal = words::normal_form(&lemma.replace('_', " "));
    let count = |text: &str| text.split(' ').count();
    (count(&normal) == count(&words::normal_form(keyword))).then_some(normal)
}

/// The synsets that stand to this one in this relation.
fn related<'a>(database: &'a Senses, synset: &Synset<'a>, relation: Relation) -> Vec<Synset<'a>> {
    let symbols = match relation {
        Relation::Synonym => return vec![synset.clone()],
        Relation::Hyponym => ["~", "~i"],
        Relation::Hypernym => ["@", "@i"],
    };
    let pointers = synset.pointers.iter().filter(|(symbol, _)| symbols.contains(symbol));
    pointers.filter_map(|(_, offset)| database.synset(*offset)).collect()
}

impl PartOfSpeech {
    /// In the order of their numbers.
    const ALL: [PartOfSpeech; 4] =
        [PartOfSpeech::Noun, PartOfSpeech::Verb, PartOfSpeech::Adjective, PartOfSpeech::Adverb];

    fn file_ending(self) -> &'static str {
        match self {
            PartOfSpeech::Noun => "noun",
            PartOfSpeech::Verb => "verb",
            PartOfSpeech::Adjective => "adj",
            PartOfSpeech::Adverb => "adv",
        }
    }
}

impl fmt::Display for PartOfSpeech {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PartOfSpeech::Noun => "noun",
            PartOfSpeech::Verb => "verb",
            PartOfSpeech::Adjective => "adjective",
            PartOfSpeech::Adverb => "adverb",
        })
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Synonym => "synonym",
            Relation::Hyponym => "hyponym",
            Relation::Hypernym => "hypernym",
        })
    }
}

#[cfg(test)]
mod tests;
