//! Which keywords stand in a page, in any form of their words, in one pass.
//!
//! Keywords and their synonyms are sequences of stems in a tree by their first
//! words. While a page is read, every place where a keyword may have begun is
//! followed; there are never more of them than the longest keyword has words,
//! so thousands of keywords cost no more than a few. Stems depend on the
//! page's language: a tree is made for each that is met.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::{Keyword, Sight, words};

/// Finds keywords.
pub(crate) struct KeywordFinder {
    /// Every way of writing each keyword, by its number.
    written: Vec<(String, usize)>,
    /// One for each language, made when first needed.
    trees: [OnceLock<Tree>; Language::COUNT],
}

/// Sequences of stems.
struct Tree {
    /// The number of a stem, from one; 0 for a word that is in no keyword.
    stems: Lexicon<u32>,
    /// From a place in the tree by a stem to the next.
    steps: HashMap<(u32, u32), u32>,
    /// The keywords that end at each place; the root is place 0.
    ends: Vec<Vec<usize>>,
    /// Words of the longest keyword.
    longest: usize,
}

impl KeywordFinder {
    pub(crate) fn new(keywords: &[Keyword]) -> KeywordFinder {
        let written = keywords.iter().enumerate().flat_map(|(number, keyword)| {
            let ways = std::iter::once(&keyword.text).chain(&keyword.synonyms);
            ways.map(move |text| (text.clone(), number))
        });
        KeywordFinder {
            written: written.collect(),
            trees: [const { OnceLock::new() }; Language::COUNT],
        }
    }

    /// Calls `visit` with the number of each keyword for each occurrence; tells how many words the
    /// page has. No keyword runs over the edge of a part.
    pub(crate) fn find(
        &self,
        page: &Sight<'_>,
        language: Language,
        mut visit: impl FnMut(usize),
    ) -> u32 {
        let tree = self.tree(language);
        let mut length = 0_u32;
        let (mut lower, mut buffer) = (String::new(), String::new());
        let mut begun = Vec::new();
        for part in page.parts() {
            begun.clear();
            words::each_word(part.text, &mut lower, |word| {
                length = length.saturating_add(1);
                let stem = language.stem(word, &mut buffer);
                tree.step(stem, &mut begun, |_, keyword| visit(keyword));
            });
        }
        length
    }

    /// Where each keyword stands in a text, in the order of their ends.
    pub(crate) fn places(&self, text: &str, language: Language) -> Vec<(Range<usize>, usize)> {
        let tree = self.tree(language);
        let mut buffer = String::new();
        let (mut begun, mut starts, mut found) = (Vec::new(), Vec::new(), Vec::new());
        words::each_word_at(text, |place, word| {
            starts.push(place.start);
            let stem = language.stem(word, &mut buffer);
            tree.step(stem, &mut begun, |words, keyword| {
                found.push((starts[starts.len() - words]..place.end, keyword));
            });
        });
        found
    }

    fn tree(&self, language: Language) -> &Tree {
        self.trees[language.number()].get_or_init(|| Tree::new(&self.written, language))
    }
}

impl Tree {
    fn new(written: &[(String, usize)], language: Language) -> Tree {
        let mut tree = Tree {
            stems: Lexicon::new(),
            steps: HashMap::new(),
            ends: vec![Vec::new()],
            longest: 0,
        };
        let mut known = 0;
        let mut buffer = String::new();
        for (text, keyword) in written {
            let (mut place, mut words) = (0, 0);
            for word in text.split(' ') {
                let number = tree.stems.entry(language.stem(word, &mut buffer));
                if *number == 0 {
                    known += 1;
                    *number = known;
                }
                let next = u32::try_from(tree.ends.len()).unwrap_or(u32::MAX);
                place = *tree.steps.entry((place, *number)).or_insert(next);
                if place == next {
                    tree.ends.push(Vec::new());
                }
                words += 1;
            }
            tree.longest = tree.longest.max(words);
            let ends = &mut tree.ends[place as usize];
            if !ends.contains(keyword) {
                ends.push(*keyword);
            }
        }
        tree
    }

    /// Goes on by one word from every place begun; calls `visit` with the number of words and the
    /// keyword of each that ends here.
    ///
    /// `begun` holds where each keyword that may have begun has come to, and after how many words.
    fn step(&self, stem: &str, begun: &mut Vec<(u32, usize)>, mut visit: impl FnMut(usize, usize)) {
        let Some(number) = self.stems.get(stem) else {
            begun.clear();
            return;
        };
        begun.push((0, 0));
        begun.retain_mut(|(place, words)| {
            let Some(next) = self.steps.get(&(*place, *number)) else {
                return false;
            };
            *place = *next;
            *words += 1;
            for keyword in &self.ends[*place as usize] {
                visit(*words, *keyword);
            }
            *words < self.longest
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Topic, TopicParts};
    use gannet_model::{Block, Document};

    fn finder(words: &str, synonyms: &[(&str, &str)]) -> KeywordFinder {
        let topic = Topic::from_words(words).unwrap();
        let keywords = topic.keywords().iter().map(|keyword| (keyword.text.clone(), 1.0)).collect();
        let synonyms = synonyms.iter();
        let synonyms =
            synonyms.map(|(keyword, other)| ((*keyword).to_owned(), vec![(*other).to_owned()]));
        let parts = TopicParts { keywords, synonyms: synonyms.collect(), ..TopicParts::default() };
        KeywordFinder::new(Topic::new(parts).unwrap().keywords())
    }

    #[track_caller]
    fn check(words: &str, text: &str, expected: &[(&str, usize)]) {
        let finder = finder(words, &[]);
        let places = finder.places(text, Language::ENGLISH);
        let found: Vec<(&str, usize)> =
            places.iter().map(|(place, keyword)| (&text[place.clone()], *keyword)).collect();
        assert_eq!(found, expected, "{text}");
        let block = Block { text: text.to_owned(), ..Block::default() };
        let document = Document { blocks: vec![block], ..Document::default() };
        let mut counted = Vec::new();
        let length = finder.find(&(&document).into(), Language::ENGLISH, |keyword| {
            counted.push(keyword);
        });
        assert_eq!(counted, expected.iter().map(|(_, keyword)| *keyword).collect::<Vec<_>>());
        assert_eq!(length as usize, text.split_whitespace().count());
    }

    #[test]
    fn keywords_are_found_in_any_form_of_their_words() {
        check(
            "gannet, plunge diving",
            "Gannets: plunged, dived!",
            &[("Gannets", 0), ("plunged, dived", 1)],
        );
        check("birds of prey,", "a bird of prey", &[("bird of prey", 0)]);
        check("plunge diving,", "plunge deep diving", &[]);
    }

    #[test]
    fn keywords_may_overlap_and_hold_each_other() {
        check("sea, sea bird", "sea bird", &[("sea", 0), ("sea bird", 1)]);
        check("\"ping ping\"", "ping ping ping", &[("ping ping", 0), ("ping ping", 0)]);
        check("a b c, b c d", "a b c d", &[("a b c", 0), ("b c d", 1)]);
        check("diving, dive", "dives", &[("dives", 0), ("dives", 1)]);
    }

    #[test]
    fn synonyms_are_found_as_their_keyword() {
        let finder = finder("gannet, booby", &[("gannet", "solan goose")]);
        let places = finder.places("a solan goose", Language::ENGLISH);
        assert_eq!(places, [(2..13, 0)]);
    }

    #[test]
    fn keywords_are_read_in_the_language_of_the_page() {
        let finder = finder("vögel", &[]);
        let german = Language::from_code("de");
        assert_eq!(finder.places("ein Vogel", german), [(4..9, 0)]);
        assert_eq!(finder.places("ein Vogel", Language::ENGLISH), []);
    }

    #[test]
    fn a_hundred_thousand_keywords_are_found_in_one_pass() {
        let keyword =
            |number| Keyword { text: format!("x w{number}"), weight: 1e-5, synonyms: Vec::new() };
        let finder = KeywordFinder::new(&(0..100_000).map(keyword).collect::<Vec<_>>());
        let places = finder.places("x w99999 and x w0", Language::ENGLISH);
        assert_eq!(places, [(0..8, 99_999), (13..17, 0)]);
    }
}
