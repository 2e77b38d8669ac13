//! What a model remembers of its lessons: pages as bags of terms.
//!
//! What a term is the model says: the stem of a word that is no stop word of
//! the page's language ([`stems`]), or a keyword of the topic. What is remembered is bounded and does not depend on the order of lessons:
//! of too many pages of a kind, those with the smallest fingerprints stay,
//! which is a fair sample. A page taught again replaces what was known of it.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::fingerprint::{self, Fingerprint};
use crate::language::{self, Language};
use crate::learn::folds::Folds;
use crate::{Kinship, Lesson, RestoreError, Sight, Teaching, Topic, words};

/// Pages remembered of each label at most; beyond a thousand, one more hardly moves a bag of words.
const MOST_OF_A_LABEL: usize = 1000;
/// Pages without a label remembered at most: enough to tell in which share of pages a word stands.
const MOST_UNLABELLED: usize = 2000;
/// Different terms remembered of a page at most, the most frequent ones.
const TERMS_OF_A_PAGE: usize = 400;
/// Bytes of the longest word that is one; beyond are numbers, keys and nonsense.
const LONGEST_TERM: usize = 40;

/// Folds in which labelled pages are held out.
const FOLDS: usize = 5;
/// How they are dealt; any will do, as long as it is always the same.
const SEED: u64 = 1;

/// Pages that were taught.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Experience {
    /// Every term of a page, sorted.
    terms: Vec<String>,
    /// By fingerprint, rising.
    pages: Vec<Remembered>,
}

/// A page that was taught.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    /// Of its text.
    pub(crate) fingerprint: u64,
    /// What is known of it.
    pub(crate) label: Label,
    /// Its language's code; empty when unknown.
    language: String,
    /// How many words it has, stop words included.
    pub(crate) length: u32,
    /// Its terms by their numbers, rising, and how often each occurs.
    pub(crate) counts: Vec<(u32, u32)>,
}

/// What is known of a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Label {
    Relevant,
    Irrelevant,
    Relative(String),
    Nothing,
}

impl Label {
    /// Whether a page is about the topic, if anybody said so: subtopics are, neighbours are not.
    pub(crate) fn truth(&self, topic: &Topic) -> Option<bool> {
        match self {
            Label::Relevant => Some(true),
            Label::Irrelevant => Some(false),
            Label::Relative(name) => {
                let relative = topic.relatives().iter().find(|relative| relative.name == *name)?;
                Some(relative.kinship == Kinship::Subtopic)
            }
            Label::Nothing => None,
        }
    }

    /// How many pages of it are remembered at most.
    fn most(&self) -> usize {
        if *self == Label::Nothing { MOST_UNLABELLED } else { MOST_OF_A_LABEL }
    }

    pub(crate) fn of(teaching: Teaching<'_>) -> Label {
        match teaching {
            Teaching::Relevant => Label::Relevant,
            Teaching::Irrelevant => Label::Irrelevant,
            Teaching::Relative(name) => Label::Relative(name.to_owned()),
            Teaching::Nothing => Label::Nothing,
        }
    }
}

/// The terms of a page.
#[derive(Debug, Default)]
pub(crate) struct Bag {
    /// How many words the page has, stop words included.
    pub(crate) length: u32,
    /// How often each term occurs.
    pub(crate) counts: HashMap<String, u32>,
}

/// A page with its terms as they are.
struct Met {
    label: Label,
    language: Language,
    bag: Bag,
}

/// The first byte of what is written; another number is another format.
const FORMAT: u8 = 1;

impl Experience {
    /// With these lessons too, their pages read by `read` in the language they are in (unknown if
    /// it does not show); `None` when they say nothing new.
    pub(crate) fn with(
        &self,
        lessons: &[Lesson<'_>],
        read: impl Fn(&Sight<'_>, Language) -> Bag,
    ) -> Option<Experience> {
        let mut pages: BTreeMap<u64, Met> = self.pages.iter().map(|page| self.met(page)).collect();
        for lesson in lessons {
            let Some(text) = fingerprint::of_text(&lesson.page).map(Fingerprint::get) else {
                continue;
            };
            let label = Label::of(lesson.teaches);
            let is_label_lost = label == Label::Nothing
                && pages.get(&text).is_some_and(|known| known.label != Label::Nothing);
            if !is_label_lost {
                let language = language::detect(lesson.page.document);
                let bag = read(&lesson.page, language).bounded();
                pages.insert(text, Met { label, language, bag });
            }
        }
        let mut kept: HashMap<Label, usize> = HashMap::new();
        pages.retain(|_, page| {
            let count = kept.entry(page.label.clone()).or_default();
            *count += 1;
            *count <= page.label.most()
        });
        let experience = Experience::of(&pages);
        (experience != *self).then_some(experience)
    }

    fn of(pages: &BTreeMap<u64, Met>) -> Experience {
        let terms: HashSet<&str> =
            pages.values().flat_map(|page| page.bag.counts.keys().map(String::as_str)).collect();
        let mut terms: Vec<String> = terms.into_iter().map(str::to_owned).collect();
        terms.sort_unstable();
        let number_of: HashMap<&str, u32> =
            terms.iter().zip(0..).map(|(term, number)| (term.as_str(), number)).collect();
        let pages = pages.iter().map(|(fingerprint, page)| {
            let counts = page.bag.counts.iter();
            let mut counts: Vec<(u32, u32)> =
                counts.map(|(term, count)| (number_of[term.as_str()], *count)).collect();
            counts.sort_unstable();
            Remembered {
                fingerprint: *fingerprint,
                label: page.label.clone(),
                language: page.language.code().to_owned(),
                length: page.bag.length,
                counts,
            }
        });
        let pages = pages.collect();
        Experience { terms, pages }
    }

    fn met(&self, page: &Remembered) -> (u64, Met) {
        let counts = page.counts.iter();
        let counts = counts.map(|(term, count)| (self.term(*term).to_owned(), *count)).collect();
        let met = Met {
            label: page.label.clone(),
            language: Language::from_code(&page.language),
            bag: Bag { length: page.length, counts },
        };
        (page.fingerprint, met)
    }

    /// The pages, by fingerprint.
    pub(crate) fn pages(&self) -> &[Remembered] {
        &self.pages
    }

    /// The terms, sorted; their places are their numbers.
    pub(crate) fn terms(&self) -> &[String] {
        &self.terms
    }

    /// The term of a number.
    pub(crate) fn term(&self, number: u32) -> &str {
        &self.terms[number as usize]
    }

    /// The language in which texts are read that do not show theirs, such as the words of a link:
    /// that of most labelled pages, or English.
    pub(crate) fn home(&self) -> Language {
        let labelled = self.pages.iter().filter(|page| page.label != Label::Nothing);
        home_of(labelled.map(|page| Language::from_code(&page.language)))
    }

    /// What is said of the labelled pages, each judged by a model taught without it, and the truth;
    /// empty when there are fewer than two of a kind.
    ///
    /// `train` makes a model of the pages of which it is told so, by their places.
    pub(crate) fn held_out<M, S>(
        &self,
        topic: &Topic,
        mut train: impl FnMut(&dyn Fn(usize) -> bool) -> M,
        mut judge: impl FnMut(&M, &Remembered) -> S,
    ) -> Vec<(S, bool)> {
        let truth = |place: &usize| self.pages[*place].label.truth(topic);
        let labelled: Vec<usize> =
            (0..self.pages.len()).filter(|place| truth(place).is_some()).collect();
        let truths: Vec<bool> = labelled.iter().filter_map(truth).collect();
        let texts = labelled.iter().map(|place| self.pages[*place].fingerprint);
        let dealt: Vec<(bool, u64)> = truths.iter().copied().zip(texts).collect();
        let Some(folds) = Folds::deal(&dealt, FOLDS, SEED) else {
            return Vec::new();
        };
        let judged = folds.each_held_out(
            |is_taught| {
                let nth = |place: usize| labelled.binary_search(&place);
                train(&|place| nth(place).map_or(true, is_taught))
            },
            |model, nth| judge(model, &self.pages[labelled[nth]]),
        );
        judged.into_iter().zip(truths).collect()
    }

    /// For keeping.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        // Writing into memory cannot fail for what has no maps and no borrowed parts.
        postcard::to_extend(self, vec![FORMAT]).unwrap_or_default()
    }

    /// What was kept.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Experience, RestoreError> {
        let unreadable = |because: &str| RestoreError::Unreadable(because.to_owned());
        let Some((&FORMAT, rest)) = bytes.split_first() else {
            return Err(unreadable("it was written in another format; teach the model again"));
        };
        let experience: Experience =
            postcard::from_bytes(rest).map_err(|error| unreadable(&error.to_string()))?;
        let known = experience.terms.len();
        let mut counts = experience.pages.iter().flat_map(|page| &page.counts);
        if counts.any(|(term, _)| *term as usize >= known) {
            return Err(unreadable("it refers to a word that it does not hold"));
        }
        Ok(experience)
    }
}

/// The commonest known language, the first of several in their own order; English when none is known.
pub(crate) fn home_of(languages: impl Iterator<Item = Language>) -> Language {
    let mut counts = [0_usize; Language::COUNT];
    let mut best = Language::ENGLISH;
    for language in languages.filter(|language| *language != Language::UNKNOWN) {
        counts[language.number()] += 1;
        let (count, most) = (counts[language.number()], counts[best.number()]);
        if count > most || (count == most && language < best) {
            best = language;
        }
    }
    best
}

/// The language in which a page is read.
pub(crate) fn language_of(page: &Sight<'_>, home: Language) -> Language {
    match language::detect(page.document) {
        Language::UNKNOWN => home,
        known => known,
    }
}

/// Calls `visit` with every word of a page: with its term, or without for words that say nothing.
pub(crate) fn each_term(page: &Sight<'_>, language: Language, mut visit: impl FnMut(Option<&str>)) {
    let (mut lower, mut stem) = (String::new(), String::new());
    for part in page.parts() {
        words::each_word(part.text, &mut lower, |word| {
            visit(term_of(word, language, &mut stem));
        });
    }
}

/// The term of a word in lower case; `None` for stop words and for what is no word.
pub(crate) fn term_of<'a>(
    word: &'a str,
    language: Language,
    buffer: &'a mut String,
) -> Option<&'a str> {
    if word.len() > LONGEST_TERM { None } else { language.term(word, buffer) }
}

/// A page's words as stems, stop words left out.
pub(crate) fn stems(page: &Sight<'_>, language: Language) -> Bag {
    let mut bag = Bag::default();
    each_term(page, language, |term| {
        bag.length = bag.length.saturating_add(1);
        if let Some(term) = term {
            bag.add(term);
        }
    });
    bag
}

impl Bag {
    /// Adds an occurrence.
    pub(crate) fn add(&mut self, term: &str) {
        match self.counts.get_mut(term) {
            Some(count) => *count = count.saturating_add(1),
            None => {
                self.counts.insert(term.to_owned(), 1);
            }
        }
    }

    /// With no more terms than are remembered of a page.
    fn bounded(mut self) -> Bag {
        if self.counts.len() > TERMS_OF_A_PAGE {
            let mut sorted: Vec<(String, u32)> = self.counts.into_iter().collect();
            sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            sorted.truncate(TERMS_OF_A_PAGE);
            self.counts = sorted.into_iter().collect();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::{Block, Document};
    use proptest::prelude::*;

    fn page(text: &str) -> Document {
        let block = Block { text: text.to_owned(), ..Block::default() };
        Document { blocks: vec![block], language: Some("en".to_owned()), ..Document::default() }
    }

    fn taught(experience: &Experience, given: &[(String, Teaching<'_>)]) -> Experience {
        let pages: Vec<Document> = given.iter().map(|(text, _)| page(text)).collect();
        let lessons = pages.iter().zip(given);
        let lessons: Vec<_> =
            lessons.map(|(page, (_, teaches))| Lesson::new(page, *teaches)).collect();
        experience.with(&lessons, stems).unwrap_or_else(|| experience.clone())
    }

    fn one(text: &str, teaches: Teaching<'static>) -> Vec<(String, Teaching<'static>)> {
        vec![(text.to_owned(), teaches)]
    }

    #[test]
    fn pages_are_remembered_by_stems_without_stop_words() {
        let experience = taught(
            &Experience::default(),
            &one("The gannets dived; a gannet dives", Teaching::Relevant),
        );
        assert_eq!(experience.terms(), ["dive", "gannet"]);
        assert_eq!(experience.pages()[0].counts, [(0, 2), (1, 2)]);
        assert_eq!(experience.pages()[0].length, 6);
        assert_eq!(experience.home(), Language::ENGLISH);
    }

    #[test]
    fn a_page_taught_again_is_known_by_its_last_label() {
        let labels = |experience: &Experience| {
            experience.pages().iter().map(|page| page.label.clone()).collect::<Vec<_>>()
        };
        let first = taught(&Experience::default(), &one("gannet", Teaching::Relevant));
        let again = taught(&first, &one("Gannet!", Teaching::Irrelevant));
        assert_eq!(labels(&again), [Label::Irrelevant]);
        let unlabelled = taught(&again, &one("gannet", Teaching::Nothing));
        assert_eq!(labels(&unlabelled), [Label::Irrelevant]);
        assert_eq!(first.with(&[], stems), None);
    }

    #[test]
    fn memory_is_bounded() {
        let many: Vec<_> = (0..MOST_UNLABELLED + 50)
            .map(|number| (format!("page{number}"), Teaching::Nothing))
            .collect();
        let experience = taught(&Experience::default(), &many);
        assert_eq!(experience.pages().len(), MOST_UNLABELLED);
        assert_eq!(experience.terms().len(), MOST_UNLABELLED);
        let long: Vec<String> = (0..2000).map(|number| format!("word{number}")).collect();
        let experience = taught(&experience, &one(&long.join(" "), Teaching::Relevant));
        let page = experience.pages().iter().find(|page| page.label == Label::Relevant).unwrap();
        assert_eq!((page.counts.len(), page.length), (TERMS_OF_A_PAGE, 2000));
    }

    #[test]
    fn what_was_kept_comes_back_and_nonsense_is_refused() {
        let experience =
            taught(&Experience::default(), &one("gannets dive", Teaching::Relative("x")));
        let bytes = experience.to_bytes();
        assert_eq!(Experience::from_bytes(&bytes).unwrap(), experience);
        assert!(Experience::from_bytes(&[]).is_err());
        assert!(Experience::from_bytes(&[9, 0, 0]).is_err());
        assert!(Experience::from_bytes(&bytes[..bytes.len() / 2]).is_err());
        let mut wild = experience;
        wild.pages[0].counts = vec![(7, 1)];
        assert!(Experience::from_bytes(&wild.to_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn the_order_of_lessons_does_not_matter(
            texts in prop::collection::hash_set("[a-d]{1,3}( [a-d]{1,3}){0,4}", 1..20),
            cut in 0_usize..20
        ) {
            let lessons: Vec<_> = texts.into_iter().map(|text| {
                let teaches = if text.len() % 2 == 0 { Teaching::Relevant } else { Teaching::Nothing };
                (text, teaches)
            }).collect();
            let (first, second) = lessons.split_at(cut.min(lessons.len()));
            let parts = taught(&taught(&Experience::default(), second), first);
            prop_assert_eq!(parts, taught(&Experience::default(), &lessons));
        }

        #[test]
        fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Experience::from_bytes(&[&[FORMAT], bytes.as_slice()].concat());
        }
    }
}
