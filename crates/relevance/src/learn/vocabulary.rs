//! The terms of a set of pages: how often each occurs, in how many pages, in which forms.

use std::collections::{BTreeMap, HashMap};

use crate::experience::home_of;
use crate::language::{self, Language};
use crate::{Lesson, words};

/// The terms of a set of pages.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// Sorted, so that what is made of them does not depend on chance.
    held: BTreeMap<Term, Held>,
    pages: usize,
}

/// A word or two neighbouring words, by their stems.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    Word(String),
    Pair(String, String),
}

/// How a term stands in the pages.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// How often it occurs in all pages.
    pub(super) occurrences: usize,
    /// In how many pages it stands.
    pub(super) pages: usize,
    /// One more than the page in which it was met last.
    last_page: usize,
    /// How often it is written in which way.
    forms: HashMap<String, usize>,
}

impl Held {
    /// The way it is written most; of several, the shortest, then the first.
    pub(super) fn written(&self) -> &str {
        let forms = self.forms.iter().map(|(form, count)| (form.as_str(), *count));
        let better = |a: &(&str, usize), b: &(&str, usize)| {
            b.1.cmp(&a.1).then(a.0.len().cmp(&b.0.len())).then(a.0.cmp(b.0))
        };
        forms.min_by(better).map_or("", |(form, _)| form)
    }
}

impl Vocabulary {
    /// Reads pages, each in its language, or in that of most where it does not show.
    pub(super) fn of<'a, 'b: 'a>(lessons: impl Iterator<Item = &'a Lesson<'b>>) -> Vocabulary {
        let lessons: Vec<&Lesson<'_>> = lessons.collect();
        let languages: Vec<Language> =
            lessons.iter().map(|lesson| language::detect(lesson.page.document)).collect();
        let home = home_of(languages.iter().copied());
        let mut vocabulary = Vocabulary::default();
        for (lesson, language) in lessons.into_iter().zip(languages) {
            let language = if language == Language::UNKNOWN { home } else { language };
            vocabulary.read(lesson, language);
        }
        vocabulary
    }

    fn read(&mut self, lesson: &Lesson<'_>, language: Language) {
        self.pages += 1;
        let (mut lower, mut buffer) = (String::new(), String::new());
        let parts = lesson.page.parts().flat_map(|part| part.text.split(is_pause));
        for text in parts {
            // The stem and the form of the word before, if it is a term.
            let mut before: Option<(String, String)> = None;
            words::each_word(text, &mut lower, |word| {
                if !is_telling(word) || language.is_stop_word(word) {
                    before = None;
                    return;
                }
                let stem = language.stem(word, &mut buffer).to_owned();
                if let Some((first, form)) = before.take().filter(|(first, _)| *first != stem) {
                    self.meet(Term::Pair(first, stem.clone()), format!("{form} {word}"));
                }
                self.meet(Term::Word(stem.clone()), word.to_owned());
                before = Some((stem, word.to_owned()));
            });
        }
    }

    fn meet(&mut self, term: Term, form: String) {
        let held = self.held.entry(term).or_default();
        held.occurrences += 1;
        if held.last_page != self.pages {
            held.last_page = self.pages;
            held.pages += 1;
        }
        *held.forms.entry(form).or_default() += 1;
    }

    /// Every term, sorted.
    pub(super) fn terms(&self) -> impl Iterator<Item = &Term> {
        self.held.keys()
    }

    /// How a term stands in the pages, if it does.
    pub(super) fn get(&self, term: &Term) -> Option<&Held> {
        self.held.get(term)
    }

    /// How many pages there are.
    pub(super) fn pages(&self) -> usize {
        self.pages
    }

    /// The share of pages in which a term stands, as if half a page more did and half did not.
    pub(super) fn share_of_pages(&self, term: &Term) -> f32 {
        let held = self.get(term).map_or(0, |held| held.pages);
        (held as f32 + 0.5) / (self.pages as f32 + 1.0)
    }
}

/// True for what no pair of words runs over.
fn is_pause(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '[' | ']' | '"' | '“' | '”' | '…' | '—'
    )
}

/// False for single letters and for numbers.
fn is_telling(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = word.len() == 1;
    !is_number && !is_letter
}
