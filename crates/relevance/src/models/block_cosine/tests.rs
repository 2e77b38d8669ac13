//! The laws of the block cosine, from S5.2 and S5.3.

use super::*;
use crate::{Kinship, Relative, Teaching, TopicParts, Wanted};
use gannet_model::Heading;
use proptest::prelude::*;

fn block(heading: &str, text: &str) -> Block {
    let heading = (!heading.is_empty()).then(|| Heading { level: 2, text: heading.to_owned() });
    Block { heading, text: text.to_owned(), ..Block::default() }
}

fn page(blocks: &[(&str, &str)]) -> Document {
    let blocks = blocks.iter().map(|(heading, text)| block(heading, text)).collect();
    Document { blocks, language: Some("en".to_owned()), ..Document::default() }
}

fn model_with(parts: TopicParts, settings: &str) -> BlockCosine {
    let table: toml::Table = settings.parse().unwrap();
    let config = Config::read(&Settings::from(table)).unwrap();
    BlockCosine::new(&Topic::new(parts).unwrap(), config, Examples::default())
}

fn words(words: &[(&str, f32)]) -> TopicParts {
    let keywords = words.iter().map(|(word, weight)| ((*word).to_owned(), *weight)).collect();
    TopicParts { keywords, ..TopicParts::default() }
}

fn model(words_with_weights: &[(&str, f32)]) -> BlockCosine {
    model_with(words(words_with_weights), "")
}

fn teach(model: &dyn Model, pages: &[(&str, Teaching<'_>)]) -> Option<Box<dyn Model>> {
    let documents: Vec<Document> = pages.iter().map(|(text, _)| page(&[("", text)])).collect();
    let lessons: Vec<_> = documents
        .iter()
        .zip(pages)
        .map(|(document, (_, teaches))| Lesson::new(document, *teaches))
        .collect();
    model.taught(&lessons)
}

#[track_caller]
fn check_score(model: &dyn Model, page: &Document, expected: f32) {
    let score = model.judge(&page.into()).score.get();
    assert!((score - expected).abs() < 1e-5, "{score} is not {expected}");
}

const RELEVANT: Teaching<'_> = Teaching::Relevant;
const IRRELEVANT: Teaching<'_> = Teaching::Irrelevant;

#[test]
fn a_block_is_as_relevant_as_its_cosine() {
    let model = model(&[("gannet", 1.0), ("diving", 1.0)]);
    // Heading and text count together: gannet 2, dive 1, rock 2; the length is 3.
    let document = page(&[("Gannets", "The gannet dived: rock, rocks")]);
    check_score(&model, &document, (2.0 + 1.0) / (2.0_f32.sqrt() * 3.0));
    let scores = model.judge_blocks(&document);
    check_score(&model, &document, scores[0].get());
}

#[test]
fn a_page_is_as_relevant_as_its_blocks_together_at_best_or_on_average() {
    // Cosines 0.6, 0.8 and 0 in blocks of 7, 7 and 2 words.
    let document = page(&[
        ("Gannets", "gannet gannet, rock rock rock rock"),
        ("Rocks", "gannet gannet gannet gannet rocks rock"),
        ("Cookies", "cookies"),
    ]);
    let check = |whole: &str, expected| {
        let model = model_with(words(&[("gannet", 1.0)]), &format!("page = \"{whole}\""));
        let scores: Vec<f32> = model.judge_blocks(&document).into_iter().map(Score::get).collect();
        let close = |a: f32, b: f32| (a - b).abs() < 1e-5;
        assert!(close(scores[0], 0.6) && close(scores[1], 0.8) && scores[2] == 0.0, "{scores:?}");
        check_score(&model, &document, expected);
    };
    check("sum", 1.0);
    check("max", 0.8);
    check("mean", (0.6 * 7.0 + 0.8 * 7.0) / 16.0);
}

#[test]
fn the_length_of_a_block_may_be_that_of_its_topic_terms() {
    let document = page(&[("", "one gannet among so many other birds and rocks and waves")]);
    let by_block = model(&[("gannet", 1.0)]).judge(&(&document).into()).score.get();
    assert!(by_block < 0.5, "{by_block}");
    let by_table = model_with(words(&[("gannet", 1.0)]), "length = \"table\"");
    check_score(&by_table, &document, 1.0);
}

#[test]
fn the_title_belongs_to_the_page_and_to_no_block() {
    let model = model(&[("gannet", 1.0)]);
    let titled = Document { title: "Gannets".to_owned(), ..page(&[("", "rock")]) };
    check_score(&model, &titled, 0.5_f32.sqrt());
    assert_eq!(model.judge_blocks(&titled), [Score::ZERO]);
    let only_titled = Document { title: "Gannets".to_owned(), ..page(&[]) };
    check_score(&model, &only_titled, 1.0);
}

#[test]
fn pages_are_read_in_their_language() {
    let model = model(&[("vögel", 1.0)]);
    let german = Document { language: Some("de".to_owned()), ..page(&[("", "der Vogel")]) };
    check_score(&model, &german, 1.0);
    let english = page(&[("", "der Vogel")]);
    check_score(&model, &english, 0.0);
}

/// In a language without blanks every character is a word, and keywords are found as phrases.
#[test]
fn text_in_no_supported_language_is_judged_by_its_words_as_they_stand() {
    let text = "カツオドリは春になると岩に戻ってきて、五月の終わりには巣があった。";
    let japanese = Document { language: Some("ja".to_owned()), ..page(&[("", text)]) };
    check_score(&model(&[("gannet", 1.0)]), &japanese, 0.0);
    let found = model(&[("カツオドリ", 1.0)]).judge(&(&japanese).into());
    assert!(found.score.get() > 0.2, "{found:?}");
}

#[test]
fn frequent_terms_of_relevant_examples_join_the_table_and_keywords_stay() {
    let model = model_with(words(&[("gannet", 1.0)]), "terms = 2");
    let taught = teach(
        &model,
        &[
            ("cliffs, a cliff and cliffs: nests", RELEVANT),
            ("the cliff, nest, egg", RELEVANT),
            ("casino casino casino casino casino", IRRELEVANT),
        ],
    )
    .unwrap();
    let expected = [("gannet", 1.0), ("cliff", 1.0), ("nest", 0.5)];
    let expected = expected.map(|(term, weight)| (term.to_owned(), weight));
    assert_eq!(taught.strongest(9), expected);
    assert_ne!(taught.version(), model.version());
}

#[test]
fn a_topic_without_keywords_is_learned_from_examples_alone() {
    let pattern = crate::Pattern { regex: "gannets?".into(), weight: 1.0 };
    let parts = TopicParts { patterns: vec![pattern], ..TopicParts::default() };
    let model = model_with(parts, "");
    let document = page(&[("", "cliff")]);
    let untaught = model.judge(&(&document).into());
    assert_eq!(untaught.score, Score::ZERO);
    assert!(untaught.reasons.iter().any(|reason| reason.note.contains("examples")));
    check_score(&*teach(&model, &[("cliff", RELEVANT)]).unwrap(), &document, 1.0);
}

#[test]
fn the_threshold_is_tuned_on_examples_of_both_kinds() {
    let pages = [
        ("gannet cliff one", RELEVANT),
        ("gannet cliff two", RELEVANT),
        ("gannet in the news with others of some importance", IRRELEVANT),
        ("others", IRRELEVANT),
    ];
    let threshold_of = |model: &dyn Model| model.judge(&(&page(&[])).into()).threshold.get();
    let untaught = model(&[("gannet", 1.0)]);
    let taught = teach(&untaught, &pages).unwrap();
    assert_ne!(threshold_of(&*taught), threshold_of(&untaught));
    let judge = |text: &str| taught.judge(&(&page(&[("", text)])).into()).is_relevant();
    assert!(judge("gannet cliff three"));
    assert!(!judge("a gannet in the news with others of importance"));
    let one_kind = teach(&untaught, &pages[..2]).unwrap();
    assert_eq!(threshold_of(&*one_kind), threshold_of(&untaught));
    let fixed =
        model_with(TopicParts { wanted: Wanted::Score(0.42), ..words(&[("gannet", 1.0)]) }, "");
    assert_eq!(threshold_of(&*teach(&fixed, &pages).unwrap()), 0.42);
}

#[test]
fn lessons_may_come_in_any_order_and_number() {
    let model = model(&[("gannet", 1.0)]);
    let pages = [("cliff", RELEVANT), ("nest", RELEVANT), ("casino", IRRELEVANT)];
    let at_once = teach(&model, &pages).unwrap();
    let first = teach(&model, &pages[2..]).unwrap();
    let one_by_one = teach(&*first, &pages[..2]).unwrap();
    assert_eq!(at_once.version(), one_by_one.version());
    assert!(teach(&*at_once, &pages).is_none(), "nothing new");
    assert!(teach(&model, &[("cliff", Teaching::Nothing), ("", RELEVANT)]).is_none());
    let changed = teach(&*at_once, &[("cliff", IRRELEVANT)]).unwrap();
    assert!(!changed.strongest(9).iter().any(|(term, _)| term == "cliff"));
}

#[test]
fn subtopics_are_relevant_and_neighbours_are_not() {
    let relative =
        |name: &str, kinship| Relative { name: name.into(), kinship, keywords: Vec::new() };
    let mut parts = words(&[("gannet", 1.0)]);
    parts.relatives =
        vec![relative("cliffs", Kinship::Subtopic), relative("casinos", Kinship::Neighbour)];
    let model = model_with(parts, "");
    let terms =
        |name| teach(&model, &[("cliff", Teaching::Relative(name))]).unwrap().strongest(9).len();
    assert_eq!([terms("cliffs"), terms("casinos")], [2, 1]);
}

#[test]
fn what_was_learned_comes_back() {
    let topic = Topic::from_words("gannet").unwrap();
    let built = (ENTRY.build)(&topic, &Settings::none()).unwrap();
    assert!(built.state().is_none());
    let pages = [("cliff cliff nest", RELEVANT), ("casino", IRRELEVANT)];
    let taught = teach(&*built, &pages).unwrap();
    let state = taught.state().unwrap();
    let restore = ENTRY.restore.unwrap();
    let again = restore(&topic, &Settings::none(), &state).unwrap();
    assert_eq!(again.version(), taught.version());
    let document = page(&[("Nest", "cliff and rock")]);
    assert_eq!(again.judge(&(&document).into()), taught.judge(&(&document).into()));
    for bytes in [&[][..], &[9, 9], &state[..state.len() / 2]] {
        assert!(restore(&topic, &Settings::none(), bytes).is_err());
    }
}

#[test]
fn reasons_name_the_strongest_blocks_and_their_terms() {
    let model = model(&[("gannet", 1.0), ("diving", 1.0)]);
    let document =
        page(&[("", "a gannet and a rock"), ("Diving gannets", "gannets"), ("Legal", "")]);
    let judgement = model.judge(&(&document).into());
    let parts: Vec<_> = judgement.reasons.iter().map(|reason| reason.part.as_ref()).collect();
    assert_eq!(parts, ["Diving gannets", "before the first heading"]);
    let first = judgement.reasons.iter().next().unwrap();
    assert!(first.note.contains("gannet 2×, dive 1×"), "{}", first.note);
}

#[test]
fn marks_show_every_form_of_a_term() {
    let model = model(&[("gannet", 1.0), ("plunge diving", 0.5)]);
    let text = "Gannets dived; the plunge-diving of others";
    let marks = model.marks(text);
    let seen: Vec<_> = marks.iter().map(|mark| (&text[mark.span.clone()], mark.value)).collect();
    assert_eq!(seen, [("Gannets", 1.0), ("dived", 0.5), ("plunge", 0.5), ("diving", 0.5)]);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let topic = Topic::from_words("gannet").unwrap();
    let wrong =
        ["threshold = 0.0", "threshold = 2.0", "page = \"most\"", "language = \"ja\"", "term = 3"];
    for settings in wrong {
        let table: toml::Table = settings.parse().unwrap();
        assert!((ENTRY.build)(&topic, &Settings::from(table)).is_err(), "{settings}");
    }
}

proptest! {
    /// S5.3: the cosine lies between 0 and 1, whatever is read.
    #[test]
    fn cosines_lie_between_zero_and_one(
        weights in prop::collection::vec(0.001_f32..1000.0, 4),
        texts in prop::collection::vec("[a-f](a|b|c)?( [a-f](a|b|c)?){0,30}", 1..5),
        length in prop::sample::select(vec!["block", "table"]),
    ) {
        let keywords = ["a", "b", "ca", "da"];
        let given: Vec<_> = keywords.iter().copied().zip(weights).collect();
        let model = model_with(words(&given), &format!("length = \"{length}\""));
        let table = model.table(Language::ENGLISH);
        let mut reader = Reader::new(table, Language::ENGLISH);
        for text in &texts {
            let squares_of = reader.read([text.as_str()]);
            let cosine = table.cosine(&squares_of.found, squares_of.squares);
            prop_assert!((0.0..=1.0 + 1e-5).contains(&cosine), "{}", cosine);
        }
        let blocks: Vec<_> = texts.iter().map(|text| ("", text.as_str())).collect();
        for score in model.judge_blocks(&page(&blocks)) {
            prop_assert!((0.0..=1.0).contains(&score.get()));
        }
    }
}
