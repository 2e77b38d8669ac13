//! In which language a page is written: its stop words and stems.
//!
//! A page is read in the language it declares if its words bear that out, else
//! in the one they show. Pages in a language without a list here, or without
//! blanks between words, are read in no language: every word counts, as it
//! stands.
//!
//! Callers hand over words in lower case, as [`words`](crate::words) cuts them.

mod detection;
mod stems;
mod supported;

use std::sync::OnceLock;

use rust_stemmers::Algorithm;

use crate::lexicon::Lexicon;
use crate::{stop_words, words};

pub(crate) use detection::detect;
use supported::{ENGLISH, SUPPORTED, Supported};

/// The English name of the language that the models read a document in, or `unknown`.
pub fn language_name(document: &gannet_model::Document) -> &'static str {
    detect(document).name()
}

/// A language, or none. What is asked of none is answered: no stop words, no stems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Language(u8);

impl Language {
    /// How many there are, the unknown one included: numbers run below this.
    pub(crate) const COUNT: usize = SUPPORTED.len() + 1;
    /// None that is known here.
    pub(crate) const UNKNOWN: Language = Language(SUPPORTED.len() as u8);
    /// English.
    pub(crate) const ENGLISH: Language = Language(ENGLISH as u8);

    /// The language of a code such as `en`, `pt-br` or `nb`; unknown for all others.
    pub(crate) fn from_code(code: &str) -> Language {
        let code = code.trim().to_ascii_lowercase();
        let code = match code.split(['-', '_']).next().unwrap_or_default() {
            // The two written forms of Norwegian share a list.
            "nb" | "nn" => "no",
            code => code,
        };
        Language::find(|supported| supported.code == code)
    }

    /// Its English name.
    pub(crate) fn name(self) -> &'static str {
        self.supported().map_or("unknown", |supported| supported.name)
    }

    /// Its ISO 639-1 code; empty for the unknown one.
    pub(crate) fn code(self) -> &'static str {
        self.supported().map_or("", |supported| supported.code)
    }

    /// Its number, below [`COUNT`](Language::COUNT): for tables with a row for each.
    /// It may change from release to release; store the [code](Language::code).
    pub(crate) fn number(self) -> usize {
        usize::from(self.0)
    }

    /// True for words that say nothing about a page's topic.
    #[inline]
    pub(crate) fn is_stop_word(self, word: &str) -> bool {
        self.stop_words().is_some_and(|stop_words| stop_words.get(word).is_some())
    }

    /// What the forms of a word have in common. `buffer` may hold it: its contents are lost.
    #[inline]
    pub(crate) fn stem<'a>(self, word: &'a str, buffer: &'a mut String) -> &'a str {
        match self.stemmer() {
            Some(algorithm) if word.len() <= stems::LONGEST => {
                stems::stem(self.0, algorithm, word, buffer);
            }
            _ => return word,
        }
        // The stemmer of one language or another may leave nothing of an odd word.
        if buffer.is_empty() { word } else { buffer }
    }

    /// The stem of a word that says something, `None` for a stop word.
    #[inline]
    pub(crate) fn term<'a>(self, word: &'a str, buffer: &'a mut String) -> Option<&'a str> {
        (!self.is_stop_word(word)).then(|| self.stem(word, buffer))
    }

    fn find(is_it: impl Fn(&Supported) -> bool) -> Language {
        SUPPORTED.iter().position(is_it).map_or(Language::UNKNOWN, |at| Language(at as u8))
    }

    fn supported(self) -> Option<&'static Supported> {
        SUPPORTED.get(self.number())
    }

    fn stemmer(self) -> Option<Algorithm> {
        self.supported()?.stemmer
    }

    /// The stop words, made ready when first asked for.
    fn stop_words(self) -> Option<&'static Lexicon<()>> {
        static READY: [OnceLock<Lexicon<()>>; SUPPORTED.len()] =
            [const { OnceLock::new() }; SUPPORTED.len()];
        Some(READY.get(self.number())?.get_or_init(|| self.gather_stop_words()))
    }

    fn gather_stop_words(self) -> Lexicon<()> {
        let listed = match self {
            // Our own list: the other holds pieces of words cut at apostrophes, such as `won`.
            Language::ENGLISH => stop_words::ENGLISH,
            other => ::stop_words::lookup(other.code()).unwrap_or_default(),
        };
        let mut lexicon = Lexicon::new();
        for word in listed {
            let word = words::normal_form(word);
            // Some lists have phrases, which no single word can be.
            if !word.is_empty() && !word.contains(' ') {
                lexicon.entry(&word);
            }
        }
        lexicon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, word: &str, expected: Option<&str>) {
        let mut buffer = String::new();
        assert_eq!(Language::from_code(code).term(word, &mut buffer), expected, "{code} {word}");
    }

    #[test]
    fn stop_words_and_stems_depend_on_the_language() {
        check("en", "the", None);
        check("en", "dont", None);
        check("en", "won", Some("won"));
        check("en", "diving", Some("dive"));
        check("en-GB", "dives", Some("dive"));
        check("de", "und", None);
        check("de", "the", Some("the"));
        check("de", "vögel", Some("vogel"));
        check("fr", "oiseaux", Some("oiseau"));
        check("nb", "fuglene", Some("fugl"));
        check("ru", "птицами", Some("птиц"));
        check("pl", "ptaki", Some("ptaki"));
        check("pl", "oraz", None);
    }

    #[test]
    fn in_an_unknown_language_every_word_counts_as_it_stands() {
        for code in ["", "zh", "ja", "xx", "-", "klingon"] {
            assert_eq!(Language::from_code(code), Language::UNKNOWN, "{code}");
            check(code, "the", Some("the"));
            check(code, "diving", Some("diving"));
            check(code, "東京", Some("東京"));
        }
        assert_eq!(Language::UNKNOWN.name(), "unknown");
    }

    #[test]
    fn every_language_has_stop_words_and_a_code_of_its_own() {
        for (at, supported) in SUPPORTED.iter().enumerate() {
            let language = Language(at as u8);
            assert_eq!(Language::from_code(supported.code), language);
            let listed = ::stop_words::lookup(supported.code).unwrap_or_default();
            let known = listed.iter().filter(|word| language.is_stop_word(word)).count();
            assert!(known >= 25, "{} has {known} stop words", supported.name);
        }
        assert_eq!(Language::ENGLISH.name(), "English");
    }

    #[test]
    fn what_is_too_long_for_a_word_stays_as_it_is() {
        let long = "diving".repeat(100);
        check("en", &long, Some(&long));
    }

    #[test]
    fn no_word_breaks_a_stemmer() {
        let odd = ["", "a", "é", "ß", "١٢٣", "x\u{301}", "ies", "ing", "ال", "ων", "yyy", "東京"];
        let mut buffer = String::new();
        for at in 0..Language::COUNT {
            for word in odd {
                let stem = Language(at as u8).stem(word, &mut buffer);
                assert_eq!(stem.is_empty(), word.is_empty());
            }
        }
    }
}
