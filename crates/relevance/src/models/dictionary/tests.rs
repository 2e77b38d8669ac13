//! The laws of the dictionary, from S2.1 to S2.5.

use super::*;
use crate::{Kinship, Pattern, Relative, TopicParts, Wanted, WordOrder};
use gannet_model::{Block, Heading};

fn page(text: &str) -> Document {
    let block = Block { text: text.to_owned(), ..Block::default() };
    Document { blocks: vec![block], ..Document::default() }
}

/// The job offers of the paper.
fn jobs() -> TopicParts {
    let order = |first: &str, then: &str, within| WordOrder {
        first: first.into(),
        then: then.into(),
        within,
        weight: 1.0,
    };
    TopicParts {
        keywords: vec![("salary".into(), 2.0), ("job offer".into(), 1.0)],
        synonyms: vec![("salary".into(), vec!["wage".into(), "monthly pay".into()])],
        patterns: vec![Pattern { regex: r"at least \d+ years".into(), weight: 4.0 }],
        word_orders: vec![order("senior", "engineer", 3)],
        ..TopicParts::default()
    }
}

fn words(words: &[(&str, f32)]) -> TopicParts {
    let keywords = words.iter().map(|(word, weight)| ((*word).to_owned(), *weight)).collect();
    TopicParts { keywords, ..TopicParts::default() }
}

fn model_with(parts: TopicParts, settings: &str) -> Dictionary {
    let table: toml::Table = settings.parse().unwrap();
    Dictionary::new(&Topic::new(parts).unwrap(), &Settings::from(table)).unwrap()
}

fn model(parts: TopicParts) -> Dictionary {
    model_with(parts, "")
}

fn teach(model: &dyn Model, pages: &[(&str, Teaching<'_>)]) -> Option<Box<dyn Model>> {
    let documents: Vec<Document> = pages.iter().map(|(text, _)| page(text)).collect();
    let lessons: Vec<_> = documents
        .iter()
        .zip(pages)
        .map(|(document, (_, teaches))| Lesson::new(document, *teaches))
        .collect();
    model.taught(&lessons)
}

fn score(model: &dyn Model, text: &str) -> f32 {
    model.judge(&(&page(text)).into()).score.get()
}

fn weight(model: &dyn Model, keyword: &str) -> f32 {
    model.turnover().into_iter().find(|one| one.keyword == keyword).unwrap().weight
}

const RELEVANT: Teaching<'_> = Teaching::Relevant;
const IRRELEVANT: Teaching<'_> = Teaching::Irrelevant;
const NOTHING: Teaching<'_> = Teaching::Nothing;

#[track_caller]
fn check_found(text: &str, expected: &[(&str, u32)]) {
    let model = model(jobs());
    let found = model.given.finder.find([text]);
    let found: Vec<_> =
        found.iter().map(|(entry, times)| (model.given.name(*entry), *times)).collect();
    let expected: Vec<_> =
        expected.iter().map(|(name, times)| ((*name).to_owned(), *times)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn words_phrases_and_expressions_are_found() {
    check_found("Salary: a job-offer, a job offer", &[("salary", 1), ("job offer", 2)]);
    check_found("At least 5 years", &[(r"/at least \d+ years/", 1)]);
    check_found("offer of a job; salaries", &[]);
}

#[test]
fn a_synonym_counts_for_its_keyword() {
    check_found("wage and monthly pay, no salary", &[("salary", 3)]);
    let model = model(jobs());
    assert_eq!(score(&model, "wage"), score(&model, "salary"));
}

#[test]
fn a_synonym_may_stand_for_several_keywords() {
    let mut parts = words(&[("pay", 1.0), ("salary", 1.0), ("wage", 1.0)]);
    parts.synonyms =
        vec![("salary".into(), vec!["pay".into()]), ("wage".into(), vec!["pay".into()])];
    let model = model(parts);
    assert_eq!(model.given.finder.find(["pay"]), [(0, 1), (1, 1), (2, 1)]);
}

#[test]
fn word_order_counts_within_reach_and_in_order_only() {
    let order = "senior … engineer";
    check_found("senior engineer", &[(order, 1)]);
    check_found("senior and very engineer", &[(order, 1)]);
    check_found("senior and very tired engineer", &[]);
    check_found("engineer senior", &[]);
    check_found("senior, senior: engineer; engineer", &[(order, 2)]);
}

#[test]
fn word_order_does_not_run_over_the_edge_of_a_block() {
    let heading = Heading { level: 1, text: "Senior".to_owned() };
    let block = Block { heading: Some(heading), text: "engineer".to_owned(), ..Block::default() };
    let document = Document { blocks: vec![block], ..Document::default() };
    assert_eq!(model(jobs()).judge(&(&document).into()).score, Score::ZERO);
}

#[test]
fn phrases_in_order_do_not_overlap() {
    let check = |first: &str, then: &str, text: &str, expected: usize| {
        let order = WordOrder { first: first.into(), then: then.into(), within: 2, weight: 1.0 };
        let parts = TopicParts { word_orders: vec![order], ..TopicParts::default() };
        let found = model(parts).given.finder.find([text]);
        assert_eq!(found.iter().map(|(_, times)| *times as usize).sum::<usize>(), expected);
    };
    check("sea bird", "bird song", "sea bird song", 0);
    check("sea bird", "bird song", "sea bird, bird song", 1);
    // The first word stands inside the second phrase too, but also before it.
    check("b", "a b c", "b a b c", 1);
    check("ping", "ping", "ping", 0);
    check("ping", "ping", "ping ping ping", 2);
}

#[test]
fn before_any_page_the_weights_are_the_users_and_the_largest_is_one() {
    let model = model(jobs());
    assert_eq!(weight(&model, r"/at least \d+ years/"), 1.0);
    assert_eq!(weight(&model, "salary"), 0.5);
    assert_eq!(weight(&model, "job offer"), 0.25);
    assert_eq!(weight(&model, "senior … engineer"), 0.25);
    assert!(model.state().is_none());
}

#[test]
fn relevance_is_the_mean_weight_of_the_keywords_found() {
    let model = model(jobs());
    assert_eq!(score(&model, "salary"), 0.5);
    assert_eq!(score(&model, "salary salary, job offer"), (0.5 + 0.25) / 2.0);
    assert_eq!(score(&model, "at least 2 years, job offer"), (1.0 + 0.25) / 2.0);
}

#[test]
fn nothing_found_is_no_relevance() {
    let model = model(jobs());
    let judgement = model.judge(&(&page("birds of prey")).into());
    assert_eq!(judgement.score, Score::ZERO);
    assert!(!judgement.is_relevant());
    assert!(!judgement.reasons.is_empty());
}

#[test]
fn weights_are_learned_from_labelled_pages() {
    let model = model(words(&[("salary", 1.0), ("home", 1.0), ("unseen", 1.0)]));
    let taught = teach(
        &model,
        &[
            ("salary salary at home", RELEVANT),
            ("a salary", RELEVANT),
            ("welcome home", IRRELEVANT),
            ("back home", IRRELEVANT),
            ("nothing", IRRELEVANT),
            ("nothing else", IRRELEVANT),
        ],
    )
    .unwrap();
    assert_eq!(weight(&*taught, "salary"), 2.0 / 2.0 - 0.0 / 4.0);
    assert_eq!(weight(&*taught, "home"), 1.0 / 2.0 - 2.0 / 4.0);
    assert_eq!(weight(&*taught, "unseen"), 0.0);
    assert_eq!(score(&*taught, "salary, home"), (1.0 + 0.0) / 2.0);
}

#[test]
fn occurrences_count_when_the_user_wants_so() {
    let model = model_with(words(&[("salary", 1.0)]), "once_per_page = false");
    let taught = teach(&model, &[("salary salary salary", RELEVANT), ("x", RELEVANT)]).unwrap();
    assert_eq!(weight(&*taught, "salary"), 3.0 / 2.0);
    assert_eq!(score(&*taught, "salary"), 1.0);
}

#[test]
fn without_pages_of_a_kind_its_term_is_zero() {
    let model = model(words(&[("salary", 1.0), ("home", 1.0)]));
    let relevant = teach(&model, &[("salary", RELEVANT)]).unwrap();
    assert_eq!([weight(&*relevant, "salary"), weight(&*relevant, "home")], [1.0, 0.0]);
    let irrelevant = teach(&model, &[("salary", IRRELEVANT)]).unwrap();
    assert_eq!([weight(&*irrelevant, "salary"), weight(&*irrelevant, "home")], [-1.0, 0.0]);
    assert_eq!(score(&*irrelevant, "salary"), 0.0, "below 0 the score is 0");
}

#[test]
fn unlabelled_pages_count_by_the_models_own_verdict_one_after_the_other() {
    let model = model_with(words(&[("salary", 1.0), ("home", 1.0)]), "warm_up = 0");
    let first = teach(&model, &[("a salary", NOTHING)]).unwrap();
    assert_eq!([weight(&*first, "salary"), weight(&*first, "home")], [1.0, 0.0]);
    // By now "home" weighs nothing, so a page with it alone is irrelevant.
    let second = teach(&*first, &[("home", NOTHING)]).unwrap();
    assert_eq!([weight(&*second, "salary"), weight(&*second, "home")], [1.0, -1.0]);
    let at_once = teach(&model, &[("a salary", NOTHING), ("home", NOTHING)]).unwrap();
    assert_eq!(at_once.version(), second.version());
    assert!(teach(&model, &[("", NOTHING)]).is_none(), "a blank page teaches nothing");
}

#[test]
fn the_users_weights_hold_while_the_model_warms_up() {
    let model = model_with(words(&[("salary", 2.0), ("home", 1.0)]), "warm_up = 2");
    let one = teach(&model, &[("salary", NOTHING)]).unwrap();
    assert_eq!(weight(&*one, "home"), 0.5);
    assert_ne!(one.version(), model.version(), "the next page may be judged otherwise");
    let two = teach(&*one, &[("salary", NOTHING)]).unwrap();
    assert_eq!(weight(&*two, "home"), 0.0);
    let labelled = teach(&model, &[("salary", RELEVANT)]).unwrap();
    assert_eq!(weight(&*labelled, "home"), 0.0, "a label ends it");
}

#[test]
fn a_page_labelled_again_counts_once_by_its_last_label() {
    let model = model(words(&[("salary", 1.0)]));
    let first = teach(&model, &[("salary", RELEVANT)]).unwrap();
    assert!(teach(&*first, &[("Salary!", RELEVANT)]).is_none());
    assert!(teach(&*first, &[("salary", NOTHING)]).is_none());
    let other = teach(&*first, &[("salary", IRRELEVANT)]).unwrap();
    let only = teach(&model, &[("salary", IRRELEVANT)]).unwrap();
    assert_eq!(other.version(), only.version());
    assert_eq!(weight(&*other, "salary"), -1.0);
}

#[test]
fn subtopics_are_relevant_and_neighbours_are_not() {
    let relative =
        |name: &str, kinship| Relative { name: name.into(), kinship, keywords: Vec::new() };
    let mut parts = words(&[("salary", 1.0)]);
    parts.relatives =
        vec![relative("pay", Kinship::Subtopic), relative("homes", Kinship::Neighbour)];
    let model = model(parts);
    let of = |name| teach(&model, &[("salary", Teaching::Relative(name))]);
    assert_eq!(weight(&*of("pay").unwrap(), "salary"), 1.0);
    assert_eq!(weight(&*of("homes").unwrap(), "salary"), -1.0);
    assert!(of("unheard of").is_none());
}

#[test]
fn the_threshold_is_tuned_on_labelled_pages_of_both_kinds() {
    let parts = words(&[("salary", 1.0), ("home", 1.0)]);
    let pages = [
        ("salary one", RELEVANT),
        ("salary two", RELEVANT),
        ("salary home", RELEVANT),
        ("home one", IRRELEVANT),
        ("home two", IRRELEVANT),
        ("home salary", IRRELEVANT),
    ];
    let threshold_of = |model: &dyn Model| model.judge(&(&page("")).into()).threshold.get();
    let untaught = model(parts.clone());
    assert_eq!(threshold_of(&untaught), 0.1);
    let taught = teach(&untaught, &pages).unwrap();
    assert!(score(&*taught, "salary") >= threshold_of(&*taught));
    assert!(score(&*taught, "home") < threshold_of(&*taught));
    let wanted = Wanted::Score(0.42);
    let fixed = model(TopicParts { wanted, ..parts });
    assert_eq!(threshold_of(&fixed), 0.42);
    assert_eq!(threshold_of(&*teach(&fixed, &pages).unwrap()), 0.42);
}

#[test]
fn a_blank_page_is_irrelevant_whatever_was_taught() {
    let model = model(words(&[("salary", 1.0)]));
    let contradictory = [("home", RELEVANT), ("house", RELEVANT), ("salary", IRRELEVANT)];
    let taught = teach(&model, &contradictory).unwrap();
    assert!(!taught.judge(&(&Document::default()).into()).is_relevant());
}

#[test]
fn the_turnover_report_says_which_keywords_earn_their_place() {
    let model = model(words(&[("salary", 1.0), ("home", 1.0), ("and", 1.0), ("rare", 1.0)]));
    let relevant = (0..10).map(|at| (format!("salary and {at}"), RELEVANT));
    let irrelevant = (0..10).map(|at| (format!("home and {at}"), IRRELEVANT));
    let last = ("rare".to_owned(), IRRELEVANT);
    let pages: Vec<_> = relevant.chain(irrelevant).chain([last]).collect();
    let pages: Vec<_> = pages.iter().map(|(text, teaches)| (text.as_str(), *teaches)).collect();
    let report = teach(&model, &pages).unwrap().turnover();
    let seen: Vec<_> = report
        .iter()
        .map(|one| (one.keyword.as_str(), one.standing, one.pages, one.is_droppable))
        .collect();
    assert_eq!(
        seen,
        [
            ("salary", Standing::Relevant, 10, false),
            ("and", Standing::Relevant, 20, false),
            ("rare", Standing::Irrelevant, 1, false),
            ("home", Standing::Irrelevant, 10, true),
        ]
    );
    assert_eq!(standing(0.04), Standing::Neutral);
    assert_eq!(standing(-0.04), Standing::Neutral);
}

#[test]
fn what_was_learned_comes_back() {
    let topic = Topic::new(jobs()).unwrap();
    let built = (ENTRY.build)(&topic, &Settings::none()).unwrap();
    let pages =
        [("salary", RELEVANT), ("job offer home", IRRELEVANT), ("at least 3 years", NOTHING)];
    let taught = teach(&*built, &pages).unwrap();
    let state = taught.state().unwrap();
    let restore = ENTRY.restore.unwrap();
    let again = restore(&topic, &Settings::none(), &state).unwrap();
    assert_eq!(again.version(), taught.version());
    assert_eq!(again.turnover(), taught.turnover());
    let other = Topic::from_words("gannet").unwrap();
    for (topic, bytes) in
        [(&other, state.as_slice()), (&topic, &[]), (&topic, &[9, 9]), (&topic, &state[..9])]
    {
        assert!(restore(topic, &Settings::none(), bytes).is_err());
    }
}

#[test]
fn marks_show_what_was_found_and_what_it_weighs() {
    let model = model(jobs());
    let text = "Senior (female) engineer, at least 5 years; wages: monthly pay!";
    let marks: Vec<_> = model
        .marks(text)
        .into_iter()
        .map(|mark| (text[mark.span].to_owned(), mark.name, mark.value))
        .collect();
    let expected = [
        ("Senior (female) engineer", "senior … engineer", 0.25),
        ("at least 5 years", r"/at least \d+ years/", 1.0),
        ("monthly pay", "salary", 0.5),
    ];
    let expected = expected.map(|(text, name, value)| (text.to_owned(), name.to_owned(), value));
    assert_eq!(marks, expected);
}

#[test]
fn blocks_and_links_are_judged_by_themselves() {
    let model = model(jobs());
    let heading = Heading { level: 2, text: "Salary".to_owned() };
    let document = Document {
        blocks: vec![
            Block { text: "welcome".to_owned(), ..Block::default() },
            Block { heading: Some(heading), text: "job offer".to_owned(), ..Block::default() },
        ],
        ..Document::default()
    };
    let scores: Vec<f32> = model.judge_blocks(&document).into_iter().map(Score::get).collect();
    assert_eq!(scores, [0.0, 0.375]);
    assert_eq!(model.judge_text("our salary").get(), 0.5);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let topic = Topic::from_words("gannet").unwrap();
    for settings in ["threshold = 0.0", "threshold = 1.5", "threshold = nan", "treshold = 0.1"] {
        let table: toml::Table = settings.parse().unwrap();
        assert!((ENTRY.build)(&topic, &Settings::from(table)).is_err(), "{settings}");
    }
}

/// How long it takes is measured by the bench.
#[test]
fn a_large_dictionary_finds_what_there_is_and_keeps_what_it_found() {
    let many: Vec<(String, f32)> = (0..100_000)
        .map(|at| match at % 3 {
            0 => (format!("keyword{at}"), 1.0),
            1 => (format!("common start{at} of{at}"), 1.0),
            _ => (format!("start{at} disease"), 1.0),
        })
        .collect();
    let model = model(TopicParts { keywords: many, ..TopicParts::default() });
    let text = "start5 disease, common start1 of1, keyword99 and disease disease common";
    assert_eq!(model.given.finder.find([text]), [(1, 1), (5, 1), (99, 1)]);
    let taught = teach(&model, &[(text, RELEVANT)]).unwrap();
    assert_ne!(taught.version(), model.version());
    assert!(taught.state().unwrap().len() < 100);
}
