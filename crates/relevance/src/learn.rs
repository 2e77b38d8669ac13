//! What can be learned from example pages for a person to read: keywords and their weights.
//!
//! Whether a model tells the examples apart is measured in `cross_validation`,
//! examples that say the opposite of each other are found in `contradictions`.
//! Nothing here changes a model; models learn by [`Model::taught`](crate::Model::taught).

mod contradictions;
mod cross_validation;
pub(crate) mod folds;
mod vocabulary;

use std::collections::HashSet;

use crate::{Lesson, Teaching};
use vocabulary::{Held, Term, Vocabulary};

pub use contradictions::contradictions;
pub use cross_validation::{Separation, ValidationError, cross_validate};

/// A keyword found in example pages.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedKeyword {
    /// The word or the two words, in the form in which they are written most.
    pub text: String,
    /// `tf × df`, scaled so that the heaviest keyword has 1.
    pub weight: f32,
    /// In how many of the relevant pages it stands: df.
    pub pages: usize,
    /// How often it occurs in all of them: tf.
    pub occurrences: usize,
}

/// Whether keywords must set the relevant pages apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contrast {
    /// As the paper: the relevant pages decide alone.
    None,
    /// Our addition: what stands as often in irrelevant lessons, or in unlabelled ones when there
    /// are no irrelevant, is left out. Without either, nothing is.
    #[default]
    Others,
}

/// Keywords are fewer than 50 (S5.8).
pub const MOST_KEYWORDS: usize = 49;
/// A phrase holds together when it is at least this share of the occurrences of its rarer word.
const HOLDS_TOGETHER: f32 = 0.5;
/// A word says nothing by itself when at least this share of its occurrences is in one phrase.
const SAID_BY_PHRASE: f32 = 0.75;
/// A keyword's share of relevant pages is at least so many times its share of other pages.
/// Below 2, since unlabelled pages may be relevant themselves, half of them in a good crawl.
const SETS_APART: f32 = 1.5;

/// The keywords of the relevant lessons with the most weight: at most `count`, and fewer than 50.
///
/// The weight of a term is `tf × df` (S5.8): its occurrences in all relevant pages times the
/// number of those it stands in. Terms are single words and pairs of different neighbouring words,
/// after stop words, numbers and single letters are taken out; no pair runs over one of these or
/// over a comma, full stop or bracket. Forms of one stem count together. A pair is a keyword when it occurs at least twice, stands in two
/// pages where there are two, and holds together: half of the occurrences of its rarer word are
/// in it. A word three quarters of whose occurrences are in one such pair is left to the pair.
///
/// With [`Contrast::Others`], a term must also stand in a share of the relevant pages half again
/// as large as its share of the others (each page count plus a half, to be fair to few pages).
/// Lessons on relatives of the topic are passed over.
pub fn keywords(lessons: &[Lesson<'_>], count: usize, contrast: Contrast) -> Vec<LearnedKeyword> {
    let relevant = Vocabulary::of(lessons.iter().filter(teaches(Teaching::Relevant)));
    let others = match contrast {
        Contrast::None => None,
        Contrast::Others => others(lessons),
    };
    let sets_apart = |term: &Term| {
        others.as_ref().is_none_or(|others| {
            relevant.share_of_pages(term) >= SETS_APART * others.share_of_pages(term)
        })
    };
    let phrases: Vec<&Term> = relevant.terms().filter(|term| is_phrase(term, &relevant)).collect();
    let said_by_phrases = said_by(&phrases, &relevant);
    let words = relevant.terms().filter(|term| match term {
        Term::Pair(..) => false,
        Term::Word(word) => !said_by_phrases.contains(word.as_str()),
    });
    let held = words.chain(phrases.iter().copied());
    let mut keywords: Vec<LearnedKeyword> = held
        .filter(|term| sets_apart(term))
        .filter_map(|term| relevant.get(term).map(learned))
        .collect();
    keywords.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.text.cmp(&b.text)));
    keywords.truncate(count.min(MOST_KEYWORDS));
    let heaviest = keywords.first().map_or(1.0, |keyword| keyword.weight);
    for keyword in &mut keywords {
        keyword.weight /= heaviest;
    }
    keywords
}

/// The topic weight table of the relevant lessons (S5.2): the `top` most frequent words after stop
/// words and stemming, each with `n_i / n_max`, written as they are written most.
pub fn weights_table(lessons: &[Lesson<'_>], top: usize) -> Vec<(String, f32)> {
    let relevant = Vocabulary::of(lessons.iter().filter(teaches(Teaching::Relevant)));
    let words = relevant.terms().filter(|term| matches!(term, Term::Word(_)));
    let mut counted: Vec<(String, usize)> = words
        .filter_map(|term| relevant.get(term))
        .map(|held| (held.written().to_owned(), held.occurrences))
        .collect();
    counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counted.truncate(top);
    let most = counted.first().map_or(1, |(_, count)| *count) as f32;
    counted.into_iter().map(|(word, count)| (word, count as f32 / most)).collect()
}

fn teaches<'a>(wanted: Teaching<'a>) -> impl Fn(&&Lesson<'_>) -> bool + 'a {
    move |lesson| lesson.teaches == wanted
}

/// What stands in the irrelevant lessons, else in the unlabelled ones; `None` when there are neither.
fn others(lessons: &[Lesson<'_>]) -> Option<Vocabulary> {
    let of = |wanted| Vocabulary::of(lessons.iter().filter(teaches(wanted)));
    [Teaching::Irrelevant, Teaching::Nothing].into_iter().map(of).find(|others| others.pages() > 0)
}

/// True for a pair that holds together.
fn is_phrase(term: &Term, vocabulary: &Vocabulary) -> bool {
    let (Term::Pair(first, second), Some(held)) = (term, vocabulary.get(term)) else {
        return false;
    };
    let occurrences = |word: &str| {
        vocabulary.get(&Term::Word(word.to_owned())).map_or(0, |held| held.occurrences)
    };
    let rarer = occurrences(first).min(occurrences(second));
    held.occurrences >= 2
        && held.pages >= vocabulary.pages().min(2)
        && held.occurrences as f32 >= HOLDS_TOGETHER * rarer as f32
}

/// The words that hardly stand outside one of these phrases.
fn said_by<'a>(phrases: &[&'a Term], vocabulary: &Vocabulary) -> HashSet<&'a str> {
    let mut said = HashSet::new();
    for phrase in phrases {
        let Term::Pair(first, second) = phrase else { continue };
        let within = vocabulary.get(phrase).map_or(0, |held| held.occurrences);
        said.extend([first, second].into_iter().map(String::as_str).filter(|word| {
            let all = vocabulary.get(&Term::Word((*word).to_owned()));
            within as f32 >= SAID_BY_PHRASE * all.map_or(0, |held| held.occurrences) as f32
        }));
    }
    said
}

fn learned(held: &Held) -> LearnedKeyword {
    LearnedKeyword {
        text: held.written().to_owned(),
        weight: held.occurrences as f32 * held.pages as f32,
        pages: held.pages,
        occurrences: held.occurrences,
    }
}

#[cfg(test)]
mod tests;
