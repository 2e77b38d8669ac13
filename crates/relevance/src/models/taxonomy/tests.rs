//! The classifier on small taxonomies.

use super::*;
use crate::{Kinship, Relative, RestoreError, Teaching, TopicParts};
use gannet_model::{Block, Document, Settings};
use proptest::prelude::*;

fn page(text: &str) -> Document {
    let block = Block { text: text.to_owned(), ..Block::default() };
    Document { blocks: vec![block], ..Document::default() }
}

fn topic(relatives: &[(&str, Kinship, &str)]) -> Topic {
    let relatives = relatives.iter().map(|(name, kinship, keywords)| Relative {
        name: (*name).to_owned(),
        kinship: *kinship,
        keywords: keywords.split(", ").map(str::to_owned).collect(),
    });
    let keywords = vec![("gannet".to_owned(), 1.0), ("plunge diving".to_owned(), 1.0)];
    Topic::new(TopicParts { keywords, relatives: relatives.collect(), ..TopicParts::default() })
        .unwrap()
}

fn model(relatives: &[(&str, Kinship, &str)]) -> Taxonomy {
    Taxonomy::new(&topic(relatives), Config::default(), Experience::default())
}

fn teach(model: &dyn Model, given: &[(&str, Teaching<'_>)]) -> Box<dyn Model> {
    let pages: Vec<Document> = given.iter().map(|(text, _)| page(text)).collect();
    let lessons = pages.iter().zip(given);
    let lessons: Vec<_> = lessons.map(|(page, (_, teaches))| Lesson::new(page, *teaches)).collect();
    model.taught(&lessons).unwrap()
}

fn score(model: &dyn Model, text: &str) -> f32 {
    model.judge(&(&page(text)).into()).score.get()
}

fn is_relevant(model: &dyn Model, text: &str) -> bool {
    model.judge(&(&page(text)).into()).is_relevant()
}

const YES: Teaching<'_> = Teaching::Relevant;
const NO: Teaching<'_> = Teaching::Irrelevant;

/// Four pages of each kind, told apart by `booby` and `hotel`; neither is a keyword.
const LESSONS: &[(&str, Teaching<'_>)] = &[
    ("the booby nests on a cliff above the sea", YES),
    ("boobies feed their chicks with fish from the sea", YES),
    ("a booby colony on the island", YES),
    ("the blue footed booby dances", YES),
    ("a hotel on a cliff above the sea", NO),
    ("hotels serve their guests with fish from the sea", NO),
    ("a hotel resort on the island", NO),
    ("the guests of the hotel dance", NO),
];

#[test]
fn keywords_alone_accept_and_reject_pages_and_links() {
    let model = model(&[]);
    assert!(is_relevant(&model, "The gannet dives; plunge diving is what a gannet does."));
    assert!(!is_relevant(&model, "Cheap flights to sunny places, book today."));
    assert!(model.judge_text("Gannets").get() > 0.5);
    assert!(model.judge_text("Contact us").get() < 0.5);
    assert_eq!(score(&model, ""), 0.0);
}

#[test]
fn a_neighbour_takes_its_pages_away() {
    let text = "gannet and newspaper: the Gannett newspaper group, publisher of newspapers";
    let near = ("press", Kinship::Neighbour, "newspaper, publisher");
    let alone = score(&model(&[]), text);
    let beside = score(&model(&[near]), text);
    assert!(beside < alone / 2.0, "{beside} is not much below {alone}");
}

#[test]
fn a_subtopic_adds_its_pages() {
    let text = "the booby is a bird of the tropics";
    let part = ("boobies", Kinship::Subtopic, "booby");
    assert!(score(&model(&[]), text) < 0.5);
    let model = model(&[part]);
    assert!(score(&model, text) > 0.5);
    let judgement = model.judge(&(&page(text)).into());
    let first = judgement.reasons.iter().next().unwrap();
    assert_eq!((first.part.as_ref(), first.note.as_ref()), ("boobies", "wanted"));
}

#[test]
fn examples_teach_words_that_are_no_keywords() {
    let untaught = model(&[]);
    assert!(!is_relevant(&untaught, "booby by booby"));
    let taught = teach(&untaught, LESSONS);
    assert!(is_relevant(&*taught, "a booby in the sun"));
    assert!(!is_relevant(&*taught, "a hotel in the sun"));
    assert!(taught.judge_text("blue booby").get() > taught.judge_text("hotel").get());
    let strongest = taught.strongest(3);
    assert!(strongest.iter().any(|(term, _)| term == "boobi"), "{strongest:?}");
    assert_ne!(taught.version(), untaught.version());
}

#[test]
fn unlabelled_pages_stand_for_anything_else_until_there_are_irrelevant_ones() {
    let untaught = model(&[]);
    assert_eq!(untaught.appetite(), Appetite::Batches);
    let unlabelled: Vec<_> = LESSONS
        .iter()
        .map(|(text, teaches)| (*text, if *teaches == NO { Teaching::Nothing } else { YES }))
        .collect();
    let taught = teach(&untaught, &unlabelled);
    assert!(score(&*taught, "a booby") > score(&*taught, "a hotel"));
    assert_eq!(taught.appetite(), Appetite::Batches);
    assert_eq!(teach(&*taught, LESSONS).appetite(), Appetite::None);
}

#[test]
fn relevant_examples_alone_speak_for_their_words() {
    let relevant: Vec<_> = LESSONS.iter().filter(|(_, teaches)| *teaches == YES).copied().collect();
    let taught = teach(&model(&[]), &relevant);
    assert!(score(&*taught, "boobies nest in a colony on the cliff") > 0.5);
    assert!(score(&*taught, "cheap flights, book today") < 0.5);
}

#[test]
fn lessons_on_relatives_teach_their_classes() {
    let near = ("hotels", Kinship::Neighbour, "lodging");
    let lessons: Vec<_> = LESSONS
        .iter()
        .map(|(text, teaches)| {
            (*text, if *teaches == NO { Teaching::Relative("hotels") } else { YES })
        })
        .collect();
    let taught = teach(&model(&[near]), &lessons);
    assert!(is_relevant(&*taught, "a booby in the sun"));
    assert!(!is_relevant(&*taught, "a hotel in the sun"));
    // A name that the topic does not have teaches nothing.
    let stray = teach(&model(&[]), &[("a hotel", Teaching::Relative("hotels"))]);
    assert_eq!(score(&*stray, "a hotel"), score(&model(&[]), "a hotel"));
}

#[test]
fn keywords_are_found_in_the_language_of_the_page() {
    let keywords = vec![("vögel".to_owned(), 1.0)];
    let topic = Topic::new(TopicParts { keywords, ..TopicParts::default() }).unwrap();
    let model = Taxonomy::new(&topic, Config::default(), Experience::default());
    let mut german = page("Der Vogel und das Meer, und die Vögel auf dem Felsen in der See.");
    german.language = Some("de".to_owned());
    assert!(model.judge(&(&german).into()).is_relevant());
}

#[test]
fn what_was_learned_is_restored() {
    let taught = teach(&model(&[]), LESSONS);
    let restore = ENTRY.restore.unwrap();
    let again = restore(&topic(&[]), &Settings::none(), &taught.state().unwrap()).unwrap();
    let page = page("a booby near the hotel");
    assert_eq!(again.judge(&(&page).into()), taught.judge(&(&page).into()));
    let torn = restore(&topic(&[]), &Settings::none(), &[1, 200, 200]);
    assert!(matches!(torn, Err(RestoreError::Unreadable(_))));
}

#[test]
fn evidence_for_and_against_is_marked_where_it_stands() {
    let taught = teach(&model(&[]), LESSONS);
    let marks = taught.marks("A booby, no hotel.");
    let spans: Vec<_> = marks.iter().map(|mark| (mark.span.clone(), mark.value > 0.0)).collect();
    assert_eq!(spans, [(2..7, true), (12..17, false)]);
}

proptest! {
    #[test]
    fn any_page_gets_a_share_and_reasons(text in "(gannet|booby|hotel|the|sea|zz|[a-z]{1,8}| |, ){0,80}") {
        let taught = teach(&model(&[("press", Kinship::Neighbour, "newspaper")]), LESSONS);
        let judgement = taught.judge(&(&page(&text)).into());
        prop_assert!((0.0..=1.0).contains(&judgement.score.get()));
        prop_assert!(!judgement.reasons.is_empty());
    }
}
