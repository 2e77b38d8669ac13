//! The protocol keeps its promises, on a small made-up set and on real data where it is there.

use std::path::PathBuf;

use gannet_model::{Block, Document};
use gannet_relevance::{DEFAULT_MODEL, MODELS, Teaching};

use super::protocol::tasks;
use super::*;

const SEA: &str = "sail mast harbour tide anchor keel rope wind";
const GARDEN: &str = "soil seed rose spade hedge lawn bulb frost";
const BOTH: &str = "the day was long and people said it was good";

/// A page of words drawn from a list, repeated so that it is long enough for an excerpt.
fn page(nth: usize, class: usize, is_test: bool) -> LabelledPage {
    let own: Vec<&str> = [SEA, GARDEN][class].split(' ').collect();
    let all: Vec<&str> = BOTH.split(' ').collect();
    let word =
        |at: usize| if at.is_multiple_of(3) { own[(nth + at) % 8] } else { all[(nth * at) % 10] };
    let text = (0..150).map(word).collect::<Vec<_>>().join(" ");
    let named = ["sailing ", "gardening "][class].repeat(nth % 2);
    let block = Block { text: format!("{named}{text}"), ..Block::default() };
    LabelledPage {
        name: format!("{class}/{nth}"),
        document: Document { blocks: vec![block], ..Document::default() },
        url: None,
        classes: vec![class],
        is_test,
        prominence: None,
    }
}

/// Sixty pages to learn from and ten to judge for each of two topics.
fn set() -> LabelledSet {
    let class = |name: &str| LabelledClass { name: name.to_owned(), is_topic: true };
    let pages = (0..140).map(|nth| page(nth / 2, nth % 2, nth >= 120)).collect();
    LabelledSet {
        name: "made-up".to_owned(),
        classes: ["sailing", "gardening"].map(class).into(),
        pages,
    }
}

fn protocol() -> Protocol {
    Protocol { positives: vec![0, 10], draws: 2, pool: 20, threads: 2, ..Protocol::default() }
}

fn default_model() -> Vec<Contender> {
    Contender::all().into_iter().filter(Contender::is_default).collect()
}

const NOBODY: Watch<'static> = &|_| {};

/// A run without its speed, which no two runs share.
fn timeless(run: &Run) -> Run {
    Run { pages_per_cpu_s: 0.0, ..run.clone() }
}

#[test]
fn the_figures_do_not_depend_on_the_threads() {
    let sets = [set()];
    let on = |threads| {
        let protocol = Protocol { threads, ..protocol() };
        let runs = measure(&sets, &default_model(), &protocol, NOBODY).unwrap().runs;
        runs.iter().map(timeless).collect::<Vec<_>>()
    };
    let alone = on(1);
    assert_eq!(alone, on(2));
    let named: Vec<_> = alone.iter().map(|run| (run.topic.as_str(), run.positives)).collect();
    assert_eq!(named, [("sailing", 0), ("sailing", 10), ("gardening", 0), ("gardening", 10)]);
    assert_eq!(alone.iter().map(|run| run.draws).collect::<Vec<_>>(), [1, 2, 1, 2]);
}

#[test]
fn examples_tell_topics_apart_that_share_no_words() {
    let measured = measure(&[set()], &default_model(), &protocol(), NOBODY).unwrap();
    let taught = measured.means().into_iter().find(|mean| mean.positives == 10).unwrap();
    assert!(taught.pr_auc > 0.9, "{taught:?}");
    assert!(taught.pages_per_cpu_s > 0.0);
    assert_eq!((taught.topics, taught.model.as_str()), (2, DEFAULT_MODEL));
}

#[test]
fn a_draw_holds_what_the_protocol_says_and_nothing_of_the_test_half() {
    let sets = [set()];
    let task = &tasks(&sets, &protocol()).unwrap()[0];
    let count = |examples: &[(&LabelledPage, Teaching<'_>)], teaching| {
        examples.iter().filter(|(_, teaches)| *teaches == teaching).count()
    };
    let drawn = task.examples(2, 0, 1);
    assert_eq!(count(&drawn, Teaching::Relevant), 2);
    assert_eq!(count(&drawn, Teaching::Irrelevant), 40);
    let unlabelled = count(&drawn, Teaching::Nothing);
    assert!(unlabelled <= 20 && unlabelled > 0, "labelled pages leave the pool: {unlabelled}");
    for (page, teaches) in &drawn {
        assert!(!page.is_test);
        assert_ne!(*teaches, Teaching::Relative(""));
        assert!(
            *teaches == Teaching::Nothing || page.is_about(0) == (*teaches == Teaching::Relevant)
        );
    }
    let mut names: Vec<&str> = drawn.iter().map(|(page, _)| page.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), drawn.len(), "no page is shown twice");
    let names = |draw, seed| -> Vec<&str> {
        task.examples(2, draw, seed).iter().map(|(page, _)| page.name.as_str()).collect()
    };
    assert_ne!(names(0, 1), names(1, 1));
    assert_ne!(names(0, 1), names(0, 2));
    assert_eq!(count(&task.examples(0, 0, 1), Teaching::Nothing), 20);
}

#[test]
fn a_topic_with_too_few_pages_is_left_out_and_named() {
    let protocol = Protocol { positives: vec![51], ..protocol() };
    let measured = measure(&[set()], &default_model(), &protocol, NOBODY).unwrap();
    assert!(measured.runs.is_empty());
    let left = &measured.left_out[0];
    assert_eq!((left.topic.as_str(), left.found, left.needed), ("sailing", 60, 61));
}

#[test]
fn a_topic_that_no_set_has_is_refused_with_those_there_are() {
    let protocol = Protocol { topics: vec!["knitting".to_owned()], ..protocol() };
    let error = measure(&[set()], &default_model(), &protocol, NOBODY).unwrap_err();
    assert!(error.to_string().ends_with("there are: sailing, gardening"), "{error}");
}

#[test]
fn the_default_is_compared_with_the_best_published_model() {
    let run = |model: &str, f1| Run { f1, ..Run::default() }.named(model, "made-up", "sailing", 10);
    let published = MODELS.iter().find(|entry| Contender::is_published(entry.name)).unwrap().name;
    let measured = Measured {
        runs: vec![run(DEFAULT_MODEL, 0.75), run(published, 0.5), run("of my own", 0.9)],
        left_out: Vec::new(),
    };
    let [duel] = &measured.duels()[..] else { panic!("one set, one number of examples") };
    assert_eq!((duel.rival.as_str(), duel.lead()), (published, 0.25));
}

#[test]
fn the_json_has_the_promised_shape() {
    let watch: Watch<'_> = NOBODY;
    let sets = [set()];
    let protocol = Protocol { topics: vec!["sailing".to_owned()], ..protocol() };
    let report = Report {
        measured: measure(&sets, &default_model(), &protocol, watch).unwrap(),
        mixed: Some(measure_mixed(&sets, &default_model(), &protocol, watch).unwrap()),
        ablation: Some(ablate(&sets, &protocol, watch).unwrap()),
        ..Report::default()
    };
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["default"], DEFAULT_MODEL);
    for key in ["model", "data", "topic"] {
        assert!(json["runs"][0][key].is_string(), "{key}");
    }
    for key in [
        "positives",
        "f1",
        "precision",
        "recall",
        "pr_auc",
        "ece",
        "pages_per_cpu_s",
        "max_f1",
        "draws",
    ] {
        assert!(json["runs"][0][key].is_number(), "{key}");
    }
    assert!(json["means"][0]["topics"].is_number() && json["left_out"].is_array());
    assert!(json["mixed"][0]["block_recall"].is_number());
    assert_eq!(json["ablation"][0]["difference"], 0.0);
    assert!(serde_json::to_value(Report::default()).unwrap().get("mixed").is_none());
}

#[test]
fn the_page_holds_tables_and_plots_and_needs_no_other_file() {
    let report = Report {
        method: "a < b".to_owned(),
        measured: measure(&[set()], &default_model(), &protocol(), NOBODY).unwrap(),
        ..Report::default()
    };
    let html = report.html();
    assert!(
        html.contains("a &lt; b") && html.contains("<svg") && html.contains("<td>made-up</td>")
    );
    assert!(!html.contains("href=") && !html.contains("src="), "nothing is fetched");
    assert!(report.svg().contains("made-up: mean F1"));
}

#[test]
fn the_best_block_is_found_where_the_page_is_mixed() {
    let protocol = Protocol { topics: vec!["sailing".to_owned()], ..protocol() };
    let mixed = measure_mixed(&[set()], &default_model(), &protocol, NOBODY).unwrap();
    assert_eq!(mixed.len(), 1);
    assert!(mixed[0].block_recall > 0.9 && mixed[0].best_block_is_relevant > 0.9, "{mixed:?}");
}

/// Real data: one topic of the newsgroups.
#[test]
fn real_newsgroups_are_told_apart() {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("GANNET_DATA").map_or(beside, PathBuf::from).join("relevance");
    if !folder.is_dir() {
        skipped(&folder);
        return;
    }
    let mut sets = load(&folder, &["20news".to_owned()], 2).unwrap();
    // One page in eight is enough to see that it works, and keeps the test short.
    let mut nth = 0;
    sets[0].pages.retain(|_| {
        nth += 1;
        nth % 8 == 0
    });
    let protocol = Protocol {
        positives: vec![10],
        draws: 1,
        pool: 200,
        topics: vec!["rec.sport.hockey".to_owned()],
        ..Protocol::default()
    };
    let measured = measure(&sets, &default_model(), &protocol, NOBODY).unwrap();
    assert_eq!(sets[0].topics().count(), 20);
    assert!(measured.runs[0].pr_auc > 0.5, "{:?}", measured.runs[0]);
}

#[allow(clippy::print_stderr)]
fn skipped(folder: &std::path::Path) {
    eprintln!("skipped: no {folder:?}");
}
