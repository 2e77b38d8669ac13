//! Which examples contradict each other.
//!
//! A page said to be relevant and irrelevant teaches nothing and spoils what
//! is measured. Two lessons are of one page when their words are the same or
//! their addresses are.

use std::collections::HashMap;
use std::hash::Hash;

use crate::{Lesson, Teaching, fingerprint};

/// Pairs of lessons that say the opposite of one page, by their places, rising.
///
/// Of many that contradict each other, each is told once with the first that says otherwise.
/// Pages without words are compared by address alone.
pub fn contradictions(lessons: &[Lesson<'_>]) -> Vec<(usize, usize)> {
    let texts = lessons.iter().map(|lesson| fingerprint::of_text(&lesson.page));
    let mut pairs = opposites(lessons, texts.map(|text| text.map(fingerprint::Fingerprint::get)));
    pairs.extend(opposites(lessons, lessons.iter().map(|lesson| lesson.page.url)));
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Pairs of opposite lessons that have the same key.
fn opposites<K: Hash + Eq>(
    lessons: &[Lesson<'_>],
    keys: impl Iterator<Item = Option<K>>,
) -> Vec<(usize, usize)> {
    let mut firsts: HashMap<K, [Option<usize>; 2]> = HashMap::new();
    let mut pairs = Vec::new();
    for (place, (lesson, key)) in lessons.iter().zip(keys).enumerate() {
        let side = match lesson.teaches {
            Teaching::Relevant => 0,
            Teaching::Irrelevant => 1,
            Teaching::Relative(_) | Teaching::Nothing => continue,
        };
        let Some(key) = key else { continue };
        let first = firsts.entry(key).or_default();
        first[side].get_or_insert(place);
        if let Some(other) = first[1 - side] {
            pairs.push((other, place));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::{Block, Document, PageUrl};

    fn page(text: &str) -> Document {
        let block = Block { text: text.to_owned(), ..Block::default() };
        Document { blocks: vec![block], ..Document::default() }
    }

    #[track_caller]
    fn check(given: &[(&str, Teaching<'_>)], expected: &[(usize, usize)]) {
        let pages: Vec<Document> = given.iter().map(|(text, _)| page(text)).collect();
        let lessons = pages.iter().zip(given);
        let lessons: Vec<_> =
            lessons.map(|(page, (_, teaches))| Lesson::new(page, *teaches)).collect();
        assert_eq!(contradictions(&lessons), expected);
    }

    const YES: Teaching<'_> = Teaching::Relevant;
    const NO: Teaching<'_> = Teaching::Irrelevant;

    #[test]
    fn the_same_words_labelled_both_ways_contradict() {
        check(&[("They dive", YES), ("they dive!", NO)], &[(0, 1)]);
        check(&[("They dive", YES), ("they dive!", YES)], &[]);
        check(&[("They dive", YES), ("they dive!", Teaching::Nothing)], &[]);
        check(&[("They dive", YES), ("they rest", NO)], &[]);
        check(&[("", YES), ("", NO)], &[]);
    }

    #[test]
    fn each_is_told_once_with_the_first_that_says_otherwise() {
        check(&[("a", YES), ("a", NO), ("a", NO), ("a", YES)], &[(0, 1), (0, 2), (1, 3)]);
    }

    #[test]
    fn the_same_address_labelled_both_ways_contradicts() {
        let (old, new) = (page("they dive"), page("they dived"));
        let url = PageUrl::parse("http://a.example/gannet").unwrap();
        let mut lessons = [Lesson::new(&old, YES), Lesson::new(&new, NO)];
        for lesson in &mut lessons {
            lesson.page.url = Some(&url);
        }
        assert_eq!(contradictions(&lessons), [(0, 1)]);
    }
}
