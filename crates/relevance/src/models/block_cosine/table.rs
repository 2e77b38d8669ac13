//! The topic weight table: what each term of the topic weighs, `t_i = n_i / n_max` (S5.2).
//!
//! Terms are stems, and stems depend on the language, so there is a table for
//! each language in which pages are met. The words of a phrase are terms of
//! their own. A synonym is no term: its words count as those of its keyword.

use std::collections::HashMap;

use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::topic::Keyword;

/// Terms with weights, in one language.
pub(super) struct Table {
    /// One more than the place of the term for which a stem counts; 0 for none.
    places: Lexicon<u32>,
    terms: Vec<(String, f32)>,
    /// The length of the table as a vector.
    length: f32,
}

impl Table {
    /// The terms of keywords, in proportion to their weights, and what was learned: stems with
    /// weights of which the largest is 1. A term that is both has the larger weight.
    pub(super) fn new(
        keywords: &[Keyword],
        learned: &[(String, f32)],
        language: Language,
    ) -> Table {
        let mut table = Table { places: Lexicon::new(), terms: Vec::new(), length: 0.0 };
        for keyword in keywords {
            for term in terms_of(&keyword.text, language) {
                let place = table.place(&term);
                table.terms[place].1 += keyword.weight;
            }
        }
        let largest = table.terms.iter().map(|(_, weight)| *weight).fold(0.0, f32::max);
        table.terms.iter_mut().for_each(|(_, weight)| *weight /= largest);
        for (term, weight) in learned {
            let place = table.place(term);
            let known = &mut table.terms[place].1;
            *known = known.max(*weight);
        }
        for keyword in keywords {
            table.add_synonyms(keyword, language);
        }
        table.length = table.terms.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
        table
    }

    /// The place of the term for which a stem counts.
    #[inline]
    pub(super) fn find(&self, stem: &str) -> Option<u32> {
        self.places.get(stem)?.checked_sub(1)
    }

    /// The terms by their places, with their weights.
    pub(super) fn terms(&self) -> &[(String, f32)] {
        &self.terms
    }

    /// The cosine between the table and a block with so many of each term, the sum of whose
    /// squared counts of all terms is `squares`.
    pub(super) fn cosine(&self, found: &[(u32, u32)], squares: u64) -> f32 {
        let product: f32 =
            found.iter().map(|(term, count)| self.terms[*term as usize].1 * *count as f32).sum();
        if product == 0.0 { 0.0 } else { product / (self.length * (squares as f32).sqrt()) }
    }

    fn place(&mut self, term: &str) -> usize {
        let place = self.places.entry(term);
        if *place == 0 {
            self.terms.push((term.to_owned(), 0.0));
            *place = self.terms.len() as u32;
        }
        *place as usize - 1
    }

    /// Word by word; the words of a longer synonym count as the last word of the keyword.
    fn add_synonyms(&mut self, keyword: &Keyword, language: Language) {
        let terms: Vec<u32> =
            terms_of(&keyword.text, language).iter().filter_map(|term| self.find(term)).collect();
        let Some(last) = terms.len().checked_sub(1) else { return };
        for synonym in &keyword.synonyms {
            for (nth, term) in terms_of(synonym, language).iter().enumerate() {
                let place = self.places.entry(term);
                if *place == 0 {
                    *place = terms[nth.min(last)] + 1;
                }
            }
        }
    }
}

/// The stems of a keyword's words, without stop words unless it has nothing else.
fn terms_of(keyword: &str, language: Language) -> Vec<String> {
    let mut buffer = String::new();
    let words = || keyword.split(' ');
    let has_other = words().any(|word| !language.is_stop_word(word));
    words()
        .filter(|word| !has_other || !language.is_stop_word(word))
        .map(|word| language.stem(word, &mut buffer).to_owned())
        .collect()
}

/// The most frequent terms with `n_i / n_max`; of equally frequent ones the first.
pub(super) fn most_frequent(counts: &HashMap<&str, u64>, top: usize) -> Vec<(String, f32)> {
    let mut sorted: Vec<(&str, u64)> = counts.iter().map(|(term, count)| (*term, *count)).collect();
    sorted.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    sorted.truncate(top);
    let most = sorted.first().map_or(1, |(_, count)| *count) as f32;
    sorted.into_iter().map(|(term, count)| (term.to_owned(), count as f32 / most)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topic;
    use crate::topic::TopicParts;

    #[track_caller]
    fn check(topic: &Topic, learned: &[(&str, f32)], expected: &[(&str, f32)]) {
        let learned: Vec<_> =
            learned.iter().map(|(term, weight)| ((*term).to_owned(), *weight)).collect();
        let table = Table::new(topic.keywords(), &learned, Language::ENGLISH);
        let terms: Vec<_> =
            table.terms().iter().map(|(term, weight)| (term.as_str(), *weight)).collect();
        assert_eq!(terms, expected);
    }

    #[test]
    fn keywords_weigh_in_proportion_to_the_heaviest_term() {
        let topic =
            Topic::weighted([("gannets".into(), 4.0), ("plunge diving".into(), 1.0)]).unwrap();
        check(&topic, &[], &[("gannet", 1.0), ("plung", 0.25), ("dive", 0.25)]);
        let topic = Topic::weighted([("sea".into(), 1.0), ("sea birds".into(), 1.0)]).unwrap();
        check(&topic, &[], &[("sea", 1.0), ("bird", 0.5)]);
    }

    #[test]
    fn stop_words_are_terms_only_where_a_keyword_is_nothing_else() {
        check(&Topic::from_words("birds of prey,").unwrap(), &[], &[("bird", 1.0), ("prey", 1.0)]);
        check(&Topic::from_words("the who,").unwrap(), &[], &[("the", 1.0), ("who", 1.0)]);
    }

    #[test]
    fn keywords_stay_beside_what_was_learned() {
        let topic = Topic::weighted([("gannet".into(), 2.0), ("rock".into(), 1.0)]).unwrap();
        check(
            &topic,
            &[("cliff", 1.0), ("rock", 0.75)],
            &[("gannet", 1.0), ("rock", 0.75), ("cliff", 1.0)],
        );
    }

    #[test]
    fn synonyms_count_as_their_keywords() {
        let topic = Topic::new(TopicParts {
            keywords: vec![("gannet".into(), 1.0), ("plunge diving".into(), 1.0)],
            synonyms: vec![
                ("gannet".into(), vec!["solan goose".into()]),
                ("plunge diving".into(), vec!["headlong falls".into()]),
            ],
            ..TopicParts::default()
        })
        .unwrap();
        let table = Table::new(topic.keywords(), &[], Language::ENGLISH);
        assert_eq!(table.terms().len(), 3);
        let places = ["solan", "goos", "headlong", "fall", "cliff"].map(|stem| table.find(stem));
        assert_eq!(places, [Some(0), Some(0), Some(1), Some(2), None]);
    }

    #[test]
    fn the_cosine_is_one_for_a_block_in_the_proportions_of_the_table() {
        let topic = Topic::weighted([("a1".into(), 2.0), ("b1".into(), 1.0)]).unwrap();
        let table = Table::new(topic.keywords(), &[], Language::ENGLISH);
        let check = |found: &[(u32, u32)], squares, expected: f32| {
            let cosine = table.cosine(found, squares);
            assert!((cosine - expected).abs() < 1e-6, "{cosine} is not {expected}");
        };
        check(&[(0, 4), (1, 2)], 16 + 4, 1.0);
        check(&[(0, 1)], 1, 2.0 / 5.0_f32.sqrt());
        // A third term as frequent as the two together.
        check(&[(0, 4), (1, 2)], 16 + 4 + 20, 0.5_f32.sqrt());
        check(&[], 9, 0.0);
        check(&[], 0, 0.0);
    }

    #[test]
    fn the_most_frequent_terms_weigh_by_their_share_of_the_commonest() {
        let counts = HashMap::from([("cliff", 8), ("rock", 2), ("egg", 2), ("sea", 1)]);
        let expected = [("cliff", 1.0), ("egg", 0.25), ("rock", 0.25)];
        let expected = expected.map(|(term, weight)| (term.to_owned(), weight));
        assert_eq!(most_frequent(&counts, 3), expected);
        assert_eq!(most_frequent(&HashMap::new(), 3), []);
    }
}
