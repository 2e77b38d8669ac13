//! The laws that the default model keeps.

use super::*;
use crate::{Teaching, TopicParts};
use gannet_model::{Block, Document, Settings};

fn page(text: &str) -> Document {
    let block = Block { text: text.to_owned(), ..Block::default() };
    Document { blocks: vec![block], ..Document::default() }
}

fn topic() -> Topic {
    Topic::from_words("gannet, plunge diving").unwrap()
}

fn model() -> Box<dyn Model> {
    (ENTRY.build)(&topic(), &Settings::none()).unwrap()
}

/// A crawl of pages: one in eight about seabirds, of which half name the keywords.
fn crawl() -> Vec<(Document, bool)> {
    let birds = ["colony", "cliff", "seabird", "nest", "feather", "chick"];
    let world = ["hotel", "price", "offer", "flight", "match", "goal", "league", "recipe", "sauce"];
    let word = |list: &[&str], at: usize| list[at % list.len()].to_owned();
    let mut pages = Vec::new();
    for at in 0..160_usize {
        let is_relevant = at % 8 == 0;
        let mut text: Vec<String> = Vec::new();
        for n in 0..30 {
            let spread = at * 7 + n * n * 3 + n / 2;
            text.push(match (is_relevant, n % 3) {
                (true, 0) => word(&birds, spread),
                (_, 1) => format!("filler{}", spread % 40),
                _ => word(&world, spread),
            });
        }
        if at % 16 == 0 {
            text.push("gannet plunge diving gannet".to_owned());
        }
        pages.push((page(&text.join(" ")), is_relevant));
    }
    pages
}

fn score(model: &dyn Model, text: &str) -> f32 {
    model.judge(&(&page(text)).into()).score.get()
}

#[test]
fn without_any_lesson_keywords_decide() {
    let model = model();
    assert!(score(&*model, "the gannet and its plunge diving") > 0.9);
    assert!(score(&*model, "cheap flights") < 0.05);
    let passing = format!("{} gannet", "other words ".repeat(200));
    assert!(score(&*model, &passing) < 0.3);
}

#[test]
fn from_pages_of_the_crawl_it_learns_words_that_go_along_with_the_keywords() {
    let crawl = crawl();
    let lessons: Vec<_> =
        crawl.iter().map(|(page, _)| Lesson::new(page, Teaching::Nothing)).collect();
    let cold = model();
    let taught = cold.taught(&lessons).unwrap();
    let without_keyword = "seabird colony on the cliff: nest, chick, feather";
    let other = "hotel price offer for the match";
    assert_eq!(score(&*cold, without_keyword), score(&*cold, other));
    let (bird, match_report) = (score(&*taught, without_keyword), score(&*taught, other));
    assert!(bird > 10.0 * match_report, "{bird} {match_report}");
    assert!(!taught.judge(&(&page(other)).into()).is_relevant());
    assert_ne!(cold.version(), taught.version());
    let right = crawl
        .iter()
        .filter(|(page, is_relevant)| taught.judge(&page.into()).is_relevant() == *is_relevant);
    assert!(right.count() >= 150);
}

#[test]
fn labels_win_over_keywords() {
    let crawl = crawl();
    let teaches = |is_relevant: bool| match is_relevant {
        true => Teaching::Irrelevant,
        false => Teaching::Relevant,
    };
    let lessons: Vec<_> =
        crawl.iter().map(|(page, is_bird)| Lesson::new(page, teaches(*is_bird))).collect();
    let taught = model().taught(&lessons).unwrap();
    assert!(taught.judge(&(&page("hotel price offer flight match goal")).into()).is_relevant());
    assert!(!taught.judge(&(&page("colony cliff seabird nest feather")).into()).is_relevant());
}

#[test]
fn what_was_learned_is_restored_to_the_letter() {
    let crawl = crawl();
    let lessons: Vec<_> =
        crawl.iter().map(|(page, _)| Lesson::new(page, Teaching::Nothing)).collect();
    let taught = model().taught(&lessons).unwrap();
    let restore = ENTRY.restore.unwrap();
    let again = restore(&topic(), &Settings::none(), &taught.state().unwrap()).unwrap();
    assert_eq!(again.version(), taught.version());
    for (page, _) in &crawl {
        assert_eq!(again.judge(&page.into()), taught.judge(&page.into()));
    }
    // And it goes on learning as if nothing had happened.
    let more = [Lesson::new(&crawl[1].0, Teaching::Irrelevant)];
    assert_eq!(again.taught(&more).unwrap().version(), taught.taught(&more).unwrap().version());
}

#[test]
fn what_cannot_be_restored_is_refused() {
    let restore = ENTRY.restore.unwrap();
    let unreadable = |state: &[u8]| restore(&topic(), &Settings::none(), state).is_err();
    assert!(unreadable(&[]));
    assert!(unreadable(&[FORMAT]));
    assert!(unreadable(&[9, 1, 2, 3]));
    let crawl = crawl();
    let lessons: Vec<_> =
        crawl.iter().map(|(page, _)| Lesson::new(page, Teaching::Nothing)).collect();
    let state = model().taught(&lessons).unwrap().state().unwrap();
    let other = Topic::from_words("one").unwrap();
    assert!(restore(&other, &Settings::none(), &state).is_err());
}

#[test]
fn the_strongest_words_are_named_and_marked() {
    let crawl = crawl();
    let lessons: Vec<_> = crawl
        .iter()
        .map(|(page, is_bird)| {
            Lesson::new(page, if *is_bird { Teaching::Relevant } else { Teaching::Irrelevant })
        })
        .collect();
    let taught = model().taught(&lessons).unwrap();
    let strongest = taught.strongest(20);
    assert!(
        strongest.iter().any(|(name, weight)| name == "seabird" && *weight > 0.0),
        "{strongest:?}"
    );
    let text = "a Gannet and a seabird";
    let marked: Vec<&str> = taught.marks(text).into_iter().map(|mark| &text[mark.span]).collect();
    assert!(marked.contains(&"Gannet") && marked.contains(&"seabird"), "{marked:?}");
    let judgement = taught.judge(&(&page("colony cliff seabird nest feather chick")).into());
    assert!(judgement.reasons.iter().any(|reason| reason.part == "seabird"), "{judgement:?}");
}

#[test]
fn a_wanted_precision_makes_it_stricter_and_a_wanted_recall_laxer() {
    let crawl = crawl();
    let lessons: Vec<_> =
        crawl.iter().map(|(page, _)| Lesson::new(page, Teaching::Nothing)).collect();
    let threshold = |wanted| {
        let keywords = vec![("gannet".to_owned(), 1.0), ("plunge diving".to_owned(), 1.0)];
        let topic = Topic::new(TopicParts { keywords, wanted, ..TopicParts::default() }).unwrap();
        let model = (ENTRY.build)(&topic, &Settings::none()).unwrap();
        model.taught(&lessons).unwrap().judge(&(&page("x")).into()).threshold.get()
    };
    let strict = threshold(Wanted::Precision(0.99));
    let lax = threshold(Wanted::Recall(0.99));
    assert!(strict > lax, "{strict} {lax}");
    assert_eq!(threshold(Wanted::Score(0.42)), 0.42);
}

#[test]
fn too_little_to_learn_from_changes_nothing_but_is_remembered() {
    let cold = model();
    let few = crawl().into_iter().take(10).collect::<Vec<_>>();
    let lessons: Vec<_> =
        few.iter().map(|(page, _)| Lesson::new(page, Teaching::Nothing)).collect();
    let taught = cold.taught(&lessons).unwrap();
    assert_eq!(taught.version(), cold.version());
    assert!(taught.state().is_some());
    let empty = Document::default();
    let blank = [Lesson::new(&empty, Teaching::Relevant)];
    assert_eq!(cold.taught(&blank).unwrap().version(), cold.version());
}
