//! Keywords and weights of small pages.

use super::*;
use gannet_model::{Block, Document};
use proptest::prelude::*;

fn page(text: &str) -> Document {
    let block = Block { text: text.to_owned(), ..Block::default() };
    Document { blocks: vec![block], ..Document::default() }
}

fn learn(given: &[(&str, Teaching<'_>)], contrast: Contrast) -> Vec<LearnedKeyword> {
    let pages: Vec<Document> = given.iter().map(|(text, _)| page(text)).collect();
    let lessons = pages.iter().zip(given);
    let lessons: Vec<_> = lessons.map(|(page, (_, teaches))| Lesson::new(page, *teaches)).collect();
    keywords(&lessons, 10, contrast)
}

const YES: Teaching<'_> = Teaching::Relevant;
const NO: Teaching<'_> = Teaching::Irrelevant;

#[track_caller]
fn check(given: &[(&str, Teaching<'_>)], expected: &[&str]) {
    let learned = learn(given, Contrast::Others);
    let texts: Vec<&str> = learned.iter().map(|keyword| keyword.text.as_str()).collect();
    assert_eq!(texts, expected);
}

#[test]
fn the_weight_is_occurrences_times_pages() {
    let learned = learn(&[("gannet gannet, booby", YES), ("The gannets", YES)], Contrast::None);
    let keyword = |text: &str, weight, pages, occurrences| LearnedKeyword {
        text: text.to_owned(),
        weight,
        pages,
        occurrences,
    };
    assert_eq!(learned, [keyword("gannet", 1.0, 2, 3), keyword("booby", 1.0 / 6.0, 1, 1)]);
}

#[test]
fn forms_of_a_stem_are_one_and_shown_as_written_most() {
    check(&[("dive diving diving, dives", YES)], &["diving"]);
}

#[test]
fn stop_words_numbers_and_letters_are_no_keywords() {
    check(&[("the 40 x gannet of 1998", YES)], &["gannet"]);
}

#[test]
fn a_pair_that_holds_together_is_a_keyword_and_speaks_for_its_words() {
    check(&[("plunge diving. plunge diving", YES)], &["plunge diving"]);
    // Half of each word's occurrences are outside the pair.
    let apart = "plunge diving. plunge diving. Diving! diving? Plunge. plunge";
    check(&[(apart, YES)], &["diving", "plunge", "plunge diving"]);
    // No pair runs over a stop word or stands only once.
    check(&[("plunge of diving, plunge of diving", YES)], &["diving", "plunge"]);
    check(&[("plunge diving", YES)], &["diving", "plunge"]);
}

#[test]
fn what_others_hold_as_often_is_left_out() {
    let relevant = ("gannet news", YES);
    check(&[relevant, ("gannet; news page", YES), ("sports news page", NO)], &["gannet"]);
    check(&[relevant, ("flight news", Teaching::Nothing)], &["gannet"]);
    // Irrelevant lessons are the better others.
    check(&[relevant, ("gannet", Teaching::Nothing), ("flight", NO)], &["gannet", "news"]);
    check(&[relevant], &["gannet", "news"]);
    let plain = learn(&[relevant, ("flight news", NO)], Contrast::None);
    assert_eq!(plain.len(), 2);
}

#[test]
fn keywords_are_fewer_than_fifty() {
    let words: Vec<String> = (0..200).map(|number| format!("w{number}")).collect();
    let page = page(&words.join(" "));
    let lessons = [Lesson::new(&page, YES)];
    assert_eq!(keywords(&lessons, 1000, Contrast::None).len(), 49);
    assert_eq!(keywords(&lessons, 0, Contrast::None), []);
    assert_eq!(keywords(&[], 10, Contrast::Others), []);
}

#[test]
fn the_table_has_the_share_of_the_commonest_word() {
    let page = page("gannet gannets diving the gannet; dives and booby. Gannet!");
    let lessons = [Lesson::new(&page, YES), Lesson::new(&page, NO)];
    let table = weights_table(&lessons, 2);
    assert_eq!(table, [("gannet".to_owned(), 1.0), ("dives".to_owned(), 0.5)]);
    assert_eq!(weights_table(&[], 10), []);
}

proptest! {
    #[test]
    fn weights_fall_and_stay_between_zero_and_one(
        texts in prop::collection::vec("([a-e]{2}( |, )){0,30}", 0..6)
    ) {
        let given: Vec<_> = texts.iter().map(|text| (text.as_str(), YES)).collect();
        let learned = learn(&given, Contrast::Others);
        prop_assert!(learned.iter().all(|keyword| keyword.weight > 0.0 && keyword.weight <= 1.0));
        prop_assert!(learned.is_sorted_by(|a, b| a.weight >= b.weight));
        prop_assert!(learned.iter().all(|keyword| keyword.pages <= texts.len()));
        prop_assert!(learned.iter().all(|keyword| keyword.occurrences >= keyword.pages));
    }
}
